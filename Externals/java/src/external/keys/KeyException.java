package external.keys;

import frame.Frame;

/** A key, certificate or root that cannot be used. The message repeats nothing of it. */
public final class KeyException extends Frame.Refused {
  private static final long serialVersionUID = 1;

  public KeyException(String message) {
    super(message);
  }
}
