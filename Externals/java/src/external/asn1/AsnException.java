package external.asn1;

/** Bytes that are not the ASN.1 they should be. */
public final class AsnException extends Exception {
  private static final long serialVersionUID = 1;

  public AsnException(String message) {
    super(message, null, false, false);
  }
}
