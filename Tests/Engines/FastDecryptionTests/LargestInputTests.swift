import FastDecryption
import Gateways
import Minting
import PaymentToken
import ReferenceDecryption
import Testing

/// The limits of what is read: tokens of up to 16,384 bytes (no buffer is too small), tokens and signatures that are
/// cut off at every byte, and amounts beyond the maximum.
@Suite struct LargestInputTests {
  private static let members = [
    "data", "signature", "ephemeralPublicKey", "publicKeyHash", "transactionId", "applicationData",
  ]

  /// A token of exactly `size` bytes whose `member` is filled up with `unit`; the others hold what `layers` has.
  private func token(_ layers: TokenLayers, filling member: String, with unit: String, size: Int = 16_384) -> [UInt8] {
    var object = layers.object
    func set(_ text: String) {
      let value = JSONValue.raw("\"\(text)\"")
      if member == "data" || member == "signature" {
        object[member] = value
      } else {
        var header = object["header"]?.object ?? JSONObject()
        header[member] = value
        object["header"] = .object(header)
      }
    }
    set("")
    let room = size - JSONValue.object(object).text().count
    // Whole groups of four characters, escaped or not, are complete base64 and an even number of hex digits.
    let group = String(repeating: unit, count: 4)
    set(String(repeating: group, count: room / group.utf8.count))
    let token = JSONValue.object(object).text()
    return token + [UInt8](repeating: 0x20, count: size - token.count)
  }

  @Test(arguments: members, ["A", "\\u0041", "\\/", "0", "\\u0030", "\\u00e9", "\u{E9}", "\\ud83d\\ude00", "="])
  func `one string fills nearly the whole token`(_ member: String, _ unit: String) throws {
    let fixture = try Fixture()
    var layers = try fixture.minter.layers()
    layers.applicationData = [UInt8](repeating: 1, count: 32)
    let engine = try fixture.engine()
    let reference = try ReferenceDecryptor(keys: fixture.keys, anchors: fixture.minter.anchors)
    var workspace = makeWorkspace()
    for size in [16_384, 16_383, 16_381, 16_348] {
      let token = token(layers, filling: member, with: unit, size: size)
      let fault = try #require(engine.fault(token, in: &workspace))
      #expect(fault.code != .malformedJSON && fault.code != .tokenTooLarge && fault.code.isVerdict)
      #expect(throws: fault) { try reference.decrypt(token.span, at: mintingTime, under: VerificationPolicy()) }
    }
    let sound = try fixture.minter.mint()
    #expect(try engine.verdict(sound.bytes, in: &workspace).get() == sound.plaintext)
  }

  @Test(arguments: [TokenStyle.Solidus.plain, .unicode]) func `a valid token of 16,384 bytes is accepted`(
    _ solidus: TokenStyle.Solidus
  ) throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    var recipe = TokenRecipe(index: 3)
    recipe.applicationData = [UInt8](repeating: 2, count: 32)
    recipe.style.solidus = solidus
    recipe.payload.cardholderName = String(repeating: "A", count: solidus == .plain ? 9_400 : 8_500)
    let token = try fixture.minter.mint(recipe)
    let padded = token.bytes + [UInt8](repeating: 0x20, count: 16_384 - token.bytes.count)
    #expect(try engine.verdict(padded, in: &workspace).get() == token.plaintext)
    #expect(engine.fault(padded + [0x20], in: &workspace) == TokenFault(.tokenTooLarge))
  }

  @Test func `every truncated token gets a verdict`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    let token = try fixture.minter.mint().bytes
    #expect(engine.fault(token, in: &workspace) == nil, "the complete token is rejected too")
    for count in 0..<token.count {
      #expect(engine.fault(Array(token[..<count]), in: &workspace) == TokenFault(.malformedJSON))
    }
  }

  @Test func `every truncated signature gets a verdict`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    var workspace = makeWorkspace()
    var layers = try fixture.minter.layers()
    let signature = layers.signature
    #expect(engine.fault(layers.token, in: &workspace) == nil, "the complete token is rejected too")
    for count in 1..<signature.count {
      layers.signature = Array(signature[..<count])
      #expect(engine.fault(layers.token, in: &workspace) == TokenFault(.malformedSignature))
    }
  }

  @Test(arguments: ["999999999999e12", "999999999000000000001", "1e12", "99999999999900000000e12"])
  func `an amount beyond the bound is a malformed payload`(_ amount: String) throws {
    let fixture = try Fixture()
    var recipe = TokenRecipe(index: 4)
    recipe.payload.transactionAmount = amount
    var workspace = makeWorkspace()
    let token = try fixture.minter.mint(recipe)
    #expect(try fixture.engine().fault(token.bytes, in: &workspace) == TokenFault(.malformedPayload))
  }
}
