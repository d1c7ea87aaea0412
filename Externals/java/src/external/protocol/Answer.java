package external.protocol;

import external.decryptor.Decryptor;
import external.json.Json;
import external.token.Fault;
import java.util.Base64;

/** The lines that go out. */
final class Answer {
  private Answer() {}

  static String hello() {
    return "{\"hello\":1,\"name\":\"java-bouncycastle\",\"version\":\"1\",\"supports\":"
        + "[\"EC_v1\",\"RSA_v1\",\"envelopes\",\"expect\",\"replay\",\"revoked\",\"unsigned\"]}";
  }

  static String helloError(String message) {
    return "{\"hello\":1,\"error\":" + quoted(message) + "}";
  }

  static String accepted(Json.Str id, Decryptor.Payment payment) {
    return "{\"id\":" + quoted(id.value()) + ",\"accepted\":true," + (payment.signed() ? "" : "\"signed\":false,")
        + "\"plaintext\":\"" + Base64.getEncoder().encodeToString(payment.plaintext()) + "\"}";
  }

  static String rejected(Json.Str id, Fault fault) {
    String member = fault.member == null ? "" : ",\"member\":" + quoted(fault.member);
    return "{\"id\":" + quoted(id.value()) + ",\"accepted\":false,\"code\":" + quoted(fault.code.text)
        + ",\"stage\":" + fault.stage + member + "}";
  }

  static String unsupported(Json.Str id) {
    return "{\"id\":" + quoted(id.value()) + ",\"unsupported\":true}";
  }

  /** {@code id} is null where it could not be read. */
  static String error(Json.Str id, String message) {
    return "{\"id\":" + (id == null ? "null" : quoted(id.value())) + ",\"error\":" + quoted(message) + "}";
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') quoted.append('\\').append(c);
      else if (c < 0x20) quoted.append(String.format("\\u%04x", (int) c));
      else quoted.append(c);
    }
    return quoted.append('"').toString();
  }
}
