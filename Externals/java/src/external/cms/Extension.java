package external.cms;

import external.asn1.AsnException;
import external.asn1.DerReader;
import external.asn1.Oids;
import external.asn1.Tlv;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An extension of a certificate: whether it is critical, and the contents of its OCTET STRING (rule 5.15). */
record Extension(boolean critical, byte[] value) {
  /** The extensions by OID. Those that later stages read are well-formed (5.17). */
  static Map<String, Extension> all(Tlv list) throws AsnException {
    Map<String, Extension> extensions = new LinkedHashMap<>();
    for (Tlv item : list.as(Tlv.SEQUENCE).values(1, Integer.MAX_VALUE)) {
      List<Tlv> parts = item.as(Tlv.SEQUENCE).values(2, 3);
      boolean critical = parts.size() == 3 && parts.get(1).as(Tlv.BOOLEAN).contents()[0] != 0;
      Extension extension = new Extension(critical, parts.get(parts.size() - 1).as(Tlv.OCTET_STRING).contents());
      if (extensions.put(parts.get(0).oid(), extension) != null) throw new AsnException("an extension twice");
    }
    return extensions;
  }

  /** Reads the value, which is DER. It is a document of its own, so its depth begins at 1. */
  Tlv parsed() throws AsnException {
    return DerReader.whole(value, 1);
  }

  /** basicConstraints: cA and the path length, absent as null. */
  record BasicConstraints(boolean ca, BigInteger pathLength) {
    static BasicConstraints of(Extension extension) throws AsnException {
      List<Tlv> values = extension.parsed().as(Tlv.SEQUENCE).values(0, 2);
      int next = 0;
      boolean ca = false;
      if (next < values.size() && values.get(next).is(Tlv.BOOLEAN)) ca = values.get(next++).contents()[0] != 0;
      if (next == values.size()) return new BasicConstraints(ca, null);
      var length = new BigInteger(values.get(next++).as(Tlv.INTEGER).contents());
      if (length.signum() < 0 || next != values.size()) throw new AsnException("bad basic constraints");
      return new BasicConstraints(ca, length);
    }

    /** Whether it is an authority that may have so many authorities below it. */
    boolean allows(int authorities) {
      return ca && (pathLength == null || pathLength.compareTo(BigInteger.valueOf(authorities)) >= 0);
    }
  }

  /** The contents of a subjectKeyIdentifier. */
  byte[] keyIdentifier() throws AsnException {
    return parsed().as(Tlv.OCTET_STRING).contents();
  }

  /** Whether a keyUsage has the bit of this number, 0 to 7. */
  boolean hasUsage(int bit) throws AsnException {
    byte[] bits = parsed().as(Tlv.BIT_STRING).contents();
    return bits.length > 1 && (bits[1] & 0x80 >> bit) != 0;
  }

  /** Rule 5.17 for an extension of this OID. */
  void check(String oid) throws AsnException {
    if (oid.equals(Oids.BASIC_CONSTRAINTS)) BasicConstraints.of(this);
    if (oid.equals(Oids.KEY_USAGE)) hasUsage(0);
    if (oid.equals(Oids.SUBJECT_KEY_IDENTIFIER)) keyIdentifier();
  }
}
