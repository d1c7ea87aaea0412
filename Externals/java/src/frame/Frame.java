package frame;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Puts a decryptor behind assay's line protocol, so that {@code assay diff} can compare it with others.
 *
 * <p>The protocol, one JSON object per line:
 *
 * <pre>
 *   in   {"hello":1,"keys":[{"privateKeyPem":…,"certificatePem":…,"merchantId":…}],"rootsPem":[…],"windowSeconds":300}
 *   out  {"hello":1,"name":…,"version":…,"supports":["EC_v1",…]}
 *   in   {"id":…,"token":base64,"at":"2026-03-01T12:00:00Z","policy":{…},"prelude":[…]}
 *   out  {"id":…,"accepted":true,"plaintext":base64} or {"id":…,"accepted":false,"code":…,"reason":…}
 * </pre>
 *
 * <p>Usage, with Java 17 and the command {@code openssl}. Copy this file next to yours:
 *
 * <pre>
 *   Frame.serve("mine", "1.0", List.of("EC_v1", "signature", "roots"), (token, key, request) -> {
 *     try {
 *       return Mine.decrypt(token, key.pkcs8Pem(), key.merchantIdHash(), request.roots, request.at);
 *     } catch (MyInvalidToken error) {
 *       throw new Frame.Refused(error.getMessage()); // any other error is one: nothing is decided
 *     }
 *   });
 * </pre>
 *
 * <p>Then: {@code assay diff --external 'java -cp … Yours'}
 *
 * <p>Apache 2.0; part of assay. You may copy this file into your own tests.
 */
public final class Frame {
  private static final int LONGEST_LINE = 4 << 20;
  private static final String MERCHANT_ID = "1.2.840.113635.100.6.32";
  private static final Set<String> ENVELOPES =
      Set.of("apple", "auto", "applepayjs", "worldline", "alphapay", "mpgs", "bambora");

  private final String name;
  private final String version;
  private final List<String> supports;
  private final Decryptor decryptor;
  private Hello hello;

  private Frame(String name, String version, List<String> supports, Decryptor decryptor) {
    this.name = name;
    this.version = version;
    this.supports = supports;
    this.decryptor = decryptor;
  }

  /** The user's part. */
  public interface Decryptor {
    /** The plaintext. {@code key} is the one that the token names, else the first of its version, or null. */
    byte[] decrypt(byte[] token, Key key, Request request) throws Exception;

    /** Called with each hello before it is accepted; may refuse it. */
    default void begin(Hello hello) throws Exception {}
  }

  /** Refuses a token. All but the reason, which is for people, may be null: see assay's Docs/Verification.md. */
  public static class Refused extends Exception {
    private static final long serialVersionUID = 1;

    private final String codeName;
    private final Integer stageNumber;
    private final String memberPath;

    public Refused(String reason) {
      this(reason, null, null, null);
    }

    public Refused(String reason, String code, Integer stage, String member) {
      super(reason, null, false, false);
      this.codeName = code;
      this.stageNumber = stage;
      this.memberPath = member;
    }
  }

  /** What a session decrypts with: roots in PEM, and the window in seconds, null where it is not checked. */
  public record Hello(List<Key> keys, List<String> roots, Long window) {}

  /** What is required beyond a valid signature. Of {@code expect}, null is any; hashes are in hex. */
  public record Policy(String envelope, boolean unsigned, Expect expect, boolean replay, List<String> revoked) {}

  /** The amount is in minor units. */
  public record Expect(String currency, BigInteger amount, String applicationData) {}

  /** A line with a token, and what hello gave. */
  public static final class Request {
    public final List<Key> keys;
    /** PEM; trust no other. */
    public final List<String> roots;
    /** Seconds that the signing time may be from {@code at}; null where it is not checked. */
    public final Long window;
    /** The verification time. */
    public final Instant at;
    public final Policy policy;
    /** Tokens to decrypt before this one, for replay detection. */
    public final List<byte[]> prelude;
    /** To be set for a token that was accepted without a signature (policy {@code unsigned}). */
    public boolean acceptedUnsigned;

    private Request(Hello hello, Instant at, Policy policy, List<byte[]> prelude) {
      this.keys = hello.keys();
      this.roots = hello.roots();
      this.window = hello.window();
      this.at = at;
      this.policy = policy;
      this.prelude = prelude;
    }
  }

