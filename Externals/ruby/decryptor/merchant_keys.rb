# frozen_string_literal: true

require_relative "../frame"
require_relative "decryption"
require_relative "pem"

module Decryptor
  # version: of the tokens that it decrypts. merchant_id_hash: 32 bytes; of an RSA key it may be nil.
  MerchantKey = Struct.new(:version, :private_key, :public_key_hash, :merchant_id_hash)

  # The merchant's keys by publicKeyHash.
  class MerchantKeys
    def initialize
      @keys = {}
    end

    # certificate_pem and merchant_id may be nil; what they say must agree with the key and with each other.
    def add(private_key_pem, certificate_pem, merchant_id)
      key = read(private_key_pem)
      certificate = PEM.certificate(certificate_pem) if certificate_pem
      information = key_information(key.private_key)
      unusable("a certificate has another key") if certificate && certificate.key_information != information
      public_key_hash = OpenSSL::Digest::SHA256.digest(information)
      known = @keys[public_key_hash]&.merchant_id_hash
      hashes = [known, certified_hash(certificate), hash_of(merchant_id)].compact.uniq
      unusable("a key has two merchant IDs") if hashes.size > 1
      unusable("an EC key has no merchant ID") if key.version == "EC_v1" && hashes.empty?
      @keys[public_key_hash] = MerchantKey.new(key.version, key.private_key, public_key_hash, hashes[0])
    end

    # 10.1.
    def find(public_key_hash, version)
      key = @keys[public_key_hash]
      raise Fault, "unknownMerchantKey" unless key&.version == version

      key
    end

    private

    def unusable(reason)
      raise UnusableKey, reason
    end

    def read(private_key_pem)
      key = Frame::Key.new(private_key_pem, nil, nil)
      known = [OpenSSL::PKey::EC, OpenSSL::PKey::RSA].include?(key.private_key.class)
      unusable("a key is neither a private EC key nor a private RSA key") unless known && key.private_key.private?
      key
    rescue OpenSSL::PKey::PKeyError
      unusable("a private key cannot be read")
    end

    # SubjectPublicKeyInfo in the form that certificates have (5.16).
    def key_information(key)
      return rsa_information(key) if key.is_a?(OpenSSL::PKey::RSA)

      named = key.group.asn1_flag == OpenSSL::PKey::EC::NAMED_CURVE && key.group.curve_name == P256.name
      unusable("an EC key is not on the named curve P-256") unless named
      Decryption::P256_PREFIX + key.public_key.to_octet_string(:uncompressed)
    end

    def rsa_information(key)
      usable = key.n.num_bits.between?(2048, PublicKey::MAXIMUM_RSA_BITS) && key.e == RSAPublicKey::EXPONENT
      unusable("an RSA key has another size or exponent") unless usable
      key.public_to_der
    end

    def hash_of(merchant_id)
      unusable("a merchant ID is empty") if merchant_id == ""
      OpenSSL::Digest::SHA256.digest(merchant_id) if merchant_id
    end

    # What the certificate says, or nil: 64 hexadecimal digits in a UTF8String.
    def certified_hash(certificate)
      extension = certificate && certificate.extensions[OID::MERCHANT_ID]
      return nil unless extension

      Encodings.sha256(DERReader.whole(extension.value).expect(Tag::UTF8_STRING).content) || raise(MalformedDER)
    rescue MalformedDER
      unusable("a certificate's merchant ID is not SHA-256 in hexadecimal")
    end
  end
end
