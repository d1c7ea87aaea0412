package asn1

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	decoded, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// sequence puts a SEQUENCE around contents of fewer than 64 KiB.
func sequence(content []byte) []byte {
	size := len(content)
	switch {
	case size < 0x80:
		return append([]byte{0x30, byte(size)}, content...)
	case size < 0x100:
		return append([]byte{0x30, 0x81, byte(size)}, content...)
	}
	return append([]byte{0x30, 0x82, byte(size >> 8), byte(size)}, content...)
}

func TestDERAccepted(t *testing.T) {
	for _, text := range []string{
		"3000", "3100", "0500", "020100", "0201ff", "02020080", "0202ff7f", "010100", "0101ff", "060155", "06028100",
		"030100",
		"03020780", "03020000", "0400", "80 00", "a0 02 0500", "4100", "c100", "e102 0500", "0a00", "0c0141", "3002 0500",
	} {
		if _, err := Parse(unhex(t, text), 1); err != nil {
			t.Errorf("refused: %s", text)
		}
	}
}

func TestDERRefused(t *testing.T) {
	for _, text := range []string{
		"", "30", "3001", "300000", "30 80 0000", "30 8100", "30 817f" + strings.Repeat("00", 127), "30 84 00000000",
		"04 8200ff" + strings.Repeat("00", 255),
		"30 85 0000000000", "30 ff", "1000", "1100", "2400", "2204 0201 00 00", "0000", "2000", "1f0100", "3f2000", "9f1f00",
		"bf1f00",
		"0200", "02020000", "0202007f", "0202ffff", "0202ff80", "010101", "0100", "01020000", "0600", "060180", "060181",
		"0603550180",
		"0603558001", "0300", "030101", "03020801", "03020701", "030207ff", "050100", "3003 050100", "a0030200 00",
		"a001 05", "a002 0300",
	} {
		if _, err := Parse(unhex(t, text), 1); err == nil {
			t.Errorf("accepted: %s", text)
		}
	}
}

func TestDERNestsTo16(t *testing.T) {
	nested := []byte{0x05, 0x00}
	for level := 0; level < 12; level++ {
		nested = sequence(nested)
	}
	if _, err := Parse(nested, 5); err != nil {
		t.Error("12 levels from depth 5 on are refused")
	}
	if _, err := Parse(nested, 6); err == nil {
		t.Error("12 levels from depth 6 on are accepted")
	}
}

