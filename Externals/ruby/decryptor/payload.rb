# frozen_string_literal: true

require_relative "encodings"
require_relative "faults"
require_relative "json_reader"
require_relative "times"

module Decryptor
  # What stage 14 needs of the decrypted payload. currency: three digits. amount: in minor units.
  Payload = Struct.new(:currency, :amount)

  # Stage 13.
  class PayloadReader
    MAXIMUM_MEMBERS = 64
    MAXIMUM_AMOUNT_DIGITS = 12
    MAXIMUM_EXPONENT = 12
    AUTHENTICATION_STRINGS = %w[merchantIdentifier authenticationData transactionAmount].freeze

    # version: of the token.
    def self.read(bytes, version)
      new(JSONReader.object(bytes), version).payload
    rescue MalformedJSON
      raise Fault, "malformedPayload"
    end

    def initialize(object, version)
      @object = object
      @version = version
    end

    def payload
      check_members(@object)
      check_card
      check_payment_data
      check_optional_members
      Payload.new(matching(@object, "currencyCode", /\A[0-9]{3}\z/), amount)
    end

    private

    def invalid
      raise Fault, "malformedPayload"
    end

    # 13.1.
    def check_members(object)
      invalid if object.members.size > MAXIMUM_MEMBERS || object.repetition
    end

    # 13.2.
    def check_card
      matching(@object, "applicationPrimaryAccountNumber", /\A[0-9]{12,19}\z/)
      expiration = matching(@object, "applicationExpirationDate", /\A[0-9]{6}\z/)
      year, month, day = expiration.scan(/../).map(&:to_i)
      invalid unless Times.date?(2000 + year, month, day)
      manufacturer = Encodings.hex(string(@object, "deviceManufacturerIdentifier"))
      invalid unless manufacturer&.bytesize&.between?(1, 32)
    end

    # 13.3, in minor units.
    def amount
      text = typed(@object, "transactionAmount", JSONNumber).text
      found = /\A([0-9]+)(?:\.([0-9]+))?(?:[eE]\+?([0-9]+))?\z/.match(text) || invalid

      whole, fraction, exponent = found[1], found[2].to_s, found[3].to_s.sub(/\A0+/, "")
      invalid if exponent.size > 2 || exponent.to_i > MAXIMUM_EXPONENT

      shifted(whole + fraction, exponent.to_i - fraction.size)
    end

    # The number digits × 10^power, which must be whole and in range.
    def shifted(digits, power)
      whole, rest = power.negative? ? [digits[0...power], digits[power..]] : [digits + "0" * power, ""]
      whole = whole.sub(/\A0+/, "")
      invalid if rest.match?(/[^0]/) || whole.size > MAXIMUM_AMOUNT_DIGITS

      whole.to_i
    end

    # 13.4.
    def check_payment_data
      data = typed(@object, "paymentData", JSONObject)
      check_members(data)
      case string(@object, "paymentDataType")
      when "3DSecure" then check_3d_secure(data)
      when "EMV" then check_emv(data)
      else invalid
      end
    end

    def check_3d_secure(data)
      base64(data, "onlinePaymentCryptogram")
      matching(data, "eciIndicator", /\A[0-9]{1,2}\z/) if present?(data, "eciIndicator")
    end

    def check_emv(data)
      base64(data, "emvData")
      return unless present?(data, "encryptedPINData")

      invalid if @version == "EC_v1"
      pin = Encodings.hex(string(data, "encryptedPINData"))
      invalid if pin.nil? || pin.empty?
    end

    # 13.5.
    def check_optional_members
      %w[cardholderName merchantTokenIdentifier].each { |name| string(@object, name) if present?(@object, name) }
      typed(@object, "merchantTokenMetadata", JSONObject) if present?(@object, "merchantTokenMetadata")
      return unless present?(@object, "authenticationResponses")

      typed(@object, "authenticationResponses", Array).each { |response| check_authentication(response) }
    end

    def check_authentication(response)
      invalid unless response.is_a?(JSONObject)

      check_members(response)
      AUTHENTICATION_STRINGS.each { |name| string(response, name) }
    end

    def present?(object, name)
      object[name] != ABSENT
    end

    def typed(object, name, type)
      value = object[name]
      value.is_a?(type) ? value : invalid
    end

    def string(object, name)
      typed(object, name, String)
    end

    def matching(object, name, pattern)
      text = string(object, name)
      text.match?(pattern) ? text : invalid
    end

    # A string in base64 of at least one byte.
    def base64(object, name)
      bytes = Encodings.base64(string(object, name))
      invalid if bytes.nil? || bytes.empty?
    end
  end
end
