import Corpus
import Explanation
import FastDecryption
import Fuzzing
import HostIO
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption

/// The engines that the fuzzer asks, over the keys and the root of the corpus' minter.
struct FuzzEngines {
  let workshop: Workshop
  let reference: ReferenceDecryptor
  /// Makes both engines anew.
  let pair: EnginePair
  /// What `assay explain` knows of an input, in words.
  let account: (Sample) -> String

  /// - Throws: `CommandError` when minting fails.
  init() throws(CommandError) {
    let minter = try MintedTrials.minter(seed: VectorGenerator.seed)
    do {
      workshop = try Workshop(minter)
    } catch {
      throw CommandError(.internalError, "minting failed: \(error).")
    }
    let anchors = workshop.anchors
    let keys: MerchantKeySet
    let fast: FastDecryptor
    let made: ReferenceDecryptor
    do {
      keys = try minter.merchantKeySet()
      fast = try FastDecryptor(keys: keys, anchors: anchors, kernel: .best, tables: .atOnce)
      made = try ReferenceDecryptor(keys: keys, anchors: anchors)
    } catch {
      throw CommandError(.internalError, "the minter's own keys could not be loaded.")
    }
    reference = made
    // What was made once with these can be made again.
    pair = { ((try? FastDecryptor(keys: keys, anchors: anchors, kernel: .best, tables: .atOnce)) ?? fast, made) }
    account = { sample in
      let circumstances = sample.circumstances
      let (result, trace) = made.decryptTraced(
        sample.request.span, at: circumstances.now, under: circumstances.policy.policy())
      if case .failure(let fault) = result { return "\(fault) \(fault.code.advice) \(trace)" }
      return "\(trace)"
    }
  }
}
