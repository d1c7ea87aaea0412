package frame

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os/exec"
	"sort"
	"strings"
	"testing"
	"time"
)

// ask sends lines to a program and returns its answers.
func ask(t *testing.T, program Program, lines ...string) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := program.Serve(strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	var answers []map[string]any
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var answer map[string]any
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, answer)
	}
	if len(answers) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(answers), len(lines))
	}
	return answers
}

const (
	emptyHello = `{"hello":1,"keys":[],"rootsPem":[],"windowSeconds":300}`
	tokenLine  = `{"id":"x","token":"e30=","at":"2026-03-01T12:00:00Z"}`
)

func echo(token []byte, _ *Key, _ *Request) ([]byte, error) { return token, nil }

func TestAnswers(t *testing.T) {
	answers := ask(t, Program{Name: "mine", Version: "2", Supports: []string{"EC_v1"}, Decrypt: echo},
		`{"hello":2}`, tokenLine, ``, emptyHello, emptyHello, tokenLine, `[]`, `{"id":"x"}`, `{"id":"x","colour":1}`,
		`{"id":"y","token":"e30=","at":"today"}`)
	for index, want := range []string{
		`error hello`, `error id`, `error hello`, `hello name supports version`, `error hello`, `accepted id plaintext`,
		`error id`,
		`error id`, `error id`, `error id`,
	} {
		if got := names(answers[index]); got != want {
			t.Errorf("answer %d: %s", index, got)
		}
	}
	if answers[6]["id"] != nil || answers[5]["id"] != "x" || answers[5]["plaintext"] != "e30=" || answers[9]["id"] != "y" {
		t.Errorf("an id or a plaintext is wrong: %v", answers)
	}
}

// names lists an answer's members.
func names(answer map[string]any) string {
	var found []string
	for name := range answer {
		found = append(found, name)
	}
	sort.Strings(found)
	return strings.Join(found, " ")
}

func TestRefusals(t *testing.T) {
	refuse := func(refused Refused) map[string]any {
		return ask(t, Program{Decrypt: func([]byte, *Key, *Request) ([]byte, error) {
			return nil, fmt.Errorf("wrapped: %w", &refused)
		}}, emptyHello, tokenLine)[1]
	}
	plain := refuse(Refused{Reason: "two\nlines" + strings.Repeat("é", 200)})
	if names(plain) != "accepted code id reason" || plain["code"] != nil || plain["accepted"] != false ||
		plain["reason"] != "two lines"+strings.Repeat("é", 191) {
		t.Errorf("%v", plain)
	}
	coded := refuse(Refused{Reason: "no", Code: "invalidHex", Stage: 4, Member: "header.transactionId"})
	if names(coded) != "accepted code id member reason stage" || coded["stage"] != 4.0 {
		t.Errorf("%v", coded)
	}
}

func TestOtherErrorsDecideNothing(t *testing.T) {
	for expected, err := range map[string]error{
		"*errors.errorString: broken here": errors.New("broken\nhere"),
		"*errors.errorString: …":           errors.New(strings.Repeat("A", 50)),
	} {
		answer := verdict("1", nil, false, false, err)
		if names(answer) != "error id" || answer["error"] != expected {
			t.Errorf("%v", answer)
		}
	}
	withoutKey := Program{Decrypt: func(_ []byte, key *Key, _ *Request) ([]byte, error) {
		return nil, errors.New(key.MerchantID)
	}}
	answers := ask(t, withoutKey, emptyHello, tokenLine, tokenLine)
	if len(answers) != 3 || answers[2]["reason"] != "hello has no merchant key" {
		t.Errorf("%v", answers)
	}
}

func TestWhatIsNotListedIsUnsupported(t *testing.T) {
	program := Program{Supports: []string{"EC_v1"}, Decrypt: echo}
	line := tokenLine[:len(tokenLine)-1] + `,"policy":{"envelope":"auto"}}`
	if answer := ask(t, program, emptyHello, line)[1]; names(answer) != "id unsupported" {
		t.Errorf("%v", answer)
	}
}

func TestRequests(t *testing.T) {
	var got *Request
	all := []string{"envelopes", "expect", "revoked", "unsigned"}
	program := Program{Supports: all, Decrypt: func(_ []byte, _ *Key, request *Request) ([]byte, error) {
		got = request
		request.Unsigned = request.Policy.Unsigned
		return nil, nil
	}}
	answers := ask(t, program, emptyHello, tokenLine)
	if names(answers[1]) != "accepted id plaintext" || got.Policy.Envelope != "apple" || *got.Window != 300 ||
		got.AtText != "2026-03-01T12:00:00Z" || got.At.Unix() != 1_772_366_400 {
		t.Errorf("%v", got)
	}
	answers = ask(t, program, `{"hello":1,"keys":[],"rootsPem":["a"],"windowSeconds":null}`, tokenLine[:len(tokenLine)-1]+
		`,"prelude":["AQ=="],"policy":{"envelope":"auto","unsigned":true,"expect":{"amount":5,"currency":"978"},`+
		`"revoked":["00"]}}`,
		tokenLine[:len(tokenLine)-1]+`,"policy":{"replay":true}}`)
	policy := got.Policy
	if names(answers[1]) != "accepted id plaintext signed" || got.Window != nil || got.RootsPEM[0] != "a" ||
		got.Prelude[0][0] != 1 || policy.Envelope != "auto" ||
		*policy.Expect.Amount != 5 || *policy.Expect.Currency != "978" ||
		policy.Expect.ApplicationData != nil || policy.Revoked[0] != "00" {
		t.Errorf("%v", got)
	}
	if names(answers[2]) != "error id" {
		t.Error("replays are detected without a window")
	}
}

