package external.cms;

import external.asn1.AsnException;
import external.asn1.DerReader;
import external.asn1.Oids;
import external.asn1.Tlv;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.signers.ECDSASigner;

/** Signatures on certificates (rule 7.2) and on tokens (8.2 to 8.4). */
final class Signatures {
  private Signatures() {}

  /** Verifies a signature on a certificate by the algorithm that the certificate names. */
  static boolean verifyCertificate(PublicKey key, Algorithm algorithm, byte[] message, byte[] signature) {
    String oid = algorithm.oid();
    if (oid.equals(Oids.ECDSA_SHA256) || oid.equals(Oids.ECDSA_SHA384)) {
      Hash hash = oid.equals(Oids.ECDSA_SHA256) ? Hash.SHA256 : Hash.SHA384;
      return algorithm.hasNoParameters() && key instanceof PublicKey.Ec ec && ecdsa(ec, hash, message, signature);
    }
    if (oid.equals(Oids.RSA_SHA256) || oid.equals(Oids.RSA_SHA384)) {
      Hash hash = oid.equals(Oids.RSA_SHA256) ? Hash.SHA256 : Hash.SHA384;
      return algorithm.hasNullOrNoParameters()
          && key instanceof PublicKey.Rsa rsa
          && rsa(rsa, hash, message, signature);
    }
    return false;
  }

  /** Verifies a token's signature: SHA-256 with the leaf's key, of either kind. */
  static boolean verifyToken(PublicKey key, byte[] message, byte[] signature) {
    if (key instanceof PublicKey.Ec ec) return ecdsa(ec, Hash.SHA256, message, signature);
    return key instanceof PublicKey.Rsa rsa && rsa(rsa, Hash.SHA256, message, signature);
  }

  /** Rule 8.3. StandardDSAEncoding of BouncyCastle checks the same by re-encoding what it read. */
  private static boolean ecdsa(PublicKey.Ec key, Hash hash, byte[] message, byte[] signature) {
    try {
      List<Tlv> numbers = DerReader.whole(signature, 1).as(Tlv.SEQUENCE).values(2, 2);
      BigInteger r = new BigInteger(numbers.get(0).as(Tlv.INTEGER).contents());
      BigInteger s = new BigInteger(numbers.get(1).as(Tlv.INTEGER).contents());
      BigInteger order = key.curve().domain.getN();
      if (!isWithin(r, order) || !isWithin(s, order)) return false;
      ECDSASigner signer = new ECDSASigner();
      signer.init(false, new ECPublicKeyParameters(key.point(), key.curve().domain));
      return signer.verifySignature(hash.of(message), r, s);
    } catch (AsnException e) {
      return false;
    }
  }

  private static boolean isWithin(BigInteger number, BigInteger order) {
    return number.signum() > 0 && number.compareTo(order) < 0;
  }

  /** Rule 8.4. BouncyCastle's RSADigestSigner also takes a DigestInfo without NULL, so the encoding is made here. */
  private static boolean rsa(PublicKey.Rsa key, Hash hash, byte[] message, byte[] signature) {
    if (!key.isStrong() || signature.length != key.length()) return false;
    BigInteger number = new BigInteger(1, signature);
    if (number.compareTo(key.modulus()) >= 0) return false;
    return key.raise(number).equals(new BigInteger(1, encoding(hash, message, key.length())));
  }

  /** EMSA-PKCS1-v1_5 (RFC 8017 9.2): 00 01 FF … 00 DigestInfo. */
  private static byte[] encoding(Hash hash, byte[] message, int length) {
    byte[] digest = hash.of(message);
    byte[] encoding = new byte[length];
    int prefix = length - digest.length - hash.digestInfo.length;
    Arrays.fill(encoding, 2, prefix - 1, (byte) 0xFF);
    encoding[1] = 1;
    System.arraycopy(hash.digestInfo, 0, encoding, prefix, hash.digestInfo.length);
    System.arraycopy(digest, 0, encoding, length - digest.length, digest.length);
    return encoding;
  }
}
