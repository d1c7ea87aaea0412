package external.asn1;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads DER by rules 5.1 and 5.3 to 5.5. BouncyCastle's parser accepts every BER length, tags of several bytes,
 * constructed strings, BOOLEANs of any byte and padded integers, and normalises them.
 */
public final class DerReader {
  private static final int MAXIMUM_DEPTH = 16;

  private final byte[] bytes;

  private DerReader(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads bytes that are exactly one value. {@code depth} is the depth of the value if it is constructed. */
  public static Tlv whole(byte[] bytes, int depth) throws AsnException {
    Tlv value = read(bytes, 0, bytes.length, depth);
    if (value.encodedLength() != bytes.length) throw new AsnException("something after the value");
    return value;
  }

  /** The value that begins at {@code position} and ends at {@code limit} at the latest. */
  static Tlv read(byte[] bytes, int position, int limit, int depth) throws AsnException {
    return new DerReader(bytes).read(position, limit, depth);
  }

  private Tlv read(int position, int limit, int depth) throws AsnException {
    if (limit - position < 2) throw new AsnException("it ends too early");
    int identifier = bytes[position] & 0xFF;
    if ((identifier & 0x1F) == 0x1F) throw new AsnException("a tag of several bytes");
    int first = bytes[position + 1] & 0xFF;
    int contents = position + 2;
    long length = first;
    if (first >= 0x80) {
      int count = first & 0x7F;
      length = longLength(bytes, contents, limit, count);
      contents += count;
      if (length < 0x80 || length >> 8 * (count - 1) == 0) throw new AsnException("a length longer than needed");
    }
    if (length > limit - contents) throw new AsnException("a value longer than its place");
    int end = contents + (int) length;
    boolean constructed = (identifier & 0x20) != 0;
    if ((identifier & 0xC0) == 0) checkUniversal(identifier & 0x1F, constructed, contents, end);
    return new Tlv(bytes, position, contents, end, constructed ? list(contents, end, depth) : List.of());
  }

  /** The value of a length in the long form, of {@code count} bytes, which must be one to four. */
  static long longLength(byte[] bytes, int position, int limit, int count) throws AsnException {
    if (count < 1 || count > 4 || limit - position < count) throw new AsnException("a bad length");
    long length = 0;
    for (int i = 0; i < count; i++) length = length << 8 | bytes[position + i] & 0xFF;
    return length;
  }

  private List<Tlv> list(int position, int end, int depth) throws AsnException {
    if (depth > MAXIMUM_DEPTH) throw new AsnException("nested too deep");
    List<Tlv> values = new ArrayList<>();
    while (position < end) {
      Tlv value = read(position, end, depth + 1);
      values.add(value);
      position += value.encodedLength();
    }
    return values;
  }

  /** Rules 5.4 and 5.5. */
  private void checkUniversal(int number, boolean constructed, int start, int end) throws AsnException {
    if (constructed != (number == 16 || number == 17)) throw new AsnException("a wrong form");
    boolean canonical = switch (number) {
      case 0 -> false;
      case Tlv.BOOLEAN -> end - start == 1 && (bytes[start] == 0 || bytes[start] == -1);
      case Tlv.INTEGER -> isCanonicalInteger(start, end);
      case Tlv.BIT_STRING -> isCanonicalBitString(start, end);
      case Tlv.NULL -> start == end;
      case Tlv.OID -> isCanonicalOid(start, end);
      default -> true;
    };
    if (!canonical) throw new AsnException("contents that are not canonical");
  }

  private boolean isCanonicalInteger(int start, int end) {
    if (end - start < 2) return end - start == 1;
    boolean negative = bytes[start + 1] < 0;
    return bytes[start] != (negative ? -1 : 0);
  }

  private boolean isCanonicalBitString(int start, int end) {
    if (start == end) return false;
    int unused = bytes[start] & 0xFF;
    if (end - start == 1) return unused == 0;
    return unused <= 7 && (bytes[end - 1] & (1 << unused) - 1) == 0;
  }

  private boolean isCanonicalOid(int start, int end) {
    boolean atSubidentifier = true;
    for (int i = start; i < end; i++) {
      if (atSubidentifier && (bytes[i] & 0xFF) == 0x80) return false;
      atSubidentifier = bytes[i] >= 0;
    }
    return start < end && atSubidentifier;
  }
}
