package external.token;

import external.json.Json;
import external.json.JsonDocument;
import external.json.JsonException;
import java.util.EnumMap;
import java.util.Map;

/** The members of a token (stage 2). Nothing is known about their values yet. */
public final class TokenMembers {
  private static final int MAXIMUM_MEMBERS = 64;

  private final Map<Member, Json> values = new EnumMap<>(Member.class);

  /** No members: for parts (0.8). */
  public TokenMembers() {}

  /** Rules 2.1 to 2.6. */
  public static TokenMembers parse(byte[] bytes) throws Fault {
    Json.Obj root;
    try {
      root = JsonDocument.parse(bytes).root;
    } catch (JsonException e) {
      throw new Fault(Code.MALFORMED_JSON);
    }
    checkCount(root);
    for (Json header : root.all("header")) {
      if (header instanceof Json.Obj object) checkCount(object);
    }
    checkRepetitions(root);
    TokenMembers members = new TokenMembers();
    for (Member member : Member.values()) {
      if (member.nameInHeader() == null) members.put(member, root.get(member.path));
      else if (root.get("header") instanceof Json.Obj header) members.put(member, header.get(member.nameInHeader()));
    }
    return members;
  }

  /** The value of a member, or null if it is absent. */
  public Json get(Member member) {
    return values.get(member);
  }

  public void put(Member member, Json value) {
    if (value != null) values.put(member, value);
  }

  /** Rule 2.5. */
  private static void checkCount(Json.Obj object) throws Fault {
    if (object.members().size() > MAXIMUM_MEMBERS) throw new Fault(Code.MALFORMED_JSON);
  }

  /** Rule 2.6: the first repetition in the text decides. */
  private static void checkRepetitions(Json.Obj root) throws Fault {
    Json.Member first = root.firstRepeated();
    boolean isInHeader = false;
    for (Json value : root.all("header")) {
      Json.Member inHeader = value instanceof Json.Obj header ? header.firstRepeated() : null;
      if (inHeader == null || (first != null && first.position() < inHeader.position())) continue;
      first = inHeader;
      isInHeader = true;
    }
    if (first == null) return;
    throw new Fault(Code.DUPLICATE_MEMBER, Member.known(first.name(), isInHeader));
  }
}
