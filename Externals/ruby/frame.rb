# frozen_string_literal: true

# Puts a decryptor behind assay's line protocol, so that `assay diff` can compare it with others.
#
# The protocol, one JSON object per line:
#   in   {"hello":1,"keys":[{"privateKeyPem":…,"certificatePem":…,"merchantId":…}],"rootsPem":[…],"windowSeconds":300}
#   out  {"hello":1,"name":…,"version":…,"supports":["EC_v1",…]}
#   in   {"id":…,"token":base64,"at":"2026-03-01T12:00:00Z","policy":{…},"prelude":[…]}
#   out  {"id":…,"accepted":true,"plaintext":base64} or {"id":…,"accepted":false,"code":…,"reason":…}
#
# Usage, with Ruby 3.1. Copy this file next to yours:
#
#   require_relative "frame"
#
#   Frame.serve(name: "mine", version: "1.0", supports: %w[EC_v1 signature roots]) do |token, key, request|
#     Mine.decrypt(token, key.sec1_pem, key.merchant_id_hash, request.roots, request.at)
#   rescue Mine::InvalidToken => error
#     raise Frame::Refused, error.message    # any other exception is an error: nothing is decided
#   end
#
# Then: assay diff --external 'ruby yours.rb'
#
# Apache 2.0; part of assay. You may copy this file into your own tests.

require "json"
require "openssl"
require "time"

