import COpenSSL
import CP256
import Minting

/// The P-256 kernels against libcrypto: key agreements, and verification of signatures in batches and one at a time.
///
/// The first byte of an input selects the kernel and the operation. The rest is cut into pieces, one per operation. The
/// first byte of a piece selects how its point or signature is made: most are valid, or a valid one with one change.
/// Numbers are 32 bytes, big-endian; points are x ‖ y.
final class KernelTarget {
  private typealias Table = UnsafeMutablePointer<UInt64>

  /// A key pair with its table.
  private struct Signer {
    let scalar: [UInt8]
    let point: [UInt8]
    let table: Table
  }

  private static let scalarSize = 32
  /// A selector and three numbers.
  private static let pieceSize = 1 + 3 * scalarSize
  /// The maximum number of operations per call.
  private static let maximumPieces = Int(ASSAY_P256_BATCH)

  /// All kernels that this machine supports, including emulations.
  nonisolated(unsafe) private static let kernels = (0..<assay_p256_kernel_count()).compactMap {
    assay_p256_kernel_at($0)?.pointee
  }
  .filter { $0.is_supported() }
  nonisolated(unsafe) private static let agreeing = kernels.filter { $0.agree != nil }

  /// libcrypto's arithmetic, which the kernels are compared with.
  private let field: ScalarField
  private let generator: Table
  private let signers: [Signer]

  /// Tables and keys live as long as the process.
  init() throws(MintingError) {
    let field = try ScalarField()
    self.field = field
    var base = [UInt8](repeating: 0, count: 64)
    assay_p256_generator(&base)
    generator = Self.table(of: base)
    let numbers = [[1], [2], try field.negated([1]), [UInt8](repeating: 0xA5, count: Self.scalarSize)]
    signers = try numbers.map { number throws(MintingError) in
      let scalar = try field.reduced(number)
      let point = Array(try field.multiple(scalar).dropFirst())
      return Signer(scalar: scalar, point: point, table: Self.table(of: point))
    }
  }

  private static func table(of point: [UInt8]) -> Table {
    let words = UnsafeMutableRawPointer.allocate(
      byteCount: Int(ASSAY_P256_TABLE_SIZE), alignment: Int(ASSAY_P256_TABLE_ALIGNMENT)
    ).bindMemory(to: UInt64.self, capacity: Int(ASSAY_P256_TABLE_SIZE) / 8)
    guard assay_p256_make_table(point, words) else { FuzzTargets.fail("readers", "no table", "a point") }
    return words
  }

  func test(_ bytes: [UInt8]) throws(MintingError) {
    guard let first = bytes.first else { return }
    var pieces: [[UInt8]] = []
    var start = 1
    while start < bytes.count, pieces.count < Self.maximumPieces {
      let end = min(start + Self.pieceSize, bytes.count)
      pieces.append(bytes[start..<end] + [UInt8](repeating: 0, count: Self.pieceSize - (end - start)))
      start = end
    }
    guard !pieces.isEmpty else { return }
    let number = Int(first >> 1)
    if first & 1 == 0 {
      try agree(pieces, by: Self.agreeing[number % Self.agreeing.count])
    } else {
      try verify(pieces, by: Self.kernels[number % Self.kernels.count])
    }
  }

  private static func number(_ index: Int, of piece: [UInt8]) -> [UInt8] {
    Array(piece[(1 + index * scalarSize)..<(1 + (index + 1) * scalarSize)])
  }

  /// The number modulo n, or 1 if that is 0.
  private func scalar(_ value: [UInt8]) throws(MintingError) -> [UInt8] {
    let scalar = try field.reduced(value)
    return scalar.contains { $0 != 0 } ? scalar : scalar.dropLast() + [1]
  }

  /// scalar · point, or scalar · G without a point; nil for an invalid point.
  private func multiply(_ scalar: [UInt8], _ point: [UInt8]? = nil) throws(MintingError) -> [UInt8]? {
    do throws(MintingError) {
      return Array(try field.multiple(scalar, of: point.map { [0x04] + $0 }).dropFirst())
    } catch {
      guard case .recipe = error else { throw error }
      return nil
    }
  }

  // MARK: Key agreement

