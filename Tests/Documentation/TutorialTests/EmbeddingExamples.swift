import FastDecryption
import Foundation
import MerchantKeys
import Minting
import PaymentToken

/// The verification time.
func currentTime() -> UnixTime { UnixTime(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)) }

/// Roots from a file, PEM or DER. Outside of tests `TrustAnchors.apple` is all that is needed.
func roots(in file: URL) throws -> TrustAnchors {
  try TrustAnchors(files: [KeyFile(name: file.path, bytes: [UInt8](Data(contentsOf: file)))])
}

/// A token for a test, with a payload of your own.
func mintedToken(with payload: String, by minter: Minter) throws -> [UInt8] {
  var layers = try minter.layers()
  try layers.encrypt(Array(payload.utf8))
  try layers.sign()
  return layers.token
}

/// The amounts of several tokens, or why each is refused. A group of tasks forgets the type of what they throw, so each
/// task returns a result.
func amounts(
  of requests: [[UInt8]], by pool: DecryptionPool, at now: UnixTime, under policy: VerificationPolicy
) async -> [Result<Int64, DecryptionPool.Refusal>] {
  await withTaskGroup(of: (Int, Result<Int64, DecryptionPool.Refusal>).self) { group in
    for (index, request) in requests.enumerated() {
      group.addTask {
        do throws(DecryptionPool.Refusal) {
          return (index, .success(try await pool.decrypt(request, at: now, under: policy).payment.transactionAmount))
        } catch {
          return (index, .failure(error))
        }
      }
    }
    return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
