package external.json;

/** A document that is not strict JSON. The message says what was wrong and repeats nothing of it. */
public final class JsonException extends Exception {
  private static final long serialVersionUID = 1;

  public JsonException(String message) {
    super(message, null, false, false);
  }
}