# Frame.serve is all that a decryptor needs; its block gets a token (bytes), a Key and a Request.
module Frame
  # What the block raises to refuse a token. The message is for people. `code` is one of assay's
  # Docs/Verification.md: `raise Frame::Refused.new("expired", "certificateExpired")`.
  class Refused < StandardError
    attr_reader :code

    def initialize(reason, code = nil)
      super(reason)
      @code = code
    end
  end

  # A merchant's private key in the forms that libraries ask for. `private_key` is an OpenSSL::PKey.
  # `certificate_pem`, `merchant_id` and `merchant_id_hash` may be nil.
  class Key
    attr_reader :private_key, :certificate_pem, :merchant_id

    def initialize(private_key_pem, certificate_pem, merchant_id)
      @private_key = OpenSSL::PKey.read(private_key_pem, "")
      @certificate = OpenSSL::X509::Certificate.new(certificate_pem) if certificate_pem
      @certificate_pem = certificate_pem
      @merchant_id = merchant_id
    end

    # -----BEGIN PRIVATE KEY-----
    def pkcs8_pem
      private_key.private_to_pem
    end

    # -----BEGIN EC PRIVATE KEY-----; nil for an RSA key.
    def sec1_pem
      private_key.to_pem if version == "EC_v1"
    end

    # Key and certificate as PKCS #12 (.p12), DER. Needs a certificate.
    def pkcs12(password)
      OpenSSL::PKCS12.create(password, "merchant", private_key, @certificate).to_der
    end

    # Of the tokens that it decrypts.
    def version
      private_key.is_a?(OpenSSL::PKey::EC) ? "EC_v1" : "RSA_v1"
    end

    # What `header.publicKeyHash` of a token names it by: SHA-256 of the SubjectPublicKeyInfo, 32 bytes.
    def public_key_hash
      @public_key_hash ||= OpenSSL::Digest.digest("SHA256", private_key.public_to_der)
    end

    # SHA-256 of the merchant ID, 32 bytes: from the certificate, else of `merchant_id`.
    def merchant_id_hash
      extension = @certificate&.extensions&.find { |found| found.oid == "1.2.840.113635.100.6.32" }
      return [extension.value_der[-64..]].pack("H*") if extension

      OpenSSL::Digest.digest("SHA256", merchant_id) if merchant_id
    end
  end

  # What a session decrypts with. `roots` are PEM; `window` is in seconds, or nil where it is not checked.
  Hello = Struct.new(:keys, :roots, :window, keyword_init: true)

  # A line with a token, and what hello gave: `keys`, `roots` and `window`. `at` is the verification time as a Time,
  # `at_text` as RFC 3339; `policy` is the protocol's object with all defaults; `prelude` has the tokens to decrypt
  # before this one, for replay detection.
  Request = Struct.new(*Hello.members, :at, :at_text, :policy, :prelude, keyword_init: true)

  # Answers every line of standard input, until it ends. The block returns the plaintext, bytes.
  def self.serve(name:, version:, supports:, &decrypt)
    session = Session.new({ name: name, version: version, supports: supports }, decrypt)
    answers = $stdout
    $stdout = $stderr # Only answers go to standard output, whatever a library prints.
    $stdin.set_encoding("UTF-8").each_line do |line|
      answers.puts(JSON.generate(session.answer(line)))
      answers.flush
    end
  end

  # A line that cannot be used. The message repeats nothing of the line.
  class Unusable < StandardError; end

  # One answer to each line.
  class Session
    EXPECT = { "currency" => nil, "amount" => nil, "applicationData" => nil }.freeze
    POLICY =
      { "envelope" => "apple", "unsigned" => false, "expect" => EXPECT, "replay" => false, "revoked" => [] }.freeze

    def initialize(identity, decrypt)
      @identity = identity
      @decrypt = decrypt
    end

    def answer(line)
      address = @hello ? { id: nil } : { hello: 1 }
      message = read(line)
      if message.key?("hello")
        address = { hello: 1 }
        return address.merge(greeting(message))
      end
      address = { id: nil }
      address = { id: typed(message, "id", String) }
      demand(@hello, "hello comes first")
      address.merge(verdict(typed(message, "token", String), request(message)))
    rescue Unusable => error
      address.merge(error: error.message)
    end

    private

    def read(line)
      message = JSON.parse(line) if line.valid_encoding?
      demand(message.is_a?(Hash), "the line is not a JSON object")
      message
    rescue JSON::ParserError
      raise Unusable, "the line is not a JSON object"
    end

    def greeting(message)
      demand(!@hello, "hello was accepted before")
      demand_known(message, %w[hello keys rootsPem windowSeconds])
      demand(message["hello"] == 1, "hello is not 1")
      window = message.fetch("windowSeconds", -1)
      demand(window.nil? || (window.is_a?(Integer) && window >= 0), "windowSeconds is missing or not a whole number")
      keys = items(message, "keys", Hash).map { |key| key(key) }
      @hello = Hello.new(keys: keys, roots: items(message, "rootsPem", String), window: window)
      @identity
    end

    def key(members)
      demand_known(members, %w[privateKeyPem certificatePem merchantId])
      members = members.compact.each_key { |name| typed(members, name, String) }
      Key.new(typed(members, "privateKeyPem", String), *members.values_at("certificatePem", "merchantId"))
    rescue OpenSSL::OpenSSLError
      raise Unusable, "a key or its certificate cannot be read"
    end

    def request(message)
      demand_known(message, %w[id token at policy prelude])
      text = typed(message, "at", String)
      prelude = message["prelude"] ? items(message, "prelude", String).map { |one| bytes(one) } : []
      policy = policy(message["policy"] || {})
      Request.new(**@hello.to_h, at: time(text), at_text: text, policy: policy, prelude: prelude)
    end

    def policy(given)
      demand_known(given, POLICY.keys)
      policy = POLICY.merge(given.compact)
      demand(policy.all? { |name, value| same_type?(value, POLICY[name]) }, "a member has another type")
      demand_known(policy["expect"], EXPECT.keys)
      policy.merge("expect" => EXPECT.merge(policy["expect"]))
    end

    def same_type?(value, default)
      default == false ? [true, false].include?(value) : value.is_a?(default.class)
    end

    def verdict(text, request)
      token = bytes(text)
      version, named = version_and_key(token)
      return { unsupported: true } unless (needs(request.policy, version) - @identity[:supports]).empty?

      keys = request.keys.select { |key| [nil, key.version].include?(version) }
      key = keys.find { |one| one.public_key_hash == named } || keys.first
      raise Refused, "hello has no merchant key" unless key

      { accepted: true, plaintext: [@decrypt.call(token, key, request)].pack("m0") }
    rescue Refused => refusal
      { accepted: false, code: refusal.code, reason: line_of(refusal.message)[0, 200] }
    rescue Unusable
      raise
    rescue StandardError, ScriptError, SystemStackError => error
      warn(error.full_message(highlight: false))
      { error: described(error) }
    end

    # One line of at most 200 characters, without long runs of base64 or hex, which may be of the token.
    def described(error)
      "#{error.class}: #{line_of(error.message).gsub(%r{[A-Za-z0-9+/=_-]{33,}}, "…")}"[0, 200]
    end

    # The version of a token and the hash of the key that it names; each is nil if it cannot be read.
    def version_and_key(token)
      members = JSON.parse(token.dup.force_encoding("UTF-8"))
      members = {} unless members.is_a?(Hash)
      header = members["header"].is_a?(Hash) ? members["header"] : {}
      [(%w[EC_v1 RSA_v1] & [members["version"]]).first, header["publicKeyHash"].to_s.unpack1("m")]
    rescue JSON::ParserError, EncodingError
      [nil, nil]
    end

    # The words of `supports` that a line needs.
    def needs(policy, version)
      asked = {
        "envelopes" => policy["envelope"] != "apple", "expect" => policy["expect"] != EXPECT,
        "replay" => policy["replay"], "revoked" => policy["revoked"].any?, "unsigned" => policy["unsigned"]
      }
      asked.select { |_, needed| needed }.keys + [version].compact
    end

    def line_of(text)
      text.encode("UTF-8", invalid: :replace, undef: :replace).split.join(" ")
    end

    def time(text)
      time = Time.iso8601(text)
      demand(time.utc.iso8601 == text, "at is not a time like 2026-01-31T12:00:00Z")
      time
    rescue ArgumentError
      raise Unusable, "at is not a time like 2026-01-31T12:00:00Z"
    end

    def bytes(text)
      bytes = text.unpack1("m")
      demand([bytes].pack("m0") == text, "a token is not padded base64")
      bytes
    end

    def typed(members, name, type)
      demand(members[name].is_a?(type), "#{name} is missing or of another type")
      members[name]
    end

    def items(members, name, type)
      demand(typed(members, name, Array).all?(type), "an item of #{name} is of another type")
      members[name]
    end

    # Refuses unknown names, since one could be a requirement that is not checked.
    def demand_known(members, names)
      demand(members.is_a?(Hash) && (members.keys - names).empty?, "a member is unknown")
    end

    def demand(holds, message)
      raise Unusable, message unless holds
    end
  end
  private_constant :Session, :Unusable
end
