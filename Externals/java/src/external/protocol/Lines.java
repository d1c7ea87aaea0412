package external.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Lines of bytes from a stream. */
final class Lines {
  private static final int MAXIMUM_BYTES = 4 << 20;

  private final InputStream input;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int end;

  Lines(InputStream input) {
    this.input = input;
  }

  /** A line without its newline; null bytes for one that is too long, and which was passed over. */
  record Line(byte[] bytes) {}

  /** The next line, or null at the end of the input. The last one needs no newline. */
  Line next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean began = false;
    boolean tooLong = false;
    while (position < end || fill()) {
      began = true;
      int start = position;
      while (position < end && buffer[position] != '\n') position++;
      tooLong |= line.size() + position - start > MAXIMUM_BYTES;
      if (!tooLong) line.write(buffer, start, position - start);
      if (position == end) continue;
      position++;
      break;
    }
    if (!began) return null;
    return new Line(tooLong ? null : line.toByteArray());
  }

  private boolean fill() throws IOException {
    position = 0;
    end = Math.max(0, input.read(buffer));
    return end > 0;
  }
}
