# frozen_string_literal: true

require_relative "der"
require_relative "oids"

module Decryptor
  # AlgorithmIdentifier (5.10): the contents of an OID, and the parameters as an element or nil.
  Algorithm = Struct.new(:oid, :parameters) do
    def self.read(element)
      of_items(element.items(Tag::SEQUENCE, 1..2))
    end

    def self.of_items(items)
      raise MalformedDER unless (1..2).cover?(items.size)

      new(items[0].expect(Tag::OID).content, items[1])
    end

    def plain?
      parameters.nil?
    end

    def null?
      !plain? && parameters.tag == Tag::NULL
    end

    # Parameters NULL or absent.
    def null_or_plain?
      plain? || null?
    end

    def sha256?
      oid == OID::SHA256 && null_or_plain?
    end

    # Whether a SignerInfo of this version may name it as its signature algorithm.
    def signs?(version)
      return oid == OID::ECDSA_SHA256 && plain? if version == "EC_v1"

      [OID::RSA, OID::RSA_SHA256].include?(oid) && null_or_plain?
    end
  end
end
