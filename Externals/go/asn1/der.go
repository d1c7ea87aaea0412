// Package asn1 reads DER by the rules 5.1 to 5.5, the wrappers around it that may be BER, object identifiers and times.
package asn1

import "errors"

// ErrMalformed is the error for what breaks the rules 5.1 to 5.18.
var ErrMalformed = errors.New("malformed")

// MaximumDepth is how deep constructed values may nest (5.1).
const MaximumDepth = 16

// Identifier bytes: class, constructed or primitive, and number.
const (
	Boolean         = 0x01
	Integer         = 0x02
	BitString       = 0x03
	OctetString     = 0x04
	Null            = 0x05
	OID             = 0x06
	UTF8String      = 0x0C
	UTCTime         = 0x17
	GeneralizedTime = 0x18
	Sequence        = 0x30
	Set             = 0x31
	Context0        = 0x80 // [0], primitive
	Constructed0    = 0xA0 // [0], constructed
	Constructed1    = 0xA1
	Constructed3    = 0xA3
)

const (
	constructedBit = 0x20
	highTagNumber  = 0x1F
)

// Element is a value in DER. The zero Element has the tag 0, which no value in DER has.
type Element struct {
	Tag      byte
	Raw      []byte // tag, length and contents
	Content  []byte
	Children []Element // of a constructed value
}

// Parse reads text that is exactly one element; depth is the element's depth if it is constructed.
func Parse(text []byte, depth int) (Element, error) {
	element, rest, err := parseNext(text, depth)
	if err == nil && len(rest) > 0 {
		err = ErrMalformed
	}
	return element, err
}

// Is says whether the element is of this type and holds exactly these bytes.
func (e Element) Is(tag byte, content string) bool {
	return e.Tag == tag && string(e.Content) == content
}

// Fields returns the children of a constructed value if there are between least and most.
func (e Element) Fields(tag byte, least, most int) ([]Element, error) {
	if e.Tag != tag || len(e.Children) < least || len(e.Children) > most {
		return nil, ErrMalformed
	}
	return e.Children, nil
}

// WholeBytes returns the contents of a BIT STRING without unused bits.
func (e Element) WholeBytes() ([]byte, error) {
	if e.Tag != BitString || e.Content[0] != 0 {
		return nil, ErrMalformed
	}
	return e.Content[1:], nil
}

func parseNext(text []byte, depth int) (element Element, rest []byte, err error) {
	if len(text) < 2 {
		return Element{}, nil, ErrMalformed
	}
	header, length, err := shortestLength(text)
	if err != nil || length > len(text)-header {
		return Element{}, nil, ErrMalformed
	}
	element = Element{Tag: text[0], Raw: text[:header+length], Content: text[header : header+length]}
	if !validTag(element.Tag) || !canonical(element.Tag, element.Content) {
		return Element{}, nil, ErrMalformed
	}
	if element.Tag&constructedBit != 0 {
		element.Children, err = parseAll(element.Content, depth)
	}
	return element, text[header+length:], err
}

// parseAll reads the contents of a constructed value at this depth.
func parseAll(content []byte, depth int) (children []Element, err error) {
	if depth > MaximumDepth {
		return nil, ErrMalformed
	}
	for len(content) > 0 {
		var child Element
		if child, content, err = parseNext(content, depth+1); err != nil {
			return nil, err
		}
		children = append(children, child)
	}
	return children, nil
}

// shortestLength reads tag and length by rule 5.3; header is the number of their bytes.
func shortestLength(text []byte) (header, length int, err error) {
	first := text[1]
	if first < 0x80 {
		return 2, int(first), nil
	}
	header, length, err = longLength(text)
	if err != nil || length < 0x80 || text[2] == 0 {
		return 0, 0, ErrMalformed
	}
	return header, length, nil
}

// longLength reads a length of one to four bytes, minimal or not. A length that an int of 32 bits cannot hold is
// malformed too: no input is as long.
func longLength(text []byte) (header, length int, err error) {
	count := int(text[1]) - 0x80
	if count < 1 || count > 4 || len(text) < 2+count {
		return 0, 0, ErrMalformed
	}
	value := int64(0)
	for _, one := range text[2 : 2+count] {
		value = value<<8 | int64(one)
	}
	if value > 1<<31-1 {
		return 0, 0, ErrMalformed
	}
	return 2 + count, int(value), nil
}

// validTag is the rules 5.1 and 5.4.
func validTag(tag byte) bool {
	number := tag & highTagNumber
	if number == highTagNumber {
		return false
	}
	if tag&0xC0 != 0 { // context-specific, application or private
		return true
	}
	constructed := tag&constructedBit != 0
	return number != 0 && constructed == (number == Sequence&highTagNumber || number == Set&highTagNumber)
}

// canonical is rule 5.5.
func canonical(tag byte, content []byte) bool {
	switch tag {
	case Boolean:
		return len(content) == 1 && (content[0] == 0 || content[0] == 0xFF)
	case Integer:
		return canonicalInteger(content)
	case BitString:
		return canonicalBits(content)
	case Null:
		return len(content) == 0
	case OID:
		return canonicalIdentifier(content)
	}
	return true
}

func canonicalInteger(content []byte) bool {
	if len(content) < 2 {
		return len(content) == 1
	}
	negative := content[1]&0x80 != 0
	return !(content[0] == 0 && !negative) && !(content[0] == 0xFF && negative)
}

func canonicalBits(content []byte) bool {
	if len(content) == 0 || content[0] > 7 {
		return false
	}
	if len(content) == 1 {
		return content[0] == 0
	}
	unused := byte(1)<<content[0] - 1
	return content[len(content)-1]&unused == 0
}

func canonicalIdentifier(content []byte) bool {
	begins := true // whether the next byte begins a subidentifier
	for _, one := range content {
		if begins && one == 0x80 {
			return false
		}
		begins = one < 0x80
	}
	return len(content) > 0 && begins
}
