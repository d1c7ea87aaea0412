package external.payment;

import external.json.Json;
import external.json.JsonDocument;
import external.json.JsonException;
import external.token.Code;
import external.token.Encodings;
import external.token.Fault;
import external.token.Version;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.function.Predicate;

/** The values of a decrypted payload that stage 14 compares. The whole payload is well-formed (stage 13). */
public record Payload(String currency, long minorUnits) {
  private static final int MAXIMUM_MEMBERS = 64;

  public static Payload parse(byte[] plaintext, Version version) throws Fault {
    Json.Obj root;
    try {
      root = JsonDocument.parse(plaintext).root;
    } catch (JsonException e) {
      throw malformed();
    }
    checkMembers(root);
    required(root, "applicationPrimaryAccountNumber", text -> text.matches("[0-9]{12,19}"));
    required(root, "applicationExpirationDate", Payload::isDate);
    String currency = required(root, "currencyCode", text -> text.matches("[0-9]{3}"));
    required(root, "deviceManufacturerIdentifier", text -> isHex(text, 32));
    checkOptionals(root);
    checkPaymentData(root, version);
    return new Payload(currency, minorUnits(root.get("transactionAmount")));
  }

  private static Fault malformed() {
    return new Fault(Code.MALFORMED_PAYLOAD);
  }

  /** Rule 13.1. */
  private static void checkMembers(Json.Obj object) throws Fault {
    if (object.members().size() > MAXIMUM_MEMBERS || object.firstRepeated() != null) throw malformed();
  }

  private static long minorUnits(Json value) throws Fault {
    long units = value instanceof Json.Num number ? Amount.minorUnits(number.text()) : -1;
    if (units < 0) throw malformed();
    return units;
  }

  /** Rule 13.4. */
  private static void checkPaymentData(Json.Obj root, Version version) throws Fault {
    String type = required(root, "paymentDataType", text -> text.equals("3DSecure") || text.equals("EMV"));
    if (!(root.get("paymentData") instanceof Json.Obj data)) throw malformed();
    checkMembers(data);
    if (type.equals("3DSecure")) {
      required(data, "onlinePaymentCryptogram", Payload::isBase64);
      optional(data, "eciIndicator", text -> text.matches("[0-9]{1,2}"));
      return;
    }
    required(data, "emvData", Payload::isBase64);
    if (version == Version.EC_V1 && data.get("encryptedPINData") != null) throw malformed();
    optional(data, "encryptedPINData", text -> isHex(text, Integer.MAX_VALUE));
  }

  /** Rule 13.5. */
  private static void checkOptionals(Json.Obj root) throws Fault {
    optional(root, "cardholderName", text -> true);
    optional(root, "merchantTokenIdentifier", text -> true);
    Json metadata = root.get("merchantTokenMetadata");
    if (metadata != null && !(metadata instanceof Json.Obj)) throw malformed();
    Json responses = root.get("authenticationResponses");
    if (responses == null) return;
    if (!(responses instanceof Json.Arr array)) throw malformed();
    for (Json item : array.items()) {
      if (!(item instanceof Json.Obj response)) throw malformed();
      checkMembers(response);
      required(response, "merchantIdentifier", text -> true);
      required(response, "authenticationData", text -> true);
      required(response, "transactionAmount", text -> true);
    }
  }

  private static String required(Json.Obj object, String name, Predicate<String> rule) throws Fault {
    if (object.get(name) instanceof Json.Str string && rule.test(string.value())) return string.value();
    throw malformed();
  }

  private static void optional(Json.Obj object, String name, Predicate<String> rule) throws Fault {
    if (object.get(name) != null) required(object, name, rule);
  }

  private static boolean isBase64(String text) {
    byte[] bytes = Encodings.base64(text);
    return bytes != null && bytes.length > 0;
  }

  private static boolean isHex(String text, int most) {
    byte[] bytes = Encodings.hex(text);
    return bytes != null && bytes.length > 0 && bytes.length <= most;
  }

  /** YYMMDD, a real date in 20YY. */
  private static boolean isDate(String text) {
    if (!text.matches("[0-9]{6}")) return false;
    int digits = Integer.parseInt(text);
    try {
      LocalDate.of(2000 + digits / 10_000, digits / 100 % 100, digits % 100);
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
