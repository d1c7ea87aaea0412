package external.envelope;

import external.json.Json;
import external.json.JsonDocument;
import external.json.JsonException;
import external.token.Code;
import external.token.Encodings;
import external.token.Fault;
import external.token.Member;
import external.token.TokenMembers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes the token out of a gateway's request (stage 0). */
public final class Envelope {
  /** The name that selects the envelope by the shape of the request. */
  public static final String AUTO = "auto";
  /** The name for a request that is the token itself. */
  public static final String APPLE = "apple";

  private static final int MAXIMUM_BYTES = 65_536;
  private static final List<String> APPLE_MARKS = List.of("version", "data", "signature", "header");
  private static final Map<String, Member> PARTS = parts();
  /** A second name of the part that holds the key (0.11). */
  private static final String OTHER_KEY = "ephemeralKey";

  private Envelope() {}

  /**
   * The contents of an envelope. {@code bytes} is the token, or the object that holds its parts; {@code parts} is null
   * for a whole token; {@code identifier} is the transactionIdentifier beside the token, or null.
   */
  public record Contents(byte[] bytes, TokenMembers parts, Json identifier) {}

  /** Extracts the token from a request. {@code name} is that of a known envelope. */
  public static Contents open(byte[] request, String name) throws Fault {
    if (name.equals(APPLE)) return new Contents(request, null, null);
    if (request.length > MAXIMUM_BYTES) throw new Fault(Code.TOKEN_TOO_LARGE, 0);
    JsonDocument document;
    try {
      document = JsonDocument.parse(request);
    } catch (JsonException e) {
      if (name.equals(AUTO)) return new Contents(request, null, null);
      throw new Fault(Code.MALFORMED_ENVELOPE);
    }
    Format format = name.equals(AUTO) ? fitting(document.root) : format(name);
    return format == null ? new Contents(request, null, null) : open(document, format);
  }

  private static Format format(String name) {
    for (Format format : Format.values()) {
      if (format.text.equals(name)) return format;
    }
    return null;
  }

  /** Rule 0.9: the one envelope that fits; null for {@code apple} and for none. */
  private static Format fitting(Json.Obj root) throws Fault {
    List<Format> fitting = new ArrayList<>();
    for (Format format : Format.values()) {
      boolean marked = (format.present.isEmpty() || leads(root, format.present))
          && (format.absent.isEmpty() || !leads(root, format.absent));
      if (marked && format.routes.stream().anyMatch(route -> leads(root, route.path()))) fitting.add(format);
    }
    boolean isApple = APPLE_MARKS.stream().allMatch(name -> root.get(name) != null);
    if (fitting.size() + (isApple ? 1 : 0) > 1) throw new Fault(Code.AMBIGUOUS_ENVELOPE);
    return fitting.isEmpty() ? null : fitting.get(0);
  }

  private static boolean leads(Json.Obj root, List<String> path) {
    return !Paths.values(root, path).isEmpty();
  }

  /** Rules 0.3 to 0.7. */
  private static Contents open(JsonDocument document, Format format) throws Fault {
    Json.Obj root = document.root;
    for (Route route : format.routes) checkUnique(root, route.path());
    List<Route> taken = format.routes.stream().filter(route -> leads(root, route.path())).toList();
    if (taken.size() != 1) throw new Fault(Code.MALFORMED_ENVELOPE);
    Route route = taken.get(0);
    if (route.constant() != null) checkUnique(root, route.constant().path());
    if (route.identifier() != null) checkUnique(root, route.identifier());
    Json identifier = route.identifier() == null ? null : Paths.value(root, route.identifier());
    Contents contents = contents(document, route, identifier);
    if (route.constant() != null) checkConstant(root, route.constant());
    if (route.kind() == Route.Kind.PARTS) checkNames((Json.Obj) Paths.value(root, route.path()));
    return contents;
  }

  private static void checkUnique(Json.Obj root, List<String> path) throws Fault {
    if (Paths.isRepeated(root, path)) throw new Fault(Code.MALFORMED_ENVELOPE);
  }

  /** Rule 0.5. */
  private static Contents contents(JsonDocument document, Route route, Json identifier) throws Fault {
    Json value = Paths.value(document.root, route.path());
    if (value instanceof Json.Obj object) {
      if (route.kind() == Route.Kind.OBJECT) return new Contents(document.bytes(object), null, identifier);
      if (route.kind() == Route.Kind.PARTS) return new Contents(document.bytes(object), parts(object), identifier);
    }
    if (value instanceof Json.Str string) {
      byte[] bytes = null;
      if (route.kind() == Route.Kind.TEXT) bytes = string.value().getBytes(StandardCharsets.UTF_8);
      if (route.kind() == Route.Kind.BASE64) bytes = Encodings.base64(string.value());
      if (bytes != null) return new Contents(bytes, null, identifier);
    }
    throw new Fault(Code.MALFORMED_ENVELOPE);
  }

  /** Rule 0.8. */
  private static TokenMembers parts(Json.Obj object) throws Fault {
    TokenMembers members = new TokenMembers();
    for (Map.Entry<String, Member> part : PARTS.entrySet()) {
      checkUnique(object, List.of(part.getKey()));
      members.put(part.getValue(), object.get(part.getKey()));
    }
    checkUnique(object, List.of(OTHER_KEY));
    if (object.get("ephemeralPublicKey") == null) members.put(Member.EPHEMERAL_PUBLIC_KEY, object.get(OTHER_KEY));
    return members;
  }

  private static Map<String, Member> parts() {
    Map<String, Member> parts = new LinkedHashMap<>();
    parts.put("encryptedPaymentData", Member.DATA);
    parts.put("signature", Member.SIGNATURE);
    parts.put("ephemeralPublicKey", Member.EPHEMERAL_PUBLIC_KEY);
    parts.put("publicKeyHash", Member.PUBLIC_KEY_HASH);
    parts.put("transactionId", Member.TRANSACTION_ID);
    parts.put("applicationData", Member.APPLICATION_DATA);
    return parts;
  }

  /** Rule 0.11: a key present under both names must be the same string. */
  private static void checkNames(Json.Obj parts) throws Fault {
    Json first = parts.get("ephemeralPublicKey");
    Json second = parts.get(OTHER_KEY);
    if (first == null || second == null) return;
    if (!(first instanceof Json.Str one) || !(second instanceof Json.Str other) || !one.value().equals(other.value())) {
      throw new Fault(Code.ENVELOPE_FIELD_MISMATCH);
    }
  }

  /** Rule 0.6. */
  private static void checkConstant(Json.Obj root, Route.Constant constant) throws Fault {
    Json value = Paths.value(root, constant.path());
    if (value == null) return;
    boolean equal = constant.isNumber()
        ? value instanceof Json.Num number && number.text().equals(constant.text())
        : value instanceof Json.Str string && string.value().equals(constant.text());
    if (!equal) throw new Fault(Code.ENVELOPE_FIELD_MISMATCH);
  }
}
