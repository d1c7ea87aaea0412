import COpenSSL

/// An entry that stands for an earlier failure of the caller in libcrypto's error queue of this thread. A key file with
/// an unknown encryption leaves such an entry.
public enum ErrorQueue {
  private static let code = UInt(ERR_LIB_EVP) << 23 | UInt(EVP_R_UNSUPPORTED_ALGORITHM)
  private static let data = "planted"

  /// Replaces all entries with this one.
  public static func plant() {
    ERR_clear_error()
    assay_ERR_raise(code, "caller.c", 7, "caller", data)
  }

  /// Whether the queue has just the planted entry. Removes all entries.
  public static var hasOnlyPlanted: Bool {
    defer { ERR_clear_error() }
    var (file, function, text): (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    var line: Int32 = 0
    let isPlanted = ERR_get_error_all(&file, &line, &function, &text, nil) == code && line == 7
    let texts = [file, function, text].map { $0.map { String(cString: $0) } }
    return isPlanted && texts == ["caller.c", "caller", data] && ERR_peek_error() == 0
  }
}
