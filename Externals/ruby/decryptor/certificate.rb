# frozen_string_literal: true

require_relative "public_keys"
require_relative "times"

module Decryptor
  # value: the bytes in the OCTET STRING.
  Extension = Struct.new(:critical, :value)

  # Structures that certificates share with other parts of a CMS.
  module Structures
    module_function

    # Name (5.14).
    def check_name(element)
      element.items(Tag::SEQUENCE, 0..).each do |set|
        set.items(Tag::SET, 1..).each do |attribute|
          attribute.items(Tag::SEQUENCE, 2)[0].expect(Tag::OID)
        end
      end
      element
    end

    # A time (5.12) in seconds since 1970.
    def time(element)
      seconds = case element.tag
                when Tag::UTC_TIME then Times.utc_time(element.content)
                when Tag::GENERALIZED_TIME then Times.generalized_time(element.content)
                end
      seconds || raise(MalformedDER)
    end
  end

  # A certificate by 5.13 to 5.18. Names, serial and key information are encodings: tag, length and contents.
  class Certificate
    # Of ContentInfo down to a certificate in a CMS.
    LEVEL = 5
    VERSION = 0xA0
    EXTENSIONS = 0xA3

    attr_reader :encoding, :issuer, :serial, :subject, :not_before, :not_after, :key_information, :key,
                :basic_constraints, :key_usage, :subject_key_identifier, :extensions

    def self.read(bytes)
      new(DERReader.whole(bytes, LEVEL))
    end

    def initialize(element)
      @encoding = element.encoding
      signed, algorithm, signature = element.items(Tag::SEQUENCE, 3)
      @signed = signed.encoding
      @algorithm = Algorithm.read(algorithm)
      @signature = signature.whole_bytes
      read_signed(signed.items(Tag::SEQUENCE, 7..8), algorithm.encoding)
      read_known_extensions
    end

    def extension?(oid)
      @extensions.key?(oid)
    end

    # Whether it has cA TRUE.
    def authority?
      !@basic_constraints.nil? && @basic_constraints.authority
    end

    # The SHA-256 digests under which it can be revoked (7.6).
    def digests
      [@encoding, @key_information].map { |bytes| OpenSSL::Digest::SHA256.digest(bytes) }
    end

    # Whether this key signed it, by an algorithm of 7.2.
    def signed_by?(key)
      digest = case key
               when ECPublicKey then elliptic_digest
               when RSAPublicKey then rsa_digest if key.bits >= 2048
               end
      !digest.nil? && key.verifies?(digest, @signature, @signed)
    end

    private

    def elliptic_digest
      { OID::ECDSA_SHA256 => "SHA256", OID::ECDSA_SHA384 => "SHA384" }[@algorithm.oid] if @algorithm.plain?
    end

    def rsa_digest
      { OID::RSA_SHA256 => "SHA256", OID::RSA_SHA384 => "SHA384" }[@algorithm.oid] if @algorithm.null_or_plain?
    end

    def read_signed(members, algorithm)
      version, serial, inner_algorithm, issuer, validity, subject, information, extensions = members
      raise MalformedDER unless version.items(VERSION, 1)[0].number == 2 && inner_algorithm.encoding == algorithm

      @serial = serial.expect(Tag::INTEGER).encoding
      @issuer = Structures.check_name(issuer).encoding
      @not_before, @not_after = validity.items(Tag::SEQUENCE, 2).map { |time| Structures.time(time) }
      @subject = Structures.check_name(subject).encoding
      @key = PublicKey.read(information)
      @key_information = information.encoding
      @extensions = extensions ? read_extensions(extensions) : {}
    end

    # 5.15, by the contents of their OIDs.
    def read_extensions(element)
      found = element.items(EXTENSIONS, 1)[0].items(Tag::SEQUENCE, 1..).map { |extension| read_extension(extension) }
      raise MalformedDER unless found.map(&:first).uniq.size == found.size

      found.to_h
    end

    def read_extension(element)
      oid, *flag, value = element.items(Tag::SEQUENCE, 2..3)
      critical = flag.any? && flag[0].expect(Tag::BOOLEAN).content == "\xFF".b
      [oid.expect(Tag::OID).content, Extension.new(critical, value.expect(Tag::OCTET_STRING).content)]
    end

    # 5.17.
    def read_known_extensions
      @basic_constraints = known(OID::BASIC_CONSTRAINTS) { |element| BasicConstraints.read(element) }
      @key_usage = known(OID::KEY_USAGE) { |element| element.expect(Tag::BIT_STRING) }
      @subject_key_identifier = known(OID::SUBJECT_KEY_IDENTIFIER) { |value| value.expect(Tag::OCTET_STRING).content }
    end

    def known(oid)
      extension = @extensions[oid]
      yield DERReader.whole(extension.value) if extension
    end
  end

  # authority: cA; path_length: pathLenConstraint or nil.
  BasicConstraints = Struct.new(:authority, :path_length) do
    def self.read(element)
      items = element.items(Tag::SEQUENCE, 0..2).dup
      authority = items[0]&.tag == Tag::BOOLEAN && items.shift.content == "\xFF".b
      path_length = items.shift&.number
      raise MalformedDER if items.any? || path_length&.negative?

      new(authority, path_length)
    end

    # Whether this many intermediate certificates may follow.
    def allows?(intermediates)
      path_length.nil? || path_length >= intermediates
    end
  end
end
