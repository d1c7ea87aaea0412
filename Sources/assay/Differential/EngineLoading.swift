import Corpus
import Differential
import MerchantKeys
import PaymentToken

/// Engines made for a setting.
extension EngineName {
  /// The engine among the contenders.
  var contender: EngineContender {
    EngineContender(name: "assay \(rawValue)") { setting in
      do throws(KeyError) {
        let keys = try setting.keys.merchantKeySet()
        let anchors = try TrustAnchors.load(rootsPem: setting.rootsPem)
        do throws(TrustAnchorError) {
          return .success(try make(keys: keys, anchors: anchors))
        } catch {
          return .failure(EngineRefusal("root \(error.index + 1) is no certificate that can be trusted"))
        }
      } catch {
        return .failure(EngineRefusal("\(error.file.map { "\($0): " } ?? "")\(error.code.rawValue)"))
      }
    }
  }
}
