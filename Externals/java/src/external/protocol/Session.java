package external.protocol;

import external.json.Json;
import external.json.JsonDocument;
import external.json.JsonException;
import external.keys.KeyException;
import external.token.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Speaks the line protocol: every line in is answered with one line out, flushed, whatever it was. */
public final class Session {
  private final Lines lines;
  private final PrintStream output;
  private Hello hello;

  public Session(InputStream input, PrintStream output) {
    this.lines = new Lines(input);
    this.output = output;
  }

  /** Runs until the input ends. True if all answers could be written. */
  public boolean run() throws IOException {
    for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
      output.write((answer(line.bytes()) + "\n").getBytes(StandardCharsets.UTF_8));
      output.flush();
      if (output.checkError()) return false;
    }
    return true;
  }

  private String answer(byte[] line) {
    return hello == null ? greet(line) : verify(line);
  }

  private String greet(byte[] line) {
    try {
      hello = Hello.read(parse(line));
      return Answer.hello();
    } catch (LineException | KeyException e) {
      return Answer.helloError(e.getMessage());
    } catch (RuntimeException | VirtualMachineError e) {
      return Answer.helloError(ownError(e));
    } finally {
      if (line != null) Arrays.fill(line, (byte) 0);
    }
  }

  private String verify(byte[] line) {
    Json.Str id = null;
    try {
      Json.Obj object = parse(line);
      id = id(object);
      if (id == null) throw new LineException("id is not a string");
      Request request = Request.read(object, hello.windowSeconds());
      return request.policy() == null ? Answer.unsupported(id) : decrypt(id, request);
    } catch (LineException e) {
      return Answer.error(id, e.getMessage());
    } catch (RuntimeException | VirtualMachineError e) {
      return Answer.error(id, ownError(e));
    }
  }

  private String decrypt(Json.Str id, Request request) {
    for (byte[] earlier : request.prelude()) {
      try {
        hello.decryptor().decrypt(earlier, request.at(), request.policy());
      } catch (Fault fault) {
        // Its verdict is not told; it only may leave its transaction behind.
      }
    }
    try {
      return Answer.accepted(id, hello.decryptor().decrypt(request.token(), request.at(), request.policy()));
    } catch (Fault fault) {
      return Answer.rejected(id, fault);
    }
  }

  private static Json.Obj parse(byte[] line) throws LineException {
    if (line == null) throw new LineException("a line of more than 4 MiB");
    try {
      return JsonDocument.parse(line).root;
    } catch (JsonException e) {
      throw new LineException(e.getMessage());
    }
  }

  private static Json.Str id(Json.Obj object) {
    return object.all("id").size() == 1 && object.get("id") instanceof Json.Str id ? id : null;
  }

  /** What is told of a fault of this program: its kind, no message and no trace. */
  private static String ownError(Throwable error) {
    return "an error of this program: " + error.getClass().getSimpleName();
  }
}
