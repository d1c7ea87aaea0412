package strict

import "testing"

func TestBase64(t *testing.T) {
	for text, bytes := range map[string]string{
		"": "", "AA==": "\x00", "/+8=": "\xff\xef", "YWJj": "abc", "YWJjZA==": "abcd", "//79": "\xff\xfe\xfd",
	} {
		if decoded, valid := Base64(text); !valid || string(decoded) != bytes {
			t.Errorf("%q is %x, %v", text, decoded, valid)
		}
	}
	for _, text := range []string{
		"A", "AA", "AAA", "AA=", "A===", "====", "=", "AB==", "AAB=", "AA==AA==", "AA=A", "AAAA=", "AAAA====", "_-8=",
		"YWJj\n",
		"YW Jj", "YWJ\u00e9", "AAAAA===",
	} {
		if _, valid := Base64(text); valid {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestHex(t *testing.T) {
	for text, bytes := range map[string]string{"": "", "00fF": "\x00\xff", "aB09": "\xab\x09"} {
		if decoded, valid := Hex(text); !valid || string(decoded) != bytes {
			t.Errorf("%q is %x, %v", text, decoded, valid)
		}
	}
	for _, text := range []string{"0", "0g", "0x00", " 00", "00\n0", "G0", "@0", "`0", "/0", ":0"} {
		if _, valid := Hex(text); valid {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestDigits(t *testing.T) {
	if !Digits("123", 3, 3) || Digits("12", 3, 3) || Digits("1234", 3, 3) || Digits("1a3", 3, 3) || Digits("１２３", 3, 9) {
		t.Error("digits are not counted as they should be")
	}
}
