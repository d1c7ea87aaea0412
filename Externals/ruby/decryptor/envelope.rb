# frozen_string_literal: true

require_relative "encodings"
require_relative "faults"
require_relative "json_reader"

module Decryptor
  # A place of the token in a request. kind: :object, :parts, :json (a string) or :base64 (of JSON). constants: the
  # values that fields must have, by their paths. identifier: the path of the transactionIdentifier, or nil.
  Route = Struct.new(:path, :kind, :constants, :identifier, keyword_init: true) do
    def self.to(path, kind, constants = {}, identifier: nil)
      split = ->(text) { text&.split(".") }
      new(path: split[path], kind: kind, constants: constants.transform_keys(&split), identifier: split[identifier])
    end

    # The paths of the fields.
    def fields
      [*constants.keys, *identifier&.then { |path| [path] }]
    end
  end

  # The format of a request (0.10). present and absent: the paths of the marks.
  Format = Struct.new(:routes, :present, :absent) do
    def self.of(*routes, present: [], absent: [])
      new(routes, present.map { |path| path.split(".") }, absent.map { |path| path.split(".") })
    end

    # Whether auto may choose it for the request (0.9).
    def fits?(request)
      present.all? { |path| request.leads?(path) } && absent.none? { |path| request.leads?(path) } &&
        routes.any? { |route| request.leads?(route.path) }
    end
  end

  # The paths of a request.
  class Request
    attr_reader :object

    def initialize(object)
      @object = object
    end

    # Every value to which the path leads, through any of the values of a repeated name.
    def values(path)
      path.reduce([@object]) do |reached, name|
        reached.grep(JSONObject).flat_map { |object| object.all(name) }
      end
    end

    def leads?(path)
      !values(path).empty?
    end

    # Whether a name on the path occurs twice in an object that the path reaches.
    def repeats?(path)
      (0...path.size).any? do |depth|
        values(path.take(depth)).grep(JSONObject).any? { |object| object.all(path[depth]).size > 1 }
      end
    end
  end

  # What stage 0 takes out of a request: the token's text, or the values of its parts by their paths in a token, with
  # the size in bytes of the object that held them. identifier: the transactionIdentifier's value, or ABSENT.
  Extraction = Struct.new(:text, :parts, :size, :identifier, keyword_init: true)

  # Stage 0.
  class Envelope
    MAXIMUM_BYTES = 262_144

    # The names of a member's part, one or two, by the member's path in a token.
    PARTS = {
      "data" => %w[encryptedPaymentData],
      "signature" => %w[signature],
      "header.publicKeyHash" => %w[publicKeyHash],
      "header.transactionId" => %w[transactionId],
      "header.ephemeralPublicKey" => %w[ephemeralPublicKey ephemeralKey],
      "header.applicationData" => %w[applicationData]
    }.freeze

    FORMATS = {
      "applepayjs" => Format.of(
        Route.to("token.paymentData", :object, identifier: "token.transactionIdentifier"),
        Route.to("paymentData", :object, identifier: "transactionIdentifier"),
        absent: ["paymentId"]
      ),
      "worldline" => Format.of(
        Route.to("mobilePaymentMethodSpecificInput", :parts,
                 { "mobilePaymentMethodSpecificInput.paymentProductId" => JSONNumber.new("302") }),
        present: ["mobilePaymentMethodSpecificInput.encryptedPaymentData"]
      ),
      "alphapay" => Format.of(
        Route.to("token.paymentData", :object, identifier: "token.transactionIdentifier"),
        present: ["paymentId"]
      ),
      "mpgs" => Format.of(
        Route.to("sourceOfFunds.provided.card.devicePayment.paymentToken", :json,
                 { "order.walletProvider" => "APPLE_PAY" })
      ),
      "bambora" => Format.of(
        Route.to("apple_pay.payment_token", :base64, { "payment_method" => "apple_pay" }),
        Route.to("apple-wallet.payment-token", :base64)
      )
    }.freeze
    APPLE = "apple"
    AUTO = "auto"
    NAMES = [APPLE, AUTO, *FORMATS.keys].freeze
    APPLE_MEMBERS = %w[version data signature header].freeze

    # name: of the envelope, or "auto".
    def self.extract(bytes, name)
      new(bytes, name).extract
    end

    def initialize(bytes, name)
      @bytes = bytes
      @name = name
    end

    def extract
      return bare if @name == APPLE

      raise Fault.new("tokenTooLarge", stage: 0) if @bytes.bytesize > MAXIMUM_BYTES

      @request = read_request
      @name = recognized if @name == AUTO
      return bare if @name == APPLE

      raise Fault, "malformedEnvelope" unless @request

      extract_from(FORMATS.fetch(@name))
    end

    private

    def bare
      Extraction.new(text: @bytes, identifier: ABSENT)
    end

    # nil if it is not strict JSON (0.2).
    def read_request
      Request.new(JSONReader.object(@bytes))
    rescue MalformedJSON
      nil
    end

    # 0.9.
    def recognized
      return APPLE unless @request

      fitting = FORMATS.select { |_, format| format.fits?(@request) }.keys
      fitting << APPLE if APPLE_MEMBERS.all? { |name| @request.leads?([name]) }
      raise Fault, "ambiguousEnvelope" if fitting.size > 1

      fitting.first || APPLE
    end

    def extract_from(format)
      route = taken_route(format)
      token = token_at(route)
      check_constants(route)
      identifier = route.identifier ? @request.values(route.identifier).fetch(0, ABSENT) : ABSENT
      return Extraction.new(text: token, identifier: identifier) unless route.kind == :parts

      Extraction.new(parts: parts(token), size: token.text.bytesize, identifier: identifier)
    end

    # 0.3 and 0.4.
    def taken_route(format)
      check_repetitions(format.routes.flat_map { |route| names_read(route) })
      taken = format.routes.select { |route| @request.leads?(route.path) }
      raise Fault, "malformedEnvelope" unless taken.size == 1

      check_repetitions(taken[0].fields)
      taken[0]
    end

    def names_read(route)
      return [route.path] unless route.kind == :parts

      PARTS.values.flatten.map { |name| [*route.path, name] }
    end

    def check_repetitions(paths)
      raise Fault, "malformedEnvelope" if paths.any? { |path| @request.repeats?(path) }
    end

    # 0.5: the token's text, or the object that holds the parts.
    def token_at(route)
      value = @request.values(route.path)[0]
      token = case route.kind
              when :object then value.text if value.is_a?(JSONObject)
              when :parts then value if value.is_a?(JSONObject)
              when :json then value.b if value.is_a?(String)
              when :base64 then Encodings.base64(value) if value.is_a?(String)
              end
      token || raise(Fault, "malformedEnvelope")
    end

    # 0.6.
    def check_constants(route)
      route.constants.each do |path, constant|
        found = @request.values(path)
        mismatch unless found.empty? || found[0] == constant
      end
    end

    # 0.8 and 0.11.
    def parts(object)
      PARTS.filter_map do |path, names|
        values = names.map { |name| object[name] }.reject { |value| value == ABSENT }
        next if values.empty?

        mismatch if values.size > 1 && !(values.all?(String) && values.uniq.size == 1)
        [path, values[0]]
      end.to_h
    end

    def mismatch
      raise Fault.new("envelopeFieldMismatch", stage: 0)
    end
  end
end
