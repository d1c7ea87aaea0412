/// Those of `assay fuzz`.
extension HelpSnapshots {
  static let gateway: [(String, String)] = [
    (
      "gateway list",
      """
      usage: assay gateway list [options]

      List the gateways, and where each has the token.

      options:
        --json  write one JSON document
        --help  show this help

      """
    ),
    (
      "gateway show",
      """
      usage: assay gateway show [options] NAME

      Where a gateway has the token, what is checked, what is sent on.

      options:
        --json  write one JSON document
        --help  show this help

      NAME is one that gateway list shows. The example request has three points where a token has bytes.

      """
    ),
    (
      "gateway check",
      """
      usage: assay gateway check [options] NAME FILE|-

      Judge a request or an answer by its gateway's document.

      options:
        --as BODY  which of the gateway's bodies it is (default: what it looks like)
        --json     write one JSON document
        --help     show this help

      NAME and BODY are those that gateway show shows. All problems are told at once, and nothing of what the body holds.
      Whether a token in it is genuine is for assay decrypt to say. Exit 1 when something breaks the document, 2 when it
      cannot be read or is none of the gateway's bodies.

      """
    ),
    (
      "gateway request",
      """
      usage: assay gateway request [options] NAME [FILE|-]

      Make the request to send to a gateway, out of a token and an order.

      options:
        --as BODY                       which of the gateway's requests (default: the one around the encrypted token)
        --order FILE                    what the merchant's own program says of the order, JSON
        --curl                          write the curl command that sends it, with words in braces for credentials
        --counts token|request          which is sent on where the two say different things (default: neither)
        --capture authorization|purchase
                                        whether what is sent on takes the money (default: as the request says)
        --operation authorize|pay|update-session
                                        what the Mastercard Gateway is asked for (default: as the request says)
        --reference TEXT                the merchant's name for the order (default: the request's)
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
        --quiet                         no progress and no remarks on standard error
        --help                          show this help

      FILE is the token, bare or in any gateway's request, whose fields are carried over. NAME and BODY are those that
      gateway show shows. With a key the token is opened first, and a request that says another amount, currency or
      merchant than its token is not made before --counts says which; without, nobody has looked into the token.
      --order FILE: amount (minor units), currency, reference, summary, paymentIdentifier, customerIdentifier,
      merchantIdentifier, capture, billingContact, shippingContact, telephoneNumber, phoneModel, terminalLocation,
      returnAddress, notificationAddress, locale.
      Exit 1 when token and order are not enough for what the gateway's document demands: all that is missing is told.

      """
    ),
    (
      "gateway response",
      """
      usage: assay gateway response [options] NAME FILE|-

      Read a gateway's answer: how it stands, and what to do next.

      options:
        --as BODY          which of the gateway's answers it is (default: what it looks like)
        --pre-order FILE   AlphaPay's pre-order, which its answer must not contradict
        --payment-request  write the payment request that AlphaPay's answer stands for, and nothing else
        --json             write one JSON document
        --help             show this help

      Exit 0 when what was asked for is done, 1 when it is not, only in part, or cannot be told from the answer, and when
      the answer breaks the gateway's document; 2 when it cannot be read.

      """
    ),
    (
      "gateway events",
      """
      usage: assay gateway events [options] FILE|-

      Read a log of onramp_api events: what happened, and what to do.

      options:
        --json  write one JSON document
        --help  show this help

      The events of one order as the page posted them, a JSON array or one event a line. Exit 1 when the payment
      failed or events cannot have come in this order, 2 when the log cannot be read.

      """
    ),
  ]
}
