import Gateways
import Minting
import PaymentToken

extension VectorGenerator {
  /// Raw inputs for mutation: valid tokens of both versions, alone and in every form of every gateway's requests.
  func seeds() throws(MintingError) -> [CorpusFile] {
    var stream = minter.generator.stream("seeds")
    var outputs: [CorpusFile] = []
    for index in 0..<16 as Range<UInt64> {
      // These tokens are written as Apple writes them: seeds have no standing, so every program must accept them.
      let token = try minter.mint(minter.recipe(index: 1_000 + index, .ecV1).plain)
      outputs.append(Self.seed(token.bytes, envelope: Envelope.apple.name, version: .ecV1))
      if index < 8 {
        let token = try minter.mint(minter.recipe(index: 1_000 + index, .rsaV1).plain)
        outputs.append(Self.seed(token.bytes, envelope: Envelope.apple.name, version: .rsaV1))
      }
    }
    for gateway in Gateway.all {
      for form in gateway.forms {
        for version in TokenVersion.allCases where version == .ofParts || !gateway.envelope.isInParts {
          var recipe = TokenRecipe(index: stream.next())
          recipe.version = version
          let token = try minter.mint(recipe).bytes
          let style = RequestStyle.random(using: &stream)
          for request in [form.request(around: token), form.request(around: token, in: style, using: &stream)] {
            outputs.append(Self.seed(request, envelope: gateway.name, version: version))
          }
        }
      }
    }
    return outputs
  }

  private static func seed(_ bytes: [UInt8], envelope: String, version: TokenVersion) -> CorpusFile {
    CorpusFile(path: SeedPath(of: bytes, envelope: envelope, version: version.rawValue).path, bytes: bytes)
  }
}
