package external.asn1;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** UTCTime and GeneralizedTime by rule 5.12. BouncyCastle also reads offsets, invalid dates and missing seconds. */
public final class AsnTime {
  private AsnTime() {}

  /** Seconds since 1970. */
  public static long seconds(Tlv value) throws AsnException {
    String text = new String(value.contents(), StandardCharsets.ISO_8859_1);
    if (value.is(Tlv.UTC_TIME) && text.matches("[0-9]{12}Z")) {
      return seconds((text.charAt(0) < '5' ? "20" : "19") + text);
    }
    if (value.is(Tlv.GENERALIZED_TIME) && text.matches("[0-9]{14}Z")) return seconds(text);
    throw new AsnException("not a time");
  }

  private static long seconds(String digits) throws AsnException {
    try {
      return LocalDateTime.of(
          Integer.parseInt(digits, 0, 4, 10),
          Integer.parseInt(digits, 4, 6, 10),
          Integer.parseInt(digits, 6, 8, 10),
          Integer.parseInt(digits, 8, 10, 10),
          Integer.parseInt(digits, 10, 12, 10),
          Integer.parseInt(digits, 12, 14, 10)).toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new AsnException("not a real date");
    }
  }
}
