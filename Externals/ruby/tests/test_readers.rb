# frozen_string_literal: true

require "minitest/autorun"
require_relative "../decryptor/encodings"
require_relative "../decryptor/json_reader"
require_relative "../decryptor/times"

# Base64, hexadecimal and times.
class ValueTests < Minitest::Test
  include Decryptor

  def test_base64
    { "" => "", "AA==" => "\0", "AAA=" => "\0\0", "AAAA" => "\0\0\0", "+/+/" => "\xFB\xFF\xBF",
      "AAAA/w==" => "\0\0\0\xFF" }.each do |text, bytes|
      assert_equal bytes.b, Encodings.base64(text), text
    end
    ["A", "AA", "AAA", "=", "====", "A===", "AB==", "AAB=", "AA=A", "AA==AAAA", "AAAA====", "AAAA\n", "\nAAAA", "AA A",
     "-_-_", "AAA\u00e9", "AAAAA", "AA\0A", "AAAAAA==="].each { |text| assert_nil Encodings.base64(text), text }
  end

  def test_base64_of_every_byte
    alphabet = [*"A".."Z", *"a".."z", *"0".."9", "+", "/"]
    256.times do |byte|
      character = byte.chr(Encoding::ISO_8859_1).encode("UTF-8")
      4.times do |place|
        text = "AAAA".dup.tap { |quantum| quantum[place] = character }
        valid = alphabet.include?(character) || (place == 3 && character == "=")
        assert_equal valid, !Encodings.base64(text).nil?, text
        assert_equal valid && character != "=", !Encodings.base64("#{text}AAAA").nil?, text
      end
    end
  end

  def test_hex
    { "" => "", "00ff" => "\x00\xFF", "aBCd" => "\xAB\xCD" }.each do |text, bytes|
      assert_equal bytes.b, Encodings.hex(text)
    end
    ["0", "000", "0g", "0x", " 0", "00\n", "/0", ":0", "@0", "G0", "`0", "\u00e9"].each do |text|
      assert_nil Encodings.hex(text)
    end
    assert_equal 32, Encodings.sha256("0" * 64).bytesize
    ["0" * 62, "0" * 66, ""].each { |text| assert_nil Encodings.sha256(text) }
  end

  def test_times
    assert_equal 0, Times.utc_time("700101000000Z")
    assert_equal 86_399, Times.generalized_time("19700101235959Z")
    assert_equal 951_782_400, Times.generalized_time("20000229000000Z")
    assert_equal 1_772_366_400, Times.rfc3339("2026-03-01T12:00:00Z")
    assert_equal Times.generalized_time("20491231235959Z"), Times.utc_time("491231235959Z")
    assert_equal Times.generalized_time("19500101000000Z"), Times.utc_time("500101000000Z")
    assert_equal 86_400, Times.generalized_time("00000301000000Z") - Times.generalized_time("00000229000000Z")
    assert_equal Time.utc(9999, 12, 31, 23, 59, 59).to_i, Times.generalized_time("99991231235959Z")
  end

  def test_days_follow_each_other
    days = (0..401).flat_map do |year|
      (1..12).flat_map { |month| (1..Times.days_in_month(year, month)).map { |day| Times.days(year, month, day) } }
    end
    assert_equal((days[0]...days[0] + days.size).to_a, days)
  end

  def test_what_is_not_a_time
    %w[19000229000000Z 20260230000000Z 20260001000000Z 20261301000000Z 20260100000000Z 20260431000000Z 20260101240000Z
       20260101006000Z 20260101000060Z 20260101000000 20260101000000+0000 202601010000Z 20260101000000.0Z
       20260101000000z].each { |text| assert_nil Times.generalized_time(text), text }
    %w[0101010000Z 700101000000 20260101000000Z 700229000000Z].each { |text| assert_nil Times.utc_time(text), text }
    ["2026-03-01T12:00:00", "2026-03-01t12:00:00Z", "2026-03-01 12:00:00Z", "2026-03-01T12:00:00.0Z",
     "2026-03-01T12:00:00+00:00", "2026-03-01T12:00:00Z\n", "20260301T120000Z"].each do |text|
      assert_nil Times.rfc3339(text)
    end
  end
end

# Strict JSON.
class JSONReaderTests < Minitest::Test
  include Decryptor

  def read(value)
    JSONReader.object("{\"a\":#{value}}")["a"]
  end

  def refused?(text)
    JSONReader.object(text)
    false
  rescue MalformedJSON
    true
  end

  def test_values
    assert_equal [nil, true, false, "", []], %w[null true false "" []].map { |text| read(text) }
    %w[0 -0 12 -1.5 1e5 1E+5 0.0e-00].each { |text| assert_equal JSONNumber.new(text), read(text) }
    assert_equal "\u{1F600}\u00e9\0\"\\/\b\f\n\r\t", read('"\ud83d\uDE00\u00E9\u0000\"\\\\\/\b\f\n\r\t"')
    assert_equal ABSENT, JSONReader.object("{}")["a"]
    assert_equal "{ \"b\" : [1, {}] }", read(" { \"b\" : [1, {}] } ").text
  end

  def test_what_is_not_strict
    ["", " ", "[]", "1", "\"\"", "null", "{", "}", "{}{}", "{},", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}",
     "{'a':1}", "{\"a\" 1}", "\u{FEFF}{}", "{}\0", "{}\v", "\u00a0{}", "//\n{}"].each do |text|
      assert refused?(text), text
    end
    ["[1,]", "[,]", "[1 2]", "[", "]", "01", "+1", "1.", ".5", "1e", "1e+", "--1", "-", "0x1", "NaN", "Infinity",
     "True", "nul", "nulll", "\"", "\"\n\"", "\"\x1F\"", "\"\t\"", '"\x"', '"\u12"', '"\u12G4"', '"\\',
     '"\ud800"', '"\udc00"', '"\ud800x"', '"\ud800\u0041"', '"\ud800\ud800"', '"\U0041"', "\"a\"\"b\""].each do |value|
      assert refused?("{\"a\":#{value}}"), value
    end
  end

  def test_utf8
    ["\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80",
     "\xF4\x8F\xBF\xBF"].each { |bytes| refute refused?("{\"\":\"#{bytes}\"}"), bytes.inspect }
    ["\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x7F", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
     "\xEF\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF"].each do |bytes|
      assert refused?("{\"\":\"#{bytes}\"}"), bytes.inspect
    end
  end

  def test_nesting
    refute refused?("{\"a\":#{'[' * 31}#{']' * 31}}")
    assert refused?("{\"a\":#{'[' * 32}#{']' * 32}}")
    refute refused?("#{'{"a":' * 31}{}#{'}' * 31}")
    assert refused?("#{'{"a":' * 32}{}#{'}' * 32}")
    assert refused?("{\"a\":" * 100_000)
    refute refused?("{\"a\":[#{(['[]'] * 100).join(',')}]}")
  end

  def test_repetitions
    assert_nil JSONReader.object('{"a":1,"b":1}').repetition
    object = JSONReader.object('{"a":1,"b":2,"\u0061":3,"b":4}')
    assert_equal ["a", 13], [object.repetition.name, object.repetition.position]
    assert_equal %w[1 3], object.all("a").map(&:text)
    assert_equal "1", object["a"].text
  end
end
