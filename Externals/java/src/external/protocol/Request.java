package external.protocol;

import external.decryptor.Policy;
import external.decryptor.ReplayStore;
import external.envelope.Envelope;
import external.json.Json;
import external.token.Encodings;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** A line with a token. {@code policy} is null where this program knows no such envelope. */
record Request(byte[] token, long at, Policy policy, List<byte[]> prelude) {
  static Request read(Json.Obj line, Long windowSeconds) throws LineException {
    Fields fields = new Fields(line, "id", "token", "at", "policy", "prelude");
    byte[] token = Fields.base64(fields.string("token"), "token");
    long at = time(fields.string("at"));
    Json policy = fields.has("policy") ? fields.value("policy") : new Json.Obj(List.of(), 0, 0);
    List<byte[]> prelude = new ArrayList<>();
    for (String earlier : fields.strings("prelude")) prelude.add(Fields.base64(earlier, "prelude"));
    return new Request(token, at, policy(Fields.object(policy, "policy"), windowSeconds), prelude);
  }

  /** RFC 3339 in whole seconds with Z. */
  private static long time(String text) throws LineException {
    try {
      if (text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")) {
        String local = text.substring(0, text.length() - 1);
        // The predefined formatter is strict: no 30 February, no 24:00.
        return LocalDateTime.parse(local, DateTimeFormatter.ISO_LOCAL_DATE_TIME).toEpochSecond(ZoneOffset.UTC);
      }
    } catch (DateTimeException e) {
      // An error like other texts.
    }
    throw new LineException("at is not a time of RFC 3339 in whole seconds with Z");
  }

  private static Policy policy(Json.Obj object, Long windowSeconds) throws LineException {
    Fields fields = new Fields(object, "envelope", "unsigned", "expect", "replay", "revoked");
    String envelope = fields.has("envelope") ? fields.string("envelope") : Envelope.APPLE;
    List<byte[]> revoked = new ArrayList<>();
    for (String entry : fields.strings("revoked")) revoked.add(Fields.sha256(entry, "an entry of revoked"));
    boolean replay = fields.flag("replay");
    if (replay && windowSeconds == null) throw new LineException("replay needs a window");
    boolean unsigned = fields.flag("unsigned");
    Json expect = fields.has("expect") ? fields.value("expect") : new Json.Obj(List.of(), 0, 0);
    Fields expected = new Fields(Fields.object(expect, "expect"), "currency", "amount", "applicationData");
    String currency = expected.stringOrNull("currency");
    BigInteger amount = amount(expected);
    byte[] applicationData = applicationData(expected);
    if (!Envelope.isKnown(envelope)) return null;
    ReplayStore transactions = replay ? new ReplayStore() : null;
    return new Policy(envelope, unsigned, currency, amount, applicationData, transactions, revoked);
  }

  /** Any whole number: what no token can say is a mismatch, not an error. */
  private static BigInteger amount(Fields expected) throws LineException {
    if (!expected.has("amount")) return null;
    if (expected.value("amount") instanceof Json.Num number && number.text().matches("-?[0-9]{1,100}")) {
      return new BigInteger(number.text());
    }
    throw new LineException("amount is not a whole number of minor units");
  }

  private static byte[] applicationData(Fields expected) throws LineException {
    String text = expected.stringOrNull("applicationData");
    byte[] bytes = text == null ? null : Encodings.hex(text);
    if (text != null && bytes == null) throw new LineException("applicationData is not hexadecimal");
    return bytes;
  }
}
