package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"assay.example/external/decryptor"
	"assay.example/external/strict"
)

const (
	longestLine = 4 << 20 // bytes
	mostMembers = 16
)

// strictLines stands between standard input and the frame, which reads JSON with encoding/json. It passes on the lines
// that Docs/LineProtocol.md allows, one at a time, and answers all others itself. The answers stay in order, because
// the frame answers a line before it reads the next.
type strictLines struct {
	in      *bufio.Reader
	answers *json.Encoder
	greeted bool   // a hello was accepted
	rest    []byte // of the line that is passed on
}

func newStrictLines(in io.Reader, out io.Writer) *strictLines {
	return &strictLines{in: bufio.NewReaderSize(in, 1<<16), answers: json.NewEncoder(out)}
}

// Read passes on at most one line.
func (l *strictLines) Read(into []byte) (int, error) {
	for len(l.rest) == 0 {
		line, err := l.next()
		if err != nil {
			return 0, err
		}
		if refusal := l.check(line); refusal == nil {
			l.rest = append(line, '\n')
		} else if err := l.answers.Encode(refusal); err != nil {
			return 0, err
		}
	}
	count := copy(into, l.rest)
	l.rest = l.rest[count:]
	return count, nil
}

// next returns a line without its newline. Of one that is too long, it returns the first longestLine + 1 bytes.
func (l *strictLines) next() ([]byte, error) {
	var line []byte
	for {
		chunk, err := l.in.ReadSlice('\n')
		complete := err == nil
		if complete {
			chunk = chunk[:len(chunk)-1]
		}
		if room := longestLine + 1 - len(line); len(chunk) > room {
			chunk = chunk[:room]
		}
		line = append(line, chunk...)
		switch {
		case complete, err == io.EOF && len(line) > 0:
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// check returns the answer to a line that cannot be used; nil for others.
func (l *strictLines) check(line []byte) map[string]any {
	address := map[string]any{"id": nil}
	if !l.greeted {
		address = map[string]any{"hello": 1}
	}
	if len(line) > longestLine {
		address["error"] = "the line is longer than 4 MiB"
		return address
	}
	message, err := strict.ReadObject(line)
	if err != nil || !isPlain(message) {
		address["error"] = "the line is not strict JSON of one object with at most 16 members and distinct names"
		return address
	}
	if message.Get("hello") != nil {
		if l.greeted {
			return nil // the frame refuses it, whatever it holds
		}
		err, address = checkObject(message, helloFields), map[string]any{"hello": 1}
	} else {
		err, address = checkObject(message, tokenFields), map[string]any{"id": nil}
		if id := message.Get("id"); id != nil && id.Kind == strict.String {
			address["id"] = id.String
		}
	}
	if err == nil {
		return nil
	}
	address["error"] = err.Error()
	return address
}

// isPlain says whether each object in the value has at most 16 members and distinct names.
func isPlain(value *strict.Value) bool {
	for _, member := range value.Members {
		if !isPlain(member.Value) {
			return false
		}
	}
	for _, element := range value.Elements {
		if !isPlain(element) {
			return false
		}
	}
	return len(value.Members) <= mostMembers && value.Repetition() == nil
}

// field is a member of the protocol.
type field struct {
	name  string
	need  need
	check func(*strict.Value) error
}

type need int

const (
	optional need = iota // null counts as absent
	required
	nullable // required, and may be null
)

var helloFields = []field{
	{"hello", required, matches(func(value *strict.Value) bool { return string(value.Text) == "1" })},
	{"keys", required, each(object(
		field{"privateKeyPem", required, isString},
		field{"certificatePem", optional, isString},
		field{"merchantId", optional, text(func(text string) bool { return text != "" })},
	))},
	{"rootsPem", required, each(isString)},
	{"windowSeconds", nullable, wholeNumber(0)},
}

var tokenFields = []field{
	{"id", required, isString},
	{"token", required, isBase64},
	{"at", required, text(isTime)},
	{"policy", optional, object(
		field{"envelope", optional, text(decryptor.KnownEnvelope)},
		field{"unsigned", optional, isBoolean},
		field{"expect", optional, object(
			field{"currency", optional, isString},
			field{"amount", optional, wholeNumber(math.MinInt64)},
			field{"applicationData", optional, isHash},
		)},
		field{"replay", optional, isBoolean},
		field{"revoked", optional, each(isHash)},
	)},
	{"prelude", optional, each(isBase64)},
}

// checkObject reports the first thing that is wrong, without its content.
func checkObject(value *strict.Value, fields []field) error {
	if value.Kind != strict.Object {
		return errUnexpected
	}
	var names []string
	known := 0
	for _, field := range fields {
		names = append(names, field.name)
		if value.Get(field.name) != nil {
			known++
		}
	}
	if known < len(value.Members) {
		return errors.New("there is a member other than " + strings.Join(names, ", "))
	}
	for _, field := range fields {
		if err := field.checkIn(value); err == errUnexpected {
			return errors.New(field.name + " has the wrong type or value")
		} else if err != nil {
			return err
		}
	}
	return nil
}

// errUnexpected is the error of a check; the message gets the name of the member.
var errUnexpected = errors.New("wrong type or value")

func (f field) checkIn(object *strict.Value) error {
	value := object.Get(f.name)
	switch {
	case value == nil && f.need == optional, value != nil && value.Kind == strict.Null && f.need != required:
		return nil
	case value == nil || value.Kind == strict.Null:
		return errors.New(f.name + " is missing")
	}
	return f.check(value)
}

func matches(holds func(*strict.Value) bool) func(*strict.Value) error {
	return func(value *strict.Value) error {
		if !holds(value) {
			return errUnexpected
		}
		return nil
	}
}

func text(holds func(string) bool) func(*strict.Value) error {
	return matches(func(value *strict.Value) bool { return value.Kind == strict.String && holds(value.String) })
}

func object(fields ...field) func(*strict.Value) error {
	return func(value *strict.Value) error { return checkObject(value, fields) }
}

func each(check func(*strict.Value) error) func(*strict.Value) error {
	return func(value *strict.Value) error {
		if value.Kind != strict.Array {
			return errUnexpected
		}
		for _, element := range value.Elements {
			if err := check(element); err != nil {
				return err
			}
		}
		return nil
	}
}

func wholeNumber(least int64) func(*strict.Value) error {
	return matches(func(value *strict.Value) bool {
		number, err := strconv.ParseInt(string(value.Text), 10, 64)
		return value.Kind == strict.Number && err == nil && number >= least
	})
}

var (
	isString  = text(func(string) bool { return true })
	isBoolean = matches(func(value *strict.Value) bool { return value.Kind == strict.Boolean })
	isBase64  = text(func(text string) bool { _, valid := strict.Base64(text); return valid })
	isHash    = text(func(text string) bool { hash, valid := strict.Hex(text); return valid && len(hash) == 32 })
)

// isTime says whether the text is RFC 3339 in whole seconds with Z. time.Parse alone would allow fractions and more.
func isTime(text string) bool {
	const layout = "2006-01-02T15:04:05Z"
	parsed, err := time.Parse(layout, text)
	return err == nil && parsed.Format(layout) == text
}
