package external.cms;

import external.asn1.AsnException;
import external.asn1.DerReader;
import external.asn1.Oids;
import external.asn1.Tlv;
import java.math.BigInteger;
import java.util.List;
import org.bouncycastle.math.ec.ECPoint;

/** The key of a SubjectPublicKeyInfo (rule 5.16). */
public sealed interface PublicKey {
  /** A point on P-256 or P-384. */
  record Ec(Curve curve, ECPoint point) implements PublicKey {}

  /** A modulus, odd and of at most 4,096 bits; the exponent is 65537. */
  record Rsa(BigInteger modulus) implements PublicKey {
    /** The length of a signature or ciphertext in bytes. */
    public int length() {
      return (modulus.bitLength() + 7) / 8;
    }

    /** Whether it has from 2,048 to 4,096 bits. */
    public boolean isStrong() {
      return modulus.bitLength() >= 2048;
    }

    /** The public operation. BouncyCastle's own key class refuses some moduli that 5.16 allows. */
    public BigInteger raise(BigInteger number) {
      return number.modPow(EXPONENT, modulus);
    }
  }

  /** A key of another algorithm or curve: it is read, but no signature verifies with it. */
  record Other() implements PublicKey {}

  BigInteger EXPONENT = BigInteger.valueOf(65537);
  int MAXIMUM_RSA_BITS = 4096;

  static PublicKey of(Tlv info) throws AsnException {
    List<Tlv> parts = info.as(Tlv.SEQUENCE).values(2, 2);
    Algorithm algorithm = Algorithm.of(parts.get(0));
    byte[] key = parts.get(1).wholeBits();
    if (algorithm.oid().equals(Oids.EC_PUBLIC_KEY)) return ec(algorithm, key);
    if (algorithm.oid().equals(Oids.RSA)) return rsa(algorithm, key);
    return new Other();
  }

  private static PublicKey ec(Algorithm algorithm, byte[] key) throws AsnException {
    if (algorithm.hasNoParameters()) throw new AsnException("no curve");
    String oid = algorithm.parameters().oid();
    Curve curve = oid.equals(Oids.P256) ? Curve.P256 : oid.equals(Oids.P384) ? Curve.P384 : null;
    return curve == null ? new Other() : new Ec(curve, curve.point(key));
  }

  private static PublicKey rsa(Algorithm algorithm, byte[] key) throws AsnException {
    if (algorithm.hasNoParameters() || !algorithm.hasNullOrNoParameters()) throw new AsnException("RSA without NULL");
    List<Tlv> numbers = DerReader.whole(key, 1).as(Tlv.SEQUENCE).values(2, 2);
    BigInteger modulus = new BigInteger(numbers.get(0).as(Tlv.INTEGER).contents());
    BigInteger exponent = new BigInteger(numbers.get(1).as(Tlv.INTEGER).contents());
    boolean good = modulus.signum() > 0 && modulus.testBit(0) && modulus.bitLength() <= MAXIMUM_RSA_BITS;
    if (!good || !exponent.equals(EXPONENT)) throw new AsnException("a bad RSA key");
    return new Rsa(modulus);
  }
}
