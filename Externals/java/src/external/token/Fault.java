package external.token;

import frame.Frame;

/** Why a token is refused: a code, the stage, and in stages 2 to 4 the member by its path, or null. */
public final class Fault extends Frame.Refused {
  private static final long serialVersionUID = 1;

  private Fault(Code code, int stage, String member) {
    super("stage " + stage + ": " + code.text + (member == null ? "" : " (" + member + ")"), code.text, stage, member);
  }

  public Fault(Code code) {
    this(code, code.stage, null);
  }

  public Fault(Code code, String member) {
    this(code, code.stage, member);
  }

  /** For the codes that two stages share: {@code tokenTooLarge} and {@code envelopeFieldMismatch}. */
  public Fault(Code code, int stage) {
    this(code, stage, null);
  }
}
