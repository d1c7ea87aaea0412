package external.envelope;

import java.util.List;

/**
 * A route to the token: its path, the type of the value at its end, and the fields beside it. {@code constant} is a
 * field with the required text (0.6), {@code identifier} the path of a transactionIdentifier (14.0). Both may be null.
 */
record Route(List<String> path, Kind kind, Constant constant, List<String> identifier) {
  enum Kind { OBJECT, PARTS, TEXT, BASE64 }

  /** A field that must be a constant: a string with this content, or a number with exactly these characters. */
  record Constant(List<String> path, String text, boolean isNumber) {}
}
