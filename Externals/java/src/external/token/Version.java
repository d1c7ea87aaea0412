package external.token;

/** The two kinds of tokens: what they call themselves and the member that leads to their key. */
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
