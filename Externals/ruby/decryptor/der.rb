# frozen_string_literal: true

module Decryptor
  # Bytes that are not DER, or not BER where wrappers allow it (5.1 to 5.5), or not of the structure that is required.
  class MalformedDER < StandardError; end

  # Tags of the types that the rules name.
  module Tag
    BOOLEAN = 0x01
    INTEGER = 0x02
    BIT_STRING = 0x03
    OCTET_STRING = 0x04
    NULL = 0x05
    OID = 0x06
    UTF8_STRING = 0x0C
    UTC_TIME = 0x17
    GENERALIZED_TIME = 0x18
    SEQUENCE = 0x30
    SET = 0x31
  end

  # One value: its tag, where it stands in the bytes, and the values in it if it is constructed (else nil).
  class Element
    attr_reader :tag, :children

    def initialize(tag, bytes, start, content_start, stop, children)
      @tag = tag
      @bytes = bytes
      @start = start
      @content_start = content_start
      @stop = stop
      @children = children
    end

    # Tag, length and contents.
    def encoding
      @encoding ||= @bytes.byteslice(@start, @stop - @start)
    end

    # The bytes after tag and length.
    def content
      @content ||= @bytes.byteslice(@content_start, @stop - @content_start)
    end

    # Itself, if it has this tag.
    def expect(tag)
      raise MalformedDER unless @tag == tag

      self
    end

    # The values in a constructed value with this tag. count: how many there must be, a number or a range.
    def items(tag, count)
      expect(tag)
      raise MalformedDER unless count === @children.size

      @children
    end

    # A BIT STRING's bytes, all bits used.
    def whole_bytes
      expect(Tag::BIT_STRING)
      raise MalformedDER unless content.getbyte(0).zero?

      content.byteslice(1..)
    end

    # Whether a BIT STRING has this bit, counted from the first.
    def bit?(index)
      byte = content.getbyte(1 + index / 8)
      !byte.nil? && byte[7 - index % 8] == 1
    end

    # An INTEGER's number.
    def number
      expect(Tag::INTEGER)
      magnitude = content.unpack1("H*").to_i(16)
      negative? ? magnitude - (1 << (8 * content.bytesize)) : magnitude
    end

    def negative?
      content.getbyte(0) >= 0x80
    end
  end

  # Reads values in DER (5.3 to 5.5), and wrappers that may be BER (5.2), one after another up to a limit.
  class DERReader
    MAXIMUM_NESTING = 16
    CONSTRUCTED = 0x20

    # The one value that is all of the bytes. level: its nesting, if it is constructed; the outermost value has 1.
    def self.whole(bytes, level = 1)
      reader = new(bytes, level)
      element = reader.read
      reader.finish
      element
    end

    def initialize(bytes, level = 1, position = 0, limit = bytes.bytesize)
      @bytes = bytes
      @level = level
      @position = position
      @limit = limit
      @indefinite = false
    end

    # The next value's tag, or nil at the end.
    def peek
      @bytes.getbyte(@position) unless at_end?
    end

    def at_end?
      return @bytes.byteslice(@position, 2) == "\0\0".b && @position + 2 <= @limit if @indefinite

      @position == @limit
    end

    # The next value in DER.
    def read
      start = @position
      tag = read_tag
      length = definite_length
      content_start = @position
      stop = content_start + length
      malformed if stop > @limit
      children = (tag & CONSTRUCTED).zero? ? nil : read_children(stop)
      @position = stop
      element = Element.new(tag, @bytes, start, content_start, stop, children)
      Contents.check(element)
      element
    end

    # The next value, a wrapper with this tag: yields a reader of its contents, which must read all of them.
    def wrapper(tag)
      malformed unless read_tag == tag
      length = wrapper_length
      stop = length ? @position + length : @limit
      malformed if stop > @limit
      inner = DERReader.new(@bytes, @level + 1, @position, stop)
      inner.indefinite unless length
      result = yield inner
      @position = inner.finish
      result
    end

    # Requires that nothing is left, and returns the position after the end.
    def finish
      malformed unless at_end?
      @indefinite ? @position + 2 : @position
    end

    protected

    # The end is marked by 00 00.
    def indefinite
      @indefinite = true
    end

    private

    def malformed
      raise MalformedDER
    end

    def byte
      malformed if @position >= @limit
      @position += 1
      @bytes.getbyte(@position - 1)
    end

    def read_tag
      tag = byte
      malformed if tag & 0x1F == 0x1F
      tag
    end

    def read_children(stop)
      malformed if @level > MAXIMUM_NESTING
      inner = DERReader.new(@bytes, @level + 1, @position, stop)
      children = []
      children << inner.read until inner.at_end?
      children
    end

    def definite_length
      first = byte
      return first if first < 0x80

      length = long_form(first)
      malformed if length < 0x80 || length.bit_length <= 8 * (first - 0x81)
      length
    end

    # nil for an indefinite length.
    def wrapper_length
      first = byte
      return first if first < 0x80

      first == 0x80 ? nil : long_form(first)
    end

    def long_form(first)
      malformed unless first.between?(0x81, 0x84)
      (first - 0x80).times.reduce(0) { |length, _| (length << 8) | byte }
    end
  end

  # The form and the contents of universal types (5.4, 5.5).
  module Contents
    UNIVERSAL_CONSTRUCTED = [Tag::SEQUENCE, Tag::SET].freeze

    module_function

    def check(element)
      tag = element.tag
      return unless tag < 0x40 # universal

      valid = tag < 0x20 ? primitive?(tag, element) : UNIVERSAL_CONSTRUCTED.include?(tag)
      raise MalformedDER unless valid
    end

    def primitive?(tag, element)
      case tag
      when 0x00, 0x10, 0x11 then false
      when Tag::BOOLEAN then ["\x00".b, "\xFF".b].include?(element.content)
      when Tag::INTEGER then integer?(element.content)
      when Tag::OID then oid?(element.content)
      when Tag::BIT_STRING then bit_string?(element.content)
      when Tag::NULL then element.content.empty?
      else true
      end
    end

    def integer?(content)
      return !content.empty? if content.bytesize < 2

      first = content.getbyte(0)
      sign = content.getbyte(1)[7]
      !(first.zero? && sign.zero?) && !(first == 0xFF && sign == 1)
    end

    def oid?(content)
      begins = true
      content.each_byte do |byte|
        return false if begins && byte == 0x80

        begins = byte < 0x80
      end
      begins && !content.empty?
    end

    def bit_string?(content)
      return false if content.empty?

      unused = content.getbyte(0)
      return unused.zero? if content.bytesize == 1

      unused <= 7 && (content.getbyte(-1) & ((1 << unused) - 1)).zero?
    end
  end
end
