# frozen_string_literal: true

module Decryptor
  # Why a token is rejected: a code of Docs/Verification.md, its stage and, in stages 2 to 4, the path of a member.
  class Fault < StandardError
    # The stage of each code that belongs to one stage alone.
    STAGES = {
      "malformedEnvelope" => 0, "ambiguousEnvelope" => 0,
      "malformedJSON" => 2, "duplicateMember" => 2,
      "missingMember" => 3, "wrongType" => 3, "unsupportedVersion" => 3, "conflictingMembers" => 3,
      "invalidBase64" => 4, "invalidHex" => 4, "invalidLength" => 4,
      "malformedSignature" => 5,
      "missingLeafMarker" => 6, "missingIntermediateMarker" => 6, "unexpectedCertificate" => 6, "signerMismatch" => 6,
      "untrustedChain" => 7, "certificateRevoked" => 7, "certificateExpired" => 7, "certificateNotYetValid" => 7,
      "signatureMismatch" => 8,
      "signingTimeOutsideWindow" => 9,
      "unknownMerchantKey" => 10,
      "invalidEphemeralKey" => 11,
      "decryptionFailed" => 12,
      "malformedPayload" => 13,
      "applicationDataMismatch" => 14, "currencyMismatch" => 14, "amountMismatch" => 14, "replayedTransaction" => 14
    }.freeze

    attr_reader :code, :stage, :member

    def initialize(code, stage: nil, member: nil)
      super(code)
      @code = code
      @stage = stage || STAGES.fetch(code)
      @member = member
    end
  end
end