  /** A merchant's private key in the forms that libraries ask for. {@code privateKeyPem} is as hello has it. */
  public record Key(
      String privateKeyPem, String certificatePem, String merchantId, byte[] merchantIdHash, byte[] publicKey) {
    /** -----BEGIN PRIVATE KEY----- */
    public String pkcs8Pem() throws IOException {
      return new String(openssl("", privateKeyPem, "pkey"), StandardCharsets.US_ASCII);
    }

    /** -----BEGIN EC PRIVATE KEY-----; null for an RSA key. */
    public String sec1Pem() throws IOException {
      if (!version().equals("EC_v1")) return null;
      return new String(openssl("", privateKeyPem, "pkey", "-traditional"), StandardCharsets.US_ASCII);
    }

    /** Key and certificate as PKCS #12 (.p12), DER. Needs a certificate. */
    public byte[] pkcs12(String password) throws IOException {
      return openssl(password, privateKeyPem + certificatePem, "pkcs12", "-export", "-passout", "env:FRAME_PASSWORD");
    }

    /** Of the tokens that it decrypts: EC_v1 or RSA_v1. The public key is a SubjectPublicKeyInfo, DER. */
    public String version() {
      return HexFormat.of().formatHex(publicKey).contains("06072a8648ce3d0201") ? "EC_v1" : "RSA_v1";
    }

    /** What {@code header.publicKeyHash} of a token names it by: 32 bytes. */
    public byte[] publicKeyHash() {
      return sha256(publicKey);
    }
  }

