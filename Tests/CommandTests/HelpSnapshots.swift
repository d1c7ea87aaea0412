import Gateways
import PaymentToken

/// The exact text of help: a change here is a change that users see.
enum HelpSnapshots {
  /// The envelopes that `--envelope` takes, beside `auto` where a command has it.
  static let envelopes = "apple|applepayjs|worldline|alphapay|mpgs|bambora"

  /// The options for keys, roots and times, and for the request.
  static let keysAndTime = """
      --key FILE                      private key of a payment processing certificate, or a folder of keys (repeatable)
      --cert FILE                     payment processing certificate, PEM or DER; paired by public key (repeatable)
      --p12 FILE                      private key with its certificate, PKCS #12 (repeatable)
      --password-file FILE            password of .p12 files and encrypted private keys
      --merchant-id ID                merchant identifier of keys without a certificate; KEYFILE=ID for one (repeatable)
      --root FILE                     root certificate to trust instead of Apple Root CA - G3 (repeatable)
      --at TIME                       verification time: RFC 3339, now, or signing-time for a stored token (default: now)
      --window SECONDS                largest distance between signing time and verification time, or off (default: 300)
      --revoked FILE                  certificates or public keys not to trust: one SHA-256 in hexadecimal per line
      --envelope auto|\(envelopes)
                                      format of the request that contains the token (default: auto)
      --unsigned                      also accept unsigned tokens in parts (worldline); anyone may have made them
    """

  /// The options for what the order says.
  static let expectations = """
      --expect-currency CODE          required ISO 4217 code, 978 or EUR, or request for the one in the request
      --expect-amount AMOUNT          required amount: 1250 (minor units) or 12.50, or request for that in the request
      --expect-application-data HEX   SHA-256 of the request's application data
    """

  /// The options for what is sent to a gateway.
  static let outgoing = """
      --prefer token|request          which to send if the token and the request differ (default: refuse)
      --capture authorization|purchase
                                      only authorize, or take the money at once (default: as in the request)
      --operation authorize|pay|update-session
                                      operation to request from the Mastercard Gateway (default: as in the request)
      --reference TEXT                the merchant's order reference (default: as in the request)
    """

  /// The options for a program that decides samples as well.
  static let external = """
      --external CMD                  program that speaks the line protocol, which decides samples as well
      --pipeline N                    samples that a process of the external is sent at once (default: 8)
      --strictness accept|plaintext|code
                                      what it must match (default: plaintext)
      --level critical|high|interoperability|strictness
                                      least severe wrong decision that is a finding (default: interoperability)
      --answer-timeout SECONDS        time limit for one of its answers (default: 5)
      --growth MIB                    by how much a process of it may grow (default: 1024)
      --memory MIB                    address space limit of an external's processes, or off (default: 16384)
    """

  static let benchGroup = """
    usage: assay bench COMMAND [options]

    commands:
      run      measure decryption and its parts
      compare  show what became slower between two builds or measurements
      list     list the names of all benchmarks

    for developers of assay:
      worker  run benchmarks as told on standard input, for bench compare
      echo    answer the line protocol without decrypting, to measure the protocol itself

    assay bench COMMAND --help describes a command.

    """

  static let overview = """
    usage: assay COMMAND [options]

    Verifies and decrypts Apple Pay payment tokens, and explains why one is rejected.

    commands:
      decrypt      verify and decrypt one request, or many
      explain      show every check up to the first that fails, and how to fix it
      mint         make test keys, certificates and tokens
      keys         keys and certificates: inspect, csr
      bench        measure decryption, and compare builds: run, compare, list
      diff         run engines and other programs on vectors; compare verdict, code and plaintext
      corpus       test vectors and seeds: list, export, add
      fuzz         search for tokens on which the engines differ: run, merge, replay, minimize, status
      serve        speak the line protocol on standard input and output
      gateway      requests and responses of payment gateways: list, show, check, request, response, events
      env          show versions, CPU features and kernels, and run a self-test
      version      show version, commit, toolchain and kernels
      completions  write the completions of a shell
      man          write the manual's page of a command

    assay COMMAND --help describes a command.

    Exit codes: 0 success, 1 rejected or regressed, 2 could not decide, 64 usage, 70 internal error, 130 interrupted

    """

