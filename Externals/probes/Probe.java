import frame.Frame;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The program with which test-frames tests Frame.java. */
final class Probe {
  private final StringBuilder text = new StringBuilder();

  public static void main(String[] arguments) {
    Frame.serve("probe", "1", List.of("EC_v1", "RSA_v1"), (token, key, request) -> {
      String word = new String(token, StandardCharsets.ISO_8859_1);
      if (word.equals("throw")) throw new IllegalStateException("a bug in " + "A".repeat(40) + "\nof mine");
      if (word.equals("refuse")) {
        throw new Frame.Refused("first line\nsecond line " + "é".repeat(300), "signatureMismatch", null, null);
      }
      return new Probe().values(key, request);
    });
  }

  private byte[] values(Frame.Key key, Frame.Request request) throws Exception {
    add("pkcs8", key.pkcs8Pem());
    add("sec1", key.sec1Pem());
    add("pkcs12", key.certificatePem() == null ? null : key.pkcs12("secret"));
    add("merchantIdHash", key.merchantIdHash());
    add("merchantId", key.merchantId());
    add("certificate", key.certificatePem());
    add("at", Long.toString(request.at.getEpochSecond()));
    add("window", request.window == null ? "none" : request.window.toString());
    add("counts", String.format("%d keys, %d roots, %d earlier",
        request.keys.size(), request.roots.size(), request.prelude.size()));
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private void add(String name, String value) {
    add(name, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  private void add(String name, byte[] value) {
    text.append(name).append(' ').append(value == null ? "" : Base64.getEncoder().encodeToString(value)).append('\n');
  }
}
