package external.decryptor;

import java.math.BigInteger;
import java.util.List;

/**
 * The requirements besides a valid signature. {@code currency}, {@code minorUnits} and {@code applicationData} are null
 * if nothing is expected; {@code transactions} is null without replay detection.
 */
public record Policy(
    String envelope,
    boolean unsigned,
    String currency,
    BigInteger minorUnits,
    byte[] applicationData,
    ReplayStore transactions,
    List<byte[]> revoked) {}
