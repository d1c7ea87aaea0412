package asn1

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"assay.example/external/strict"
)

// Identifier returns the contents of an OBJECT IDENTIFIER from its dotted form, which must be valid.
func Identifier(dotted string) string {
	var arcs []uint64
	for _, text := range strings.Split(dotted, ".") {
		arc, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			panic(err)
		}
		arcs = append(arcs, arc)
	}
	content := subidentifier(arcs[0]*40 + arcs[1])
	for _, arc := range arcs[2:] {
		content += subidentifier(arc)
	}
	return content
}

func subidentifier(value uint64) string {
	digits := []byte{byte(value & 0x7F)}
	for value >>= 7; value > 0; value >>= 7 {
		digits = append([]byte{0x80 | byte(value&0x7F)}, digits...)
	}
	return string(digits)
}

// NonNegative returns the value of an INTEGER.
func (e Element) NonNegative() (*big.Int, error) {
	if e.Tag != Integer || e.Content[0]&0x80 != 0 {
		return nil, ErrMalformed
	}
	return new(big.Int).SetBytes(e.Content), nil
}

// Time returns the seconds since 1970 of a UTCTime or GeneralizedTime (5.12).
func (e Element) Time() (int64, error) {
	text := string(e.Content)
	switch {
	case e.Tag == UTCTime && len(text) == 13 && text < "5":
		text = "20" + text
	case e.Tag == UTCTime && len(text) == 13:
		text = "19" + text
	case e.Tag == GeneralizedTime && len(text) == 15:
	default:
		return 0, ErrMalformed
	}
	if text[14] != 'Z' || !strict.Digits(text[:14], 14, 14) {
		return 0, ErrMalformed
	}
	return utc(number(text[:4]), number(text[4:6]), number(text[6:8]), number(text[8:10]), number(text[10:12]),
		number(text[12:14]))
}

func number(digits string) int {
	value, _ := strconv.Atoi(digits) // of digits alone
	return value
}

// utc fails for a date or time that does not exist, which time.Date would turn into another one.
func utc(year, month, day, hour, minute, second int) (int64, error) {
	date := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if date.Month() != time.Month(month) || date.Day() != day || hour > 23 || minute > 59 || second > 59 {
		return 0, ErrMalformed
	}
	return date.Unix(), nil
}
