package external.json;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A JSON value (RFC 8259) as it was written: members keep their order and repeated names, numbers their text. */
public sealed interface Json {
  /** An object. {@code start} and {@code end} are the bounds of its text, in UTF-16 units of the document. */
  record Obj(List<Member> members, int start, int end) implements Json {
    /** The value of the first member of this name, or null. */
    public Json get(String name) {
      for (Member member : members) {
        if (member.name.equals(name)) return member.value;
      }
      return null;
    }

    /** The values of all members of this name, in the order written. */
    public List<Json> all(String name) {
      List<Json> values = new ArrayList<>();
      for (Member member : members) {
        if (member.name.equals(name)) values.add(member.value);
      }
      return values;
    }

    /** The first member with the name of an earlier one, or null. */
    public Member firstRepeated() {
      Set<String> seen = new HashSet<>();
      for (Member member : members) {
        if (!seen.add(member.name)) return member;
      }
      return null;
    }
  }

  /** A member of an object; {@code position} is that of its name in the document. */
  record Member(String name, Json value, int position) {}

  record Arr(List<Json> items) implements Json {}

  /** A string, unescaped. */
  record Str(String value) implements Json {}

  /** A number, as it was written. */
  record Num(String text) implements Json {}

  /** {@code true}, {@code false} or {@code null}. */
  enum Literal implements Json { TRUE, FALSE, NULL }
}
