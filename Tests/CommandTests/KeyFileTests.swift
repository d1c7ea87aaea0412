import Foundation
import TestSupport
import Testing

/// Key and certificate files as people have them: chains, folders, other forms; and certificate requests that fail.
@Suite(.blocking, .enabled(if: OpenSSLTool.isInstalled)) struct KeyFileTests {
  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func options(_ minted: MintedFolder, _ files: [String]) -> [String] {
    [minted.token, "--root", minted.folder.path("root.pem"), "--at", MintedFolder.time] + files
  }

  /// A folder with merchant.key, merchant.pem, and chains with a root and another merchant's certificate.
  private func chains() throws -> MintedFolder {
    let minted = try MintedFolder()
    let other = try TemporaryFolder()
    #expect(try Program.run(["mint", "--out", other.url.path, "--seed", "8", "--at", MintedFolder.time]).status == 0)
    let (key, leaf) = (try text(minted.folder.path("merchant.key")), try text(minted.folder.path("merchant.pem")))
    let (root, stranger) = (try text(minted.folder.path("root.pem")), try text(other.path("merchant.pem")))
    _ = try minted.folder.write(leaf + root, to: "chain.pem")
    _ = try minted.folder.write(stranger + root + leaf + key, to: "all.pem")
    _ = try minted.folder.write(stranger, to: "stranger.pem")
    return minted
  }

  @Test func `decrypt takes the certificate that fits from a chain, and names the others once`() throws {
    let minted = try chains()
    let folder = minted.folder
    for files in [
      ["--key", folder.path("merchant.key"), "--cert", folder.path("chain.pem")],
      ["--key", folder.path("all.pem")], ["--key", folder.path("all.pem"), "--cert", folder.path("all.pem")],
      ["--key", folder.path("all.pem"), "--cert", folder.path("chain.pem"), "--cert", folder.path("merchant.pem")],
    ] {
      let outcome = try Program.run(["decrypt"] + options(minted, files))
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.error.hasPrefix("assay: left aside") && outcome.error.contains("Root CA"))
      #expect(outcome.error.split(separator: "\n").count == 1)
      let quiet = try Program.run(["decrypt", "--quiet"] + options(minted, files))
      #expect(quiet.status == 0 && quiet.error.isEmpty && quiet.output == outcome.output)
      let explained = try Program.run(["explain", "--json"] + options(minted, files))
      let notes = try explained.json()["notes"] as? [[String: Any]]
      #expect(explained.status == 0 && notes?.map { $0["code"] as? String } == ["certificateLeftAside"])
    }
    let alone = try Program.run(["decrypt"] + options(minted, ["--cert", folder.path("chain.pem")]))
    #expect(alone.status == 2 && alone.error.contains("certificateWithoutKey"))
    let unfit = ["--key", folder.path("merchant.key"), "--cert", folder.path("stranger.pem")]
    #expect(try Program.run(["decrypt"] + options(minted, unfit)).status == 2)
  }

  @Test func `keys inspect says which certificates of a chain no key has`() throws {
    let minted = try chains()
    let files = ["chain.pem", "merchant.key"].map { minted.folder.path($0) }
    let outcome = try Program.run(["keys", "inspect"] + files)
    #expect(outcome.status == 0)
    #expect(outcome.text.split(separator: "\n").count { $0.contains("left aside") } == 1)
    #expect(try Program.run(["keys", "inspect", minted.folder.path("all.pem")]).status == 1)
  }

  @Test func `keys inspect goes on after a file that cannot be read`() throws {
    let minted = try chains()
    let files = [minted.folder.path("nosuch"), minted.folder.path("merchant.pem"), "/dev/null"]
    let outcome = try Program.run(["keys", "inspect", "--json"] + files)
    #expect(outcome.status == 2)
    let entries = try #require(try outcome.json()["files"] as? [[String: Any]])
    #expect(entries.map { $0["file"] as? String } == files)
    let codes = entries.map { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(codes == ["unreadableFile", nil, "unreadableFile"])
    #expect((entries[1]["items"] as? [[String: Any]])?.first?["purpose"] as? String == "paymentProcessing")
    #expect(outcome.error.contains("nosuch could not be read"))
    let text = try Program.run(["keys", "inspect"] + files)
    #expect(text.status == 2 && text.text.contains("unreadableFile: ") && text.text.contains("paymentProcessing"))
  }

  // MARK: Folders

  /// A folder with the keys and certificates of two merchants, of which the second opens the token, and another file.
  private func folder() throws -> (minted: MintedFolder, keys: String) {
    let minted = try MintedFolder()
    let other = minted.folder.path("other")
    #expect(try Program.run(["mint", "--out", other, "--seed", "8", "--at", MintedFolder.time]).status == 0)
    let keys = minted.folder.path("keys")
    try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: false)
    for name in ["merchant.key", "merchant.pem"] {
      try FileManager.default.copyItem(atPath: "\(other)/\(name)", toPath: "\(keys)/a-\(name)")
      try FileManager.default.copyItem(atPath: minted.folder.path(name), toPath: "\(keys)/b-\(name)")
    }
    _ = try minted.folder.write("no key", to: "keys/README")
    return (minted, keys)
  }

  @Test(arguments: ["--key", "--cert"])
  func `a folder stands for the keys in it, and the file that opened a token is named`(option: String) throws {
    let (minted, keys) = try folder()
    let words = [minted.token, "--root", minted.folder.path("root.pem"), "--at", MintedFolder.time]
    let outcome = try Program.run(["decrypt", "--json", option, keys] + words)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(try outcome.json()["keyFile"] as? String == "\(keys)/b-merchant.key")
    let empty = minted.folder.path("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    let refused = try Program.run(["decrypt", option, empty] + words)
    #expect(refused.status == 2 && refused.error.contains(empty))
    let several = try Program.run(["decrypt", "--key", "\(keys)/a-merchant.key", "\(keys)/b-merchant.key"] + words)
    #expect(several.status == 64 && several.error.contains("--key their folder"))
  }

  @Test func `a list has one line for each key and certificate`() throws {
    let (minted, keys) = try folder()
    defer { withExtendedLifetime(minted) {} }
    let names = ["a-merchant.key", "a-merchant.pem", "b-merchant.key", "b-merchant.pem"].map { "\(keys)/\($0)" }
    let outcome = try Program.run(["keys", "inspect", "--list", keys, "/dev/null", "--at", MintedFolder.time])
    #expect(outcome.status == 2)
    let rows = outcome.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows.map(\.first) == ["file"] + names + ["/dev/null"])
    #expect(rows[1].dropFirst() == ["privateKey", "P-256"])
    #expect(rows[2].dropFirst().contains("merchant.test.assay.one") && rows[2].count == 6)
    #expect(rows[5].last == "unreadableFile")
  }

  // MARK: Requests

  private func request(_ out: String, _ keyOut: String, _ more: [String] = []) throws -> Program.Outcome {
    try Program.run(
      ["keys", "csr", "--type", "p256", "--common-name", "x", "--out", out, "--key-out", keyOut] + more)
  }

  @Test func `a request that cannot be written leaves no key behind`() throws {
    let folder = try TemporaryFolder()
    let key = folder.path("k")
    #expect(try request(folder.path("nodir/a"), key).status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    #expect(try request(folder.path("a"), folder.path("nodir/k")).status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    // The name of its temporary file is too long. That shows only when the request is written, after the key.
    #expect(try request(folder.path(String(repeating: "a", count: 250)), key).status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    let outcome = try request(folder.path("a"), key)
    #expect(outcome.status == 0 && outcome.error.hasPrefix("assay: next: "))
  }

  @Test func `options without which there is no request are named`() throws {
    let outcome = try Program.run(["keys", "csr", "--type", "p256", "--out", "a"])
    #expect(outcome.status == 64 && outcome.error.contains("keys csr needs --common-name and --key-out."))
  }

  @Test func `a request may go to standard output, a key may not`() throws {
    let folder = try OpenSSLTool()
    let outcome = try request("-", folder.path("k"))
    #expect(outcome.status == 0 && outcome.text.hasPrefix("-----BEGIN CERTIFICATE REQUEST-----\n"))
    try folder.write(Array(outcome.output), to: "csr")
    #expect(try folder("req -in csr -noout -pubkey") == folder("pkey -in k -pubout"))
    #expect(!FileManager.default.fileExists(atPath: "-"))
    let remark = "private key is where the request was made"
    #expect(try Program.run(["keys", "inspect", folder.path("csr")]).text.contains(remark))
    #expect(try !Program.run(["keys", "inspect", folder.path("csr"), folder.path("k")]).text.contains(remark))
    #expect(try request("a", "-").status == 64)
    #expect(try request("-", folder.path("l"), ["--json"]).status == 64)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path).sorted() == ["csr", "k"])
  }

  // MARK: Conversions

  /// Forms of a key that are refused, each as a code and a shell command in which FILE is the PKCS #8 PEM.
  private static let forms: [(code: String, command: String)] = [
    ("escapedPEM", "awk '{printf \"%s\\\\n\", $0}' FILE"),
    ("escapedPEM", "printf '\"'; awk '{printf \"%s\\\\n\", $0}' FILE; echo '\"'"),
    ("escapedPEM", "printf 'KEY=\"'; awk '{printf \"%s\\\\n\", $0}' FILE; printf '\"\\nOTHER=1\\n'"),
    ("escapedPEM", "printf '{\"key\":\"'; awk '{printf \"%s\\\\n\", $0}' FILE; printf '\"}'"),
    ("notPlainText", "iconv -f ASCII -t UTF-16 FILE"),
    ("notPlainText", "iconv -f ASCII -t UTF-16LE FILE"),
    ("bareBase64", "sed '/^---/d' FILE"),
    ("bareBase64", "sed '/^---/d' FILE | tr -d '\\n'"),
    ("bareBase64", "sed '/^---/d;s/$/\\r/' FILE"),
    ("bareBase64", "base64 FILE"),
    ("bareBase64", "openssl pkcs12 -export -inkey FILE -in merchant.pem -passout pass: | base64"),
    ("bareHexadecimal", "openssl pkey -in FILE -outform DER | xxd -p"),
    ("bareHexadecimal", "openssl pkey -in FILE -outform DER | xxd -p | tr -d '\\n'"),
    ("bareHexadecimal", "printf '\\\\x'; openssl pkey -in FILE -outform DER | xxd -p | tr -d '\\n'"),
    ("bareHexadecimal", "openssl pkey -in FILE -outform DER | xxd -p | sed -E 's/(..)/0x\\1, /g'"),
    ("bareHexadecimal", "xxd -p FILE"),
    ("bareScalar", "sed '/^---/d' FILE | base64 -d | tail -c +37 | head -c 32"),
    ("bareScalar", "sed '/^---/d' FILE | base64 -d | tail -c +37 | head -c 32 | base64"),
    ("openSSHKey", "cp FILE ssh; chmod 600 ssh; ssh-keygen -q -p -N '' -f ssh >&2; cat ssh"),
    (
      "puttyKey",
      "openssl ec -in FILE -out sec1.key; puttygen sec1.key -O private --new-passphrase /dev/null -o a.ppk; cat a.ppk"
    ),
    ("javaKeyStore", keyStore),
    ("certificateBundle", "openssl crl2pkcs7 -nocrl -certfile merchant.pem"),
    ("certificateBundle", "openssl crl2pkcs7 -nocrl -certfile merchant.pem -outform DER"),
    ("trustedCertificate", "openssl x509 -in merchant.pem -trustout -setalias x"),
    ("explicitCurveParameters", "openssl ec -in FILE -param_enc explicit"),
    ("explicitCurveParameters", "openssl ec -in FILE -param_enc explicit | openssl pkcs8 -topk8 -nocrypt"),
    ("encryptedKey", "openssl ec -in FILE -aes128 -passout pass:secret"),
  ]

  private static let keyStore =
    "openssl pkcs12 -export -inkey FILE -in merchant.pem -passout pass:secret -out store.p12; "
    + "keytool -importkeystore -srckeystore store.p12 -srcstorepass secret -destkeystore store.jks "
    + "-deststoretype JKS -deststorepass secret -noprompt >&2; cat store.jks"

  /// The options with the passwords that the advised commands would ask for.
  private static let answers = [
    "encryptedKey": " -passin pass:secret -nocrypt", "openSSHKey": " -P '' -N ''", "puttyKey": " -q -P '' -N ''",
    "javaKeyStore": " -srcstorepass secret -deststorepass secret -noprompt",
  ]

  /// The programs that not every system has.
  private static let programs = ["xxd", "iconv", "keytool", "ssh-keygen", "puttygen"]

  @Test(arguments: forms)
  func `the command in the advice converts a file that is not read`(_ code: String, _ command: String) throws {
    let isCertificate = ["certificateBundle", "trustedCertificate"].contains(code)
    let minted = try MintedFolder()
    let folder = minted.folder
    let make = command.replacing("FILE", with: "merchant.key")
    func uses(_ program: String) -> Bool {
      "\(make) \(code)".contains(program) || program == "xxd" || program == "iconv"
        || program == "ssh-keygen" && code == "puttyKey"
    }
    let missing = Self.programs.filter { uses($0) && InstalledProgram.find($0) == nil }
    guard missing.isEmpty else { return print("SKIPPED: \(code), \(missing.joined(separator: ", ")) not installed") }
    #expect(try Program.shell("{ \(make); } >form.key", in: folder).status == 0)
    #expect(chmod(folder.path("form.key"), 0o600) == 0)
    let password = try folder.write(code == "javaKeyStore" ? "secret\n" : "\n", to: "password")
    func options(_ file: String) -> [String] {
      let files = isCertificate ? ["merchant.key", file] : [file, "merchant.pem"]
      return self.options(
        minted, ["--key", folder.path(files[0]), "--cert", folder.path(files[1]), "--password-file", password])
    }
    let refused = try Program.run(["decrypt"] + options("form.key"))
    #expect(refused.status == 2 && refused.error.contains("\(code): "), "\(refused.error)")
    let secrets = try SecretSearch(forLinesOf: text(folder.path("merchant.key")))
    #expect(try secrets.findings(in: refused.error, marked: code) == [])
    let parts = refused.error.split(separator: "`")
    let advised = parts.indices.filter { !$0.isMultiple(of: 2) }.map { parts[$0] }
    // Where there are two commands, the second is for the other encoding.
    let isOther = code == "bareScalar" && make.hasSuffix("| base64") || make.hasSuffix("-outform DER")
    var conversion = String(try #require(advised.count > (isOther ? 1 : 0) ? advised[isOther ? 1 : 0] : nil))
      .replacing("FILE", with: "form.key").replacing("KEY", with: "fixed.key")
    conversion += Self.answers[code] ?? ""
    #expect(try Program.shell(conversion, in: folder).status == 0, "\(conversion)")
    let converted = conversion.contains("fixed.key") ? "fixed.key" : "form.key"
    let opened = try Program.run(["decrypt"] + options(converted))
    #expect(opened.status == 0, "\(opened.error)")
  }

  /// Forms of a key that are read, as shell commands likewise.
  private static let readForms = [
    "sed 's/BEGIN PRIVATE/BEGIN EC PRIVATE/; s/END PRIVATE/END EC PRIVATE/' FILE",
    "openssl ec -in FILE | sed 's/ EC / RSA /'", "sed 's/^/    /' FILE", "tr '\\n' ' ' <FILE", "tr -d '\\n' <FILE",
    "tr '\\n' '\\r' <FILE", "printf 'APPLE_PAY_KEY=\"'; cat FILE; echo '\"'", "printf '\\357\\273\\277'; cat FILE",
    "sed '/^---/d' FILE | base64 -d | tail -c +37 | head -c 32 | xxd -p -c 32",
    "printf 00; sed '/^---/d' FILE | base64 -d | tail -c +37 | head -c 32 | xxd -p -c 32",
    "openssl pkey -in FILE -noout -text | sed -n '/^priv/,/^pub/{s/^ *//;/^p/d;s/^00://;p;}'",
    "echo '-----BEGIN CERTIFICATE-----'; openssl pkcs12 -export -inkey FILE -in merchant.pem -passout pass: | base64; "
      + "echo '-----END CERTIFICATE-----'",
    "sed '/^---/d' FILE | base64 -d | python3 -c 'import base64, json, sys; d = sys.stdin.buffer.read(); "
      + "f = lambda a, b: base64.urlsafe_b64encode(d[a:b]).decode().rstrip(\"=\"); "
      + "print(json.dumps({\"kty\": \"EC\", \"crv\": \"P-256\", \"d\": f(36, 68), \"x\": f(-64, -32), "
      + "\"y\": f(-32, None)}, indent=2))'",
  ]

  @Test(
    .enabled(if: InstalledProgram.find("xxd") != nil && InstalledProgram.find("python3") != nil), arguments: readForms)
  func `a key is read by its content, whatever is around it`(_ command: String) throws {
    let minted = try MintedFolder()
    let make = "{ \(command.replacing("FILE", with: "merchant.key")); } >form.key"
    #expect(try Program.shell(make, in: minted.folder).status == 0)
    let password = try minted.folder.write("\n", to: "password")
    let files = ["--key", "form.key", "--cert", "merchant.pem"].map { $0.hasPrefix("-") ? $0 : minted.folder.path($0) }
    let opened = try Program.run(["decrypt"] + options(minted, files + ["--password-file", password]))
    #expect(opened.status == 0, "\(opened.error)")
    // A folder is searched by the same rule.
    for (file, name) in [("form.key", "form"), ("merchant.pem", "leaf.txt")] {
      _ = try minted.folder.write(text(minted.folder.path(file)), to: "keys/\(name)")
    }
    let found = ["--key", minted.folder.path("keys"), "--password-file", password]
    let again = try Program.run(["decrypt"] + options(minted, found))
    #expect(again.status == 0 && again.error.isEmpty, "\(again.error)")
  }

  @Test func `a folder of keys leaves aside what is none, names it, and refuses what is broken`() throws {
    let (minted, openssl) = (try MintedFolder(), try OpenSSLTool())
    let folder = minted.folder
    try openssl("ecparam -name prime256v1 -genkey -noout -out other.key")
    try openssl("req -new -key other.key -subj /CN=x -out shop.pem")
    try openssl("pkey -in other.key -pubout -out public.key")
    for name in ["shop.pem", "public.key"] {
      _ = try folder.write(String(decoding: openssl.read(name), as: UTF8.self), to: "keys/\(name)")
    }
    _ = try folder.write("{}", to: "keys/token.json")
    _ = try folder.write("a password\n", to: "keys/password.pem")
    let none = try Program.run(["decrypt"] + options(minted, ["--key", folder.path("keys")]))
    #expect(none.status == 2 && none.error.contains("keys has no file with a key"), "\(none.error)")
    for (file, name) in [("merchant.key", "live"), ("merchant.pem", "deeper/live.txt")] {
      _ = try folder.write(text(folder.path(file)), to: "keys/\(name)")
    }
    let opened = try Program.run(["decrypt"] + options(minted, ["--key", folder.path("keys")]))
    #expect(opened.status == 0, "\(opened.error)")
    for (name, code) in [
      ("shop.pem", "requestGiven"), ("public.key", "publicKeyGiven"), ("token.json", "unrecognisedFile"),
      ("password.pem", "unrecognisedFile"),
    ] {
      #expect(opened.error.contains("keys/\(name) (\(code))"), "\(opened.error)")
    }
    #expect(!opened.error.contains("live"))
    let quiet = try Program.run(["decrypt", "--quiet"] + options(minted, ["--key", folder.path("keys")]))
    #expect(quiet.status == 0 && quiet.error.isEmpty && quiet.output == opened.output)
    let inspected = try Program.run(["keys", "inspect", "--json", folder.path("keys")])
    #expect((try inspected.json()["files"] as? [Any])?.count == 4, "\(inspected.text)")
    _ = try folder.write(String(text(folder.path("merchant.key")).dropLast(40)), to: "keys/cut")
    let broken = try Program.run(["decrypt"] + options(minted, ["--key", folder.path("keys")]))
    #expect(broken.status == 2 && broken.error.contains("keys/cut: malformedPEM"), "\(broken.error)")
  }

  @Test func `a key of OpenSSH is called one`() throws {
    let minted = try MintedFolder()
    let key = try minted.folder.write(
      "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n", to: "id_ecdsa")
    let outcome = try Program.run(["decrypt"] + options(minted, ["--key", key]))
    #expect(outcome.status == 2 && outcome.error.contains("OpenSSH"), "\(outcome.error)")
  }

  @Test func `what cannot be converted says so`() throws {
    let minted = try MintedFolder()
    let openssl = try OpenSSLTool()
    try openssl("ecparam -name secp384r1 -genkey -noout -out p384.key")
    try openssl("ecparam -name prime256v1 -genkey -noout -out other.key")
    try openssl("pkey -in other.key -pubout -out public.pem")
    try openssl("req -new -key other.key -subj /CN=x -out request.pem")
    try openssl(
      "req -x509 -new -key other.key -subj /CN=localhost -addext extendedKeyUsage=serverAuth "
        + "-addext basicConstraints=critical,CA:FALSE -out server.pem")
    try openssl("pkcs8 -topk8 -in other.key -passout pass:secret -out encrypted.key")
    try openssl("pkcs12 -export -nokeys -in server.pem -out alone.p12 -passout pass:")
    let password = try minted.folder.write("\n", to: "password")
    for (option, file, code, diagnosis) in [
      ("--key", "p384.key", "unsupportedCurve", "unsupportedCurve"),
      ("--key", "public.pem", "publicKeyGiven", "publicKeyGiven"),
      ("--cert", "request.pem", "requestGiven", "requestGiven"),
      ("--cert", "server.pem", "certificateWithoutKey", "tlsCertificate"),
      ("--p12", "alone.p12", "archiveWithoutKey", "archiveWithoutKey"),
      ("--key", "encrypted.key", "wrongPassword", "keyPassword"),
    ] {
      let files = [option, openssl.path(file), "--password-file", password]
      let outcome = try Program.run(["explain", "--json"] + options(minted, files))
      #expect(outcome.status == 2)
      #expect((try outcome.json()["keyError"] as? [String: Any])?["code"] as? String == code)
      #expect(try outcome.json()["diagnosis"] as? String == diagnosis)
      // The password was given, so it is not called missing.
      let sentence = try #require(outcome.json()["sentence"] as? String)
      if code == "wrongPassword" { #expect(!sentence.contains("missing")) }
    }
    let root = try Program.run(["explain", "--root", openssl.path("public.pem"), minted.folder.path("token.json")])
    #expect(root.status == 2 && root.error.contains("publicKeyGiven: ") && !root.error.contains("private key"))
  }
}
