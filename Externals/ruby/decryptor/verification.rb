# frozen_string_literal: true

require_relative "chain"
require_relative "decryption"
require_relative "envelope"
require_relative "payload"
require_relative "token"

module Decryptor
  # What a caller requires. amount: in minor units; application_data: 32 bytes; both, and currency, may be nil.
  # revoked: SHA-256 digests.
  Policy = Struct.new(:envelope, :unsigned, :replay, :currency, :amount, :application_data, :revoked,
                      keyword_init: true)

  # What an accepted token yields.
  Decrypted = Struct.new(:plaintext, :signed)

  # Decides about requests: the stages in their order.
  class Verification
    # In seconds; nil if stage 9 is off.
    attr_reader :window

    # keys: MerchantKeys. roots: certificates.
    def initialize(keys, roots, window)
      @keys = keys
      @roots = roots
      @window = window
    end

    # at: in seconds since 1970. seen: the set of transactionIds that were accepted before. Raises Fault.
    def decrypt(request, at, policy, seen)
      extraction = Envelope.extract(request, policy.envelope)
      token = read_token(extraction, policy)
      check_signature(token, policy, at) unless token.unsigned?
      merchant_key = @keys.find(token.public_key_hash, token.version)
      plaintext = Decryption.decrypt(token, merchant_key)
      payload = PayloadReader.read(plaintext, token.version)
      check_identifier(extraction.identifier, token)
      check_expectations(payload, token, policy)
      remember(token, seen) if policy.replay
      Decrypted.new(plaintext, !token.unsigned?)
    end

    private

    # Stages 1 to 4.
    def read_token(extraction, policy)
      return TokenReader.of_text(extraction.text) if extraction.text

      TokenReader.of_parts(extraction.parts, extraction.size, replay: policy.replay, unsigned: policy.unsigned)
    end

    # Stages 5 to 9.
    def check_signature(token, policy, at)
      message = SignedMessage.read(token.signature, token.version)
      leaf = Chain.new(message, token.version, @roots, policy.revoked, at).leaf
      raise Fault, "signatureMismatch" unless signed?(token, message.signer, leaf.key)
      raise Fault, "signingTimeOutsideWindow" if @window && (message.signer.signing_time - at).abs > @window
    end

    # Stage 8.
    def signed?(token, signer, key)
      signed = token.key_material + token.data + token.transaction_id + token.application_data.to_s
      signer.message_digest == OpenSSL::Digest::SHA256.digest(signed) &&
        key.verifies?("SHA256", signer.signature, signer.signed_bytes)
    end

    # 14.0.
    def check_identifier(identifier, token)
      return if identifier == ABSENT
      return if identifier.is_a?(String) && Encodings.sha256(identifier) == token.transaction_id

      raise Fault.new("envelopeFieldMismatch", stage: 14)
    end

    # 14.1 to 14.3.
    def check_expectations(payload, token, policy)
      differs = ->(expected, found) { !expected.nil? && expected != found }
      raise Fault, "applicationDataMismatch" if differs[policy.application_data, token.application_data]
      raise Fault, "currencyMismatch" if differs[policy.currency, payload.currency]
      raise Fault, "amountMismatch" if differs[policy.amount, payload.amount]
    end

    # 14.4.
    def remember(token, seen)
      raise Fault, "replayedTransaction" unless seen.add?(token.transaction_id)
    end
  end
end
