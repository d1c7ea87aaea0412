# frozen_string_literal: true

module Decryptor
  # Base64 and hexadecimal (4.1, 4.2). The readers return bytes, or nil for a text that is not in the encoding.
  module Encodings
    DIGIT = "[A-Za-z0-9+/]"
    # The last four digits: padding only here, and the bits that it leaves unused are zero.
    LAST_QUANTUM = %r{\A(?:#{DIGIT}{4}|#{DIGIT}{2}[AEIMQUYcgkosw048]=|#{DIGIT}[AQgw]==)\z}
    FOREIGN_TO_BASE64 = %r{[^A-Za-z0-9+/]}
    FOREIGN_TO_HEX = /[^0-9A-Fa-f]/

    module_function

    # RFC 4648 section 4, in its only spelling.
    def base64(text)
      return "".b if text.empty?
      return nil unless text.ascii_only? && (text.bytesize % 4).zero?
      return nil if text[0...-4].match?(FOREIGN_TO_BASE64) || !text[-4..].match?(LAST_QUANTUM)

      text.unpack1("m")
    end

    # An even number of digits, of either case.
    def hex(text)
      return nil unless text.ascii_only? && text.bytesize.even? && !text.match?(FOREIGN_TO_HEX)

      [text].pack("H*")
    end

    # The 32 bytes of a SHA-256 in hexadecimal.
    def sha256(text)
      bytes = hex(text)
      bytes if bytes&.bytesize == 32
    end
  end
end
