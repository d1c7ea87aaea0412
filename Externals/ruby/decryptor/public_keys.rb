# frozen_string_literal: true

require "openssl"
require_relative "algorithms"

module Decryptor
  # A curve y² = x³ - 3x + b over the field of p elements, with a group of n elements.
  Curve = Struct.new(:name, :p, :b, :n) do
    def bytes
      (p.bit_length + 7) / 8
    end

    # Whether this is 04 ‖ x ‖ y of a point on the curve.
    def point?(encoded)
      return false unless encoded.bytesize == 1 + 2 * bytes && encoded.getbyte(0) == 4

      x = encoded.byteslice(1, bytes).unpack1("H*").to_i(16)
      y = encoded.byteslice(1 + bytes, bytes).unpack1("H*").to_i(16)
      x < p && y < p && ((y * y - (x * x - 3) * x - b) % p).zero?
    end
  end

  P256 = Curve.new(
    "prime256v1",
    0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
    0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
  )
  P384 = Curve.new(
    "secp384r1",
    2**384 - 2**128 - 2**96 + 2**32 - 1,
    0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
    0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973
  )

  # A public key on P-256 or P-384. information: the SubjectPublicKeyInfo.
  class ECPublicKey
    attr_reader :curve

    def initialize(curve, information)
      @curve = curve
      @information = information
    end

    # Whether the value is an ECDSA signature (8.3) of the message with this digest ("SHA256", "SHA384").
    def verifies?(digest, signature, message)
      return false unless two_scalars?(signature)

      @key ||= OpenSSL::PKey::EC.new(@information)
      checks?(OpenSSL::Digest.digest(digest, message), signature)
    end

    private

    # OpenSSL reports a sum of points at infinity as an error, not as a mismatch.
    def checks?(digest, signature)
      @key.dsa_verify_asn1(digest, signature)
    rescue OpenSSL::PKey::PKeyError
      false
    end

    # A DER SEQUENCE of two INTEGERs, each in 1…n-1.
    def two_scalars?(signature)
      DERReader.whole(signature).items(Tag::SEQUENCE, 2).all? { |scalar| scalar.number.between?(1, curve.n - 1) }
    rescue MalformedDER
      false
    end
  end

  # An RSA public key with the exponent 65537.
  class RSAPublicKey
    EXPONENT = 65_537
    # DigestInfo up to the digest (RFC 8017 9.2), with NULL.
    DIGEST_INFO = {
      "SHA256" => ["3031300D060960864801650304020105000420"].pack("H*"),
      "SHA384" => ["3041300D060960864801650304020205000430"].pack("H*")
    }.freeze

    attr_reader :modulus

    def initialize(modulus)
      @modulus = modulus
    end

    def bits
      @modulus.bit_length
    end

    # In bytes.
    def length
      (bits + 7) / 8
    end

    # Whether the value is an RSASSA-PKCS1-v1_5 signature of the message. The encoding is compared as a whole.
    def verifies?(digest, signature, message)
      number = signature.unpack1("H*").to_i(16)
      return false unless signature.bytesize == length && number < @modulus

      opened = OpenSSL::BN.new(number).mod_exp(EXPONENT, @modulus).to_i
      opened == encoded(DIGEST_INFO.fetch(digest) + OpenSSL::Digest.digest(digest, message))
    end

    private

    def encoded(info)
      padding = "\xFF".b * (length - info.bytesize - 3)
      "0001#{padding.unpack1('H*')}00#{info.unpack1('H*')}".to_i(16)
    end
  end

  # A key on another curve or of another algorithm, which verifies nothing.
  class OtherPublicKey; end

  # SubjectPublicKeyInfo (5.16).
  module PublicKey
    MAXIMUM_RSA_BITS = 4096

    module_function

    def read(information)
      algorithm, key = information.items(Tag::SEQUENCE, 2)
      algorithm = Algorithm.read(algorithm)
      bytes = key.whole_bytes
      case algorithm.oid
      when OID::EC_PUBLIC_KEY then elliptic(algorithm, bytes, information.encoding)
      when OID::RSA then rsa(algorithm, bytes)
      else OtherPublicKey.new
      end
    end

    def elliptic(algorithm, point, information)
      raise MalformedDER if algorithm.plain?

      curve = { OID::P256 => P256, OID::P384 => P384 }[algorithm.parameters.expect(Tag::OID).content]
      return OtherPublicKey.new unless curve

      raise MalformedDER unless curve.point?(point)

      ECPublicKey.new(curve, information)
    end

    def rsa(algorithm, bytes)
      raise MalformedDER unless algorithm.null?

      modulus, exponent = DERReader.whole(bytes).items(Tag::SEQUENCE, 2).map(&:number)
      valid = modulus.positive? && modulus.odd? && modulus.bit_length <= MAXIMUM_RSA_BITS &&
              exponent == RSAPublicKey::EXPONENT
      raise MalformedDER unless valid

      RSAPublicKey.new(modulus)
    end
  end
end
