package external.envelope;

import java.util.List;

/**
 * A way to the token: the path of names, what stands there, the fields beside it. {@code constant} is the path of a
 * field with the text that is due (0.6), {@code identifier} that of a transactionIdentifier (14.0); either may be null.
 */
record Route(List<String> path, Kind kind, Constant constant, List<String> identifier) {
  enum Kind { OBJECT, PARTS, TEXT, BASE64 }

  /** A field that a constant is expected in: a string of that content, or a number in exactly those characters. */
  record Constant(List<String> path, String text, boolean isNumber) {}
}
