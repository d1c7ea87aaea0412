package external.cms;

import external.asn1.AsnException;
import external.asn1.Oids;
import external.asn1.Tlv;
import external.token.Version;
import java.util.List;

/** The one SignerInfo of a message (rules 5.9 and 5.10). */
final class Signer {
  private final Tlv issuer;
  private final Tlv serial;
  private final byte[] keyIdentifier;
  final SignedAttributes attributes;
  final byte[] signature;
  final boolean isRsa;

  Signer(Tlv value, Version version) throws AsnException {
    List<Tlv> parts = value.as(Tlv.SEQUENCE).values(6, 6);
    Tlv identifier = parts.get(1);
    if (parts.get(0).isInteger(1)) {
      List<Tlv> name = identifier.as(Tlv.SEQUENCE).values(2, 2);
      issuer = Names.check(name.get(0));
      serial = name.get(1).as(Tlv.INTEGER);
      keyIdentifier = null;
    } else if (parts.get(0).isInteger(3)) {
      issuer = null;
      serial = null;
      keyIdentifier = identifier.as(Tlv.CONTEXT_PRIMITIVE).contents();
    } else {
      throw new AsnException("a signer of another version");
    }
    if (!Algorithm.of(parts.get(2)).isSha256()) throw new AsnException("not SHA-256");
    Algorithm algorithm = Algorithm.of(parts.get(4));
    checkAlgorithm(algorithm, version);
    isRsa = version == Version.RSA_V1;
    attributes = new SignedAttributes(parts.get(3), algorithm, version);
    signature = parts.get(5).as(Tlv.OCTET_STRING).contents();
  }

  private static void checkAlgorithm(Algorithm algorithm, Version version) throws AsnException {
    boolean good = version == Version.EC_V1
        ? algorithm.oid().equals(Oids.ECDSA_SHA256) && algorithm.hasNoParameters()
        : (algorithm.oid().equals(Oids.RSA) || algorithm.oid().equals(Oids.RSA_SHA256))
            && algorithm.hasNullOrNoParameters();
    if (!good) throw new AsnException("another signature algorithm");
  }

  /** Rule 6.4: byte for byte. BouncyCastle compares names without regard to case and white space. */
  boolean names(Certificate leaf) {
    if (keyIdentifier != null) return leaf.hasKeyIdentifier(keyIdentifier);
    return issuer.sameAs(leaf.issuer) && serial.sameAs(leaf.serial);
  }
}