  static let commands: [(String, String)] = deciding + bench + corpus + fuzz + gateway

  static let deciding: [(String, String)] = [
    (
      "decrypt",
      """
      usage: assay decrypt [options] [FILE|-]

      Verify and decrypt one request, or many.

      options:
      \(keysAndTime)
        --engine fast|reference         engine to use (default: fast)
      \(expectations)
        --output text|json|plaintext|csv|worldline|mpgs
                                        output format (default: text, of many requests json)
        --json                          the same as --output json; with a request, a document with it and all remarks
        --reveal                        show account number, cryptogram and names in full
        --lines                         read a request from each line (JSON Lines), and write a result on each line
        --columns NAME,NAME             columns of --output csv, by the names of the JSON document, or pan-last4
        --jobs N                        threads for many requests (default: one for each CPU)
      \(outgoing)
        --quiet                         suppress progress and remarks on standard error
        --help                          show this help

      Reads PKPaymentToken.paymentData, or a gateway's request around it, from FILE or standard input. The fields beside
      the token in a request are unsigned: expecting them catches mistakes, not attackers. --output plaintext writes the
      exact decrypted bytes and nothing else. Keys and passwords are read from files or descriptors (/dev/fd/3), never
      from arguments.
      --output worldline and mpgs write the request that sends the payment to that gateway, with card data in full.
      If request and token differ in amount, currency or merchant, nothing is written unless --prefer says which to send.
      With --lines, and if FILE is a folder of requests, each has its result, in order, as a line of JSON or CSV, and the
      counts by code follow on standard error. Exits with 1 if one was rejected, with 2 if one could not be decided. No
      replay is detected: a token that comes twice has two results. Docs/Decrypting-Many.md has examples.

      """
    ),
    (
      "explain",
      """
      usage: assay explain [options] [FILE|-]

      Show every check up to the first that fails, and how to fix it.

      options:
      \(keysAndTime)
        --engine reference              engine to explain
      \(expectations)
        --json                          write one JSON document
        --quiet                         suppress progress and remarks on standard error
        --help                          show this help

      Works without keys, too: it then says whether Apple signed the token, and for which key. If the first
      --merchant-id does not open the token, the others are tried. Never prints keys, and of decrypted data only the
      currency, and the factor between the amounts, if others were expected. Exits with 0 if the token is accepted, 1
      if it is rejected, 2 if keys or files cannot be used.

      """
    ),
    (
      "mint",
      """
      usage: assay mint [options] [WORD…]

      Make test keys, certificates and tokens.

      options:
        --out DIR                       write root.pem, merchant.key, merchant.pem and token.json to DIR
        --envelope \(envelopes)
                                        gateway request around each token, written to request.json (default: apple, none)
        --force                         replace existing files
        --count N                       number of tokens, written to token-1.json and so on (default: 1)
        --seed N                        seed of all keys and tokens (default: random, and reported)
        --at TIME                       signing time: RFC 3339, a date or now (default: now)
        --fault NAME                    make a token with this one fault or oddity
        --list-faults                   list the names for --fault by stage, with rule and verdict
        --version EC_v1|RSA_v1          version of the tokens (default: EC_v1, or that of the key)
        --cert FILE                     mint for the key of this certificate, public key or signing request, PEM or DER
        --key FILE                      mint for this private key, PEM, DER or .p12; only its public half is used
        --merchant-id ID                merchant identifier, for a key without a certificate that has it
        --password-file FILE            password of an encrypted --key
        --amount MINOR                  amount in minor units (default: 1250)
        --currency CODE                 ISO 4217 code, 978 or EUR (default: 978)
        --type 3dsecure|emv             kind of payment data (default: 3dsecure)
        --cardholder NAME               name of the cardholder (default: none)
        --application-data HEX          SHA-256 of the request's application data (default: none)
        --cards N                       number of test cards, drawn from the seed, which tokens take in turn
        --network visa|mastercard|amex|discover|jcb|diners|maestro|unionpay
                                        network of these cards (default: any)
        --pan DIGITS                    account number of a test card, with a valid check digit
        --expiry YYYY-MM-DD             expiration date of the account number; YYYY-MM is the last day of a month
        --eci DIGITS                    eciIndicator of 1 or 2 digits, or none
        --cryptogram HEX                bytes of onlinePaymentCryptogram
        --merchant-token                make merchant tokens (MPAN), with merchantTokenIdentifier and its metadata
        --json                          write one JSON document
        --quiet                         suppress progress and remarks on standard error
        --help                          show this help

      Needs --out or --json; the JSON document contains everything that the files do. The same seed and time give the
      same bytes. With --cert or --key the tokens are for a key of your own; the root that they need is written as well.
      --list-faults takes a stage (chain, or 7), or words that name, code, rule or note of a case must contain. No minted
      token is ever accepted under Apple's root.

      """
    ),
    (
      "keys inspect",
      """
      usage: assay keys inspect [options] FILE|FOLDER…

      Describe keys and certificates, and when they expire.

      options:
        --password-file FILE  password of encrypted keys and .p12 files
        --warn-days N         exit with 1 if a certificate has fewer days left (default: 0)
        --at TIME             time from which days are counted, RFC 3339 or now (default: now)
        --list                one line for each: file, kind, key, expiry, days left and merchant identifier
        --json                write one JSON document
        --quiet               suppress progress and remarks on standard error
        --help                show this help

      Reads keys, certificates, signing requests and public keys: PEM, DER, .p12, JWK. Also exits with 1 if a
      certificate is not valid at that time, or if keys are given and a merchant's certificate matches none of them.

      """
    ),
    (
      "keys csr",
      """
      usage: assay keys csr --type p256|rsa2048 --common-name NAME --out FILE --key-out FILE [options]

      Make a private key and a signing request for Apple's portal.

      options:
        --type p256|rsa2048  kind of key: p256 for EC_v1, rsa2048 for RSA_v1 and merchant identity
        --common-name NAME   common name of the subject
        --out FILE           file for the signing request, PEM; - for standard output
        --key-out FILE       file for the private key, PKCS #8 PEM, readable by its owner only
        --json               write one JSON document
        --quiet              suppress progress and remarks on standard error
        --help               show this help

      Never replaces an existing file. The private key is in its file only: keep it, and keep it secret.
      With --out - the signing request is the whole answer.
      For example: assay keys csr --type p256 --common-name Shop --out shop.csr --key-out shop.key

      """
    ),
    (
      "diff",
      """
      usage: assay diff [options] [PATH…]

      Run engines and other programs on vectors; compare verdict, code and plaintext.

      options:
        --external CMD                  program that speaks the line protocol, as a shell command (repeatable)
        --engine fast|reference|both    engines of this program to run (default: both)
        --strictness accept|plaintext|code
                                        what externals must match (default: plaintext)
        --level critical|high|interoperability|strictness
                                        least severe finding that fails (default: interoperability)
        --waivers FILE                  findings that do not fail: a test's name and the reason on each line
        --test ID                       only tests with this number or name (repeatable)
        --suite core|strict|project     which vectors (default: project, all of them)
        --mint N                        number of tokens to mint, alternately named cases and valid tokens
        --seed N                        seed of minted tokens (default: random, and reported)
        --histories                     decide every test again, behind others or among them
        --timeout SECONDS               time limit for one answer of an external (default: 5)
        --memory MIB                    address space limit of an external's processes, or off (default: 16384)
        --check-adapter                 try one plain token and one forgery only, and say what is in the way
        --findings DIR                  write each finding to DIR, minimized, with the command that replays it
        --report FORMAT                 write a report: html=FILE, junit=FILE, markdown=FILE or github (repeatable)
        --i-trust-this-program-with-my-keys
                                        send externals keys that are not known to be test keys
        --key FILE                      private key of a payment processing certificate, PEM (repeatable)
        --cert FILE                     payment processing certificate, PEM; paired by public key (repeatable)
        --merchant-id ID                merchant identifier of keys without a certificate; KEYFILE=ID for one (repeatable)
        --root FILE                     root certificate to trust instead of Apple Root CA - G3 (repeatable)
        --at TIME                       verification time: RFC 3339 or now (default: now)
        --window SECONDS                largest distance between signing time and verification time, or off (default: 300)
        --revoked FILE                  certificates or public keys not to trust: one SHA-256 in hexadecimal per line
        --envelope auto|\(envelopes)
                                        format of the request that contains the token (default: its folder's name, else apple)
        --unsigned                      also accept unsigned tokens in parts (worldline); anyone may have made them
        --expect-currency CODE          required ISO 4217 code, 978 or EUR
        --expect-amount AMOUNT          required amount: minor units (1250), or decimals of that currency (12.50)
        --expect-application-data HEX   SHA-256 of the request's application data
        --json                          write one JSON document
        --quiet                         suppress progress and remarks on standard error
        --help                          show this help

      PATH is a corpus, a file of vectors, a folder of requests or one request (default: Corpus). Vectors contain the
      expected verdict; for anything else the reference engine's verdict is expected. --key, --cert, --root, --at and the
      other verification options apply to requests; without keys, the corpus' keys and root apply, and its time without --at.
      --strictness accept compares verdicts only, plaintext also the decrypted data, code also the reason for rejection.
      What an external does not list in supports counts as unsupported. Externals receive private keys in their first
      line: keys that are not known to be test keys are refused. Docs/TestYourDecryptor.md is a step-by-step guide.
      Exits with 0 if nothing is worse than --level allows, 1 for such findings, 2 if nothing was compared. Any
      disagreement of the engines is a finding. A line of a waiver file is NAME REASON; NAME may end in an asterisk.

      """
    ),
    (
      "serve",
      """
      usage: assay serve [options]

      Speak the line protocol on standard input and output.

      options:
        --engine fast|reference  engine to use (default: fast)
        --help                   show this help

      Reads one JSON object per line and answers each with one line: first hello with keys, roots and window, then
      tokens. Answers contain the whole plaintext, card number included. Docs/LineProtocol.md describes the protocol.
      Exits with 0 at the end of the input.

      """
    ),
    (
      "env",
      """
      usage: assay env [options]

      Show versions, CPU features and kernels, and run a self-test.

      options:
        --json   write one JSON document
        --quiet  suppress progress and remarks on standard error
        --help   show this help

      """
    ),
    (
      "version",
      """
      usage: assay version [options]

      Show version, commit, toolchain and kernels.

      options:
        --json  write one JSON document
        --help  show this help

      assay --version is the same. assay env also describes the machine and runs a self-test.

      """
    ),
    (
      "completions",
      """
      usage: assay completions [options] bash|zsh|fish

      Write the completions of a shell.

      options:
        --help  show this help

      make install puts them where each shell looks. To try them: eval "$(assay completions bash)", or
      assay completions fish | source.

      """
    ),
    (
      "man",
      """
      usage: assay man [options] [COMMAND]

      Write the manual's page of a command.

      options:
        --out DIR  write all pages to DIR, as man looks for them
        --help     show this help

      Without COMMAND, the page that lists all. To read a page: assay man bench run | man -l -. make install puts all
      pages where man looks.

      """
    ),
  ]
}
