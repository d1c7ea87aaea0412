# frozen_string_literal: true

require "json"
require "minitest/autorun"
require "open3"
require "stringio"
require_relative "../decryptor/protocol"

# Whatever comes in, one line goes out.
class ProtocolTests < Minitest::Test
  include Decryptor

  HELLO = { "hello" => 1, "keys" => [], "rootsPem" => [], "windowSeconds" => 300 }.freeze
  LINE = { "id" => "\u00e9\n", "token" => "", "at" => "2026-03-01T12:00:00Z" }.freeze
  DECIDED = { "id" => LINE["id"], "accepted" => false, "code" => "malformedJSON", "stage" => 2 }.freeze

  # The answers to lines, which are objects to write as JSON or bytes.
  def talk(*lines)
    input = lines.map { |line| line.is_a?(Hash) ? JSON.generate(line) : line }.join("\n")
    output = StringIO.new
    Session.new.serve(StringIO.new(input), output)
    output.string.lines.map { |line| JSON.parse(line) }
  end

  def test_hello
    answer, again = talk(HELLO, HELLO)
    assert_equal [1, Session::SUPPORTS], answer.values_at("hello", "supports")
    assert_equal %w[hello error], again.keys
  end

  def test_another_hello_may_follow_one_that_cannot_be_used
    changes = [
      { "hello" => 2 }, { "hello" => "1" }, { "keys" => nil }, { "keys" => [1] }, { "keys" => [{}] },
      { "keys" => [{ "privateKeyPem" => "x" }] }, { "rootsPem" => nil }, { "rootsPem" => [1] }, { "rootsPem" => ["x"] },
      { "windowSeconds" => -1 }, { "windowSeconds" => 1.5 }, { "windowSeconds" => "300" },
      { "windowSeconds" => 10**18 }, { "colour" => nil },
      { "rootsPem" => ["-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"] }
    ]
    lines = changes.map { |change| HELLO.merge(change) }
    lines += [HELLO.reject { |name, _| name == "windowSeconds" }, "", "{", "\xFF", "[]"]
    answers = talk(*lines, HELLO)
    answers[0...-1].each_with_index { |answer, index| assert_equal %w[hello error], answer.keys, lines[index].inspect }
    assert_includes answers.last, "supports"
    assert_equal lines.size + 1, answers.size
  end

  def test_a_token_before_hello
    assert_equal([{ "id" => LINE["id"], "error" => "hello must come first" }], talk(LINE))
  end

  def test_lines_that_cannot_be_used
    changes = [
      { "token" => nil }, { "token" => 1 }, { "token" => "A" }, { "token" => "AA==\n" },
      { "at" => nil }, { "at" => "now" }, { "at" => "2026-02-29T00:00:00Z" }, { "at" => "2026-03-01T12:00:00+00:00" },
      { "prelude" => [1] }, { "prelude" => "" }, { "prelude" => ["A"] }, { "x" => nil }, { "policy" => [] },
      *[{ "colour" => "blue" }, { "unsigned" => 1 }, { "replay" => "yes" }, { "envelope" => "paper" },
        { "revoked" => ["aa"] }, { "revoked" => "" }, { "expect" => { "amount" => "1" } },
        { "expect" => { "amount" => 10**18 } }, { "expect" => { "applicationData" => "aa" } },
        { "expect" => { "x" => nil } }].map { |policy| { "policy" => policy } }
    ]
    answers = talk(HELLO, *changes.map { |change| LINE.merge(change) }, LINE)
    answers[1...-1].each_with_index do |answer, index|
      assert_equal({ "id" => LINE["id"] }, answer.reject { |name, _| name == "error" }, changes[index].inspect)
      assert_includes answer, "error"
    end
    assert_equal DECIDED, answers.last
  end

  def test_lines_without_an_id
    members = (1..17).map { |index| "\"#{index}\":1" }.join(",")
    lines = ["", "null", "{", "\0", "{}", '{"id":1}', '{"id":"a","id":"b"}', '{"id":"\ud800"}', "[" * 100_000,
             "{#{members}}", '{"id":"a","policy":{"replay":true,"replay":true}}']
    answers = talk(HELLO, *lines)
    answers[1..].each_with_index do |answer, index|
      assert_equal [%w[id error], nil], [answer.keys, answer["id"]], lines[index]
    end
    assert_equal lines.size + 1, answers.size
  end

  def test_long_lines_are_skipped
    long = " " * Session::MAXIMUM_LINE_BYTES
    _, skipped, read, last = talk(HELLO, "#{long} {}", long, LINE)
    assert_match(/longer than/, skipped["error"])
    assert_match(/strict JSON/, read["error"])
    assert_equal DECIDED, last
  end

  def test_null_counts_as_absent
    policy = %w[envelope unsigned expect replay revoked].to_h { |name| [name, nil] }
    answers = talk(HELLO, LINE.merge("policy" => policy, "prelude" => nil), LINE.merge("policy" => nil))
    assert_equal [DECIDED] * 2, answers[1..]
  end

  def test_replay_without_a_window
    assert_includes talk(HELLO.merge("windowSeconds" => nil), LINE.merge("policy" => { "replay" => true }))[1], "error"
  end

  def test_the_program_ends_with_its_input
    output, error, status = Open3.capture3(File.join(__dir__, "..", "assay-external"), stdin_data: JSON.generate(HELLO))
    assert_equal [1, "", 0], [JSON.parse(output)["hello"], error, status.exitstatus]
  end
end