  private func agree(_ pieces: [[UInt8]], by kernel: assay_p256_kernel) throws(MintingError) {
    let scalars = try pieces.map { piece throws(MintingError) in try scalar(Self.number(0, of: piece)) }
    let peers = try pieces.map { piece throws(MintingError) in try peer(piece) }
    // The peer, scalar and secret of each operation.
    let size = 4 * Self.scalarSize
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: size * pieces.count)
    defer { room.deallocate() }
    room.initialize(repeating: 0xEE, count: size * pieces.count)
    let agreements = pieces.indices.map { index in
      let place = room + index * size
      place.update(from: peers[index], count: 64)
      (place + 64).update(from: scalars[index], count: 32)
      return assay_p256_agreement(peer: place, scalar: place + 64, secret: place + 96)
    }
    var statuses = [UInt8](repeating: 0xEE, count: pieces.count)
    kernel.agree(agreements, agreements.count, &statuses)
    for index in pieces.indices {
      let secret = (0..<32).map { agreements[index].secret[$0] }
      if let product = try multiply(scalars[index], peers[index]) {
        guard statuses[index] == UInt8(ASSAY_P256_DONE), secret == Array(product.prefix(32)) else {
          FuzzTargets.fail("readers", "ECDH \(statuses[index])", "another secret")
        }
      } else {
        guard statuses[index] == UInt8(ASSAY_P256_REFUSED), secret.allSatisfy({ $0 == 0 }) else {
          FuzzTargets.fail("readers", "ECDH \(statuses[index])", "no point")
        }
      }
    }
  }

  /// The piece's bytes as x ‖ y, a valid point, a changed point, or a small multiple of the generator.
  private func peer(_ piece: [UInt8]) throws(MintingError) -> [UInt8] {
    let (second, third) = (Self.number(1, of: piece), Self.number(2, of: piece))
    switch piece[0] & 3 {
    case 0: return second + third
    case 1: return try multiply(scalar(second)) ?? second + third
    case 2:
      guard let point = try multiply(scalar(second)) else { return second + third }
      return Array(point.prefix(32)) + zip(point.suffix(32), third).map { $0 ^ $1 }
    default: return try multiply(scalar([second[0]])) ?? second + third
    }
  }

  // MARK: Signatures

  private func verify(_ pieces: [[UInt8]], by kernel: assay_p256_kernel) throws(MintingError) {
    var signatures: [assay_p256_signature] = []
    var expected: [Bool] = []
    for piece in pieces {
      let signer = signers[Int(piece[0]) & 3]
      let digest = Self.number(0, of: piece)
      let (r, s) = try values(piece, by: signer, over: digest)
      expected.append(try Self.verifies(digest, r: r, s: s, by: signer.point))
      var signature = assay_p256_signature()
      signature.table = UnsafePointer(signer.table)
      assay_p256_fill_signature(&signature, digest, r, r.count, s, s.count)
      signatures.append(signature)
    }
    var statuses = [UInt8](repeating: 0xEE, count: pieces.count)
    kernel.verify(generator, signatures, signatures.count, &statuses)
    for index in pieces.indices {
      check(statuses[index], expected[index], "ECDSA of many")
      guard let verifyOne = kernel.verify_one else { continue }
      check(verifyOne(generator, &signatures[index]), expected[index], "ECDSA of one")
    }
  }

  /// Checks a verdict. An undecided status is allowed, because libcrypto decides then.
  private func check(_ status: UInt8, _ isGenuine: Bool, _ what: String) {
    switch Int(status) {
    case ASSAY_P256_UNSURE: return
    case ASSAY_P256_DONE where isGenuine, ASSAY_P256_REFUSED where !isGenuine: return
    default: FuzzTargets.fail("readers", "\(what) \(status)", isGenuine ? "genuine" : "forged")
    }
  }

  /// The piece's bytes as r and s, a valid signature with the piece's nonce, or a changed signature.
  private func values(
    _ piece: [UInt8], by signer: Signer, over digest: [UInt8]
  ) throws(MintingError) -> (r: [UInt8], s: [UInt8]) {
    let (second, third) = (Self.number(1, of: piece), Self.number(2, of: piece))
    let kind = piece[0] >> 2 & 3
    guard kind > 0, let signed = try field.sign(digest, nonce: scalar(second), by: signer.scalar) else {
      return (second, third)
    }
    func changed(_ number: [UInt8]) -> [UInt8] { zip(number, third).map { $0 ^ $1 } }
    switch kind {
    case 1: return (signed.r, signed.s)
    case 2: return (signed.r, changed(signed.s))
    default: return (changed(signed.r), signed.s)
    }
  }

  /// Verifies r and s, which may have any value, for a digest and a public point, by libcrypto.
  private static func verifies(
    _ digest: [UInt8], r: [UInt8], s: [UInt8], by point: [UInt8]
  ) throws(MintingError) -> Bool {
    guard let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { throw .library("EC_KEY_new_by_curve_name") }
    defer { EC_KEY_free(key) }
    guard let signature = ECDSA_SIG_new() else { throw .library("ECDSA_SIG_new") }
    defer {
      ECDSA_SIG_free(signature)
      ERR_clear_error()
    }
    guard EC_KEY_oct2key(key, [0x04] + point, 65, nil) == 1,
      // The signature owns both numbers from then on.
      ECDSA_SIG_set0(signature, BN_bin2bn(r, Int32(r.count), nil), BN_bin2bn(s, Int32(s.count), nil)) == 1
    else { throw .library("ECDSA_SIG_set0") }
    return ECDSA_do_verify(digest, 32, signature, key) == 1
  }

  /// libFuzzer calls from one thread.
  nonisolated(unsafe) static let shared = try? KernelTarget()
}

extension FuzzTargets {
  /// Compares a kernel with libcrypto; the input selects which.
  public static func kernel(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard let target = KernelTarget.shared else { fail("crash", "no memory", "") }
    do throws(MintingError) {
      try target.test(bytes(data, size))
    } catch {
      // libcrypto failed for lack of memory: nothing can be compared.
      fail("crash", "libcrypto", "")
    }
    return 0
  }
}
