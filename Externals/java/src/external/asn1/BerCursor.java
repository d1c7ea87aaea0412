package external.asn1;

/** Reads the wrappers of a CMS message, which may have indefinite lengths or longer ones than needed (rule 5.2). */
public final class BerCursor {
  private final byte[] bytes;
  private final BerCursor outer;
  private final int depth;
  private final int limit;
  private final boolean indefinite;
  private int position;

  private BerCursor(byte[] bytes, BerCursor outer, int depth, int position, int limit, boolean indefinite) {
    this.bytes = bytes;
    this.outer = outer;
    this.depth = depth;
    this.position = position;
    this.limit = limit;
    this.indefinite = indefinite;
  }

  /** A cursor before the outermost value, which has depth 1. */
  public static BerCursor over(byte[] bytes) {
    return new BerCursor(bytes, null, 1, 0, bytes.length, false);
  }

  /** Opens the wrapper at the current position. */
  public BerCursor open(int identifier) throws AsnException {
    if (!isAt(identifier) || limit - position < 2) throw new AsnException("another wrapper was due");
    int first = bytes[position + 1] & 0xFF;
    int contents = position + 2;
    if (first == 0x80) return new BerCursor(bytes, this, depth + 1, contents, limit, true);
    long length = first;
    if (first > 0x80) {
      length = DerReader.longLength(bytes, contents, limit, first & 0x7F);
      contents += first & 0x7F;
    }
    if (length > limit - contents) throw new AsnException("a wrapper longer than its place");
    return new BerCursor(bytes, this, depth + 1, contents, contents + (int) length, false);
  }

  /** Leaves a wrapper, which must be at its end, and moves the outer cursor behind it. */
  public void close() throws AsnException {
    if (!atEnd()) throw new AsnException("something further in a wrapper");
    if (outer != null) outer.position = indefinite ? position + 2 : position;
  }

  public boolean atEnd() {
    if (!indefinite) return position == limit;
    return limit - position >= 2 && bytes[position] == 0 && bytes[position + 1] == 0;
  }

  /** Whether the value at the current position has this identifier. */
  public boolean isAt(int identifier) {
    return !atEnd() && position < limit && (bytes[position] & 0xFF) == identifier;
  }

  /** Reads the value at the current position, which is no wrapper and so must be DER. */
  public Tlv next() throws AsnException {
    if (atEnd()) throw new AsnException("a value is missing");
    Tlv value = DerReader.read(bytes, position, limit, depth);
    position += value.encodedLength();
    return value;
  }
}
