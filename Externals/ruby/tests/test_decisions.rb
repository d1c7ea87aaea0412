# frozen_string_literal: true

require "minitest/autorun"
require_relative "../decryptor/envelope"
require_relative "../decryptor/merchant_keys"
require_relative "../decryptor/payload"
require_relative "../decryptor/token"

# Stage 0, and the members of stages 2 to 4.
class RequestTests < Minitest::Test
  include Decryptor

  TOKEN = '{"version":"EC_v1"}'

  # What the block yields, or the fault as "code stage member".
  def outcome
    yield
  rescue Fault => fault
    [fault.code, fault.stage, fault.member].compact.join(" ")
  end

  def text(request, envelope)
    outcome { Envelope.extract(request, envelope).text }
  end

  def test_routes
    encoded = [TOKEN].pack("m0")
    quoted = TOKEN.gsub('"', '\"')
    { "apple" => TOKEN,
      "applepayjs" => "{\"token\":{\"paymentData\":#{TOKEN}}}",
      "alphapay" => "{\"paymentId\":1,\"token\":{\"paymentData\":#{TOKEN}}}",
      "mpgs" => "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\"#{quoted}\"}}}}}",
      "bambora" => "{\"apple-wallet\":{\"payment-token\":\"#{encoded}\"}}" }.each do |name, request|
      assert_equal TOKEN, text(request, name), name
      assert_equal TOKEN, text(request, "auto"), name
      assert_equal "malformedEnvelope 0", text("#{request},", name) unless name == "apple"
    end
    assert_equal "malformedEnvelope 0", text("{\"paymentData\":{},\"token\":{\"paymentData\":{}}}", "applepayjs")
    assert_equal "malformedEnvelope 0", text('{"paymentData":{},"token":{"a":1},"token":1}', "applepayjs")
    assert_equal "malformedEnvelope 0", text('{"paymentData":"{}"}', "applepayjs")
    assert_equal "malformedEnvelope 0", text("{\"apple_pay\":{\"payment_token\":\"#{encoded}=\"}}", "bambora")
    assert_equal "tokenTooLarge 0", text(" " * 262_145, "auto")
  end

  def test_fields
    request = ->(field) { "{\"payment_method\":#{field},\"apple_pay\":{\"payment_token\":\"\"}}" }
    assert_equal "", text(request['"apple_\u0070ay"'], "bambora")
    %w[null 1 "applepay" {}].each { |field| assert_equal "envelopeFieldMismatch 0", text(request[field], "bambora") }
    parts = lambda do |members|
      outcome { Envelope.extract("{\"mobilePaymentMethodSpecificInput\":{#{members}}}", "worldline").parts }
    end
    assert_equal({ "data" => nil }, parts['"paymentProductId":302,"encryptedPaymentData":null'])
    ['"302"', "302.0", "3.02e2", "null"].each do |number|
      assert_equal "envelopeFieldMismatch 0", parts["\"paymentProductId\":#{number}"]
    end
    assert_equal({ "header.ephemeralPublicKey" => "k" }, parts['"ephemeralKey":"k","ephemeralPublicKey":"\u006b"'])
    assert_equal "envelopeFieldMismatch 0", parts['"ephemeralKey":"k","ephemeralPublicKey":"l"']
    assert_equal "envelopeFieldMismatch 0", parts['"ephemeralKey":null,"ephemeralPublicKey":null']
    assert_equal "malformedEnvelope 0", parts['"signature":1,"signature":1']
  end

  def test_auto
    two = '{"paymentData":{},"version":1,"data":1,"signature":1,"header":1}'
    assert_equal "ambiguousEnvelope 0", text(two, "auto")
    assert_equal "[", text("[", "auto")
    assert_equal "{}", text("{}", "auto")
  end

  def test_members
    { "{" => "malformedJSON 2", "{}" => "missingMember 3 version", '{"version":null}' => "wrongType 3 version",
      '{"version":1,"version":1}' => "duplicateMember 2 version", '{"x":1,"x":1}' => "duplicateMember 2",
      '{"header.data":1,"header.data":1}' => "duplicateMember 2",
      '{"header.wrappedKey":1,"header.wrappedKey":1}' => "duplicateMember 2",
      '{"header":{"data":1,"data":1},"data":1,"data":1}' => "duplicateMember 2",
      '{"header":{"wrappedKey":1,"wrappedKey":1}}' => "duplicateMember 2 header.wrappedKey",
      '{"header":1,"header":{"wrappedKey":1,"wrappedKey":1}}' => "duplicateMember 2 header",
      '{"version":"","data":"","signature":"","header":[]}' => "wrongType 3 header",
      '{"version":"","data":"","signature":"","header":{},"header.publicKeyHash":""}' =>
        "missingMember 3 header.publicKeyHash"
    }.each { |token, fault| assert_equal fault, outcome { TokenReader.of_text(token) }, token }
  end

  def test_many_members
    members = ->(count) { Array.new(count) { |index| "\"#{index}\":1" }.join(",") }
    { "{#{members[64]}}" => "missingMember 3 version", "{#{members[65]}}" => "malformedJSON 2",
      "{\"header\":{#{members[64]}}}" => "missingMember 3 version",
      "{\"header\":{#{members[65]}},\"header\":1}" => "malformedJSON 2",
      "{\"x\":{#{members[65]}}}" => "missingMember 3 version" }.each do |token, fault|
      assert_equal fault, outcome { TokenReader.of_text(token) }
    end
  end

  def test_sizes
    assert_equal "malformedJSON 2", outcome { TokenReader.of_text(" " * 65_536) }
    assert_equal "tokenTooLarge 1", outcome { TokenReader.of_text(" " * 65_537) }
    assert_equal "tokenTooLarge 1", outcome { TokenReader.of_parts({}, 65_537, replay: false, unsigned: true) }
  end
