import Corpus
import Differential
import Explanation
import FastDecryption
import Fuzzing
import HostIO
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption

extension FuzzEngines {
  /// Both engines of this program, over the keys and the root of the corpus' minter.
  ///
  /// - Throws: `CommandError` when minting fails.
  init() throws(CommandError) {
    let minter = try MintedTrials.minter(seed: VectorGenerator.seed)
    let workshop: Workshop
    do {
      workshop = try Workshop(minter)
    } catch {
      throw CommandError(.internalError, "minting failed: \(error).")
    }
    let anchors = workshop.anchors
    let keys: MerchantKeySet
    let fast: FastDecryptor
    let reference: ReferenceDecryptor
    do {
      keys = try minter.merchantKeySet()
      fast = try FastDecryptor(keys: keys, anchors: anchors, kernel: .best, tables: .atOnce)
      reference = try ReferenceDecryptor(keys: keys, anchors: anchors)
    } catch {
      throw CommandError(.internalError, "the minter's own keys could not be loaded.")
    }
    self.init(
      workshop: workshop, reference: reference,
      // What was made once with these can be made again.
      pair: {
        ((try? FastDecryptor(keys: keys, anchors: anchors, kernel: .best, tables: .atOnce)) ?? fast, reference)
      },
      account: { sample in
        let circumstances = sample.circumstances
        let (result, trace) = reference.decryptTraced(
          sample.request.span, at: circumstances.now, under: circumstances.policy.policy())
        if case .failure(let fault) = result { return "\(fault) \(fault.code.advice) \(trace)" }
        return "\(trace)"
      })
  }
}
