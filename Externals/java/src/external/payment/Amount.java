package external.payment;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An amount as a JSON number of any form, whose exact value must be an integer of minor units (rule 13.3). */
public final class Amount {
  private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(?:[eE]\\+?0*([0-9]{1,2}))?");
  private static final int MAXIMUM_EXPONENT = 12;
  private static final BigDecimal LIMIT = BigDecimal.TEN.pow(12);

  private Amount() {}

  /** The minor units of a JSON number, or -1 if it is not a valid amount. */
  public static long minorUnits(String number) {
    Matcher form = FORM.matcher(number);
    if (!form.matches()) return -1;
    int exponent = form.group(2) == null ? 0 : Integer.parseInt(form.group(2));
    if (exponent > MAXIMUM_EXPONENT) return -1;
    BigDecimal value = new BigDecimal(form.group(1)).scaleByPowerOfTen(exponent);
    if (value.compareTo(LIMIT) >= 0 || value.stripTrailingZeros().scale() > 0) return -1;
    return value.longValueExact();
  }
}
