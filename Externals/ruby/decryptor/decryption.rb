# frozen_string_literal: true

require "openssl"
require "securerandom"
require_relative "faults"
require_relative "public_keys"

module Decryptor
  # The symmetric key (stage 11) and the payload's decryption (stage 12).
  module Decryption
    # SubjectPublicKeyInfo of a point on P-256, up to the point.
    P256_PREFIX = ["3059301306072A8648CE3D020106082A8648CE3D030107034200"].pack("H*")
    TAG_BYTES = 16
    IV = ("\0" * 16).b
    OAEP = { "rsa_padding_mode" => "oaep", "rsa_oaep_md" => "sha256", "rsa_mgf1_md" => "sha256" }.freeze
    # The length of an RSA_v1 token's symmetric key.
    UNWRAPPED_BYTES = 16

    module_function

    # The bytes of the payload.
    def decrypt(token, merchant_key)
      key = token.version == "EC_v1" ? agreed_key(token, merchant_key) : unwrapped_key(token, merchant_key)
      open_payload(token.data, key)
    end

    # 11.1 and 11.2.
    def agreed_key(token, merchant_key)
      ephemeral = token.key_material
      valid = ephemeral.start_with?(P256_PREFIX) && P256.point?(ephemeral.byteslice(P256_PREFIX.bytesize..))
      raise Fault, "invalidEphemeralKey" unless valid

      shared = merchant_key.private_key.derive(OpenSSL::PKey::EC.new(ephemeral))
      OpenSSL::Digest::SHA256.digest(
        [1].pack("N") + shared + "\x0Did-aes256-GCMApple".b + merchant_key.merchant_id_hash
      )
    end

    # 11.4 and 11.5: a random key where there is no right one.
    def unwrapped_key(token, merchant_key)
      random = SecureRandom.bytes(UNWRAPPED_BYTES)
      key = merchant_key.private_key.decrypt(ciphertext(token.key_material, merchant_key.private_key), OAEP)
      key.bytesize == UNWRAPPED_BYTES ? key : random
    rescue OpenSSL::PKey::PKeyError
      random
    end

    # The wrapped key, or a constant below the modulus where it cannot be a ciphertext of this key.
    def ciphertext(wrapped, private_key)
      length = private_key.n.num_bytes
      possible = wrapped.bytesize == length && OpenSSL::BN.new(wrapped, 2) < private_key.n
      possible ? wrapped : [1].pack("C").rjust(length, "\0")
    end

    # Stage 12.
    def open_payload(data, key)
      cipher = OpenSSL::Cipher.new("aes-#{key.bytesize * 8}-gcm").decrypt
      cipher.key = key
      cipher.iv_len = IV.bytesize
      cipher.iv = IV
      cipher.auth_tag = data.byteslice(-TAG_BYTES..)
      cipher.auth_data = ""
      cipher.update(data.byteslice(0...-TAG_BYTES)) + cipher.final
    rescue OpenSSL::Cipher::CipherError
      raise Fault, "decryptionFailed"
    end
  end
end
