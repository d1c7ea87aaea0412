import COpenSSL
import Foundation
import PaymentToken

/// Cross-checks of minted tokens with OpenSSL, without code of this project.
package enum OpenSSLChecks {
  /// Whether CMS_verify accepts a detached signature under the root, at a time.
  package static func verifies(_ signature: [UInt8], over content: [UInt8], root: [UInt8], at time: UnixTime) -> Bool {
    guard let input = BIO_new_mem_buf(signature, Int32(signature.count)),
      let cms = d2i_CMS_bio(input, nil)
    else { return false }
    defer {
      BIO_free(input)
      CMS_ContentInfo_free(cms)
    }
    guard let store = store(root, at: time), let data = BIO_new_mem_buf(content, Int32(content.count)) else {
      return false
    }
    defer {
      X509_STORE_free(store)
      BIO_free(data)
    }
    let flags = UInt32(CMS_BINARY | CMS_DETACHED)
    return CMS_verify(cms, nil, store, data, nil, flags) == 1
  }

  /// Whether leaf and intermediate chain to the root.
  package static func chains(_ leaf: [UInt8], _ intermediate: [UInt8], to root: [UInt8], at time: UnixTime) -> Bool {
    guard let store = store(root, at: time), let leaf = parse(leaf), let intermediate = parse(intermediate),
      let stack = assay_sk_X509_new(), let context = X509_STORE_CTX_new()
    else { return false }
    defer {
      X509_STORE_free(store)
      X509_free(leaf)
      X509_STORE_CTX_free(context)
      assay_sk_X509_pop_free(stack)
    }
    guard assay_sk_X509_push(stack, intermediate) > 0, X509_STORE_CTX_init(context, store, leaf, stack) == 1 else {
      return false
    }
    return X509_verify_cert(context) == 1
  }

  package static func parse(_ der: [UInt8]) -> OpaquePointer? {
    der.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      return d2i_X509(nil, &next, der.count)
    }
  }

  private static func store(_ root: [UInt8], at time: UnixTime) -> OpaquePointer? {
    guard let store = X509_STORE_new(), let root = parse(root) else { return nil }
    defer { X509_free(root) }
    guard X509_STORE_add_cert(store, root) == 1, X509_STORE_set_purpose(store, X509_PURPOSE_ANY) == 1 else {
      return nil
    }
    X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(store), time_t(time.secondsSinceEpoch))
    return store
  }

  /// Decrypts a token: JSON and base64 by Foundation, ECDH, RSA-OAEP, SHA-256 and AES-GCM by OpenSSL's EVP.
  package static func open(_ token: [UInt8], privateKeyPEM: String, merchantIdentifier: String) throws -> [UInt8]? {
    struct Token: Decodable {
      struct Header: Decodable {
        let ephemeralPublicKey: Data?
        let wrappedKey: Data?
      }
      let data: Data
      let header: Header
    }
    // To Foundation names are equal if they differ only in a KELVIN SIGN and a K, which are canonically equivalent.
    let distinct = token.replacing(Array("\u{212A}".utf8), with: Array("k".utf8))
    let parsed = try JSONDecoder().decode(Token.self, from: Data(distinct))
    if let wrappedKey = parsed.header.wrappedKey {
      guard let key = unwrap(privateKeyPEM, [UInt8](wrappedKey)) else { return nil }
      return decrypt([UInt8](parsed.data), by: EVP_aes_128_gcm(), key: key)
    }
    guard let ephemeral = parsed.header.ephemeralPublicKey, let secret = agree(privateKeyPEM, [UInt8](ephemeral)) else {
      return nil
    }
    let info = [0x0D] + Array("id-aes256-GCMApple".utf8) + sha256(Array(merchantIdentifier.utf8))
    return decrypt([UInt8](parsed.data), by: EVP_aes_256_gcm(), key: sha256([0, 0, 0, 1] + secret + info))
  }

  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    return digest
  }

  /// Whether an ECDSA signature over a message verifies under a SubjectPublicKeyInfo.
  package static func verifies(_ signature: [UInt8], of message: [UInt8], by publicKeyInfo: [UInt8]) -> Bool {
    let key = publicKeyInfo.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      return d2i_PUBKEY(nil, &next, buffer.count)
    }
    guard let key, let context = EVP_MD_CTX_new() else { return false }
    defer {
      EVP_PKEY_free(key)
      EVP_MD_CTX_free(context)
    }
    return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  private static func agree(_ privateKeyPEM: String, _ publicKeyInfo: [UInt8]) -> [UInt8]? {
    guard let key = privateKey(privateKeyPEM), let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
    let peer = publicKeyInfo.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      return d2i_PUBKEY(nil, &next, buffer.count)
    }
    defer {
      EVP_PKEY_free(key)
      EVP_PKEY_CTX_free(context)
      EVP_PKEY_free(peer)
    }
    var secret = [UInt8](repeating: 0, count: 32)
    var count = 32
    guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer) == 1,
      EVP_PKEY_derive(context, &secret, &count) == 1, count == 32
    else { return nil }
    return secret
  }

  private static func privateKey(_ pem: String) -> OpaquePointer? {
    Array(pem.utf8).withUnsafeBytes { text in
      guard let input = BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else { return nil }
      defer { BIO_free(input) }
      return PEM_read_bio_PrivateKey(input, nil, nil, nil)
    }
  }

  /// Unwraps a key of 16 bytes by RSA-OAEP with SHA-256.
  private static func unwrap(_ privateKeyPEM: String, _ wrappedKey: [UInt8]) -> [UInt8]? {
    guard let key = privateKey(privateKeyPEM), let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
    defer {
      EVP_PKEY_free(key)
      EVP_PKEY_CTX_free(context)
    }
    var message = [UInt8](repeating: 0, count: 512)
    var count = message.count
    guard EVP_PKEY_decrypt_init(context) == 1, EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
      EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1,
      EVP_PKEY_decrypt(context, &message, &count, wrappedKey, wrappedKey.count) == 1, count == 16
    else { return nil }
    return Array(message.prefix(count))
  }

  /// Decrypts AES-GCM with an IV of 16 zero bytes and the tag in the last 16 bytes; nil for a wrong tag.
  private static func decrypt(_ data: [UInt8], by cipher: OpaquePointer?, key: [UInt8]) -> [UInt8]? {
    guard data.count >= 16, let context = EVP_CIPHER_CTX_new() else { return nil }
    defer { EVP_CIPHER_CTX_free(context) }
    var tag = Array(data.suffix(16))
    let iv = [UInt8](repeating: 0, count: 16)
    var plaintext = [UInt8](repeating: 0, count: data.count)
    var count: Int32 = 0
    var last: Int32 = 0
    guard EVP_DecryptInit_ex(context, cipher, nil, nil, nil) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_IVLEN, 16, nil) == 1,
      EVP_DecryptInit_ex(context, nil, nil, key, iv) == 1,
      EVP_DecryptUpdate(context, &plaintext, &count, data, Int32(data.count - 16)) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, 16, &tag) == 1,
      EVP_DecryptFinal_ex(context, &tag, &last) == 1
    else { return nil }
    return Array(plaintext.prefix(Int(count)))
  }
}
