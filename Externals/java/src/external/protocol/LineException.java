package external.protocol;

/** A line that cannot be used. The message repeats nothing of it. */
final class LineException extends Exception {
  private static final long serialVersionUID = 1;

  LineException(String message) {
    super(message, null, false, false);
  }
}
