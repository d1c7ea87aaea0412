package external.asn1;

/** Bytes that are not the expected ASN.1. */
public final class AsnException extends Exception {
  private static final long serialVersionUID = 1;

  public AsnException(String message) {
    super(message, null, false, false);
  }
}
