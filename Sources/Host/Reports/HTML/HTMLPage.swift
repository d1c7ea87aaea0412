/// A report as a single file without scripts or external resources, readable on a phone and on paper.
public struct HTMLPage: Sendable {
  public let title: String
  public let body: [HTML]

  public init(title: String, body: [HTML]) {
    self.title = title
    self.body = body
  }

  /// The whole document.
  public var document: String {
    let head = HTML.pieces([
      .element("meta", [.init("charset", "utf-8")], []),
      .element("meta", [.init("name", "viewport"), .init("content", "width=device-width, initial-scale=1")], []),
      .element(
        "meta",
        [
          .init("http-equiv", "Content-Security-Policy"),
          .init("content", "default-src 'none'; style-src 'unsafe-inline'"),
        ], []),
      .element("title", .text(title)),
    ])
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>" + head.markup + "\n<style>" + Stylesheet.text
      + "</style>\n</head>\n<body>\n<main>\n" + HTML.pieces(body).markup + "</main>\n</body>\n</html>\n"
  }
}
