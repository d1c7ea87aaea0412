import COpenSSL

/// The functions of libcrypto's provider for a cipher (provider-cipher(7)), which EVP calls as well.
///
/// They are called directly because EVP asks the provider for the sizes of key and IV before each message, and the
/// provider finds each parameter by comparing names.
struct CipherFunctions {
  private typealias MakeContext = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  typealias FreeContext = @convention(c) (UnsafeMutableRawPointer?) -> Void
  typealias SetParameters = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<OSSL_PARAM>?) -> Int32
  typealias Begin =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int, UnsafePointer<UInt8>?, Int, UnsafePointer<OSSL_PARAM>?
    ) -> Int32
  typealias Update =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, Int, UnsafePointer<UInt8>?,
      Int
    ) -> Int32
  typealias Finish =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, Int
    ) -> Int32

  private let makeContext: MakeContext
  /// Wipes a context and frees it.
  let freeContext: FreeContext
  let setParameters: SetParameters
  /// Begins the decryption of a message.
  let begin: Begin
  let update: Update
  /// Ends the decryption, and checks the tag of an AEAD.
  let finish: Finish
  private let providerContext: UnsafeMutableRawPointer?

  /// Nil unless the provider of `cipher` has exactly one cipher of this name, with all functions. The functions are
  /// valid as long as `cipher`, which retains its provider.
  init?(of cipher: OpaquePointer, named name: String) {
    guard let provider = EVP_CIPHER_get0_provider(cipher) else { return nil }
    var isUncacheable: Int32 = 0
    let algorithms = OSSL_PROVIDER_query_operation(provider, OSSL_OP_CIPHER, &isUncacheable)
    defer { OSSL_PROVIDER_unquery_operation(provider, OSSL_OP_CIPHER, algorithms) }
    guard var entry = Self.functions(of: name, in: algorithms) else { return nil }
    var (makeContext, freeContext, setParameters): (MakeContext?, FreeContext?, SetParameters?)
    var (begin, update, finish): (Begin?, Update?, Finish?)
    while entry.pointee.function_id != 0 {
      switch entry.pointee.function_id {
      case OSSL_FUNC_CIPHER_NEWCTX: makeContext = OSSL_FUNC_cipher_newctx(entry)
      case OSSL_FUNC_CIPHER_FREECTX: freeContext = OSSL_FUNC_cipher_freectx(entry)
      case OSSL_FUNC_CIPHER_SET_CTX_PARAMS: setParameters = OSSL_FUNC_cipher_set_ctx_params(entry)
      case OSSL_FUNC_CIPHER_DECRYPT_INIT: begin = OSSL_FUNC_cipher_decrypt_init(entry)
      case OSSL_FUNC_CIPHER_UPDATE: update = OSSL_FUNC_cipher_update(entry)
      case OSSL_FUNC_CIPHER_FINAL: finish = OSSL_FUNC_cipher_final(entry)
      default: break
      }
      entry += 1
    }
    guard let makeContext, let freeContext, let setParameters, let begin, let update, let finish else { return nil }
    (self.makeContext, self.freeContext, self.setParameters) = (makeContext, freeContext, setParameters)
    (self.begin, self.update, self.finish) = (begin, update, finish)
    providerContext = OSSL_PROVIDER_get0_provider_ctx(provider)
  }

  /// A new context; nil if the provider is out of memory.
  func newContext() -> UnsafeMutableRawPointer? { makeContext(providerContext) }

  /// The functions of the only algorithm with this name, in upper case. Colons separate the names of an algorithm.
  private static func functions(
    of name: String, in algorithms: UnsafePointer<OSSL_ALGORITHM>?
  ) -> UnsafePointer<OSSL_DISPATCH>? {
    guard var algorithm = algorithms else { return nil }
    var found: UnsafePointer<OSSL_DISPATCH>?
    while let names = algorithm.pointee.algorithm_names {
      if String(cString: names).split(separator: ":").contains(where: { $0.uppercased() == name }) {
        // Which one EVP would choose depends on properties that a program cannot read.
        guard found == nil else { return nil }
        found = algorithm.pointee.implementation
      }
      algorithm += 1
    }
    return found
  }
}
