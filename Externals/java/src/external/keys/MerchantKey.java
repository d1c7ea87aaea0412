package external.keys;

import external.token.Version;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;

/** A merchant's private key. {@code publicKeyHash} is the SHA-256 of its SubjectPublicKeyInfo. */
public sealed interface MerchantKey {
  byte[] publicKeyHash();

  /** The version of the tokens it opens. */
  Version version();

  /** A key on P-256, and SHA-256 of the merchant ID that it is bound to. */
  record Ec(byte[] publicKeyHash, ECPrivateKeyParameters key, byte[] merchantIdHash) implements MerchantKey {
    @Override
    public Version version() {
      return Version.EC_V1;
    }
  }

  /** An RSA key of 2,048 to 4,096 bits. Decryption does not use the merchant ID; its hash is null if none was given. */
  record Rsa(byte[] publicKeyHash, RSAPrivateCrtKeyParameters key, byte[] merchantIdHash) implements MerchantKey {
    @Override
    public Version version() {
      return Version.RSA_V1;
    }
  }

  byte[] merchantIdHash();
}
