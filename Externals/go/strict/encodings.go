package strict

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// notInAlphabet marks bytes that have no value in base64.
const notInAlphabet = 0xFF

var base64Values = func() (values [256]byte) {
	for index := range values {
		values[index] = notInAlphabet
	}
	for value := 0; value < len(base64Alphabet); value++ {
		values[base64Alphabet[value]] = byte(value)
	}
	return values
}()

// Base64 decodes by rule 4.1: with padding, and with unused bits that are zero.
func Base64(text string) ([]byte, bool) {
	if len(text)%4 != 0 {
		return nil, false
	}
	digits := len(text)
	for padding := 0; padding < 2 && digits > 0 && text[digits-1] == '='; padding++ {
		digits--
	}
	decoded := make([]byte, 0, digits*3/4)
	bits, count := uint32(0), 0 // the bits that are not written yet
	for index := 0; index < digits; index++ {
		value := base64Values[text[index]]
		if value == notInAlphabet {
			return nil, false
		}
		bits, count = bits<<6|uint32(value), count+6
		if count >= 8 {
			count -= 8
			decoded = append(decoded, byte(bits>>count))
			bits &= 1<<count - 1
		}
	}
	return decoded, bits == 0
}

// Hex decodes by rule 4.2: an even number of digits of either case.
func Hex(text string) ([]byte, bool) {
	if len(text)%2 != 0 {
		return nil, false
	}
	decoded := make([]byte, len(text)/2)
	for index := 0; index < len(text); index++ {
		digit, valid := hexDigit(text[index])
		if !valid {
			return nil, false
		}
		decoded[index/2] = decoded[index/2]<<4 | digit
	}
	return decoded, true
}

func hexDigit(character byte) (byte, bool) {
	switch {
	case '0' <= character && character <= '9':
		return character - '0', true
	case 'a' <= character && character <= 'f':
		return character - 'a' + 10, true
	case 'A' <= character && character <= 'F':
		return character - 'A' + 10, true
	}
	return 0, false
}

// Digits says whether the text has only ASCII digits, and between least and most of them.
func Digits(text string, least, most int) bool {
	for index := 0; index < len(text); index++ {
		if !isDigit(text[index]) {
			return false
		}
	}
	return least <= len(text) && len(text) <= most
}
