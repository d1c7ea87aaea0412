package external.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The text of a document that is one object, and this object. */
public final class JsonDocument {
  public final Json.Obj root;
  private final String text;

  private JsonDocument(String text, Json.Obj root) {
    this.text = text;
    this.root = root;
  }

  /** Reads a document by rules 2.1 to 2.4. A decoder made by newDecoder reports invalid UTF-8 (2.2). */
  public static JsonDocument parse(byte[] bytes) throws JsonException {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new JsonException("not UTF-8");
    }
    return new JsonDocument(text, new JsonReader(text).document());
  }

  /** The bytes of an object of this document, from its brace to its brace. */
  public byte[] bytes(Json.Obj object) {
    return text.substring(object.start(), object.end()).getBytes(StandardCharsets.UTF_8);
  }
}
