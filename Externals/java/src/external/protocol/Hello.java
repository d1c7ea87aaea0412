package external.protocol;

import external.cms.Certificate;
import external.decryptor.Decryptor;
import external.json.Json;
import external.keys.KeyException;
import external.keys.MerchantKeys;
import external.keys.Pem;
import java.util.ArrayList;
import java.util.List;

/** The first line: what a session decrypts with. {@code windowSeconds} is null where stage 9 is off. */
record Hello(Decryptor decryptor, Long windowSeconds) {
  static Hello read(Json.Obj line) throws LineException, KeyException {
    Fields fields = new Fields(line, "hello", "keys", "rootsPem", "windowSeconds");
    if (!(fields.value("hello") instanceof Json.Num number) || !number.text().equals("1")) {
      throw new LineException("the first line is a hello of version 1");
    }
    MerchantKeys keys = new MerchantKeys();
    for (Json item : fields.items("keys")) {
      Fields key = new Fields(Fields.object(item, "a key"), "privateKeyPem", "certificatePem", "merchantId");
      keys.add(key.string("privateKeyPem"), key.stringOrNull("certificatePem"), key.stringOrNull("merchantId"));
    }
    List<Certificate> roots = new ArrayList<>();
    for (String pem : fields.strings("rootsPem")) roots.add(Pem.certificate(pem));
    Long window = window(fields);
    return new Hello(new Decryptor(keys, roots, window), window);
  }

  private static Long window(Fields fields) throws LineException {
    if (!fields.mentions("windowSeconds")) throw new LineException("windowSeconds is missing");
    if (!fields.has("windowSeconds")) return null;
    if (fields.value("windowSeconds") instanceof Json.Num number && number.text().matches("0|[1-9][0-9]{0,17}")) {
      return Long.valueOf(number.text());
    }
    throw new LineException("windowSeconds is not a whole number of seconds");
  }
}
