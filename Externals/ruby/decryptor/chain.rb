# frozen_string_literal: true

require_relative "cms"

module Decryptor
  # Which certificate is which (stage 6), and whether a root vouches for them (stage 7).
  class Chain
    UNDERSTOOD = [OID::BASIC_CONSTRAINTS, OID::KEY_USAGE, OID::LEAF_MARKER, OID::INTERMEDIATE_MARKER].freeze
    DIGITAL_SIGNATURE = 0
    KEY_CERT_SIGN = 5

    attr_reader :leaf

    # roots: certificates. revoked: SHA-256 digests. at: seconds since 1970.
    def initialize(message, version, roots, revoked, at)
      @version = version
      @roots = roots
      identify(message)
      check_trust
      check_revocation(revoked)
      check_validity(at)
    end

    private

    # Stage 6.
    def identify(message)
      @leaf = only(message.certificates, OID::LEAF_MARKER, "missingLeafMarker")
      @intermediate = only(message.certificates, OID::INTERMEDIATE_MARKER, "missingIntermediateMarker")
      raise Fault, "missingIntermediateMarker" if @intermediate.equal?(@leaf)

      others = message.certificates.reject { |other| other.equal?(@leaf) || other.equal?(@intermediate) }
      trusted = others.size <= 1 && others.all? { |other| @roots.any? { |root| root.encoding == other.encoding } }
      raise Fault, "unexpectedCertificate" unless trusted
      raise Fault, "signerMismatch" unless message.signer.names?(@leaf)
    end

    def only(certificates, marker, code)
      found = certificates.select { |certificate| certificate.extension?(marker) }
      raise Fault, code unless found.size == 1

      found[0]
    end

    # 7.1 to 7.5.
    def check_trust
      trusted = leaf_allowed? && intermediate_allowed? && @leaf.issuer == @intermediate.subject &&
                @leaf.signed_by?(@intermediate.key) && @roots.any? { |root| vouches?(root) }
      raise Fault, "untrustedChain" unless trusted
    end

    def vouches?(root)
      root.subject == @intermediate.issuer && may_issue?(root, 1) && @intermediate.signed_by?(root.key)
    end

    def intermediate_allowed?
      may_issue?(@intermediate, 0)
    end

    # Whether it may issue certificates with this many intermediate ones below it.
    def may_issue?(certificate, intermediates)
      certificate.authority? && certificate.basic_constraints.allows?(intermediates) &&
        usable_for?(certificate, KEY_CERT_SIGN) && understood?(certificate)
    end

    def leaf_allowed?
      !@leaf.authority? && usable_for?(@leaf, DIGITAL_SIGNATURE) && understood?(@leaf) && leaf_key?
    end

    def leaf_key?
      case @leaf.key
      when ECPublicKey then @version == "EC_v1" && @leaf.key.curve == P256
      when RSAPublicKey then @version == "RSA_v1" && @leaf.key.bits.between?(2048, 4096)
      end
    end

    def usable_for?(certificate, bit)
      certificate.key_usage.nil? || certificate.key_usage.bit?(bit)
    end

    # 7.5.
    def understood?(certificate)
      certificate.extensions.all? { |oid, extension| !extension.critical || UNDERSTOOD.include?(oid) }
    end

    # 7.6.
    def check_revocation(revoked)
      return if revoked.empty?

      digests = @leaf.digests + @intermediate.digests
      raise Fault, "certificateRevoked" if digests.any? { |digest| revoked.include?(digest) }
    end

    # 7.7.
    def check_validity(at)
      [@leaf, @intermediate].each do |certificate|
        raise Fault, "certificateExpired" if at > certificate.not_after
        raise Fault, "certificateNotYetValid" if at < certificate.not_before
      end
    end
  end
end
