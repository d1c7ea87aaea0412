package external.protocol;

import external.json.Json;
import external.token.Encodings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads the members of an object of the line protocol. null counts as absent; what is not known is an error. */
final class Fields {
  private final Json.Obj object;

  Fields(Json.Obj object, String... names) throws LineException {
    this.object = object;
    Set<String> known = Set.of(names);
    if (object.firstRepeated() != null) throw new LineException("a member twice");
    if (!object.members().stream().allMatch(member -> known.contains(member.name()))) {
      throw new LineException("an unknown member");
    }
  }

  boolean has(String name) {
    return value(name) != null;
  }

  Json value(String name) {
    Json value = object.get(name);
    return value == Json.Literal.NULL ? null : value;
  }

  /** Whether a member was written, be it null. */
  boolean mentions(String name) {
    return object.get(name) != null;
  }

  String string(String name) throws LineException {
    if (value(name) instanceof Json.Str string) return string.value();
    throw new LineException(name + " is not a string");
  }

  String stringOrNull(String name) throws LineException {
    return has(name) ? string(name) : null;
  }

  boolean flag(String name) throws LineException {
    if (has(name) && !(value(name) == Json.Literal.TRUE || value(name) == Json.Literal.FALSE)) {
      throw new LineException(name + " is not true or false");
    }
    return value(name) == Json.Literal.TRUE;
  }

  /** The items of an array; none where it is absent. */
  List<Json> items(String name) throws LineException {
    if (!has(name)) return List.of();
    if (value(name) instanceof Json.Arr array) return array.items();
    throw new LineException(name + " is not an array");
  }

  /** The strings of an array; none where it is absent. */
  List<String> strings(String name) throws LineException {
    List<String> strings = new ArrayList<>();
    for (Json item : items(name)) {
      if (!(item instanceof Json.Str string)) throw new LineException("an item of " + name + " is not a string");
      strings.add(string.value());
    }
    return strings;
  }

  static byte[] base64(String text, String name) throws LineException {
    byte[] bytes = Encodings.base64(text);
    if (bytes == null) throw new LineException(name + " is not base64");
    return bytes;
  }

  /** The bytes of a SHA-256 value in hexadecimal. */
  static byte[] sha256(String text, String name) throws LineException {
    byte[] bytes = Encodings.hex(text);
    if (bytes == null || bytes.length != 32) throw new LineException(name + " is not SHA-256 in hexadecimal");
    return bytes;
  }

  static Json.Obj object(Json value, String name) throws LineException {
    if (value instanceof Json.Obj object) return object;
    throw new LineException(name + " is not an object");
  }
}
