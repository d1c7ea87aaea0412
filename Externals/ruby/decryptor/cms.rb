# frozen_string_literal: true

require_relative "certificate"

module Decryptor
  # The signature of a token as CMS SignedData: everything that stage 5 requires of it.
  class SignedMessage
    EXPLICIT = 0xA0
    CERTIFICATES = 0xA0
    MAXIMUM_CERTIFICATES = 3
    MAXIMUM_CERTIFICATE_BYTES = 4096

    attr_reader :certificates, :signer

    # version: of the token.
    def self.read(bytes, version)
      new(bytes, version)
    rescue MalformedDER
      raise Fault, "malformedSignature"
    end

    def initialize(bytes, version)
      @version = version
      reader = DERReader.new(bytes)
      reader.wrapper(Tag::SEQUENCE) do |content_info|
        read_oid(content_info, OID::SIGNED_DATA)
        content_info.wrapper(EXPLICIT) { |content| content.wrapper(Tag::SEQUENCE) { |data| read_signed_data(data) } }
      end
      reader.finish
      check_signature_length
    end

    private

    def read_oid(reader, oid)
      raise MalformedDER unless reader.read.expect(Tag::OID).content == oid
    end

    # 5.7.
    def read_signed_data(reader)
      raise MalformedDER unless reader.read.number == 1

      reader.wrapper(Tag::SET) { |algorithms| check_digest_algorithm(algorithms.read) }
      reader.wrapper(Tag::SEQUENCE) { |content| read_oid(content, OID::DATA) }
      @certificates = reader.peek == CERTIFICATES ? reader.wrapper(CERTIFICATES) { |list| read_certificates(list) } : []
      @signer = reader.wrapper(Tag::SET) { |signers| Signer.new(signers.read, @version) }
    end

    def check_digest_algorithm(element)
      raise MalformedDER unless Algorithm.read(element).sha256?
    end

    # 5.8.
    def read_certificates(reader)
      elements = []
      elements << reader.read until reader.at_end?
      valid = elements.size <= MAXIMUM_CERTIFICATES &&
              elements.all? { |element| element.encoding.bytesize <= MAXIMUM_CERTIFICATE_BYTES }
      raise MalformedDER unless valid

      elements.map { |element| Certificate.new(element) }
    end

    # 5.19.
    def check_signature_length
      return unless @version == "RSA_v1"

      leaves = @certificates.select { |certificate| certificate.extension?(OID::LEAF_MARKER) }
      key = leaves[0].key if leaves.size == 1
      raise MalformedDER if key.is_a?(RSAPublicKey) && @signer.signature.bytesize != key.length
    end
  end

  # SignerInfo (5.9 to 5.11).
  class Signer
    KEY_IDENTIFIER = 0x80
    SIGNED_ATTRIBUTES = 0xA0
    PROTECTED_SIGNATURE_ALGORITHM = 0xA1

    # signing_time: in seconds since 1970. signed_bytes: what the signature is over (8.2).
    attr_reader :signature, :message_digest, :signing_time, :signed_bytes

    def initialize(element, version)
      @version = version
      number, identifier, digest_algorithm, attributes, algorithm, signature = element.items(Tag::SEQUENCE, 6)
      read_identifier(number.number, identifier)
      raise MalformedDER unless Algorithm.read(digest_algorithm).sha256?

      @algorithm = Algorithm.read(algorithm)
      raise MalformedDER unless @algorithm.signs?(version)

      read_attributes(attributes.items(SIGNED_ATTRIBUTES, 0..))
      @signed_bytes = [Tag::SET].pack("C") + attributes.encoding.byteslice(1..)
      @signature = signature.expect(Tag::OCTET_STRING).content
    end

    # Whether the signer identifier is that of this certificate (6.4).
    def names?(certificate)
      return @key_identifier == certificate.subject_key_identifier if @key_identifier

      @issuer == certificate.issuer && @serial == certificate.serial
    end

    private

    def read_identifier(version, identifier)
      case version
      when 1
        issuer, serial = identifier.items(Tag::SEQUENCE, 2)
        @issuer = Structures.check_name(issuer).encoding
        @serial = serial.expect(Tag::INTEGER).encoding
      when 3 then @key_identifier = identifier.expect(KEY_IDENTIFIER).content
      else raise MalformedDER
      end
    end

    def read_attributes(elements)
      attributes = elements.map do |element|
        oid, values = element.items(Tag::SEQUENCE, 2)
        [oid.expect(Tag::OID).content, values.items(Tag::SET, 0..)]
      end
      raise MalformedDER unless only_value(attributes, OID::CONTENT_TYPE).expect(Tag::OID).content == OID::DATA

      @message_digest = only_value(attributes, OID::MESSAGE_DIGEST).expect(Tag::OCTET_STRING).content
      raise MalformedDER unless @message_digest.bytesize == 32

      @signing_time = Structures.time(only_value(attributes, OID::SIGNING_TIME))
      protection = only_value(attributes, OID::ALGORITHM_PROTECTION, optional: true)
      check_protection(protection) if protection
    end

    # The value of the attribute that occurs once, with one value.
    def only_value(attributes, oid, optional: false)
      found = attributes.select { |attribute, _| attribute == oid }.map(&:last)
      return nil if optional && found.empty?

      raise MalformedDER unless found.size == 1 && found[0].size == 1

      found[0][0]
    end

    # cmsAlgorithmProtection.
    def check_protection(element)
      digest, signature = element.items(Tag::SEQUENCE, 2)
      algorithm = Algorithm.of_items(signature.items(PROTECTED_SIGNATURE_ALGORITHM, 1..2))
      valid = Algorithm.read(digest).sha256? && algorithm.oid == @algorithm.oid && algorithm.signs?(@version)
      raise MalformedDER unless valid
    end
  end
end
