package external;

import external.protocol.Session;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;

/** Speaks the line protocol on standard input and output. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws IOException {
    PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), false);
    // Nothing but answers may stand on standard output, whatever a library prints.
    System.setOut(System.err);
    boolean written = new Session(System.in, output).run();
    System.exit(written ? 0 : 2);
  }
}
