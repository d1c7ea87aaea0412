package external.cms;

import external.asn1.AsnException;
import external.asn1.AsnTime;
import external.asn1.DerReader;
import external.asn1.Oids;
import external.asn1.Tlv;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A certificate that follows rules 5.13 to 5.18: a leaf, an intermediate, a root or a merchant's. */
public final class Certificate {
  private static final int MAXIMUM_LOADED_BYTES = 65_536;
  private static final int DEPTH = 5;

  private final Tlv whole;
  private final Tlv signed;
  private final Tlv subjectPublicKeyInfo;
  final Tlv serial;
  final Tlv issuer;
  final Tlv subject;
  final Algorithm algorithm;
  final byte[] signature;
  final long notBefore;
  final long notAfter;
  final Map<String, Extension> extensions;
  public final PublicKey key;

  /** Reads a certificate of a message. */
  Certificate(Tlv value) throws AsnException {
    whole = value;
    List<Tlv> parts = value.as(Tlv.SEQUENCE).values(3, 3);
    signed = parts.get(0).as(Tlv.SEQUENCE);
    algorithm = Algorithm.of(parts.get(1));
    signature = parts.get(2).wholeBits();

    List<Tlv> fields = signed.values(7, 8);
    if (!fields.get(0).as(Tlv.CONTEXT).values(1, 1).get(0).isInteger(2)) throw new AsnException("not version 3");
    serial = fields.get(1).as(Tlv.INTEGER);
    if (!fields.get(2).sameAs(parts.get(1))) throw new AsnException("two signature algorithms");
    issuer = Names.check(fields.get(3));
    List<Tlv> validity = fields.get(4).as(Tlv.SEQUENCE).values(2, 2);
    notBefore = AsnTime.seconds(validity.get(0));
    notAfter = AsnTime.seconds(validity.get(1));
    subject = Names.check(fields.get(5));
    subjectPublicKeyInfo = fields.get(6);
    key = PublicKey.of(subjectPublicKeyInfo);
    extensions = fields.size() == 8 ? Extension.all(fields.get(7).as(Tlv.CONTEXT + 3).values(1, 1).get(0)) : Map.of();
    for (Map.Entry<String, Extension> entry : extensions.entrySet()) entry.getValue().check(entry.getKey());
  }

  /** Reads a pinned root or the certificate of a merchant's key. */
  public static Certificate load(byte[] bytes) throws AsnException {
    if (bytes.length > MAXIMUM_LOADED_BYTES) throw new AsnException("a certificate of more than 65,536 bytes");
    return new Certificate(DerReader.whole(bytes, DEPTH));
  }

  public byte[] subjectPublicKeyInfo() {
    return subjectPublicKeyInfo.encoded();
  }

  /** The contents of an extension's OCTET STRING, or null. */
  public byte[] extension(String oid) {
    Extension extension = extensions.get(oid);
    return extension == null ? null : extension.value();
  }

  boolean has(String oid) {
    return extensions.containsKey(oid);
  }

  boolean sameAs(Certificate other) {
    return whole.sameAs(other.whole);
  }

  /** Whether the issuer of this certificate is the subject of the other. */
  boolean names(Certificate authority) {
    return issuer.sameAs(authority.subject);
  }

  /** Whether the authority's key signed it (rule 7.2). */
  boolean isSignedBy(Certificate authority) {
    return Signatures.verifyCertificate(authority.key, algorithm, signed.encoded(), signature);
  }

  /** Whether a list has the SHA-256 of this certificate or of its SubjectPublicKeyInfo (rule 7.6). */
  boolean isOn(List<byte[]> list) {
    byte[] own = Hash.SHA256.of(whole.encoded());
    byte[] ofKey = Hash.SHA256.of(subjectPublicKeyInfo.encoded());
    return list.stream().anyMatch(entry -> Arrays.equals(entry, own) || Arrays.equals(entry, ofKey));
  }

  /** Whether one of its extensions is the subjectKeyIdentifier with these contents. */
  boolean hasKeyIdentifier(byte[] identifier) {
    Extension extension = extensions.get(Oids.SUBJECT_KEY_IDENTIFIER);
    try {
      return extension != null && Arrays.equals(extension.keyIdentifier(), identifier);
    } catch (AsnException e) {
      return false;
    }
  }
}
