# frozen_string_literal: true

# The program with which test-frames tests frame.rb.

require "frame"

Frame.serve(name: "probe", version: "1", supports: %w[EC_v1 RSA_v1]) do |token, key, request|
  raise "a bug in #{"A" * 40}\nof mine" if token == "throw"
  raise Frame::Refused.new("first line\nsecond line #{"é" * 300}", "signatureMismatch") if token == "refuse"

  values = {
    pkcs8: key.pkcs8_pem,
    sec1: key.sec1_pem,
    pkcs12: key.certificate_pem && key.pkcs12("secret"),
    merchantIdHash: key.merchant_id_hash,
    merchantId: key.merchant_id,
    certificate: key.certificate_pem,
    at: request.at.to_i,
    window: request.window || "none",
    counts: "#{request.keys.size} keys, #{request.roots.size} roots, #{request.prelude.size} earlier"
  }
  values.map { |name, value| "#{name} #{[value.to_s].pack("m0")}\n" }.join
end
