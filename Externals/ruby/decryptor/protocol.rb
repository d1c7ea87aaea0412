# frozen_string_literal: true

require "json" # to write answers
require "set"
require_relative "merchant_keys"
require_relative "verification"

module Decryptor
  # A line that cannot be used. The message repeats nothing of the line but names of the protocol.
  class UnusableLine < StandardError; end

  # Reads the members of one object of the line protocol. null counts as absent; an unknown member is an error.
  class Fields
    WHOLE_NUMBER = /\A-?[0-9]{1,18}\z/

    def initialize(object, names)
      @object = object
      unusable("there is an unknown member") unless object.members.all? { |member| names.include?(member.name) }
    end

    # The value of a member of this type, which must be there.
    def required(name, *types)
      value = @object[name]
      unusable("#{name} is missing or of a wrong type") unless types.any? { |type| type === value }
      value
    end

    # The value of a member of this type, or nil.
    def optional(name, *types)
      required(name, *types) unless [ABSENT, nil].include?(@object[name])
    end

    # The items of an array, all of one type; none if it is absent.
    def items(name, type)
      items = optional(name, Array) || []
      unusable("#{name} has an item of a wrong type") unless items.all?(type)
      items
    end

    def flag(name)
      optional(name, true, false) || false
    end

    # A whole number, or nil.
    def number(name)
      number = optional(name, JSONNumber)
      return nil unless number

      unusable("#{name} is not a whole number in range") unless number.text.match?(WHOLE_NUMBER)
      number.text.to_i
    end

    # The fields of an object in this one; those of an empty one if it is absent.
    def nested(name, names)
      Fields.new(optional(name, JSONObject) || JSONObject.new([], "{}"), names)
    end

    def unusable(reason)
      raise UnusableLine, reason
    end
  end

  # Speaks the line protocol (Docs/LineProtocol.md).
  class Session
    NAME = "assay-external ruby"
    VERSION = "1.0"
    SUPPORTS = %w[EC_v1 RSA_v1 envelopes expect payload replay revoked roots signature unsigned].freeze
    MAXIMUM_LINE_BYTES = 4 * 1024 * 1024
    MAXIMUM_MEMBERS = 16

    # Answers every line of the input, until it ends.
    def serve(input, output)
      input.binmode
      while (line = input.gets("\n", MAXIMUM_LINE_BYTES + 1))
        complete = line.end_with?("\n")
        usable = complete || line.bytesize <= MAXIMUM_LINE_BYTES
        skip_line(input) unless usable
        output.write(JSON.generate(answer(usable ? line.delete_suffix("\n") : nil)), "\n")
        output.flush
      end
    end

    # The answer to a line without its newline; nil is one that was too long.
    def answer(line)
      address = @verification ? { id: nil } : { hello: 1 }
      object = read(line)
      if object["hello"] != ABSENT
        address = { hello: 1 }
        return address.merge(greeting(object))
      end
      address = { id: nil }
      id = object["id"]
      raise UnusableLine, "id is missing or not a string" unless id.is_a?(String)

      address = { id: id }
      address.merge(verdict(object))
    rescue UnusableLine, UnusableKey => error
      address.merge(error: error.message)
    end

    private

    def skip_line(input)
      loop do
        rest = input.gets("\n", MAXIMUM_LINE_BYTES)
        return if rest.nil? || rest.end_with?("\n")
      end
    end

    def read(line)
      raise UnusableLine, "the line is longer than 4 MiB" unless line

      object = JSONReader.object(line)
      check_plain(object)
      object
    rescue MalformedJSON
      raise UnusableLine, "the line is not one object in strict JSON"
    end

    # Every object of a line has few members, each once.
    def check_plain(value)
      case value
      when JSONObject
        plain = value.members.size <= MAXIMUM_MEMBERS && !value.repetition
        raise UnusableLine, "an object has too many members, or one twice" unless plain

        value.members.each { |member| check_plain(member.value) }
      when Array then value.each { |item| check_plain(item) }
      end
    end

    def greeting(object)
      raise UnusableLine, "hello was accepted before" if @verification

      fields = Fields.new(object, %w[hello keys rootsPem windowSeconds])
      raise UnusableLine, "hello is not 1" unless fields.required("hello", JSONNumber).text == "1"

      @verification = Verification.new(keys(fields), roots(fields), window(fields))
      { name: NAME, version: VERSION, supports: SUPPORTS }
    end

    def keys(fields)
      fields.required("keys", Array)
      fields.items("keys", JSONObject).each_with_object(MerchantKeys.new) do |object, keys|
        key = Fields.new(object, %w[privateKeyPem certificatePem merchantId])
        keys.add(key.required("privateKeyPem", String), key.optional("certificatePem", String),
                 key.optional("merchantId", String))
      end
    end

    def roots(fields)
      fields.required("rootsPem", Array)
      fields.items("rootsPem", String).map { |pem| PEM.certificate(pem) }
    end

    def window(fields)
      fields.required("windowSeconds", nil, JSONNumber)
      window = fields.number("windowSeconds")
      raise UnusableLine, "windowSeconds is negative" if window&.negative?

      window
    end

    def verdict(object)
      raise UnusableLine, "hello must come first" unless @verification

      fields = Fields.new(object, %w[id token at policy prelude])
      token = request(fields.required("token", String))
      prelude = fields.items("prelude", String).map { |text| request(text) }
      at = Times.rfc3339(fields.required("at", String)) || raise(UnusableLine, "at is not RFC 3339 in seconds with Z")
      policy = policy(fields.nested("policy", %w[envelope unsigned expect replay revoked]))
      seen = Set.new
      prelude.each { |earlier| decrypt(earlier, at, policy, seen) }
      decrypt(token, at, policy, seen)
    end

    def request(text)
      Encodings.base64(text) || raise(UnusableLine, "a token is not base64")
    end

    def policy(fields)
      expect = fields.nested("expect", %w[currency amount applicationData])
      policy = Policy.new(
        envelope: fields.optional("envelope", *Envelope::NAMES) || Envelope::APPLE,
        unsigned: fields.flag("unsigned"), replay: fields.flag("replay"),
        currency: expect.optional("currency", String), amount: expect.number("amount"),
        application_data: expect.optional("applicationData", String)&.then { |text| digest(text, "applicationData") },
        revoked: fields.items("revoked", String).map { |text| digest(text, "revoked") }
      )
      raise UnusableLine, "replay needs windowSeconds" if policy.replay && @verification.window.nil?

      policy
    end

    def digest(text, name)
      Encodings.sha256(text) || raise(UnusableLine, "#{name} is not SHA-256 in hexadecimal")
    end

    def decrypt(request, at, policy, seen)
      decrypted = @verification.decrypt(request, at, policy, seen)
      signed = decrypted.signed ? {} : { signed: false }
      { accepted: true, **signed, plaintext: [decrypted.plaintext].pack("m0") }
    rescue Fault => fault
      member = fault.member ? { member: fault.member } : {}
      { accepted: false, code: fault.code, stage: fault.stage, **member }
    end
  end
end