func TestPrepare(t *testing.T) {
	refusals := 1
	program := Program{Decrypt: echo, Prepare: func(*Session) error {
		if refusals--; refusals >= 0 {
			return errors.New("no")
		}
		return nil
	}}
	answers := ask(t, program, emptyHello, tokenLine, emptyHello, tokenLine)
	if answers[0]["error"] != "no" || answers[1]["error"] == nil || answers[2]["error"] != nil ||
		answers[3]["accepted"] != true {
		t.Errorf("%v", answers)
	}
}

// testKeys are an EC key with a certificate and an RSA key.
func testKeys(t *testing.T) (ec *ecdsa.PrivateKey, wrapping *rsa.PrivateKey, certificate string) {
	t.Helper()
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if wrapping, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		t.Fatal(err)
	}
	value := append([]byte{0x0C, 0x40}, hex.EncodeToString(hash([]byte("merchant")))...)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1, 0),
		ExtraExtensions: []pkix.Extension{{Id: []int{1, 2, 840, 113635, 100, 6, 32}, Value: value}},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, ec.Public(), ec)
	if err != nil {
		t.Fatal(err)
	}
	return ec, wrapping, encodePEM("CERTIFICATE", der)
}

func TestKeys(t *testing.T) {
	ec, wrapping, certificate := testKeys(t)
	sec1, _ := x509.MarshalECPrivateKey(ec)
	hello, _ := json.Marshal(map[string]any{
		"hello": 1, "rootsPem": []string{}, "windowSeconds": nil, "keys": []map[string]any{
			{"privateKeyPem": "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" +
				encodePEM("EC PRIVATE KEY", sec1), "certificatePem": certificate},
			{"privateKeyPem": encodePEM("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(wrapping)), "merchantId": "merchant"},
		},
	})
	information, _ := x509.MarshalPKIXPublicKey(wrapping.Public())
	named := sha256.Sum256(information)
	var keys []*Key
	lines := []string{string(hello)}
	for _, token := range []string{
		`{"version":"EC_v1","header":{"publicKeyHash":"` + base64.StdEncoding.EncodeToString(named[:]) + `"}}`,
		`{"version":"RSA_v1","header":{"publicKeyHash":"AAAA"}}`, `{"version":"EC_v1"}`, `not JSON`,
	} {
		encoded := base64.StdEncoding.EncodeToString([]byte(token))
		lines = append(lines, strings.Replace(tokenLine, "e30=", encoded, 1))
	}
	both := []string{"EC_v1", "RSA_v1"}
	ask(t, Program{Supports: both, Decrypt: func(_ []byte, key *Key, _ *Request) ([]byte, error) {
		keys = append(keys, key)
		return nil, nil
	}}, lines...)
	if keys[0].Version != "RSA_v1" || keys[1] != keys[0] || keys[2].Version != "EC_v1" || keys[3] != keys[2] {
		t.Fatalf("the wrong keys are chosen: %v", keys)
	}
	for _, key := range keys[1:3] {
		if !bytes.Equal(key.MerchantIDHash, hash([]byte("merchant"))) {
			t.Errorf("%s: not the hash of the merchant ID", key.Version)
		}
	}
	if keys[2].SEC1PEM != encodePEM("EC PRIVATE KEY", sec1) || keys[0].SEC1PEM != "" ||
		!strings.HasPrefix(keys[0].PKCS8PEM, "-----BEGIN PRIVATE KEY-----") {
		t.Error("a key is not converted")
	}
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("no openssl")
	}
	checkPKCS12(t, keys[2])
}

func checkPKCS12(t *testing.T, key *Key) {
	file, err := key.PKCS12("pass word")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("openssl", "pkcs12", "-nodes", "-passin", "pass:pass word")
	command.Stdin = bytes.NewReader(file)
	text, err := command.Output()
	if err != nil || !strings.Contains(string(text), key.CertificatePEM) || !strings.Contains(string(text), key.PKCS8PEM) {
		t.Errorf("the file does not hold key and certificate: %v", err)
	}
}

func TestUnusableKeys(t *testing.T) {
	for _, key := range []string{
		`null`, `{}`, `{"x":1}`, `{"privateKeyPem":"x"}`,
		`{"privateKeyPem":"-----BEGIN X-----\nAAAA\n-----END X-----\n"}`,
	} {
		answers := ask(t, Program{Decrypt: echo}, strings.Replace(emptyHello, `"keys":[]`, `"keys":[`+key+`]`, 1), emptyHello)
		if answers[0]["error"] == nil || answers[1]["error"] != nil {
			t.Errorf("%s: %v", key, answers)
		}
	}
}
