// Package strict reads JSON (2.1-2.4), base64 (4.1) and hexadecimal (4.2) in the only forms that the rules allow.
package strict

import (
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

// Rule 2.4: the outermost object is level 1, and the members and elements of a document are counted with it.
const (
	MaximumNesting = 32
	MaximumValues  = 2048 + 1
)

// ErrJSON is the error for text that is not strict JSON.
var ErrJSON = errors.New("not strict JSON")

// Kind is the type of a JSON value.
type Kind int

// The kinds of JSON values.
const (
	Null Kind = iota
	Boolean
	Number
	String
	Array
	Object
)

// Value is a JSON value.
type Value struct {
	Kind     Kind
	Text     []byte   // as it is written
	String   string   // of a string: unescaped
	Elements []*Value // of an array
	Members  []Member // of an object, repetitions included, in their order
}

// Member is a name, unescaped, with its value.
type Member struct {
	Name   string
	NameAt int // where the name begins in the document
	Value  *Value
}

// ReadObject reads a document of one object.
func ReadObject(text []byte) (*Value, error) {
	if !utf8.Valid(text) {
		return nil, ErrJSON
	}
	r := reader{text: text}
	r.skipSpace()
	value := r.value(1)
	r.skipSpace()
	if r.failed || r.at != len(text) || value.Kind != Object {
		return nil, ErrJSON
	}
	return value, nil
}

// Get returns the value of a name's first occurrence; nil if it is absent or the value is not an object.
func (v *Value) Get(name string) *Value {
	if all := v.All(name); len(all) > 0 {
		return all[0]
	}
	return nil
}

// All returns the values of each occurrence of a name.
func (v *Value) All(name string) []*Value {
	var found []*Value
	for _, member := range v.Members {
		if member.Name == name {
			found = append(found, member.Value)
		}
	}
	return found
}

// Repetition returns the first member whose name occurred before; nil if there is none.
func (v *Value) Repetition() *Member {
	seen := make(map[string]bool, len(v.Members))
	for _, member := range v.Members {
		if seen[member.Name] {
			return &member
		}
		seen[member.Name] = true
	}
	return nil
}

// reader reads valid UTF-8. After a failure it reads no further, and its results have no meaning.
type reader struct {
	text   []byte
	at     int
	values int
	failed bool
}

func (r *reader) fail() *Value {
	r.failed = true
	r.at = len(r.text)
	return &Value{}
}

// peek returns the next byte. At the end it returns 0, which begins nothing in JSON.
func (r *reader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

// take passes over the byte if it is next.
func (r *reader) take(one byte) bool {
	if r.at < len(r.text) && r.text[r.at] == one {
		r.at++
		return true
	}
	return false
}

func (r *reader) skipSpace() {
	for r.take(' ') || r.take('\t') || r.take('\n') || r.take('\r') {
	}
}

// value reads a value; level is the nesting level of an object or array that begins here.
func (r *reader) value(level int) *Value {
	if r.values++; r.values > MaximumValues {
		return r.fail()
	}
	start := r.at
	var value *Value
	switch next := r.peek(); {
	case next == '{':
		value = r.object(level)
	case next == '[':
		value = r.array(level)
	case next == '"':
		value = &Value{Kind: String, String: r.string()}
	case next == '-' || isDigit(next):
		value = r.number()
	case next == 't':
		value = r.word("true", Boolean)
	case next == 'f':
		value = r.word("false", Boolean)
	default:
		value = r.word("null", Null)
	}
	if !r.failed {
		value.Text = r.text[start:r.at]
	}
	return value
}

func (r *reader) word(word string, kind Kind) *Value {
	for index := 0; index < len(word); index++ {
		if !r.take(word[index]) {
			return r.fail()
		}
	}
	return &Value{Kind: kind}
}

func (r *reader) object(level int) *Value {
	object := &Value{Kind: Object}
	if !r.opens('{', level) {
		return r.fail()
	}
	if r.take('}') {
		return object
	}
	for !r.failed {
		r.skipSpace()
		nameAt := r.at
		name := r.string()
		r.skipSpace()
		if !r.take(':') {
			return r.fail()
		}
		r.skipSpace()
		object.Members = append(object.Members, Member{name, nameAt, r.value(level + 1)})
		if r.closes('}') {
			break
		}
	}
	return object
}

func (r *reader) array(level int) *Value {
	array := &Value{Kind: Array}
	if !r.opens('[', level) {
		return r.fail()
	}
	if r.take(']') {
		return array
	}
	for !r.failed {
		r.skipSpace()
		array.Elements = append(array.Elements, r.value(level+1))
		if r.closes(']') {
			break
		}
	}
	return array
}

func (r *reader) opens(bracket byte, level int) bool {
	opened := level <= MaximumNesting && r.take(bracket)
	r.skipSpace()
	return opened
}

// closes passes over the bracket, or over a comma before another member or element.
func (r *reader) closes(bracket byte) bool {
	r.skipSpace()
	if r.take(bracket) {
		return true
	}
	if !r.take(',') {
		r.fail()
	}
	return false
}

func (r *reader) number() *Value {
	r.take('-')
	if !r.take('0') && !r.digits() {
		return r.fail()
	}
	if r.take('.') && !r.digits() {
		return r.fail()
	}
	if r.take('e') || r.take('E') {
		_ = r.take('+') || r.take('-')
		if !r.digits() {
			return r.fail()
		}
	}
	return &Value{Kind: Number}
}

// digits passes over at least one digit.
func (r *reader) digits() bool {
	start := r.at
	for isDigit(r.peek()) {
		r.at++
	}
	return r.at > start
}

func isDigit(one byte) bool { return '0' <= one && one <= '9' }

// string reads a string with its quotes, and returns it unescaped.
func (r *reader) string() string {
	if !r.take('"') {
		r.fail()
		return ""
	}
	var unescaped []byte
	for r.at < len(r.text) {
		switch next := r.text[r.at]; {
		case next == '"':
			r.at++
			return string(unescaped)
		case next == '\\':
			r.at++
			unescaped = append(unescaped, r.escape()...)
		case next < 0x20:
			r.fail()
		default:
			start := r.at
			for r.at < len(r.text) && r.text[r.at] >= 0x20 && r.text[r.at] != '"' && r.text[r.at] != '\\' {
				r.at++
			}
			unescaped = append(unescaped, r.text[start:r.at]...)
		}
	}
	r.fail()
	return ""
}

var shortEscapes = map[byte]string{
	'"': "\"", '\\': "\\", '/': "/", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t",
}

// escape reads what follows a reverse solidus (2.3).
func (r *reader) escape() string {
	next := r.peek()
	r.at++
	if short, found := shortEscapes[next]; found {
		return short
	}
	if next != 'u' {
		r.fail()
		return ""
	}
	unit := r.codeUnit()
	if !utf16.IsSurrogate(unit) {
		return string(unit)
	}
	if !r.take('\\') || !r.take('u') {
		r.fail()
		return ""
	}
	scalar := utf16.DecodeRune(unit, r.codeUnit())
	if scalar == utf8.RuneError { // not a high surrogate and a low one
		r.fail()
	}
	return string(scalar)
}

// codeUnit reads four hexadecimal digits.
func (r *reader) codeUnit() rune {
	if r.at+4 > len(r.text) {
		r.fail()
		return 0
	}
	bytes, valid := Hex(string(r.text[r.at : r.at+4]))
	if !valid {
		r.fail()
		return 0
	}
	r.at += 4
	return rune(bytes[0])<<8 | rune(bytes[1])
}
