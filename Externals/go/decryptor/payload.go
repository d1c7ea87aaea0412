package decryptor

import (
	"strings"
	"time"

	"assay.example/external/strict"
)

// payment has the values of the payload that stage 14 compares.
type payment struct {
	currency string
	amount   int64 // in minor units
}

const (
	maximumExponent     = 12 // 13.3
	maximumAmountDigits = 12
)

// readPayload is stage 13.
func readPayload(plaintext []byte, version string) (payment, *Fault) {
	document, err := strict.ReadObject(plaintext)
	if err != nil || !isPlain(document) {
		return payment{}, malformedPayload("13.1")
	}
	for name, valid := range requiredMembers {
		if value := document.Get(name); value == nil || !valid(value) {
			return payment{}, malformedPayload("13.2")
		}
	}
	for name, valid := range optionalMembers {
		if value := document.Get(name); value != nil && !valid(value) {
			return payment{}, malformedPayload("13.5")
		}
	}
	amount, valid := readAmount(document.Get("transactionAmount"))
	if !valid {
		return payment{}, malformedPayload("13.3")
	}
	if !isPaymentData(document.Get("paymentData"), document.Get("paymentDataType").String, version) {
		return payment{}, malformedPayload("13.4")
	}
	return payment{document.Get("currencyCode").String, amount}, nil
}

func malformedPayload(rule string) *Fault {
	return fault("malformedPayload", 13, "", rule)
}

// isPlain says whether an object has no repeated names and not too many members.
func isPlain(object *strict.Value) bool {
	return len(object.Members) <= maximumMembers && object.Repetition() == nil
}

type check func(*strict.Value) bool

// stringThat makes a check of a string.
func stringThat(holds func(string) bool) check {
	return func(value *strict.Value) bool { return value.Kind == strict.String && holds(value.String) }
}

func digits(least, most int) check {
	return stringThat(func(text string) bool { return strict.Digits(text, least, most) })
}

var (
	isString = stringThat(func(string) bool { return true })
	// isBase64 and isHex require at least one byte.
	isBase64 = stringThat(func(text string) bool { return hasBytes(strict.Base64(text)) })
	isHex    = stringThat(func(text string) bool { return hasBytes(strict.Hex(text)) })
)

func hasBytes(decoded []byte, valid bool) bool { return valid && len(decoded) > 0 }

func isPlainObject(value *strict.Value) bool {
	return value.Kind == strict.Object && isPlain(value)
}

// requiredMembers is rule 13.2, except the amount and the contents of paymentData.
var requiredMembers = map[string]check{
	"applicationPrimaryAccountNumber": digits(12, 19),
	"applicationExpirationDate":       stringThat(isDate),
	"currencyCode":                    digits(3, 3),
	"transactionAmount":               func(value *strict.Value) bool { return value.Kind == strict.Number },
	"deviceManufacturerIdentifier": func(value *strict.Value) bool {
		return isHex(value) && len(value.String) <= 2*32
	},
	"paymentDataType": stringThat(func(text string) bool { return text == "3DSecure" || text == "EMV" }),
	"paymentData":     isPlainObject,
}

// optionalMembers is rule 13.5.
var optionalMembers = map[string]check{
	"cardholderName":          isString,
	"authenticationResponses": areResponses,
	"merchantTokenIdentifier": isString,
	"merchantTokenMetadata":   func(value *strict.Value) bool { return value.Kind == strict.Object },
}

func areResponses(value *strict.Value) bool {
	for _, response := range value.Elements {
		if !isPlainObject(response) {
			return false
		}
		for _, name := range []string{"merchantIdentifier", "authenticationData", "transactionAmount"} {
			if member := response.Get(name); member == nil || !isString(member) {
				return false
			}
		}
	}
	return value.Kind == strict.Array
}

// isPaymentData is rule 13.4.
func isPaymentData(data *strict.Value, paymentDataType, version string) bool {
	required, optional, valid := "onlinePaymentCryptogram", "eciIndicator", digits(1, 2)
	if paymentDataType == "EMV" {
		required, optional, valid = "emvData", "encryptedPINData", isHex
		if version == versionEC {
			valid = func(*strict.Value) bool { return false }
		}
	}
	found, other := data.Get(required), data.Get(optional)
	return found != nil && isBase64(found) && (other == nil || valid(other))
}

// isDate says whether the text is YYMMDD, a date in 20YY.
func isDate(text string) bool {
	if !strict.Digits(text, 6, 6) {
		return false
	}
	_, err := time.Parse("20060102", "20"+text)
	return err == nil
}

// readAmount is rule 13.3.
func readAmount(value *strict.Value) (int64, bool) {
	text := strings.ToLower(string(value.Text))
	if strings.Contains(text, "-") {
		return 0, false
	}
	mantissa, exponentText, _ := strings.Cut(text, "e")
	exponent, small := smallNumber(strings.TrimPrefix(exponentText, "+"), maximumExponent)
	if !small {
		return 0, false
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if missing := int(exponent) - len(fraction); missing > 0 {
		fraction += strings.Repeat("0", missing)
	}
	whole, fraction = whole+fraction[:exponent], fraction[exponent:]
	if strings.Trim(fraction, "0") != "" {
		return 0, false
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole) > maximumAmountDigits {
		return 0, false
	}
	return smallNumber(whole, 999_999_999_999)
}

// smallNumber returns the value of the digits if it is at most the limit. The value of no digits is 0.
func smallNumber(digits string, limit int64) (value int64, small bool) {
	for index := 0; index < len(digits); index++ {
		if value = value*10 + int64(digits[index]-'0'); value > limit {
			return 0, false
		}
	}
	return value, true
}
