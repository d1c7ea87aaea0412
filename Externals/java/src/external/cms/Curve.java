package external.cms;

import external.asn1.AsnException;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.math.ec.ECPoint;

/** The curves that keys may be on. */
public enum Curve {
  P256("P-256", 32),
  P384("P-384", 48);

  public final ECDomainParameters domain;
  private final int width;

  Curve(String name, int width) {
    X9ECParameters parameters = CustomNamedCurves.getByName(name);
    this.domain = new ECDomainParameters(parameters);
    this.width = width;
  }

  /**
   * The point 04 ‖ x ‖ y on the curve, with coordinates below p (rules 5.16 and 11.1). BouncyCastle checks the
   * coordinates and the equation, but would also read compressed and hybrid points and infinity.
   */
  public ECPoint point(byte[] bytes) throws AsnException {
    if (bytes.length != 1 + 2 * width || bytes[0] != 4) throw new AsnException("not an uncompressed point");
    try {
      return domain.validatePublicPoint(domain.getCurve().decodePoint(bytes));
    } catch (IllegalArgumentException e) {
      throw new AsnException("not a point of the curve");
    }
  }
}
