import CSodium
import PaymentToken

// The engines return the plaintext as an array and the members of the payment as strings. After they are freed, their
// bytes would stay in the process's memory until it is reused. Mutating a Swift value cannot wipe it, because that
// copies shared storage first. So the storage itself is overwritten through its address. This is valid only at the last
// use of a value that nothing else reads.

extension SignedOrUnsignedToken {
  /// Overwrites the plaintext and the card data in place, in every copy of this value. Only for values from an engine
  /// that are never read again.
  func overwriteSecrets() {
    overwrite(plaintext)
    payment.overwriteSecrets()
  }
}

extension Payment {
  fileprivate func overwriteSecrets() {
    overwrite(applicationPrimaryAccountNumber)
    overwrite(applicationExpirationDate)
    overwrite(cardholderName)
    overwrite(deviceManufacturerIdentifier)
    switch paymentData {
    case .threeDSecure(let cryptogram, let indicator):
      overwrite(cryptogram)
      overwrite(indicator)
    case .emv(let data, let pinData):
      overwrite(data)
      overwrite(pinData)
    }
    for response in authenticationResponses ?? [] {
      overwrite(response.merchantIdentifier)
      overwrite(response.authenticationData)
      overwrite(response.transactionAmount)
    }
    overwrite(merchantTokenIdentifier)
    if let merchantTokenMetadata { overwrite(merchantTokenMetadata) }
  }
}

private func overwrite(_ bytes: [UInt8]) {
  bytes.withUnsafeBytes { overwrite($0) }
}

/// Strings of up to 15 bytes are stored inline and have no storage to overwrite. Longer ones from an engine are on the
/// heap; literals, which are not, never occur here.
private func overwrite(_ text: String?) {
  guard let text, text.utf8.count > 15 else { return }
  _ = text.utf8.withContiguousStorageIfAvailable { overwrite(UnsafeRawBufferPointer($0)) }
}

private func overwrite(_ storage: UnsafeRawBufferPointer) {
  guard let start = storage.baseAddress else { return }
  sodium_memzero(UnsafeMutableRawPointer(mutating: start), storage.count)
}
