package decryptor

import (
	"strings"
	"testing"
)

// code returns the code of stage 0, or the text that it extracts.
func code(request, envelope string) string {
	found, fault := extract([]byte(request), envelope)
	if fault != nil {
		return fault.Code
	}
	return string(found.text)
}

func TestEnvelopes(t *testing.T) {
	inside := `{"a":1}`
	for _, test := range []struct{ envelope, request, outcome string }{
		{"applepayjs", `{"token":{"paymentData":{"a":1}}}`, inside},
		{"applepayjs", `{"paymentData":{"a":1},"x":1,"x":2}`, inside},
		{"applepayjs", `{"paymentData":{"a":1},"token":{"paymentData":1}}`, "malformedEnvelope"},
		{"applepayjs", `{"paymentData":{"a":1},"token":{"x":1}}`, inside},
		{"applepayjs", `{"paymentData":{"a":1},"token":1,"token":2}`, "malformedEnvelope"},
		{"applepayjs", `{"paymentData":{"a":1},"transactionIdentifier":1,"transactionIdentifier":1}`, "malformedEnvelope"},
		{"applepayjs", `{"token":{"paymentData":{"a":1}},"transactionIdentifier":1,"transactionIdentifier":1}`, inside},
		{"applepayjs", `{"paymentData":"{}"}`, "malformedEnvelope"},
		{"alphapay", `{"token":{"paymentData":{"a":1}}}`, inside},
		{"alphapay", `{"token":[{"paymentData":{"a":1}}]}`, "malformedEnvelope"},
		{"mpgs", `{"sourceOfFunds":{"provided":{"card":{"devicePayment":{"paymentToken":"{\"a\":1}"}}}},"order":1}`, inside},
		{"bambora", `{"apple_pay":{"payment_token":"eyJhIjoxfQ=="}}`, inside},
		{"bambora", `{"apple_pay":{"payment_token":"eyJhIjoxfQ"}}`, "malformedEnvelope"},
		{"bambora", `{"apple_pay":{"payment_token":"eyJhIjoxfQ=="},"payment_method":"card"}`, "envelopeFieldMismatch"},
		{"bambora", `{"apple_pay":{"payment_token":"eyJhIjoxfQ=="},"payment_method":null}`, "envelopeFieldMismatch"},
		{"bambora", `{"apple-wallet":{"payment-token":"eyJhIjoxfQ=="},"payment_method":"card"}`, inside},
		{"worldline", `{"mobilePaymentMethodSpecificInput":{"paymentProductId":302}}`, `{"paymentProductId":302}`},
		{"worldline", `{"mobilePaymentMethodSpecificInput":{"paymentProductId":302.0}}`, "envelopeFieldMismatch"},
		{"worldline", `{"mobilePaymentMethodSpecificInput":{"paymentProductId":"302"}}`, "envelopeFieldMismatch"},
		{"worldline", `{"mobilePaymentMethodSpecificInput":{"signature":1,"signature":1}}`, "malformedEnvelope"},
		{"worldline", `{"mobilePaymentMethodSpecificInput":[]}`, "malformedEnvelope"},
		{"worldline", `{"mobilePaymentMethodSpecificInput":{"ephemeralKey":"a","ephemeralPublicKey":"b"}}`,
			"envelopeFieldMismatch"},
		{"worldline", `{"mobilePaymentMethodSpecificInput":{"ephemeralKey":1,"ephemeralPublicKey":1}}`,
			"envelopeFieldMismatch"},
		{"mpgs", `{}`, "malformedEnvelope"},
		{"mpgs", `{`, "malformedEnvelope"},
		{"mpgs", strings.Repeat(" ", 262_145), "tokenTooLarge"},
		{"auto", strings.Repeat(" ", 262_145), "tokenTooLarge"},
		{"auto", `{`, `{`},
		{"auto", `{}`, `{}`},
		{"auto", `{"token":{"paymentData":{"a":1}}}`, inside},
		{"auto", `{"token":{"paymentData":{"a":1}},"paymentId":1}`, inside},
		{"auto", `{"version":1,"data":1,"signature":1,"header":1,"paymentData":{}}`, "ambiguousEnvelope"},
		{"auto", `{"paymentData":{},"apple_pay":{"payment_token":1}}`, "ambiguousEnvelope"},
		{"auto", `{"mobilePaymentMethodSpecificInput":1}`, `{"mobilePaymentMethodSpecificInput":1}`},
		{"auto", `{"paymentData":1}`, "malformedEnvelope"},
		{"auto", `{"token":1,"token":{"paymentData":{}}}`, "malformedEnvelope"},
		{"apple", strings.Repeat(" ", 9), strings.Repeat(" ", 9)},
	} {
		if outcome := code(test.request, test.envelope); outcome != test.outcome {
			t.Errorf("%s, %.80s: %s", test.envelope, test.request, outcome)
		}
	}
}

func TestUnsignedParts(t *testing.T) {
	member := func(policy Policy, names ...string) string {
		request := `{"mobilePaymentMethodSpecificInput":{"` + strings.Join(names, `":"","`) + `":""}}`
		found, fault := extract([]byte(request), "worldline")
		if fault != nil {
			t.Fatal(fault)
		}
		_, fault = readParts(found.text, found.parts, &policy)
		return fault.Code + " " + fault.Member
	}
	all := []string{"encryptedPaymentData", "publicKeyHash", "ephemeralKey", "transactionId"}
	for _, test := range []struct {
		policy  Policy
		names   []string
		outcome string
	}{
		{Policy{}, all, "missingMember signature"},
		{Policy{Unsigned: true}, all, "invalidLength data"},
		{Policy{Unsigned: true}, all[1:], "missingMember data"},
		{Policy{Unsigned: true}, all[:1], "missingMember header.publicKeyHash"},
		{Policy{Unsigned: true}, all[:2], "missingMember header.ephemeralPublicKey"},
		{Policy{Unsigned: true, Replay: true}, all, "missingMember header.transactionId"},
		{Policy{Unsigned: true}, append(all[:3:3], "signature"), "missingMember header.transactionId"},
	} {
		if outcome := member(test.policy, test.names...); outcome != test.outcome {
			t.Errorf("%v: %s", test.names, outcome)
		}
	}
}
