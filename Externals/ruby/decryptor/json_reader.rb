# frozen_string_literal: true

require "strscan"

module Decryptor
  # The text is not strict JSON by 2.1 to 2.4.
  class MalformedJSON < StandardError; end

  # The value of a member that does not exist. null is nil.
  ABSENT = :absent

  # A number as it is written.
  JSONNumber = Struct.new(:text)

  # position: of the name in the document, in bytes.
  JSONMember = Struct.new(:name, :value, :position)

  # An object with all its members in their order, also those with repeated names. text: from its { to its }.
  class JSONObject
    attr_reader :members, :text

    def initialize(members, text)
      @members = members
      @text = text
    end

    # The first value of this name, or ABSENT.
    def [](name)
      @first ||= @members.reverse.to_h { |member| [member.name, member.value] }
      @first.fetch(name, ABSENT)
    end

    # Every value of this name.
    def all(name)
      @members.select { |member| member.name == name }.map(&:value)
    end

    # The first member whose name occurred before, or nil.
    def repetition
      seen = {}
      @members.find { |member| seen.key?(member.name) || !(seen[member.name] = true) }
    end
  end

  # Reads strict JSON (2.1 to 2.4): one object, valid UTF-8, known escapes, paired surrogates, 32 levels.
  # Strings become String, numbers JSONNumber, arrays Array, literals true, false and nil.
  class JSONReader
    MAXIMUM_NESTING = 32
    WHITE_SPACE = /[ \t\n\r]*+/n
    PLAIN = /[^"\\\x00-\x1F]*+/n
    NUMBER = /-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?/n
    LITERALS = { "true" => true, "false" => false, "null" => nil }.freeze
    ESCAPES = { "\"" => "\"", "\\" => "\\", "/" => "/", "b" => "\b", "f" => "\f", "n" => "\n", "r" => "\r",
                "t" => "\t" }.freeze

    def self.object(bytes)
      new(bytes).document
    end

    def initialize(bytes)
      @bytes = bytes
      @scanner = StringScanner.new(bytes.b)
      @level = 0
    end

    # The object that is the whole text.
    def document
      malformed unless @bytes.dup.force_encoding(Encoding::UTF_8).valid_encoding?
      skip_white_space
      malformed unless @scanner.peek(1) == "{"
      object = value
      skip_white_space
      malformed unless @scanner.eos?
      object
    end

    private

    def malformed
      raise MalformedJSON
    end

    def skip_white_space
      @scanner.skip(WHITE_SPACE)
    end

    def value
      case @scanner.peek(1)
      when "{" then nested { object }
      when "[" then nested { array }
      when "\"" then string
      when "t", "f", "n" then literal
      else JSONNumber.new(@scanner.scan(NUMBER) || malformed)
      end
    end

    def nested
      @level += 1
      malformed if @level > MAXIMUM_NESTING
      result = yield
      @level -= 1
      result
    end

    def object
      start = @scanner.pos
      members = []
      items("{", "}") do
        position = @scanner.pos
        name = string
        skip_white_space
        @scanner.skip(/:/n) || malformed
        skip_white_space
        members << JSONMember.new(name, value, position)
      end
      JSONObject.new(members, @bytes.byteslice(start, @scanner.pos - start))
    end

    def array
      values = []
      items("[", "]") { values << value }
      values
    end

    # Reads what is between two brackets, with commas between the items.
    def items(opening, closing)
      @scanner.pos += opening.bytesize
      skip_white_space
      return @scanner.pos += 1 if @scanner.peek(1) == closing

      loop do
        yield
        skip_white_space
        mark = @scanner.getch
        return if mark == closing

        malformed unless mark == ","
        skip_white_space
      end
    end

    def literal
      word = @scanner.scan(/true|false|null/n) || malformed
      LITERALS[word]
    end

    def string
      @scanner.skip(/"/n) || malformed
      text = @scanner.scan(PLAIN)
      until @scanner.skip(/"/n)
        @scanner.skip(/\\/n) || malformed
        text << escaped.b << @scanner.scan(PLAIN)
      end
      text.force_encoding(Encoding::UTF_8)
    end

    # What stands for the escape after the backslash.
    def escaped
      mark = @scanner.getch
      return ESCAPES.fetch(mark) { malformed } unless mark == "u"

      unit = code_unit
      malformed if unit.between?(0xDC00, 0xDFFF)
      return [unit].pack("U") unless unit.between?(0xD800, 0xDBFF)

      @scanner.skip(/\\u/n) || malformed
      low = code_unit
      malformed unless low.between?(0xDC00, 0xDFFF)
      [0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)].pack("U")
    end

    def code_unit
      (@scanner.scan(/[0-9A-Fa-f]{4}/n) || malformed).to_i(16)
    end
  end
end
