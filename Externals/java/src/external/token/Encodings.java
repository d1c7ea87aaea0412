package external.token;

import java.util.Base64;

/** Base64 and hexadecimal as rules 4.1 and 4.2 demand. */
public final class Encodings {
  private Encodings() {}

  /**
   * Strict base64 of RFC 4648 section 4, or null. Java's decoder accepts missing padding and trailing bits that are not
   * zero, so its result is encoded again and compared.
   */
  public static byte[] base64(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      return Base64.getEncoder().encodeToString(bytes).equals(text) ? bytes : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Hexadecimal of even length, digits of either case, or null. */
  public static byte[] hex(String text) {
    if (text.length() % 2 != 0) return null;
    byte[] bytes = new byte[text.length() / 2];
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int digit = c < 0x80 ? Character.digit(c, 16) : -1;
      if (digit < 0) return null;
      bytes[i / 2] = (byte) (bytes[i / 2] << 4 | digit);
    }
    return bytes;
  }
}
