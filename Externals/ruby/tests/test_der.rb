# frozen_string_literal: true

require "minitest/autorun"
require_relative "../decryptor/der"
require_relative "../decryptor/public_keys"

# Rules 5.1 to 5.5, and points of 5.16.
class DERTests < Minitest::Test
  include Decryptor

  VALID = %w[
    0500 0101FF 010100 020100 02020080 0202FF7F 020180 06012A 06032A8648 030100 03020780 030200FF 3000 3100
    30020500 0C00 8000 A000 A0020500 4100 6100 0A0100 04023000 0400 800101
  ].freeze
  MALFORMED = %w[
    05 0501 050100 0500000500 30 3001 300105 1000 1100 2500 2400 2C00 0000 2000 1F0100 3F8100 BF810100 0100 010101
    01020000 0200 02020000 0202007F 0202FFFF 0202FF80 0600 060180 06022A80 06032A8001 0602802A 06032A86 0300 030101
    030108 03020801 03020701 030201FF 30800000 A0800000 308100 30FF 3003050100 A003050100 308400000000 30820000
  ].freeze

  def bytes(hex)
    [hex].pack("H*")
  end

  def refused?(bytes)
    DERReader.whole(bytes)
    false
  rescue MalformedDER
    true
  end

  def test_values
    VALID.each { |hex| refute refused?(bytes(hex)), hex }
    MALFORMED.each { |hex| assert refused?(bytes(hex)), hex }
  end

  def test_lengths
    { 127 => "7F", 128 => "8180", 255 => "81FF", 256 => "820100", 65_536 => "83010000" }.each do |length, hex|
      contents = "\0".b * length
      refute refused?(bytes("04#{hex}") + contents), hex
      assert refused?(bytes("04#{hex}") + contents + "\0"), hex
      assert refused?(bytes("04#{hex}") + contents[1..]), hex
    end
    assert refused?(bytes("04817F") + "\0".b * 127)
    assert refused?(bytes("048200FF") + "\0".b * 255)
    assert refused?(bytes("04850000000001FF"))
  end

  def test_nesting
    sixteen = 16.times.reduce(bytes("0500")) { |inner, _| [0x30, inner.bytesize].pack("CC") + inner }
    refute refused?(sixteen)
    assert refused?([0x30, sixteen.bytesize].pack("CC") + sixteen)
    assert_raises(MalformedDER) { DERReader.whole(sixteen, 2) }
  end

  def test_wrappers
    {
      "3000" => 0, "30800000" => 0, "300405000500" => 2, "30810405000500" => 2, "30840000000405000500" => 2,
      "3080050005000000" => 2,
      "308005000500" => nil, "30800500050000" => nil, "308000" => nil, "3080" => nil, "308500000000040500" => nil,
      "30FF" => nil, "3080308000000000" => nil, "3002050000" => nil, "3003050000" => nil, "30040500" => nil,
      "31020500" => nil, "10020500" => nil, "" => nil
    }.each { |hex, count| assert count == values_in_wrapper(bytes(hex)), hex }
  end

  # How many values a SEQUENCE as a wrapper holds, or nil.
  def values_in_wrapper(bytes)
    values = []
    reader = DERReader.new(bytes)
    reader.wrapper(Tag::SEQUENCE) { |inner| values << inner.read until inner.at_end? }
    reader.finish
    values.size
  rescue MalformedDER
    nil
  end

  def test_numbers
    { "020100" => 0, "02017F" => 127, "020180" => -128, "02020080" => 128, "0201FF" => -1 }.each do |hex, number|
      assert_equal number, DERReader.whole(bytes(hex)).number
    end
  end

  def test_points
    [P256, P384].each do |curve|
      group = OpenSSL::PKey::EC::Group.new(curve.name)
      point = group.generator.to_octet_string(:uncompressed)
      assert_equal curve.n, group.order.to_i
      assert curve.point?(point)
      refute curve.point?(point[0...-1])
      refute curve.point?("\x06".b + point[1..])
      refute curve.point?(point[0...-1] + [point.getbyte(-1) ^ 1].pack("C"))
      refute curve.point?("\x04".b + "\xFF".b * (2 * curve.bytes))
    end
  end
end
