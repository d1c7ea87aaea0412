package external.token;

import external.json.Json;

/**
 * A decoded token after stages 1 to 4. Its signature is not verified yet. {@code signature} and {@code transactionId}
 * are null for an unsigned token; {@code applicationData} is null if absent.
 */
public record Token(
    Version version,
    byte[] data,
    byte[] signature,
    byte[] key,
    byte[] publicKeyHash,
    byte[] transactionId,
    byte[] applicationData) {
  private static final int MAXIMUM_BYTES = 16_384;
  private static final int ANY = Integer.MAX_VALUE;

  /** Rule 1.1. */
  public static void checkSize(byte[] bytes) throws Fault {
    if (bytes.length > MAXIMUM_BYTES) throw new Fault(Code.TOKEN_TOO_LARGE);
  }

  /** Reads a whole token: stages 1 to 4. */
  public static Token parse(byte[] bytes) throws Fault {
    checkSize(bytes);
    TokenMembers members = TokenMembers.parse(bytes);
    String text = string(members, Member.VERSION);
    string(members, Member.DATA);
    string(members, Member.SIGNATURE);
    if (!(present(members, Member.HEADER) instanceof Json.Obj)) throw new Fault(Code.WRONG_TYPE, Member.HEADER.path);
    string(members, Member.PUBLIC_KEY_HASH);
    string(members, Member.TRANSACTION_ID);
    for (Version version : Version.values()) {
      if (version.text.equals(text)) return decoded(members, version);
    }
    throw new Fault(Code.UNSUPPORTED_VERSION, Member.VERSION.path);
  }

  /** Reads the parts of a signed token (0.8): EC_v1, no header. */
  public static Token ofParts(TokenMembers parts) throws Fault {
    string(parts, Member.DATA);
    string(parts, Member.SIGNATURE);
    string(parts, Member.PUBLIC_KEY_HASH);
    string(parts, Member.TRANSACTION_ID);
    return decoded(parts, Version.EC_V1);
  }

  /** Reads the parts of a token without a signature (unsigned policy). */
  public static Token unsigned(TokenMembers parts, boolean replay) throws Fault {
    string(parts, Member.DATA);
    string(parts, Member.PUBLIC_KEY_HASH);
    if (replay) throw new Fault(Code.MISSING_MEMBER, Member.TRANSACTION_ID.path);
    string(parts, Member.EPHEMERAL_PUBLIC_KEY);
    byte[] data = base64(parts, Member.DATA, 17, ANY);
    byte[] key = base64(parts, Member.EPHEMERAL_PUBLIC_KEY, 91, 91);
    byte[] hash = base64(parts, Member.PUBLIC_KEY_HASH, 32, 32);
    return new Token(Version.EC_V1, data, null, key, hash, null, null);
  }

  public boolean isSigned() {
    return signature != null;
  }

  /** Rules 3.3 and 3.4, then stage 4 in the order of its heading. */
  private static Token decoded(TokenMembers members, Version version) throws Fault {
    string(members, version.keyMember);
    if (members.get(version.otherKeyMember) != null) {
      throw new Fault(Code.CONFLICTING_MEMBERS, version.otherKeyMember.path);
    }
    boolean hasApplicationData = members.get(Member.APPLICATION_DATA) != null;
    if (hasApplicationData) string(members, Member.APPLICATION_DATA);

    byte[] data = base64(members, Member.DATA, 17, ANY);
    byte[] signature = base64(members, Member.SIGNATURE, 1, ANY);
    byte[] key = version == Version.EC_V1
        ? base64(members, version.keyMember, 91, 91)
        : base64(members, version.keyMember, 256, 512);
    byte[] hash = base64(members, Member.PUBLIC_KEY_HASH, 32, 32);
    byte[] transactionId = hex32(members, Member.TRANSACTION_ID);
    byte[] applicationData = hasApplicationData ? hex32(members, Member.APPLICATION_DATA) : null;
    return new Token(version, data, signature, key, hash, transactionId, applicationData);
  }

  private static Json present(TokenMembers members, Member member) throws Fault {
    Json value = members.get(member);
    if (value == null) throw new Fault(Code.MISSING_MEMBER, member.path);
    return value;
  }

  private static String string(TokenMembers members, Member member) throws Fault {
    if (present(members, member) instanceof Json.Str string) return string.value();
    throw new Fault(Code.WRONG_TYPE, member.path);
  }

  private static byte[] base64(TokenMembers members, Member member, int least, int most) throws Fault {
    byte[] bytes = Encodings.base64(string(members, member));
    if (bytes == null) throw new Fault(Code.INVALID_BASE64, member.path);
    if (bytes.length < least || bytes.length > most) throw new Fault(Code.INVALID_LENGTH, member.path);
    return bytes;
  }

  private static byte[] hex32(TokenMembers members, Member member) throws Fault {
    byte[] bytes = Encodings.hex(string(members, member));
    if (bytes == null) throw new Fault(Code.INVALID_HEX, member.path);
    if (bytes.length != 32) throw new Fault(Code.INVALID_LENGTH, member.path);
    return bytes;
  }
}
