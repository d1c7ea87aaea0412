import Gateways
import PaymentToken

/// What help says, to the letter: a change here is a change that users see.
enum HelpSnapshots {
  /// What `--envelope` takes.
  static let envelopes = "apple|applepayjs|worldline|alphapay|mpgs|bambora"

  static let overview = """
    usage: assay COMMAND [options]

    Opens Apple Pay payment tokens, and shows why one is refused.

    commands:
      decrypt                verify and decrypt one request
      explain                every check as a ladder, stopping at the first that fails, with the fix
      mint                   make test keys, certificates and tokens
      keys inspect           say what keys and certificates are, and when they expire
      keys csr               make a private key and a signing request for Apple's portal
      bench run              measure decryption and its parts
      bench compare          say what became slower between two builds or measurements
      bench baseline save    measure, and keep the result under a name
      bench baseline list    list the measurements kept
      bench list             list the names of all benchmarks
      bench pool             measure a DecryptionPool: lone requests, a full pool, and open-loop load
      bench worker           do benchmarks when told to on standard input, for bench compare
      bench echo             answer the line protocol without decrypting: what the protocol itself costs
      diff                   run engines and other programs over vectors, compare verdict, code and plaintext
      corpus list            list the vectors and what each must end in
      corpus stats           count vectors by code, flag and clause
      corpus lint            check the corpus, every verdict by both engines
      corpus generate        write the vectors, regressions and seeds that are minted
      corpus add             add raw inputs to the seeds
      corpus merge           add the seeds of other corpora
      corpus minimize        keep as few samples as cover the same code
      corpus import-vectors  add a file of vectors that others made
      fuzz run               mutate tokens and ask both engines, for an hour or a night
      fuzz replay            ask both engines about a finding or a sample again
      fuzz minimize          make a finding smaller than the run had time for
      fuzz status            show how a run stands, while it runs or after
      serve                  speak the line protocol on standard input and output
      gateway list           list the gateways, and where each has the token
      gateway show           where a gateway has the token, what is checked, what is sent on
      gateway check          judge a request or an answer by its gateway's document
      gateway request        make the request to send to a gateway, out of a token and an order
      gateway response       read a gateway's answer: how it stands, and what to do next
      gateway events         read a log of onramp_api events: what happened, and what to do
      env                    versions, CPU features, which kernels run, self-test

    assay COMMAND --help describes a command.

    exit codes: 0 it held, 1 a finding (rejected, slower), 2 no answer (unreadable file, bad key), 64 usage,
                70 an error of this program, 130 interrupted

    """

  static let commands: [(String, String)] = deciding + bench + corpus + fuzz + gateway

