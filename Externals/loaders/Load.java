import java.nio.file.*;
import java.security.MessageDigest;
import java.util.*;
import java.util.regex.*;

/** Runs a file of `assay corpus export` (Corpus/README.md, "JSON Lines") against a decryptor: java Load.java FILE */
class Load {
  /** A member of a flat object. Java has no reader of JSON; with one of your own, use that. */
  static final Pattern MEMBER = Pattern.compile(
      "\"(\\w+)\":(?:\"((?:[^\"\\\\]++|\\\\.)*+)\"|\\[([^\\]]*+)\\]|null|([^,}]++))");

  /** The members of a line; those of null are absent, and arrays are as written. */
  static Map<String, String> members(String line) {
    Map<String, String> members = new HashMap<>();
    for (Matcher found = MEMBER.matcher(line); found.find(); ) {
      for (int group = 2; group <= 4; group++) {
        if (found.group(group) != null) members.put(found.group(1), found.group(group));
      }
    }
    return members;
  }

  static byte[] base64(String text) { return Base64.getDecoder().decode(text); }

  /** Yours: the plaintext, or null for a refusal. Key (PKCS #8) and roots are DER; this one refuses everything. */
  static byte[] decrypt(
      byte[] token, byte[] privateKey, String merchantId, List<byte[]> roots, String at, String windowSeconds) {
    return null;
  }

  static boolean isWrong(Map<String, String> vector) {
    var roots = Pattern.compile("[^\",]+").matcher(vector.get("roots")).results().map(root -> base64(root.group()));
    byte[] plaintext = decrypt(base64(vector.get("request")), base64(vector.get("privateKey")),
        vector.get("merchantId"), roots.toList(), vector.get("at"), vector.get("windowSeconds"));
    return switch (vector.get("result")) {
      case "valid" -> !Arrays.equals(plaintext, base64(vector.get("plaintext")));
      case "invalid" -> plaintext != null;
      default -> false;
    };
  }

  public static void main(String[] arguments) throws Exception {
    String[] parts = Files.readString(Path.of(arguments[0])).split("\n", 2);
    var header = members(parts[0]);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(parts[1].getBytes("UTF-8"));
    if (!"assay.lines/1".equals(header.get("schema")) || !HexFormat.of().formatHex(digest).equals(header.get("sha256"))) {
      throw new IllegalArgumentException("not a file of assay.lines/1, or damaged");
    }
    var vectors = parts[1].lines().map(Load::members).toList();
    var wrong = vectors.stream().filter(Load::isWrong).toList();
    wrong.forEach(vector -> System.err.printf(
        "%s %s: %s%n", vector.get("severity"), vector.get("id"), vector.get("reason")));
    System.out.printf("%s of corpus %s: %d vectors, %d wrong%n",
        header.get("suite"), header.get("version"), vectors.size(), wrong.size());
  }
}