func TestLongestLengths(t *testing.T) {
	for _, size := range []int{0x7F, 0x80, 0xFF, 0x100, 0xFFFF} {
		text := sequence(make([]byte, size))
		text[0] = OctetString
		element, err := Parse(text, 1)
		if err != nil || len(element.Content) != size || !bytes.Equal(element.Raw, text) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// readBoth reads a wrapper that holds a wrapper of one element.
func readBoth(text []byte) (Element, error) {
	w := NewWrappers(text)
	w.Open(Sequence)
	w.Open(Constructed0)
	element := w.Element()
	w.Close()
	w.Close()
	return element, w.Finish()
}

func TestWrappers(t *testing.T) {
	for _, text := range []string{
		"3004 a002 0500", "3080 a080 0500 0000 0000", "3080 a002 0500 0000", "3006 a080 0500 0000", "30 8104 a002 0500",
		"30 84 00000004 a002 0500", "3005 a0 8102 0500", "30 820004 a002 0500",
	} {
		if element, err := readBoth(unhex(t, text)); err != nil || element.Tag != Null {
			t.Errorf("refused: %s", text)
		}
	}
	for _, text := range []string{
		"", "30", "3000", "3080", "3080 0000", "3080 a080 0500 0000", "3080 a080 0500 0000 00", "3004 a080 0500 0000",
		"3005 a080 0500 00",
		"3004 a002 0500 00", "3005 a002 0500", "3003 a002 0500", "3006 a002 0500 0500", "3006 a004 0500 0500",
		"30 85 0000000004 a002 0500",
		"30 ff a002 0500", "30 84 80000004 a002 0500", "30 84 0000", "3080 a080 058000 0000 0000", "3080 8080 0500 0000 0000",
		"3005 a003 05 8100", "3080 a080 0500 0000 0000 0000", "3004 a000 0500", "3004 a003 0500", "3080 a002 0500 0001",
	} {
		if _, err := readBoth(unhex(t, text)); err == nil {
			t.Errorf("accepted: %s", text)
		}
	}
}

func TestElementsAndNext(t *testing.T) {
	for _, text := range []string{"3080 0500 0500 0000", "3004 0500 0500"} {
		w := NewWrappers(unhex(t, text))
		w.Open(Sequence)
		if w.Next() != Null || len(w.Elements()) != 2 || w.Next() != 0 {
			t.Errorf("not two elements: %s", text)
		}
		w.Close()
		if w.Finish() != nil {
			t.Errorf("refused: %s", text)
		}
	}
}

func TestIdentifier(t *testing.T) {
	for dotted, content := range map[string]string{
		"1.2.840.113549.1.7.2": "2a864886f70d010702", "2.5.29.19": "551d13", "2.16.840.1.101.3.4.2.1": "608648016503040201",
	} {
		if got := hex.EncodeToString([]byte(Identifier(dotted))); got != content {
			t.Errorf("%s is %s", dotted, got)
		}
	}
}

func TestTime(t *testing.T) {
	element := func(tag byte, text string) Element { return Element{Tag: tag, Content: []byte(text)} }
	for text, seconds := range map[string]int64{
		"700101000000Z": 0, "691231235959Z": -1, "491231235959Z": 2_524_607_999, "500101000000Z": -631_152_000,
		"000229000000Z": 951_782_400, "20380119031408Z": 1 << 31, "00000229000000Z": -62_162_121_600,
		"99991231235959Z": 253_402_300_799,
	} {
		tag := byte(UTCTime)
		if len(text) == 15 {
			tag = GeneralizedTime
		}
		if got, err := element(tag, text).Time(); err != nil || got != seconds {
			t.Errorf("%s is %d, %v", text, got, err)
		}
	}
	for _, refused := range []Element{
		element(UTCTime, "700001000000Z"), element(UTCTime, "701301000000Z"), element(UTCTime, "700100000000Z"),
		element(UTCTime, "700132000000Z"), element(UTCTime, "690229000000Z"), element(UTCTime, "700101240000Z"),
		element(UTCTime, "700101006000Z"), element(UTCTime, "700101000060Z"), element(UTCTime, "7001010000Z"),
		element(UTCTime, "700101000000"), element(UTCTime, "700101000000z"), element(UTCTime, "70010100000aZ"),
		element(UTCTime, "700101000000+0000"), element(UTCTime, "19700101000000Z"), element(GeneralizedTime, "700101000000Z"),
		element(GeneralizedTime, "19700101000000.0Z"), element(GeneralizedTime, "19000229000000Z"),
		element(OctetString, "700101000000Z"), element(UTCTime, ""), element(UTCTime, " 70101000000Z"),
	} {
		if _, err := refused.Time(); err == nil {
			t.Errorf("accepted: %x %s", refused.Tag, refused.Content)
		}
	}
}

func TestNonNegative(t *testing.T) {
	for content, value := range map[string]int64{"\x00": 0, "\x7F": 127, "\x00\x80": 128, "\x01\x00\x01": 65537} {
		number, err := Element{Tag: Integer, Content: []byte(content)}.NonNegative()
		if err != nil || number.Int64() != value {
			t.Errorf("%x: %v", content, err)
		}
	}
	if _, err := (Element{Tag: Integer, Content: []byte{0x80}}).NonNegative(); err == nil {
		t.Error("a negative number is accepted")
	}
	if _, err := (Element{Tag: OctetString, Content: []byte{1}}).NonNegative(); err == nil {
		t.Error("an OCTET STRING is accepted")
	}
}
