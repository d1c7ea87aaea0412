package external.payment;

import external.asn1.AsnException;
import external.cms.Curve;
import external.keys.MerchantKey;
import external.token.Code;
import external.token.Fault;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.crypto.AsymmetricBlockCipher;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.agreement.ECDHBasicAgreement;
import org.bouncycastle.crypto.agreement.kdf.ConcatenationKDFGenerator;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.encodings.OAEPEncoding;
import org.bouncycastle.crypto.engines.RSABlindedEngine;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.KDFParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.BigIntegers;
import org.bouncycastle.util.encoders.Hex;

/** Derives or unwraps the key of a token's data (stage 11). */
final class SymmetricKey {
  private static final byte[] SPKI_PREFIX = Hex.decode("3059301306072a8648ce3d020106082a8648ce3d030107034200");
  /** The algorithm's name after its length, the byte 0D. */
  private static final byte[] ALGORITHM = "\rid-aes256-GCM".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PARTY = "Apple".getBytes(StandardCharsets.US_ASCII);
  private static final int RSA_V1_KEY_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private SymmetricKey() {}

  /** The key; the caller wipes it. */
  static byte[] restore(MerchantKey key, byte[] tokenKey) throws Fault {
    if (key instanceof MerchantKey.Ec ec) return agreed(ec, tokenKey);
    return unwrapped(((MerchantKey.Rsa) key).key(), tokenKey);
  }

  /** Rules 11.1 and 11.2. */
  private static byte[] agreed(MerchantKey.Ec key, byte[] ephemeralPublicKey) throws Fault {
    ECDHBasicAgreement agreement = new ECDHBasicAgreement();
    agreement.init(key.key());
    ECPublicKeyParameters theirs = new ECPublicKeyParameters(point(ephemeralPublicKey), Curve.P256.domain);
    BigInteger x = agreement.calculateAgreement(theirs);
    byte[] shared = BigIntegers.asUnsignedByteArray(32, x);
    byte[] info = org.bouncycastle.util.Arrays.concatenate(ALGORITHM, PARTY, key.merchantIdHash());
    ConcatenationKDFGenerator derivation = new ConcatenationKDFGenerator(new SHA256Digest());
    derivation.init(new KDFParameters(shared, info));
    byte[] derived = new byte[32];
    derivation.generateBytes(derived, 0, derived.length);
    Arrays.fill(shared, (byte) 0);
    return derived;
  }

  private static ECPoint point(byte[] info) throws Fault {
    int length = SPKI_PREFIX.length;
    if (!Arrays.equals(info, 0, length, SPKI_PREFIX, 0, length)) throw new Fault(Code.INVALID_EPHEMERAL_KEY);
    try {
      return Curve.P256.point(Arrays.copyOfRange(info, length, info.length));
    } catch (AsnException e) {
      throw new Fault(Code.INVALID_EPHEMERAL_KEY);
    }
  }

  /** Rules 11.4 and 11.5: whatever goes wrong, a random key takes its place. */
  private static byte[] unwrapped(RSAPrivateCrtKeyParameters key, byte[] wrappedKey) {
    byte[] random = new byte[RSA_V1_KEY_BYTES];
    RANDOM.nextBytes(random);
    byte[] input = possibleCiphertext(key.getModulus(), wrappedKey);
    AsymmetricBlockCipher cipher =
        new OAEPEncoding(new RSABlindedEngine(), new SHA256Digest(), new SHA256Digest(), new byte[0]);
    cipher.init(false, key);
    try {
      byte[] unwrapped = cipher.processBlock(input, 0, input.length);
      return unwrapped.length == RSA_V1_KEY_BYTES ? unwrapped : random;
    } catch (InvalidCipherTextException | RuntimeException e) {
      return random;
    }
  }

  /** The wrapped key, or the number 2 if that cannot be a ciphertext of this key. BouncyCastle accepts shorter ones. */
  private static byte[] possibleCiphertext(BigInteger modulus, byte[] wrappedKey) {
    int length = (modulus.bitLength() + 7) / 8;
    if (wrappedKey.length == length && new BigInteger(1, wrappedKey).compareTo(modulus) < 0) return wrappedKey;
    return BigIntegers.asUnsignedByteArray(length, BigInteger.TWO);
  }
}
