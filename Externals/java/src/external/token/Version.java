package external.token;

/** The two versions of tokens, each with its name, its key member and that of the other version. */
public enum Version {
  EC_V1("EC_v1", Member.EPHEMERAL_PUBLIC_KEY, Member.WRAPPED_KEY),
  RSA_V1("RSA_v1", Member.WRAPPED_KEY, Member.EPHEMERAL_PUBLIC_KEY);

  public final String text;
  public final Member keyMember;
  public final Member otherKeyMember;

  Version(String text, Member keyMember, Member otherKeyMember) {
    this.text = text;
    this.keyMember = keyMember;
    this.otherKeyMember = otherKeyMember;
  }
}
