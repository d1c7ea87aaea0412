package external.cms;

import external.asn1.AsnException;
import external.asn1.AsnTime;
import external.asn1.Oids;
import external.asn1.Tlv;
import external.token.Version;
import java.util.List;

/** The signed attributes of rule 5.11. */
final class SignedAttributes {
  /** What is signed: the attributes in the order received, tagged SET OF (8.2). BouncyCastle would sort them. */
  final byte[] signed;
  final byte[] messageDigest;
  final long signingTime;

  SignedAttributes(Tlv attributes, Algorithm signatureAlgorithm, Version version) throws AsnException {
    Tlv contentType = null;
    Tlv digest = null;
    Tlv time = null;
    Tlv protection = null;
    for (Tlv attribute : attributes.as(Tlv.CONTEXT).values()) {
      List<Tlv> parts = attribute.as(Tlv.SEQUENCE).values(2, 2);
      Tlv set = parts.get(1).as(Tlv.SET);
      String oid = parts.get(0).oid();
      if (oid.equals(Oids.CONTENT_TYPE)) contentType = only(contentType, set);
      if (oid.equals(Oids.MESSAGE_DIGEST)) digest = only(digest, set);
      if (oid.equals(Oids.SIGNING_TIME)) time = only(time, set);
      if (oid.equals(Oids.ALGORITHM_PROTECTION)) protection = only(protection, set);
    }
    if (contentType == null || digest == null || time == null) throw new AsnException("an attribute is missing");
    if (!contentType.oid().equals(Oids.DATA)) throw new AsnException("another content type");
    messageDigest = digest.as(Tlv.OCTET_STRING).contents();
    if (messageDigest.length != 32) throw new AsnException("a digest of another length");
    signingTime = AsnTime.seconds(time);
    if (protection != null) checkProtection(protection, signatureAlgorithm, version);
    signed = attributes.encoded();
    signed[0] = Tlv.SET;
  }

  /** The only value of an attribute that may occur only once. */
  private static Tlv only(Tlv earlier, Tlv set) throws AsnException {
    if (earlier != null) throw new AsnException("an attribute twice");
    return set.values(1, 1).get(0);
  }

  /** cmsAlgorithmProtection (RFC 6211): the two algorithms, no MAC. For RSA, NULL and absent parameters are equal. */
  private static void checkProtection(Tlv value, Algorithm signatureAlgorithm, Version version) throws AsnException {
    List<Tlv> parts = value.as(Tlv.SEQUENCE).values(2, 2);
    Algorithm signature = Algorithm.of(parts.get(1).as(Tlv.CONTEXT + 1).values(1, 2));
    boolean parameters = version == Version.EC_V1 ? signature.hasNoParameters() : signature.hasNullOrNoParameters();
    boolean agrees = signature.oid().equals(signatureAlgorithm.oid()) && parameters;
    if (!Algorithm.of(parts.get(0)).isSha256() || !agrees) throw new AsnException("other algorithms are protected");
  }
}
