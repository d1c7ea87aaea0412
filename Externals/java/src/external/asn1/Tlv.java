package external.asn1;

import java.util.Arrays;
import java.util.List;

/** A DER value: its position, and the values in it if it is constructed (rules 5.1 and 5.3 to 5.5). */
public final class Tlv {
  public static final int BOOLEAN = 0x01;
  public static final int INTEGER = 0x02;
  public static final int BIT_STRING = 0x03;
  public static final int OCTET_STRING = 0x04;
  public static final int NULL = 0x05;
  public static final int OID = 0x06;
  public static final int UTF8_STRING = 0x0C;
  public static final int UTC_TIME = 0x17;
  public static final int GENERALIZED_TIME = 0x18;
  public static final int SEQUENCE = 0x30;
  public static final int SET = 0x31;
  /** Context-specific and constructed; add the number. */
  public static final int CONTEXT = 0xA0;
  /** Context-specific and primitive; add the number. */
  public static final int CONTEXT_PRIMITIVE = 0x80;

  private final byte[] bytes;
  private final int start;
  private final int contents;
  private final int end;
  private final List<Tlv> values;

  Tlv(byte[] bytes, int start, int contents, int end, List<Tlv> values) {
    this.bytes = bytes;
    this.start = start;
    this.contents = contents;
    this.end = end;
    this.values = values;
  }

  /** The identifier byte: class, form and number. */
  public int identifier() {
    return bytes[start] & 0xFF;
  }

  public boolean is(int identifier) {
    return identifier() == identifier;
  }

  /** This value, which must have the identifier. */
  public Tlv as(int identifier) throws AsnException {
    if (!is(identifier)) throw new AsnException("another tag was due");
    return this;
  }

  /** The values in it; none for a primitive. */
  public List<Tlv> values() {
    return values;
  }

  /** The values in it, whose number must be within the bounds. */
  public List<Tlv> values(int least, int most) throws AsnException {
    if (values.size() < least || values.size() > most) throw new AsnException("another number of values was due");
    return values;
  }

  /** Tag, length and contents. */
  public byte[] encoded() {
    return Arrays.copyOfRange(bytes, start, end);
  }

  public byte[] contents() {
    return Arrays.copyOfRange(bytes, contents, end);
  }

  public int encodedLength() {
    return end - start;
  }

  /** Whether two values are the same byte for byte. */
  public boolean sameAs(Tlv other) {
    return Arrays.equals(bytes, start, end, other.bytes, other.start, other.end);
  }

  /** The contents of an OBJECT IDENTIFIER as the constants of {@link Oids} write them. */
  public String oid() throws AsnException {
    return Oids.hex(as(OID).contents());
  }

  /** Whether it is the INTEGER of this small value. */
  public boolean isInteger(int small) {
    return is(INTEGER) && end - contents == 1 && bytes[contents] == small;
  }

  /** The bytes of a BIT STRING without unused bits. */
  public byte[] wholeBits() throws AsnException {
    as(BIT_STRING);
    if (bytes[contents] != 0) throw new AsnException("unused bits");
    return Arrays.copyOfRange(bytes, contents + 1, end);
  }
}
