# frozen_string_literal: true

require_relative "certificate"
require_relative "encodings"

module Decryptor
  # A key, a certificate or a root that cannot be used. The message says why, and nothing of the key.
  class UnusableKey < StandardError; end

  # Certificates in PEM (RFC 7468).
  module PEM
    MAXIMUM_CERTIFICATE_BYTES = 65_536
    CERTIFICATE = /^-----BEGIN CERTIFICATE-----[ \t]*\r?\n(.*?)^-----END CERTIFICATE-----[ \t]*\r?$/m

    module_function

    # The one certificate in the text: a root or a merchant's (5.13 to 5.18).
    def certificate(text)
      bodies = text.scan(CERTIFICATE)
      bytes = Encodings.base64(bodies[0][0].delete(" \t\r\n")) if bodies.size == 1
      raise UnusableKey, "there is not one certificate in PEM" unless bytes
      raise UnusableKey, "a certificate is longer than 65536 bytes" if bytes.bytesize > MAXIMUM_CERTIFICATE_BYTES

      Certificate.read(bytes)
    rescue MalformedDER
      raise UnusableKey, "a certificate breaks the rules 5.1 to 5.18"
    end
  end
end
