package external.token;

/** The members of a token, by path. */
public enum Member {
  VERSION("version"),
  DATA("data"),
  SIGNATURE("signature"),
  HEADER("header"),
  EPHEMERAL_PUBLIC_KEY("header.ephemeralPublicKey"),
  WRAPPED_KEY("header.wrappedKey"),
  PUBLIC_KEY_HASH("header.publicKeyHash"),
  TRANSACTION_ID("header.transactionId"),
  APPLICATION_DATA("header.applicationData");

  private static final String HEADER_PREFIX = "header.";
  public final String path;

  Member(String path) {
    this.path = path;
  }

  /** The name within {@code header}, or null for a member of the token itself. */
  public String nameInHeader() {
    return path.startsWith(HEADER_PREFIX) ? path.substring(HEADER_PREFIX.length()) : null;
  }

  /** The path of the known member of this name in the token or in its header, or null. */
  public static String known(String name, boolean isInHeader) {
    for (Member member : values()) {
      String own = isInHeader ? member.nameInHeader() : member.nameInHeader() == null ? member.path : null;
      if (name.equals(own)) return member.path;
    }
    return null;
  }
}
