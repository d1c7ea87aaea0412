package external.keys;

import external.asn1.AsnException;
import external.asn1.DerReader;
import external.asn1.Oids;
import external.asn1.Tlv;
import external.cms.Certificate;
import external.cms.Curve;
import external.cms.Hash;
import external.cms.PublicKey;
import external.token.Code;
import external.token.Encodings;
import external.token.Fault;
import external.token.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;
import org.bouncycastle.math.ec.ECPoint;

/** The merchant's keys, found by the hash of their public key. */
public final class MerchantKeys {
  private final List<MerchantKey> keys = new ArrayList<>();

  /** Adds a key. Certificate and merchant ID may be null; they must belong to the key and to each other. */
  public void add(String privateKeyPem, String certificatePem, String merchantId) throws KeyException {
    AsymmetricKeyParameter key = Pem.privateKey(privateKeyPem);
    Certificate certificate = certificatePem == null ? null : Pem.certificate(certificatePem);
    byte[] merchantIdHash = merchantIdHash(certificate, merchantId);
    if (key instanceof ECPrivateKeyParameters ec) add(ec(ec, certificate, merchantIdHash));
    else if (key instanceof RSAPrivateCrtKeyParameters rsa) add(rsa(rsa, certificate, merchantIdHash));
    else throw new KeyException("a key of another kind than P-256 and RSA");
  }

  /** Stage 10. */
  public MerchantKey find(byte[] publicKeyHash, Version version) throws Fault {
    for (MerchantKey key : keys) {
      if (key.version() == version && Arrays.equals(key.publicKeyHash(), publicKeyHash)) return key;
    }
    throw new Fault(Code.UNKNOWN_MERCHANT_KEY);
  }

  private void add(MerchantKey added) throws KeyException {
    for (MerchantKey key : keys) {
      if (!Arrays.equals(key.publicKeyHash(), added.publicKeyHash())) continue;
      if (!Arrays.equals(key.merchantIdHash(), added.merchantIdHash())) {
        throw new KeyException("one key under two merchant IDs");
      }
      return;
    }
    keys.add(added);
  }

  private static MerchantKey ec(ECPrivateKeyParameters key, Certificate certificate, byte[] merchantIdHash)
      throws KeyException {
    boolean isP256 = key.getParameters().getCurve().equals(Curve.P256.domain.getCurve())
        && key.getParameters().getG().equals(Curve.P256.domain.getG());
    if (!isP256) throw new KeyException("an EC key on another curve than P-256");
    if (merchantIdHash == null) throw new KeyException("an EC key needs a merchant ID or a certificate that names it");
    ECPoint point = Curve.P256.domain.getG().multiply(key.getD()).normalize();
    boolean agrees = certificate == null
        || certificate.key instanceof PublicKey.Ec own && own.curve() == Curve.P256 && own.point().equals(point);
    if (!agrees) throw new KeyException("key and certificate do not belong together");
    AlgorithmIdentifier algorithm =
        new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, SECObjectIdentifiers.secp256r1);
    byte[] info = certificate != null ? certificate.subjectPublicKeyInfo() : encode(algorithm, point.getEncoded(false));
    // The same scalar on BouncyCastle's own curve, which is faster.
    return new MerchantKey.Ec(
        Hash.SHA256.of(info), new ECPrivateKeyParameters(key.getD(), Curve.P256.domain), merchantIdHash);
  }

  private static MerchantKey rsa(RSAPrivateCrtKeyParameters key, Certificate certificate, byte[] merchantIdHash)
      throws KeyException {
    int bits = key.getModulus().bitLength();
    if (bits < 2048 || bits > PublicKey.MAXIMUM_RSA_BITS || !key.getPublicExponent().equals(PublicKey.EXPONENT)) {
      throw new KeyException("an RSA key of another size or exponent");
    }
    boolean agrees = certificate == null
        || certificate.key instanceof PublicKey.Rsa own && own.modulus().equals(key.getModulus());
    if (!agrees) throw new KeyException("key and certificate do not belong together");
    byte[] info = certificate != null ? certificate.subjectPublicKeyInfo() : encodeRsa(key);
    return new MerchantKey.Rsa(Hash.SHA256.of(info), key, merchantIdHash);
  }

  private static byte[] encodeRsa(RSAPrivateCrtKeyParameters key) throws KeyException {
    var numbers = new org.bouncycastle.asn1.pkcs.RSAPublicKey(key.getModulus(), key.getPublicExponent());
    try {
      AlgorithmIdentifier algorithm = new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE);
      return encode(algorithm, numbers.getEncoded());
    } catch (IOException e) {
      throw new KeyException("a key that cannot be encoded");
    }
  }

  private static byte[] encode(AlgorithmIdentifier algorithm, byte[] key) throws KeyException {
    try {
      return new SubjectPublicKeyInfo(algorithm, key).getEncoded();
    } catch (IOException e) {
      throw new KeyException("a key that cannot be encoded");
    }
  }

  /** SHA-256 of the given merchant ID, or the hash in the certificate; null if there is neither. */
  private static byte[] merchantIdHash(Certificate certificate, String merchantId) throws KeyException {
    if (merchantId != null && merchantId.isEmpty()) throw new KeyException("an empty merchant ID");
    byte[] given = merchantId == null ? null : Hash.SHA256.of(merchantId.getBytes(StandardCharsets.UTF_8));
    byte[] extension = certificate == null ? null : certificate.extension(Oids.MERCHANT_ID);
    if (extension == null) return given;
    byte[] certified = certifiedHash(extension);
    if (given != null && !Arrays.equals(given, certified)) throw new KeyException("another merchant ID than certified");
    return certified;
  }

  /** Decodes a UTF8String of 64 hexadecimal digits of either case. */
  private static byte[] certifiedHash(byte[] extension) throws KeyException {
    try {
      byte[] digits = DerReader.whole(extension, 1).as(Tlv.UTF8_STRING).contents();
      byte[] hash = Encodings.hex(new String(digits, StandardCharsets.ISO_8859_1));
      if (hash != null && hash.length == 32) return hash;
    } catch (AsnException e) {
      // Malformed DER is refused below, like other contents.
    }
    throw new KeyException("a certificate whose merchant ID cannot be read");
  }
}
