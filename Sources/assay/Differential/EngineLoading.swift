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
        let keys = try setting.merchantKeySet()
        let anchors = try setting.trustAnchors()
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

extension TrialSetting {
  /// The merchants' keys; copies made of private ones are wiped.
  fileprivate func merchantKeySet() throws(KeyError) -> MerchantKeySet {
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    var merchantIDs: [MerchantIDAssignment] = []
    for (index, key) in keys.enumerated() {
      let name = "keys[\(index)]"
      files.append(KeyFile(name: name, bytes: Array(key.privateKeyPem.utf8)))
      if let certificate = key.certificatePem {
        files.append(KeyFile(name: "\(name).certificatePem", bytes: Array(certificate.utf8)))
      }
      if let merchantID = key.merchantId { merchantIDs.append(.file(name: name, merchantID: merchantID)) }
    }
    return try MerchantKeySet.load(files: files, merchantIDs: merchantIDs)
  }

  fileprivate func trustAnchors() throws(KeyError) -> TrustAnchors {
    try TrustAnchors.load(
      files: rootsPem.enumerated().map { KeyFile(name: "rootsPem[\($0.offset)]", bytes: Array($0.element.utf8)) })
  }
}
