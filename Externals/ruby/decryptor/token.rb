# frozen_string_literal: true

require_relative "encodings"
require_relative "faults"
require_relative "json_reader"

module Decryptor
  # A token's decoded members (stages 1 to 4). key_material: ephemeralPublicKey or wrappedKey. application_data: nil
  # if absent. An unsigned token has no signature, transaction_id and application_data.
  Token = Struct.new(:version, :data, :signature, :key_material, :public_key_hash, :transaction_id,
                     :application_data, keyword_init: true) do
    def unsigned?
      signature.nil?
    end
  end

  # Reads a token from its JSON, or from the parts of an envelope.
  class TokenReader
    MAXIMUM_BYTES = 65_536
    MAXIMUM_MEMBERS = 64
    KEY_MEMBERS = { "EC_v1" => "header.ephemeralPublicKey", "RSA_v1" => "header.wrappedKey" }.freeze
    # The known members: of the token object, and of its header.
    MEMBERS = %w[version data signature header].freeze
    HEADER_MEMBERS = %w[publicKeyHash transactionId ephemeralPublicKey wrappedKey applicationData].freeze
    # Encoding and length in bytes by the path of a member, in the order of stage 4 (4.3).
    ENCODINGS = {
      "data" => [:base64, 17..],
      "signature" => [:base64, 1..],
      "header.ephemeralPublicKey" => [:base64, 91..91],
      "header.wrappedKey" => [:base64, 256..512],
      "header.publicKeyHash" => [:base64, 32..32],
      "header.transactionId" => [:hex, 32..32],
      "header.applicationData" => [:hex, 32..32]
    }.freeze

    # A token from its bytes.
    def self.of_text(text)
      raise Fault.new("tokenTooLarge", stage: 1) if text.bytesize > MAXIMUM_BYTES

      object = Document.new(text).object
      header = object["header"]
      values = members(object, "", MEMBERS)
      values.update(members(header, "header.", HEADER_MEMBERS)) if header.is_a?(JSONObject)
      new(values).whole
    end

    # A token in parts (0.8). values: by their paths in a token. size: in bytes, of the object that holds the parts.
    # replay: whether the policy has replay detection. unsigned: whether it accepts a token without signature.
    def self.of_parts(values, size, replay:, unsigned:)
      raise Fault.new("tokenTooLarge", stage: 1) if size > MAXIMUM_BYTES

      reader = new(values)
      unsigned && !values.key?("signature") ? reader.unsigned_parts(replay) : reader.parts
    end

    def self.members(object, prefix, known)
      object.members.filter_map { |member| [prefix + member.name, member.value] if known.include?(member.name) }.to_h
    end
    private_class_method :members

    # values: of the members by their paths.
    def initialize(values)
      @values = values
      @found = {}
    end

    # Stages 3 and 4 of a token in JSON.
    def whole
      %w[version data signature].each { |path| text(path) }
      wrong_type("header") unless present("header").is_a?(JSONObject)
      %w[header.publicKeyHash header.transactionId].each { |path| text(path) }
      version = @values["version"]
      raise Fault.new("unsupportedVersion", member: "version") unless KEY_MEMBERS.key?(version)

      text(KEY_MEMBERS[version])
      other = KEY_MEMBERS.values.find { |path| path != KEY_MEMBERS[version] }
      raise Fault.new("conflictingMembers", member: other) if @values.key?(other)

      decoded(version)
    end

    # Stages 3 and 4 of a signed token in parts.
    def parts
      %w[data signature header.publicKeyHash header.transactionId header.ephemeralPublicKey].each { |path| text(path) }
      decoded("EC_v1")
    end

    # Stages 3 and 4 of an unsigned token in parts.
    def unsigned_parts(replay)
      %w[data header.publicKeyHash].each { |path| text(path) }
      raise Fault.new("missingMember", member: "header.transactionId") if replay

      text("header.ephemeralPublicKey")
      decode("EC_v1")
    end

    private

    def present(path)
      @values.fetch(path) { raise Fault.new("missingMember", member: path) }
    end

    def text(path)
      value = present(path)
      wrong_type(path) unless value.is_a?(String)
      @found[path] = value
    end

    def wrong_type(path)
      raise Fault.new("wrongType", member: path)
    end

    def decoded(version)
      text("header.applicationData") if @values.key?("header.applicationData")
      decode(version)
    end

    # Stage 4, of the members that stage 3 found.
    def decode(version)
      bytes = ENCODINGS.select { |path, _| @found.key?(path) }.to_h { |path, rule| [path, decode_member(path, *rule)] }
      Token.new(
        version: version, data: bytes["data"], signature: bytes["signature"],
        key_material: bytes[KEY_MEMBERS[version]], public_key_hash: bytes["header.publicKeyHash"],
        transaction_id: bytes["header.transactionId"], application_data: bytes["header.applicationData"]
      )
    end

    def decode_member(path, encoding, lengths)
      bytes = Encodings.public_send(encoding, @found[path])
      raise Fault.new(encoding == :hex ? "invalidHex" : "invalidBase64", member: path) unless bytes
      raise Fault.new("invalidLength", member: path) unless lengths.cover?(bytes.bytesize)

      bytes
    end

    # Stage 2.
    class Document
      attr_reader :object

      def initialize(text)
        @object = JSONReader.object(text)
        @headers = @object.all("header").grep(JSONObject)
        raise MalformedJSON if [@object, *@headers].any? { |object| object.members.size > MAXIMUM_MEMBERS }

        check_repetitions
      rescue MalformedJSON
        raise Fault, "malformedJSON"
      end

      private

      # 2.6.
      def check_repetitions
        places = [[@object, "", MEMBERS], *@headers.map { |header| [header, "header.", HEADER_MEMBERS] }]
        repetitions = places.filter_map do |object, prefix, known|
          member = object.repetition
          [member.position, known.include?(member.name) ? prefix + member.name : nil] if member
        end
        first = repetitions.min_by(&:first)
        raise Fault.new("duplicateMember", member: first[1]) if first
      end
    end
  end
end
