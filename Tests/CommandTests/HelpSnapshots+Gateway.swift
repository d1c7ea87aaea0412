/// The help of `assay gateway`.
extension HelpSnapshots {
  static let gateway: [(String, String)] = [
    (
      "gateway list",
      """
      usage: assay gateway list [options]

      List the gateways and where each puts the token.

      options:
        --json  write one JSON document
        --help  show this help

      """
    ),
    (
      "gateway show",
      """
      usage: assay gateway show [options] NAME

      Show where a gateway puts the token, what is checked and what is sent on.

      options:
        --json  write one JSON document
        --help  show this help

      gateway list shows the names. The example request has three dots in place of token data.

      """
    ),
    (
      "gateway check",
      """
      usage: assay gateway check [options] NAME FILE|-

      Check a request or a response against its gateway's document.

      options:
        --as BODY  kind of body (default: detected)
        --json     write one JSON document
        --help     show this help

      gateway show lists the values of NAME and BODY. Reports all problems at once, and nothing of the body's content.
      assay decrypt says whether a token in it is genuine. Exits with 1 if the body violates the document, 2 if it cannot
      be read or is none of the gateway's bodies.

      """
    ),
    (
      "gateway request",
      """
      usage: assay gateway request [options] NAME [FILE|-]

      Make the request to send to a gateway from a token and an order.

      options:
        --as BODY                       kind of request (default: the one with the encrypted token)
        --order FILE                    the merchant's own order details, JSON
        --curl                          write the curl command that sends it, with placeholders in braces for credentials
      \(outgoing)
      \(keysAndTime)
        --engine fast|reference         engine to use (default: fast)
      \(expectations)
        --json                          write one JSON document: the request and all remarks, or why there is none
        --quiet                         suppress progress and remarks on standard error
        --help                          show this help

      FILE is the token, bare or in any gateway's request, whose fields are carried over. gateway show lists the values
      of NAME and BODY. With a key the token is opened first, and if the request and the token differ in amount, currency
      or merchant, nothing is written unless --prefer says which to send. Without a key the token stays unopened.
      --order FILE: amount (minor units), currency, reference, summary, paymentIdentifier, customerIdentifier,
      merchantIdentifier, capture, billingContact, shippingContact, telephoneNumber, phoneModel, terminalLocation,
      returnAddress, notificationAddress, locale.
      Exits with 1 if token and order lack something that the gateway's document requires, and lists all of it.

      """
    ),
    (
      "gateway response",
      """
      usage: assay gateway response [options] NAME FILE|-

      Read a gateway's response: what happened, and what to do next.

      options:
        --as BODY          kind of response (default: detected)
        --order FILE       the order that was sent, as for gateway request: what differs is named
        --pre-order FILE   AlphaPay's pre-order, which its response must not contradict
        --payment-request  write only the payment request that AlphaPay's response describes
        --json             write one JSON document
        --help             show this help

      Exits with 0 if the request succeeded; 1 if it failed, succeeded in part, or the response does not say for certain
      or violates the gateway's document; 2 if the response cannot be read, or --order contradicts --pre-order. Without
      these the response is compared with itself only; with one, a success that names nothing of the order is not certain.

      """
    ),
    (
      "gateway events",
      """
      usage: assay gateway events [options] FILE|-

      Read a log of onramp_api events: what happened, and what to do next.

      options:
        --web   the page is on the web, where without Apple Pay it shows a QR code
        --json  write one JSON document
        --help  show this help

      FILE contains the events of one order as the page posted them: a JSON array, or one event per line. Exits with 1 if
      the payment failed or the events cannot have occurred in this order, 2 if the log cannot be read.

      """
    ),
  ]
}
