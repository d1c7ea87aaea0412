package external.json;

import java.util.ArrayList;
import java.util.List;

/** A strict reader of JSON (rules 2.1, 2.3 and 2.4). Only white space may follow the object. */
final class JsonReader {
  private static final int MAXIMUM_DEPTH = 32;
  private static final int MAXIMUM_VALUES = 2048;

  private final String text;
  private int position;
  private int values;

  JsonReader(String text) {
    this.text = text;
  }

  /** The document: one object, white space around it. */
  Json.Obj document() throws JsonException {
    skipSpace();
    if (peek() != '{') throw new JsonException("not an object");
    Json.Obj object = object(1);
    skipSpace();
    if (position != text.length()) throw new JsonException("something after the object");
    return object;
  }

  private Json value(int depth) throws JsonException {
    if (++values > MAXIMUM_VALUES) throw new JsonException("too many values");
    switch (peek()) {
      case '{': return object(depth);
      case '[': return array(depth);
      case '"': return new Json.Str(string());
      case 't': return literal("true", Json.Literal.TRUE);
      case 'f': return literal("false", Json.Literal.FALSE);
      case 'n': return literal("null", Json.Literal.NULL);
      default: return number();
    }
  }

  private Json.Obj object(int depth) throws JsonException {
    enter(depth);
    int start = position++;
    List<Json.Member> members = new ArrayList<>();
    skipSpace();
    if (take('}')) return new Json.Obj(members, start, position);
    do {
      skipSpace();
      if (peek() != '"') throw new JsonException("a name is missing");
      int at = position;
      String name = string();
      skipSpace();
      expect(':');
      skipSpace();
      members.add(new Json.Member(name, value(depth + 1), at));
      skipSpace();
    } while (take(','));
    expect('}');
    return new Json.Obj(members, start, position);
  }

  private Json.Arr array(int depth) throws JsonException {
    enter(depth);
    position++;
    List<Json> items = new ArrayList<>();
    skipSpace();
    if (take(']')) return new Json.Arr(items);
    do {
      skipSpace();
      items.add(value(depth + 1));
      skipSpace();
    } while (take(','));
    expect(']');
    return new Json.Arr(items);
  }

  private String string() throws JsonException {
    position++;
    StringBuilder content = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') return content.toString();
      if (c < 0x20) throw new JsonException("a raw control character in a string");
      if (c == '\\') escape(content);
      else content.append(c);
    }
  }

  /** Reads the escape after a backslash. A high surrogate must be followed by an escaped low one (2.3). */
  private void escape(StringBuilder content) throws JsonException {
    char c = next();
    switch (c) {
      case '"', '\\', '/' -> content.append(c);
      case 'b' -> content.append('\b');
      case 'f' -> content.append('\f');
      case 'n' -> content.append('\n');
      case 'r' -> content.append('\r');
      case 't' -> content.append('\t');
      case 'u' -> unicode(content);
      default -> throw new JsonException("an unknown escape");
    }
  }

  private void unicode(StringBuilder content) throws JsonException {
    char first = hex4();
    content.append(first);
    if (!Character.isSurrogate(first)) return;
    boolean isPair = Character.isHighSurrogate(first) && next() == '\\' && next() == 'u';
    if (!isPair) throw new JsonException("a lone surrogate");
    char second = hex4();
    if (!Character.isLowSurrogate(second)) throw new JsonException("a lone surrogate");
    content.append(second);
  }

  private char hex4() throws JsonException {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      char c = next();
      int digit = c < 0x80 ? Character.digit(c, 16) : -1;
      if (digit < 0) throw new JsonException("a bad \\u escape");
      value = value << 4 | digit;
    }
    return (char) value;
  }

  private Json.Num number() throws JsonException {
    int start = position;
    take('-');
    if (!take('0')) digits();
    if (take('.')) digits();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      digits();
    }
    return new Json.Num(text.substring(start, position));
  }

  private void digits() throws JsonException {
    if (!isDigit(peek())) throw new JsonException("not a value");
    while (isDigit(peek())) position++;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private Json literal(String word, Json.Literal value) throws JsonException {
    if (!text.startsWith(word, position)) throw new JsonException("not a value");
    position += word.length();
    return value;
  }

  private static void enter(int depth) throws JsonException {
    if (depth > MAXIMUM_DEPTH) throw new JsonException("nested too deep");
  }

  private void skipSpace() {
    while (position < text.length() && " \t\n\r".indexOf(text.charAt(position)) >= 0) position++;
  }

  private int peek() {
    return position < text.length() ? text.charAt(position) : -1;
  }

  private char next() throws JsonException {
    if (position >= text.length()) throw new JsonException("it ends too early");
    return text.charAt(position++);
  }

  private boolean take(char c) {
    if (peek() != c) return false;
    position++;
    return true;
  }

  private void expect(char c) throws JsonException {
    if (!take(c)) throw new JsonException("'" + c + "' is missing");
  }
}
