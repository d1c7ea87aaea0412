import FastDecryption
import MerchantKeys
import PaymentToken

func payment(
  in token: [UInt8], key: [UInt8], certificate: [UInt8], at now: UnixTime, replay: any ReplayStore
) throws -> Payment {
  let keys = try MerchantKeySet(files: [
    KeyFile(name: "merchant.key", bytes: key), KeyFile(name: "merchant.pem", bytes: certificate),
  ])
  let engine = try FastDecryptor(keys: keys, anchors: .apple)
  let policy = VerificationPolicy(
    freshness: .window(seconds: 300, replay: replay),  // without a store a token is accepted as often as it comes
    expectations: Expectations(currencyCode: "978", transactionAmount: 1_999))
  return try engine.decrypt(token.span, at: now, under: policy).payment
}
