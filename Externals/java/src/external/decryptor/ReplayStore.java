package external.decryptor;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/** The transactions of one line of the protocol (14.4). */
public final class ReplayStore {
  private final Set<ByteBuffer> seen = new HashSet<>();

  /** Remembers a transaction; false if it was seen before. */
  synchronized boolean add(byte[] transactionId) {
    return seen.add(ByteBuffer.wrap(transactionId.clone()));
  }
}