  /** Answers every line of standard input, until it ends; then the program exits. */
  public static void serve(String name, String version, List<String> supports, Decryptor decryptor) {
    OutputStream answers = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err); // Only answers go to standard output, whatever a library prints.
    Frame frame = new Frame(name, version, supports, decryptor);
    try {
      InputStream input = new BufferedInputStream(System.in, 1 << 16);
      for (byte[] line = line(input); line != null; line = line(input)) {
        answers.write((frame.answer(line) + "\n").getBytes(StandardCharsets.UTF_8));
      }
      System.exit(0);
    } catch (Throwable error) { // No answer: the program ends, even if other threads are running.
      error.printStackTrace();
      System.exit(1);
    }
  }

  /** The next line, cut off if it is longer than allowed; null at the end of the input. */
  private static byte[] line(InputStream input) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = input.read();
    if (next < 0) return null;
    for (; next >= 0 && next != '\n'; next = input.read()) {
      if (line.size() <= LONGEST_LINE) line.write(next);
    }
    return line.toByteArray();
  }

  private String answer(byte[] line) throws Exception {
    String address = hello == null ? "{\"hello\":1" : "{\"id\":null";
    try {
      Members message = Members.read(line);
      if (message.has("hello")) {
        address = "{\"hello\":1";
        greet(message);
        String words = String.join(",", supports.stream().map(Frame::quoted).toList());
        String identity = ",\"name\":" + quoted(name) + ",\"version\":" + quoted(version);
        return address + identity + ",\"supports\":[" + words + "]}";
      }
      address = "{\"id\":null";
      address = "{\"id\":" + quoted(message.text("id"));
      if (hello == null) throw new Unusable("hello comes first");
      return address + verdict(message);
    } catch (Unusable error) {
      return address + ",\"error\":" + quoted(error.getMessage()) + "}";
    }
  }

  private void greet(Members message) throws Exception {
    if (hello != null) throw new Unusable("hello was accepted before");
    message.allow("hello", "keys", "rootsPem", "windowSeconds");
    boolean areThere = message.get("keys") != null && message.get("rootsPem") != null;
    boolean isComplete = areThere && message.has("windowSeconds");
    boolean isVersion1 = BigInteger.ONE.equals(message.number("hello"));
    if (!isVersion1 || !isComplete) throw new Unusable("hello is not 1, or a member is missing");
    BigInteger window = message.number("windowSeconds");
    boolean isInRange = window == null || (window.signum() >= 0 && window.bitLength() < 63);
    if (!isInRange) throw new Unusable("windowSeconds is not in range");
    List<Key> keys = new ArrayList<>();
    for (Object key : message.items("keys", Map.class)) keys.add(key(new Members(key)));
    Hello next = new Hello(keys, message.items("rootsPem", String.class), window == null ? null : window.longValue());
    try {
      decryptor.begin(next);
    } catch (Refused refusal) {
      throw new Unusable(refusal.getMessage());
    }
    hello = next;
  }

  private static Key key(Members key) throws Unusable {
    key.allow("privateKeyPem", "certificatePem", "merchantId");
    String privateKeyPem = key.text("privateKeyPem");
    String certificatePem = key.textOrNull("certificatePem");
    String merchantId = key.textOrNull("merchantId");
    try {
      byte[] hash = merchantId == null ? null : sha256(merchantId.getBytes(StandardCharsets.UTF_8));
      if (certificatePem != null) {
        var pem = new ByteArrayInputStream(certificatePem.getBytes(StandardCharsets.UTF_8));
        var certificate = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
        byte[] extension = certificate.getExtensionValue(MERCHANT_ID); // It ends with 64 digits in hex.
        if (extension != null) {
          String text = new String(extension, StandardCharsets.ISO_8859_1);
          hash = HexFormat.of().parseHex(text, text.length() - 64, text.length());
        }
      }
      return new Key(privateKeyPem, certificatePem, merchantId, hash,
          openssl("", privateKeyPem, "pkey", "-pubout", "-outform", "DER"));
    } catch (GeneralSecurityException | IllegalArgumentException | IndexOutOfBoundsException | IOException error) {
      throw new Unusable("a key or its certificate cannot be read");
    }
  }

  private String verdict(Members message) throws Exception {
    message.allow("id", "token", "at", "policy", "prelude");
    byte[] token = base64(message.text("token"));
    Instant at = time(message.text("at"));
    Policy policy = policy(message.object("policy"));
    if (policy.replay() && hello.window() == null) throw new Unusable("replay needs a window");
    List<byte[]> prelude = new ArrayList<>();
    for (String text : message.items("prelude", String.class)) prelude.add(base64(text));
    Members members = members(token);
    String tokenVersion = members.get("version") instanceof String text && text.matches("EC_v1|RSA_v1") ? text : null;
    if (!supports.containsAll(needs(policy, tokenVersion))) return ",\"unsupported\":true}";
    Request request = new Request(hello, at, policy, prelude);
    Key key = choose(members, tokenVersion);
    try {
      byte[] plaintext = decryptor.decrypt(token, key, request);
      return ",\"accepted\":true" + (request.acceptedUnsigned ? ",\"signed\":false" : "") + ",\"plaintext\":\""
          + Base64.getEncoder().encodeToString(plaintext) + "\"}";
    } catch (Refused refusal) {
      return ",\"accepted\":false,\"code\":" + quoted(refusal.codeName)
          + (refusal.stageNumber == null ? "" : ",\"stage\":" + refusal.stageNumber)
          + (refusal.memberPath == null ? "" : ",\"member\":" + quoted(refusal.memberPath))
          + ",\"reason\":" + quoted(oneLine(refusal.getMessage())) + "}";
    } catch (Exception | StackOverflowError | LinkageError | AssertionError error) {
      if (key == null) return ",\"accepted\":false,\"code\":null,\"reason\":\"hello has no merchant key\"}";
      error.printStackTrace();
      return ",\"error\":" + quoted(described(error)) + "}";
    }
  }

  /** One line without long runs of base64 or hex, which may be of the token. */
  private static String described(Throwable error) {
    String text = String.valueOf(error.getMessage()).replaceAll("[A-Za-z0-9+/=_-]{33,}", "…");
    return oneLine(error.getClass().getSimpleName() + ": " + text);
  }

  private Key choose(Members token, String tokenVersion) {
    List<Key> keys =
        hello.keys().stream().filter(key -> tokenVersion == null || key.version().equals(tokenVersion)).toList();
    Object named = token.get("header") instanceof Map<?, ?> header ? header.get("publicKeyHash") : null;
    for (Key key : keys) {
      if (Base64.getEncoder().encodeToString(key.publicKeyHash()).equals(named)) return key;
    }
    return keys.isEmpty() ? null : keys.get(0);
  }

  /** The members of a token; none if it cannot be read. */
  private static Members members(byte[] token) {
    try {
      return Members.read(token);
    } catch (Unusable error) {
      return new Members(Map.of());
    }
  }

  /** The words of {@code supports} that a line needs. */
  private static List<String> needs(Policy policy, String tokenVersion) {
    List<String> words = new ArrayList<>();
    if (tokenVersion != null) words.add(tokenVersion);
    if (!policy.envelope().equals("apple")) words.add("envelopes");
    if (!policy.expect().equals(new Expect(null, null, null))) words.add("expect");
    if (policy.replay()) words.add("replay");
    if (!policy.revoked().isEmpty()) words.add("revoked");
    if (policy.unsigned()) words.add("unsigned");
    return words;
  }

  private static Policy policy(Members given) throws Unusable {
    given.allow("envelope", "unsigned", "expect", "replay", "revoked");
    Members expect = given.object("expect");
    expect.allow("currency", "amount", "applicationData");
    String envelope = given.textOrNull("envelope") == null ? "apple" : given.text("envelope");
    if (!ENVELOPES.contains(envelope)) throw new Unusable("envelope is not one of the protocol's names");
    String applicationData = expect.textOrNull("applicationData");
    List<String> digests = new ArrayList<>(given.items("revoked", String.class));
    List<String> revoked = List.copyOf(digests);
    if (applicationData != null) digests.add(applicationData);
    boolean areDigests = digests.stream().allMatch(digest -> digest.matches("[0-9A-Fa-f]{64}"));
    if (!areDigests) throw new Unusable("applicationData or revoked is not SHA-256 in hex");
    Expect expected = new Expect(expect.textOrNull("currency"), expect.number("amount"), applicationData);
    return new Policy(envelope, given.flag("unsigned"), expected, given.flag("replay"), revoked);
  }

  private static Instant time(String text) throws Unusable {
    try {
      Instant time = Instant.parse(text);
      if (time.toString().equals(text)) return time;
    } catch (DateTimeException error) {
      // An impossible time is unusable like another form.
    }
    throw new Unusable("at is not a time like 2026-01-31T12:00:00Z");
  }

  /** Java's decoder also takes base64 without padding, so it is encoded again and compared. */
  private static byte[] base64(String text) throws Unusable {
    try {
      byte[] bytes = Base64.getDecoder().decode(text);
      if (Base64.getEncoder().encodeToString(bytes).equals(text)) return bytes;
    } catch (IllegalArgumentException error) {
      // Bytes outside the alphabet are refused below, like other base64.
    }
    throw new Unusable("a token is not padded base64");
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  /** The output of an {@code openssl} command for this input. Keys go through pipes, never to a file. */
  private static byte[] openssl(String password, String input, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("FRAME_PASSWORD", password);
    Process process = builder.start();
    try (OutputStream stream = process.getOutputStream()) {
      stream.write(input.getBytes(StandardCharsets.UTF_8));
    }
    byte[] output = process.getInputStream().readAllBytes();
    try {
      if (process.waitFor() != 0) throw new IOException("openssl failed");
    } catch (InterruptedException error) {
      throw new IOException(error);
    }
    return output;
  }

  private static String oneLine(String reason) {
    String line = reason.strip().replaceAll("\\s+", " ");
    return line.substring(0, line.offsetByCodePoints(0, Math.min(200, line.codePointCount(0, line.length()))));
  }

  private static String quoted(String text) {
    if (text == null) return "null";
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') quoted.append('\\').append(c);
      else if (c < 0x20) quoted.append(String.format("\\u%04x", (int) c));
      else quoted.append(c);
    }
    return quoted.append('"').toString();
  }

  /** A line that cannot be used. The message repeats nothing of the line. */
  private static final class Unusable extends Exception {
    private static final long serialVersionUID = 1;

    Unusable(String message) {
      super(message, null, false, false);
    }
  }

  /** A number as it is written. */
  private record Numeral(String text) {}

  /** The members of an object: Map, List, String, Numeral, Boolean, or null, which counts as absent. */
  private static final class Members {
    private final Map<?, ?> members;

    Members(Object members) {
      this.members = (Map<?, ?>) members;
    }

    /** Reads a document that is one object. */
    static Members read(byte[] document) throws Unusable {
      try {
        if (document.length > LONGEST_LINE) throw new Unusable("the line is longer than 4 MiB");
        String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document)).toString();
        if (new Json(text).document() instanceof Map<?, ?> members) return new Members(members);
      } catch (CharacterCodingException error) {
        // Invalid UTF-8 is refused below, like other text.
      }
      throw new Unusable("the line is not one object in strict JSON");
    }

    /** Refuses unknown names, since one could be a requirement that is not checked. */
    void allow(String... names) throws Unusable {
      if (!Arrays.asList(names).containsAll(members.keySet())) throw new Unusable("a member is unknown");
    }

    boolean has(String name) {
      return members.containsKey(name);
    }

    Object get(String name) {
      return members.get(name);
    }

    private <T> T typed(String name, Class<T> type) throws Unusable {
      Object value = members.get(name);
      if (value != null && !type.isInstance(value)) throw new Unusable(name + " is of another type");
      return type.cast(value);
    }

    String text(String name) throws Unusable {
      String text = textOrNull(name);
      if (text == null) throw new Unusable(name + " is missing");
      return text;
    }

    String textOrNull(String name) throws Unusable {
      return typed(name, String.class);
    }

    boolean flag(String name) throws Unusable {
      return Boolean.TRUE.equals(typed(name, Boolean.class));
    }

    BigInteger number(String name) throws Unusable {
      Numeral number = typed(name, Numeral.class);
      if (number == null) return null;
      if (!number.text().matches("-?[0-9]{1,100}")) throw new Unusable(name + " is not a whole number");
      return new BigInteger(number.text());
    }

    Members object(String name) throws Unusable {
      Map<?, ?> object = typed(name, Map.class);
      return new Members(object == null ? Map.of() : object);
    }

    <T> List<T> items(String name, Class<T> type) throws Unusable {
      List<?> items = typed(name, List.class);
      if (items == null) return List.of();
      if (!items.stream().allMatch(type::isInstance)) throw new Unusable("an item of " + name + " is of another type");
      return items.stream().map(type::cast).toList();
    }
  }

  /** A strict reader of RFC 8259, to a depth of 32. No name may be repeated. */
  private static final class Json {
    private static final Pattern NUMBER =
        Pattern.compile("-?(0|[1-9][0-9]*+)([.][0-9]++)?([eE][+-]?[0-9]++)?");
    private final String text;
    private int position;

    Json(String text) {
      this.text = text;
    }

    Object document() throws Unusable {
      Object value = value(1);
      skipSpace();
      if (position != text.length()) throw broken();
      return value;
    }

    private Object value(int depth) throws Unusable {
      skipSpace();
      if (take('{')) return object(depth);
      if (take('[')) return array(depth);
      if (take('"')) return string();
      for (String word : List.of("true", "false", "null")) {
        if (!text.startsWith(word, position)) continue;
        position += word.length();
        return word.equals("null") ? null : Boolean.valueOf(word);
      }
      return number();
    }

    private Map<String, Object> object(int depth) throws Unusable {
      Map<String, Object> members = new LinkedHashMap<>();
      for (boolean isFirst = true; another(isFirst, '}', depth); isFirst = false) {
        expect('"');
        String name = string();
        expect(':');
        Object value = value(depth + 1);
        if (members.containsKey(name)) throw broken();
        members.put(name, value);
      }
      return members;
    }

    private List<Object> array(int depth) throws Unusable {
      List<Object> items = new ArrayList<>();
      for (boolean isFirst = true; another(isFirst, ']', depth); isFirst = false) items.add(value(depth + 1));
      return items;
    }

    /** Reads the comma before an item that is not the first. Returns false if the list ends instead. */
    private boolean another(boolean isFirst, char end, int depth) throws Unusable {
      skipSpace();
      if (depth > 32) throw broken();
      if (take(end)) return false;
      if (!isFirst) expect(',');
      return true;
    }

    private String string() throws Unusable {
      StringBuilder string = new StringBuilder();
      while (!take('"')) {
        char c = next();
        if (c < 0x20) throw broken();
        string.append(c == '\\' ? escaped() : c);
      }
      // Unescaped surrogates are pairs, for the text was UTF-8.
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(string)) throw broken();
      return string.toString();
    }

    private char escaped() throws Unusable {
      char c = next();
      int index = "\"\\/bfnrt".indexOf(c);
      if (index >= 0) return "\"\\/\b\f\n\r\t".charAt(index);
      if (c != 'u' || position + 4 > text.length()) throw broken();
      String digits = text.substring(position, position += 4);
      if (!digits.chars().allMatch(HexFormat::isHexDigit)) throw broken();
      return (char) HexFormat.fromHexDigits(digits);
    }

    private Numeral number() throws Unusable {
      Matcher number = NUMBER.matcher(text).region(position, text.length());
      if (!number.lookingAt()) throw broken();
      position = number.end();
      return new Numeral(number.group());
    }

    private void skipSpace() {
      while (position < text.length() && " \t\n\r".indexOf(text.charAt(position)) >= 0) position++;
    }

    private char next() throws Unusable {
      if (position == text.length()) throw broken();
      return text.charAt(position++);
    }

    private boolean take(char c) {
      boolean taken = position < text.length() && text.charAt(position) == c;
      if (taken) position++;
      return taken;
    }

    private void expect(char c) throws Unusable {
      skipSpace();
      if (!take(c)) throw broken();
    }

    private static Unusable broken() {
      return new Unusable("the line is not one object in strict JSON");
    }
  }
}
