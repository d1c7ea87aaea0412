import CSodium
import PaymentToken

// The engines hand out copies: the plaintext as an array, the members of the payment as strings. Freed, they would stay
// readable in the process's memory until something else is put there. A value of Swift cannot be wiped from outside, for
// writing to it copies shared storage first and leaves the original. So the storage itself is overwritten, through the
// address that it is read by. This is right only for the last use of a value that nobody else reads.

extension TokenUnderUnsignedPolicy {
  /// Overwrites plaintext and card data where they stand, in every copy of this value. Only for values that came out of
  /// an engine, and never to be read again.
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

/// Strings of up to 15 bytes are values without storage: there is nothing to overwrite. Longer ones from an engine are on
/// the heap; a literal would not be, and is never among them.
private func overwrite(_ text: String?) {
  guard let text, text.utf8.count > 15 else { return }
  _ = text.utf8.withContiguousStorageIfAvailable { overwrite(UnsafeRawBufferPointer($0)) }
}

private func overwrite(_ storage: UnsafeRawBufferPointer) {
  guard let start = storage.baseAddress else { return }
  sodium_memzero(UnsafeMutableRawPointer(mutating: start), storage.count)
}