  static let deciding: [(String, String)] = [
    (
      "decrypt",
      """
      usage: assay decrypt [options] [FILE|-]

      Verify and decrypt one request.

      options:
        --key FILE                      private key of a payment processing certificate, PEM or DER (repeatable)
        --cert FILE                     payment processing certificate, PEM or DER; paired by public key (repeatable)
        --p12 FILE                      private key with its certificate, PKCS #12 (repeatable)
        --password-file FILE            password of .p12 files and encrypted private keys
        --merchant-id ID                for keys without a certificate; KEYFILE=ID for one of them (repeatable)
        --root FILE                     root certificate to trust instead of Apple Root CA - G3 (repeatable)
        --at TIME                       verification time: RFC 3339, now, or signing-time for a stored token (default: now)
        --window SECONDS                how far the signing time may be from that time, or off (default: 300)
        --revoked FILE                  SHA-256 of certificates or public keys not to trust, hexadecimal, a line each
        --envelope auto|\(envelopes)
                                        the request the token comes in (default: auto)
        --unsigned                      take tokens in parts that nobody signed (worldline), too: anyone may have made them
        --engine fast|reference         which decryptor (default: fast)
        --expect-currency CODE          ISO 4217 number the payment must be in, or request: what stands beside the token
        --expect-amount MINOR           minor units the payment must be of, or request: what stands beside the token
        --expect-application-data HEX   SHA-256 of the request's application data
        --output text|json|plaintext|worldline|mpgs
                                        what is written (default: text)
        --json                          the same as --output json
        --reveal                        write account number, cryptogram and names in full
        --counts token|request          which is sent on where the two say different things (default: neither)
        --capture authorization|purchase
                                        whether what is sent on takes the money (default: as the request says)
        --operation authorize|pay|update-session
                                        what the Mastercard Gateway is asked for (default: as the request says)
        --reference TEXT                the merchant's name for the order (default: the request's)
        --quiet                         no progress and no remarks on standard error
        --help                          show this help

      Reads PKPaymentToken.paymentData, or a gateway's request around it, from FILE or standard input. Nobody signs what
      a request says beside the token: to expect it catches mistakes, not attackers. --output plaintext writes the exact
      decrypted bytes and nothing else. Keys and passwords are read from files or descriptors (/dev/fd/3), never from
      arguments.
      --output worldline and mpgs write the request in which that gateway takes the payment, with card data in full.
      A request that says another amount, currency or merchant than its token is not sent on before --counts says which.

      """
    ),
    (
      "explain",
      """
      usage: assay explain [options] [FILE|-]

      Every check as a ladder, stopping at the first that fails, with the fix.

      options:
        --key FILE                      private key of a payment processing certificate, PEM or DER (repeatable)
        --cert FILE                     payment processing certificate, PEM or DER; paired by public key (repeatable)
        --p12 FILE                      private key with its certificate, PKCS #12 (repeatable)
        --password-file FILE            password of .p12 files and encrypted private keys
        --merchant-id ID                for keys without a certificate; KEYFILE=ID for one of them (repeatable)
        --root FILE                     root certificate to trust instead of Apple Root CA - G3 (repeatable)
        --at TIME                       verification time: RFC 3339, now, or signing-time for a stored token (default: now)
        --window SECONDS                how far the signing time may be from that time, or off (default: 300)
        --revoked FILE                  SHA-256 of certificates or public keys not to trust, hexadecimal, a line each
        --envelope auto|\(envelopes)
                                        the request the token comes in (default: auto)
        --unsigned                      take tokens in parts that nobody signed (worldline), too: anyone may have made them
        --engine reference              the engine that is explained
        --expect-currency CODE          ISO 4217 number the payment must be in, or request: what stands beside the token
        --expect-amount MINOR           minor units the payment must be of, or request: what stands beside the token
        --expect-application-data HEX   SHA-256 of the request's application data
        --json                          write one JSON document
        --quiet                         no progress and no remarks on standard error
        --help                          show this help

      Works without keys, too: then it says whether Apple signed the token, and for which key. Further --merchant-id
      are tried when the first does not open the token. Nothing decrypted and no key is ever printed. Exits with 0
      when the token is accepted, 1 when it is refused, 2 when keys or files cannot be used.

      """
    ),
    (
      "mint",
      """
      usage: assay mint [options]

      Make test keys, certificates and tokens.

      options:
        --out DIR                       write root.pem, merchant.key, merchant.pem and token.json to DIR
        --envelope \(envelopes)
                                        the request to put tokens into: request.json (default: apple, none)
        --force                         replace files that are there already
        --count N                       so many tokens, token-1.json and on (default: 1)
        --seed N                        seed of all keys and tokens (default: drawn, and written)
        --at TIME                       signing time, RFC 3339 or now (default: now)
        --fault NAME                    a token with this one thing wrong, or unusual, about it
        --list-faults                   list the names for --fault, with the rule and the verdict of each
        --amount MINOR                  minor units (default: 1250)
        --currency CODE                 ISO 4217 number (default: 978)
        --type 3dsecure|emv             kind of payment data (default: 3dsecure)
        --cardholder NAME               name of the cardholder (default: none)
        --application-data HEX          SHA-256 of the request's application data (default: none)
        --json                          write one JSON document
        --quiet                         no progress and no remarks on standard error
        --help                          show this help

      Needs --out or --json; the document holds everything that the files do. The same seed and time give the same
      bytes. Nothing minted is ever accepted under Apple's root.

      """
    ),
    (
      "keys inspect",
      """
      usage: assay keys inspect [options] FILE...

      Say what keys and certificates are, and when they expire.

      options:
        --password-file FILE  password of encrypted keys and .p12 files
        --warn-days N         exit 1 when a certificate has fewer days left (default: 0)
        --at TIME             the time they are counted from, RFC 3339 or now (default: now)
        --json                write one JSON document
        --quiet               no progress and no remarks on standard error
        --help                show this help

      Reads keys, certificates, signing requests and public keys: PEM, DER, .p12. Exit 1 also when a certificate is not
      valid at that time, or when keys are given and a merchant's certificate belongs to none of them.

      """
    ),
    (
      "keys csr",
      """
      usage: assay keys csr [options]

      Make a private key and a signing request for Apple's portal.

      options:
        --type p256|rsa2048  p256 for EC_v1, rsa2048 for RSA_v1 and identity
        --common-name NAME   what the request calls its subject
        --out FILE           where the request goes, PEM
        --key-out FILE       where the private key goes, PKCS #8 PEM, readable by its owner alone
        --json               write one JSON document
        --help               show this help

      No file that is there already is replaced. The key never leaves its file: keep it, and keep it secret.

      """
    ),
    (
      "diff",
      """
      usage: assay diff [options] [PATH…]

      Run engines and other programs over vectors, compare verdict, code and plaintext.

      options:
        --external CMD                  a program that speaks the line protocol, as a shell starts it (repeatable)
        --engine fast|reference|both    which decryptors of this program take part (default: both)
        --strictness accept|plaintext|code
                                        what externals are held to (default: plaintext)
        --test ID                       only the tests of this number or name (repeatable)
        --mint N                        so many freshly minted tokens, named cases and sound ones by turns
        --seed N                        seed of minted tokens (default: drawn, and written)
        --timeout SECONDS               how long an external may take for an answer (default: 5)
        --memory MIB                    address space of an external's processes, or off (default: 16384)
        --findings DIR                  write each finding to DIR, with the command that replays it, made smaller
        --report FORMAT                 html=FILE, junit=FILE, markdown=FILE or github (repeatable)
        --i-trust-this-program-with-my-keys
                                        give externals keys that are not known to be test keys
        --key FILE                      private key of a payment processing certificate, PEM (repeatable)
        --cert FILE                     payment processing certificate, PEM; paired by public key (repeatable)
        --merchant-id ID                for keys without a certificate; KEYFILE=ID for one of them (repeatable)
        --root FILE                     root certificate to trust instead of Apple Root CA - G3 (repeatable)
        --at TIME                       verification time: RFC 3339 or now (default: now)
        --window SECONDS                how far the signing time may be from that time, or off (default: 300)
        --revoked FILE                  SHA-256 of certificates or public keys not to trust, hexadecimal, a line each
        --envelope auto|\(envelopes)
                                        the request a token comes in (default: what its folder is called, else apple)
        --unsigned                      take tokens in parts that nobody signed (worldline), too: anyone may have made them
        --expect-currency CODE          ISO 4217 number the payment must be in
        --expect-amount MINOR           minor units the payment must be of
        --expect-application-data HEX   SHA-256 of the request's application data
        --json                          write one JSON document
        --quiet                         no progress and no remarks on standard error
        --help                          show this help

      PATH is a corpus, a file of vectors, a folder of requests or one request (default: Corpus). Vectors say what is
      right; where nothing does, the reference engine's verdict counts. --key, --cert, --root, --at and the rest say
      how requests are decided; without keys, as the corpus was minted.
      --strictness accept compares verdicts alone, plaintext also what was decrypted, code also the reason of refusals.
      What an external does not list in supports is counted as unsupported. Private keys travel to externals in their
      first line: keys not known to be test keys are refused. Docs/TestYourDecryptor.md shows it step by step.
      Ends with 0 when all held, 1 for findings (crashes and time-outs are some), 2 when nothing could be compared.

      """
    ),
    (
      "serve",
      """
      usage: assay serve [options]

      Speak the line protocol on standard input and output.

      options:
        --engine fast|reference  which decryptor (default: fast)
        --help                   show this help

      Reads one JSON object a line and answers each with one line: first hello with keys, roots and window, then
      tokens. Answers hold the whole plaintext, card number included. The protocol is described in
      Docs/LineProtocol.md. Ends with 0 at the end of the input.

      """
    ),
    (
      "env",
      """
      usage: assay env [options]

      Versions, CPU features, which kernels run, self-test.

      options:
        --json   write one JSON document
        --quiet  no progress and no remarks on standard error
        --help   show this help

      """
    ),
  ]
}