end

# Stage 13.
class PayloadTests < Minitest::Test
  include Decryptor

  MEMBERS = {
    "applicationPrimaryAccountNumber" => "4111111111111111", "applicationExpirationDate" => "280229",
    "currencyCode" => "978", "deviceManufacturerIdentifier" => "040010030273", "paymentDataType" => "3DSecure",
    "paymentData" => { "onlinePaymentCryptogram" => "AA==" }
  }.freeze

  def amount(text)
    payload = JSON.generate(MEMBERS).sub("{", "{\"transactionAmount\":#{text},")
    PayloadReader.read(payload, "EC_v1").amount
  rescue Fault => fault
    fault.code
  end

  def test_amounts
    { "0" => 0, "1250" => 1250, "1.50e2" => 150, "0e12" => 0, "1e0011" => 10**11, "0.5e1" => 5, "0.#{'0' * 5000}" => 0,
      "999999999999" => 10**12 - 1, "999999999999.000" => 10**12 - 1 }.each do |text, expected|
      assert_equal expected, amount(text), text
    end
    %w[1000000000000 1e000012 0.0000000000001e12 0e13 1.5 -0 0e-0 10e-1 "1" null].each do |text|
      assert_equal "malformedPayload", amount(text), text
    end
  end

  def test_optional_members
    valid = { "cardholderName" => "", "authenticationResponses" => [], "merchantTokenMetadata" => {}, "unknown" => nil }
    valid.each { |name, value| assert_equal "978", read({ name => value }).currency }
    invalid = { "cardholderName" => nil, "authenticationResponses" => [{}], "merchantTokenMetadata" => [],
                "applicationExpirationDate" => "270229", "deviceManufacturerIdentifier" => "",
                "currencyCode" => "97\u0668" }
    invalid.each { |name, value| assert_raises(Fault, name) { read({ name => value }) } }
  end

  def test_payment_data
    emv = { "paymentDataType" => "EMV", "paymentData" => { "emvData" => "AA==", "encryptedPINData" => "Ff" } }
    assert read(emv, "RSA_v1")
    assert_raises(Fault) { read(emv) }
    assert read({ "paymentData" => { "onlinePaymentCryptogram" => "AA==", "encryptedPINData" => 1 } })
  end

  def read(members, version = "EC_v1")
    PayloadReader.read(JSON.generate({ **MEMBERS, "transactionAmount" => 1, **members }), version)
  end
end

# Keys and certificates of hello.
class MerchantKeyTests < Minitest::Test
  include Decryptor

  EC = OpenSSL::PKey::EC.generate("prime256v1")
  RSA = OpenSSL::PKey::RSA.new(2048)

  def keys(*entries)
    entries.each_with_object(MerchantKeys.new) { |entry, keys| keys.add(*entry) }
  end

  def certificate(key, extension = nil)
    certificate = OpenSSL::X509::Certificate.new
    certificate.version = 2
    certificate.serial = 1
    certificate.not_before = certificate.not_after = Time.at(0)
    certificate.public_key = key
    certificate.add_extension(OpenSSL::X509::Extension.new("1.2.840.113635.100.6.32", extension)) if extension
    certificate.sign(key, "SHA256").to_pem
  end

  def hash_of(key)
    OpenSSL::Digest::SHA256.digest(key.public_to_der)
  end

  def test_keys_are_found_by_their_hash_and_version
    loaded = keys([EC.to_pem, nil, "merchant.a"], [RSA.private_to_pem, nil, nil])
    assert_equal OpenSSL::Digest::SHA256.digest("merchant.a"), loaded.find(hash_of(EC), "EC_v1").merchant_id_hash
    assert_equal "RSA_v1", loaded.find(hash_of(RSA), "RSA_v1").version
    [[EC, "RSA_v1"], [RSA, "EC_v1"]].each { |key, version| assert_raises(Fault) { loaded.find(hash_of(key), version) } }
    assert_raises(Fault) { keys.find("\0" * 32, "EC_v1") }
  end

  def test_keys_that_are_refused
    identified = certificate(EC, OpenSSL::ASN1::UTF8String.new("aB" * 32).to_der)
    assert_equal "\xAB".b * 32, keys([EC.to_pem, identified, nil]).find(hash_of(EC), "EC_v1").merchant_id_hash
    [[EC.to_pem, nil, nil], [EC.to_pem, nil, ""], [EC.to_pem, certificate(EC), nil],
     [EC.to_pem, identified, "merchant.a"], [EC.to_pem, certificate(RSA), "merchant.a"], ["", nil, "merchant.a"],
     [EC.public_to_pem, nil, "merchant.a"],
     [EC.to_pem, "", "merchant.a"], [EC.to_pem, certificate(EC) * 2, "merchant.a"],
     [EC.to_pem, certificate(EC, OpenSSL::ASN1::UTF8String.new("ab").to_der), "merchant.a"],
     [EC.to_pem, certificate(EC, OpenSSL::ASN1::IA5String.new("ab" * 32).to_der), nil],
     [OpenSSL::PKey::EC.generate("secp384r1").to_pem, nil, "merchant.a"],
     [OpenSSL::PKey::RSA.new(1024).to_pem, nil, nil],
     [OpenSSL::PKey::RSA.new(2048, 3).to_pem, nil, nil]].each do |entry|
      assert_raises(UnusableKey, entry.inspect) { keys(entry) }
    end
  end

  def test_one_key_twice
    assert keys([EC.to_pem, nil, "merchant.a"], [EC.private_to_pem, nil, nil])
    assert_raises(UnusableKey) { keys([EC.to_pem, nil, "merchant.a"], [EC.to_pem, nil, "merchant.b"]) }
  end
end
