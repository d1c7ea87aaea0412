package decryptor

import (
	"crypto/elliptic"
	"encoding/hex"
	"strings"
	"testing"

	"assay.example/external/strict"
)

func document(t *testing.T, text string) *strict.Value {
	t.Helper()
	value, err := strict.ReadObject([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func TestAmounts(t *testing.T) {
	for text, amount := range map[string]int64{
		"0": 0, "0.00": 0, "0e12": 0, "1250": 1250, "12.5e2": 1250, "1.50E+2": 150, "999999999999": 999_999_999_999,
		"1e00000000000000000000000011": 100_000_000_000, "0.000000000001e12": 1, "10.0": 10, "0.1e1": 1,
	} {
		if got, valid := readAmount(document(t, `{"a":`+text+`}`).Get("a")); !valid || got != amount {
			t.Errorf("%s is %d, %v", text, got, valid)
		}
	}
	for _, text := range []string{
		"-0", "-1", "1e-0", "1000000000000", "1e12", "0e13", "1e13", "1.5", "0.01e1", "1.505e2", "1e99999999999999999999",
		"0.0000000000001e12", "99999999999999999999999999",
	} {
		if got, valid := readAmount(document(t, `{"a":`+text+`}`).Get("a")); valid {
			t.Errorf("%s is %d", text, got)
		}
	}
}

func TestDates(t *testing.T) {
	for text, valid := range map[string]bool{
		"301231": true, "000229": true, "240229": true, "230229": false, "301301": false, "300001": false, "300100": false,
		"300431": false, "30123": false, "3012311": false, "30123a": false, "": false, "3012-1": false,
	} {
		if isDate(text) != valid {
			t.Errorf("%q: %v", text, !valid)
		}
	}
}

const soundPayload = `{"applicationPrimaryAccountNumber":"4111111111111111","applicationExpirationDate":"301231",` +
	`"currencyCode":"978","transactionAmount":1250,"deviceManufacturerIdentifier":"040010030273",` +
	`"paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"WlpaWg=="}}`

func TestPayloads(t *testing.T) {
	payment, fault := readPayload([]byte(soundPayload), versionEC)
	if fault != nil || payment.currency != "978" || payment.amount != 1250 {
		t.Fatalf("the payload is refused: %v", fault)
	}
	emv := `"paymentDataType":"EMV","paymentData":{"emvData":"WlpaWg=="`
	toEMV := func(text string) []string {
		return []string{`"paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"WlpaWg=="`, text}
	}
	for name, test := range map[string]struct {
		replace []string
		version string
		valid   bool
	}{
		"EMV":                       {toEMV(emv), versionEC, true},
		"EMV with a PIN":            {toEMV(emv + `,"encryptedPINData":"aB"`), versionRSA, true},
		"EMV with a PIN in EC_v1":   {toEMV(emv + `,"encryptedPINData":null`), versionEC, false},
		"EMV with an empty PIN":     {toEMV(emv + `,"encryptedPINData":""`), versionRSA, false},
		"members of the other type": {toEMV(emv + `,"onlinePaymentCryptogram":1`), versionEC, true},
		"a repeated name": {[]string{`"currencyCode":"978"`, `"currencyCode":"978","currency\u0043ode":"978"`},
			versionEC, false},
		"an unknown repeated name":   {[]string{`{"app`, `{"x":1,"x":1,"app`}, versionEC, false},
		"one repeated deeper":        {[]string{`{"app`, `{"x":{"y":1,"y":1},"app`}, versionEC, true},
		"an amount in a string":      {[]string{`1250`, `"1250"`}, versionEC, false},
		"a currency of letters":      {[]string{`"978"`, `"EUR"`}, versionEC, false},
		"a name that is null":        {[]string{`{"app`, `{"cardholderName":null,"app`}, versionEC, false},
		"no responses":               {[]string{`{"app`, `{"authenticationResponses":[],"app`}, versionEC, true},
		"a response without members": {[]string{`{"app`, `{"authenticationResponses":[{}],"app`}, versionEC, false},
		"responses that are none":    {[]string{`{"app`, `{"authenticationResponses":{},"app`}, versionEC, false},
		"an indicator of 3 digits":   {[]string{`"WlpaWg=="`, `"WlpaWg==","eciIndicator":"007"`}, versionEC, false},
		"an empty cryptogram":        {[]string{`"WlpaWg=="`, `""`}, versionEC, false},
		"a manufacturer of 33 bytes": {[]string{`"040010030273"`, `"` + strings.Repeat("ab", 33) + `"`}, versionEC, false},
		"metadata in a string":       {[]string{`{"app`, `{"merchantTokenMetadata":"{}","app`}, versionEC, false},
	} {
		text := strings.Replace(soundPayload, test.replace[0], test.replace[1], 1)
		if text == soundPayload {
			t.Errorf("%s: nothing is replaced", name)
		}
		if _, fault := readPayload([]byte(text), test.version); (fault == nil) != test.valid {
			t.Errorf("%s: %v", name, fault)
		}
	}
}

func TestPointsOnTheCurve(t *testing.T) {
	curve := elliptic.P256().Params()
	text := elliptic.Marshal(elliptic.P256(), curve.Gx, curve.Gy)
	if _, _, valid := readPoint(elliptic.P256(), text); !valid {
		t.Error("the generator is refused")
	}
	beyond := append([]byte{4}, curve.P.FillBytes(make([]byte, 32))...)
	square, _ := hex.DecodeString("66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4") // y of x = 0
	for name, refused := range map[string][]byte{
		"empty": nil, "infinity": {0}, "short": text[:64], "long": append(text[:65:65], 0), "hybrid": append([]byte{6},
			text[1:]...),
		"off the curve": append(text[:64:64], text[64]^1), "x = p": append(beyond, square...), "zeros": append([]byte{4},
			make([]byte, 64)...),
	} {
		if _, _, valid := readPoint(elliptic.P256(), refused); valid {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, _, valid := readPoint(elliptic.P256(), append(append([]byte{4}, make([]byte, 32)...), square...)); !valid {
		t.Error("the point with x = 0 is refused")
	}
}

func TestRepetitionsAreReportedInTheirOrder(t *testing.T) {
	for text, member := range map[string]string{
		`{"data":1,"header":{"publicKeyHash":1,"publicKeyHash":2},"data":2}`: memberPublicKeyHash,
		`{"data":1,"data":2,"header":{"publicKeyHash":1,"publicKeyHash":2}}`: memberData,
		`{"header":{},"header":{"publicKeyHash":1,"publicKeyHash":2}}`:       memberHeader,
		`{"header":{"data":1,"data":2}}`:                                     "",
		`{"publicKeyHash":1,"publicKeyHash":2}`:                              "",
		`{"header.publicKeyHash":1,"header.publicKeyHash":2}`:                "",
		`{"a":1,"a":2,"data":1,"data":2}`:                                    "",
	} {
		if _, fault := readMembers([]byte(text)); fault == nil || fault.Code != "duplicateMember" || fault.Member != member {
			t.Errorf("%s: %v", text, fault)
		}
	}
	found, fault := readMembers([]byte(`{"header.publicKeyHash":"a","header":{"x":{"y":1,"y":1}}}`))
	if fault != nil || found[memberPublicKeyHash] != nil {
		t.Errorf("a name with a full stop is read as a path: %v", fault)
	}
}
