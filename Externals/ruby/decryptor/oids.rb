# frozen_string_literal: true

module Decryptor
  # Object identifiers that the rules name, as the contents of their encoding.
  module OID
    # The contents of an OID from its dotted form.
    def self.contents(dotted)
      first, second, *rest = dotted.split(".").map(&:to_i)
      [first * 40 + second, *rest].pack("w*")
    end

    SIGNED_DATA = contents("1.2.840.113549.1.7.2")
    DATA = contents("1.2.840.113549.1.7.1")
    SHA256 = contents("2.16.840.1.101.3.4.2.1")

    CONTENT_TYPE = contents("1.2.840.113549.1.9.3")
    MESSAGE_DIGEST = contents("1.2.840.113549.1.9.4")
    SIGNING_TIME = contents("1.2.840.113549.1.9.5")
    ALGORITHM_PROTECTION = contents("1.2.840.113549.1.9.52")

    ECDSA_SHA256 = contents("1.2.840.10045.4.3.2")
    ECDSA_SHA384 = contents("1.2.840.10045.4.3.3")
    RSA = contents("1.2.840.113549.1.1.1")
    RSA_SHA256 = contents("1.2.840.113549.1.1.11")
    RSA_SHA384 = contents("1.2.840.113549.1.1.12")

    EC_PUBLIC_KEY = contents("1.2.840.10045.2.1")
    P256 = contents("1.2.840.10045.3.1.7")
    P384 = contents("1.3.132.0.34")

    BASIC_CONSTRAINTS = contents("2.5.29.19")
    KEY_USAGE = contents("2.5.29.15")
    SUBJECT_KEY_IDENTIFIER = contents("2.5.29.14")
    LEAF_MARKER = contents("1.2.840.113635.100.6.29")
    INTERMEDIATE_MARKER = contents("1.2.840.113635.100.6.2.14")
    MERCHANT_ID = contents("1.2.840.113635.100.6.32")
  end
end
