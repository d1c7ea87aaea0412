// Package frame puts a decryptor of Apple Pay tokens behind the line protocol of assay, so that `assay diff --external`
// can test it. Each line is a JSON object, and is answered by one line:
//
//	{"hello":1,"keys":[…],"rootsPem":[…],"windowSeconds":300}        the first line: keys, roots to trust, window
//	{"hello":1,"name":"mine","version":"1.0","supports":["EC_v1"]}   its answer
//	{"id":"1","token":"<base64>","at":"2026-03-01T12:00:00Z"}        then tokens, each with the time to verify it at
//	{"id":"1","accepted":true,"plaintext":"<base64>"}                or "accepted":false,"code":null,"reason":"…"
//
// Copy this file into a folder `frame` of your module and write a program around your decryptor:
//
//	func decrypt(token []byte, key *frame.Key, request *frame.Request) ([]byte, error) {
//		payment, err := yours.Decrypt(token, key.Private, key.MerchantIDHash, request.RootsPEM, request.At)
//		if refusal := new(yours.Refusal); errors.As(err, &refusal) {
//			return nil, &frame.Refused{Reason: refusal.Error()}
//		}
//		return payment, err // another error decides nothing, and is answered as such
//	}
//	program := frame.Program{Name: "mine", Version: "1.0", Supports: []string{"EC_v1"}, Decrypt: decrypt}
//	if err := program.Serve(os.Stdin, os.Stdout); err != nil { log.Fatal(err) } // in main
//
// Apache 2.0; part of assay. You may copy this file into your own tests.
package frame

import (
	"bufio"
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strings"
	"time"
)

// Program is a decryptor, and what it says of itself in its answer to hello.
type Program struct {
	Name, Version string
	// Supports lists what Decrypt supports: EC_v1, RSA_v1, envelopes, expect, replay, revoked, unsigned, signature (it
	// verifies the signature and the chain), payload (it checks the payload's members), roots (it trusts RootsPEM),
	// merchantId (it needs Key.MerchantID, which every key then has).
	Supports []string
	// Prepare, if set, is called before the first token. Its error refuses the hello; another may follow.
	Prepare func(*Session) error
	// Decrypt returns the plaintext, or an error that wraps *Refused. Any other error, and a panic, is answered as an
	// error, which decides nothing. The key is the one that the token's publicKeyHash names, else the first of its
	// version, else the first; nil if there are no keys.
	Decrypt func(token []byte, key *Key, request *Request) ([]byte, error)
}

// Refused is the error for a token that must not be accepted.
type Refused struct {
	Reason string // for people; its first 200 characters are sent, on one line
	Code   string // a code of Docs/Verification.md, with its stage and member; empty if you do not name them
	Stage  int
	Member string
}

func (r *Refused) Error() string { return r.Reason }

// Session is what hello set up.
type Session struct {
	Keys     []*Key
	RootsPEM []string // trust these roots and no others
	Window   *int64   // the largest distance between the signing time and At, in seconds; nil: not to be checked
}

// Key is a merchant's private key, in the forms that libraries ask for.
type Key struct {
	PrivateKeyPEM  string            `json:"privateKeyPem"` // as received
	PKCS8PEM       string            `json:"-"`             // PRIVATE KEY
	SEC1PEM        string            `json:"-"`             // EC PRIVATE KEY; empty for RSA
	Private        crypto.PrivateKey `json:"-"`             // *ecdsa.PrivateKey or *rsa.PrivateKey
	Version        string            `json:"-"`             // of the tokens that it decrypts: EC_v1 or RSA_v1
	PublicKeyHash  []byte            `json:"-"`             // SHA-256 of the SubjectPublicKeyInfo
	CertificatePEM string            // empty if there is none
	MerchantID     string            // empty if it is unknown
	MerchantIDHash []byte            `json:"-"` // 32 bytes, from the certificate or the merchant ID; nil if unknown
}

// Request says how a token must be verified.
type Request struct {
	*Session
	At       time.Time // verify at this time, not now
	AtText   string    // the same as received: RFC 3339 in whole seconds with Z
	Policy   Policy
	Prelude  [][]byte // tokens to decrypt before this one, for programs with a cache or a replay store
	Unsigned bool     // Decrypt sets it if it accepts a token without a signature
}

// Policy is what the token must satisfy besides a valid signature. Hashes are in hexadecimal.
type Policy struct {
	Envelope string // "apple" is the bare token
	Unsigned bool   // accept tokens without a signature, in envelopes that can hold them
	Expect   struct {
		Currency        *string
		Amount          *int64 // in minor units
		ApplicationData *string
	}
	Replay  bool     // refuse a token that was accepted in Prelude
	Revoked []string // SHA-256 of certificates or of their SubjectPublicKeyInfo
}

// line is a hello or a token. An absent or null member keeps its default.
type line struct {
	Hello         *int
	Keys          []Key
	RootsPEM      []string
	WindowSeconds json.RawMessage // required, but may be null
	ID            string
	Token         *string
	At            string
	Policy        Policy
	Prelude       []string
}

// Serve answers lines until the input ends. It returns an error if input or output failed.
func (p Program) Serve(in io.Reader, out io.Writer) error {
	lines, answers := bufio.NewReader(in), json.NewEncoder(out) // Encode writes each answer at once
	var session *Session
	for {
		text, err := lines.ReadBytes('\n')
		if err == io.EOF && len(text) == 0 {
			return nil
		} else if err != nil && err != io.EOF {
			return err
		}
		if err := answers.Encode(p.answer(text, &session)); err != nil {
			return err
		}
	}
}

func (p Program) answer(text []byte, session **Session) map[string]any {
	line := line{Policy: Policy{Envelope: "apple"}}
	reader := json.NewDecoder(bytes.NewReader(text))
	reader.DisallowUnknownFields() // ignoring a member could mean ignoring a requirement
	err := reader.Decode(&line)
	if line.Hello != nil || line.ID == "" && *session == nil {
		if err == nil {
			err = p.hello(&line, session)
		}
		if err != nil {
			return map[string]any{"hello": 1, "error": err.Error()}
		}
		return map[string]any{"hello": 1, "name": p.Name, "version": p.Version, "supports": p.Supports}
	}
	if err == nil {
		err = line.missing(*session)
	}
	request := &Request{Session: *session, AtText: line.At, Policy: line.Policy}
	var token []byte
	if err == nil {
		token, err = line.read(request)
	}
	if err != nil {
		answer := map[string]any{"id": nil, "error": err.Error()}
		if line.ID != "" {
			answer["id"] = line.ID
		}
		return answer
	}
	named := namesOf(token)
	if !p.lists(needs(request.Policy, named.Version)) {
		return map[string]any{"id": line.ID, "unsupported": true}
	}
	key := (*session).key(named)
	plaintext, err := p.decrypt(token, key, request)
	return verdict(line.ID, plaintext, request.Unsigned, key == nil, err)
}

// read returns the token and fills in the time and the prelude.
func (l *line) read(request *Request) (token []byte, err error) {
	const layout = "2006-01-02T15:04:05Z"
	request.At, err = time.Parse(layout, l.At)
	if err != nil || request.At.Format(layout) != l.At {
		return nil, errors.New("at is not a time like 2026-01-31T12:00:00Z")
	}
	for _, text := range l.Prelude {
		earlier, err := decoded(text)
		if err != nil {
			return nil, err
		}
		request.Prelude = append(request.Prelude, earlier)
	}
	return decoded(*l.Token)
}

// decoded compares what was read with the text, because encoding/base64 skips line breaks.
func decoded(text string) ([]byte, error) {
	token, err := base64.StdEncoding.DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(token) != text {
		return nil, errors.New("a token is not padded base64")
	}
	return token, nil
}

// decrypt calls Decrypt. A panic is an error.
func (p Program) decrypt(token []byte, key *Key, request *Request) (plaintext []byte, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			debug.PrintStack()
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return p.Decrypt(token, key, request)
}

// needs are the words of Supports that a line needs.
func needs(policy Policy, version string) []string {
	expect := policy.Expect
	asked := map[string]bool{
		"EC_v1": version == "EC_v1", "RSA_v1": version == "RSA_v1", "envelopes": policy.Envelope != "apple",
		"expect": expect.Currency != nil || expect.Amount != nil || expect.ApplicationData != nil,
		"replay": policy.Replay, "revoked": len(policy.Revoked) > 0, "unsigned": policy.Unsigned,
	}
	var words []string
	for word, needed := range asked {
		if needed {
			words = append(words, word)
		}
	}
	return words
}

func (p Program) lists(words []string) bool {
	listed := " " + strings.Join(p.Supports, " ") + " "
	for _, word := range words {
		if !strings.Contains(listed, " "+word+" ") {
			return false
		}
	}
	return true
}

// hello sets the session, if there is none yet.
func (p Program) hello(line *line, session **Session) error {
	if *session != nil || line.Hello == nil || *line.Hello != 1 || line.Keys == nil || line.RootsPEM == nil {
		return errors.New("not a first hello of version 1 with keys and rootsPem")
	}
	next := &Session{RootsPEM: line.RootsPEM}
	if err := json.Unmarshal(line.WindowSeconds, &next.Window); err != nil || next.Window != nil && *next.Window < 0 {
		return errors.New("windowSeconds is missing or not a whole number")
	}
	for index := range line.Keys {
		key := &line.Keys[index]
		if err := key.load(); err != nil {
			return fmt.Errorf("keys[%d]: %w", index, err)
		}
		next.Keys = append(next.Keys, key)
	}
	if p.Prepare != nil {
		if err := p.Prepare(next); err != nil {
			return err
		}
	}
	*session = next
	return nil
}

// missing names a required member that the line lacks.
func (l *line) missing(session *Session) error {
	switch {
	case session == nil:
		return errors.New("hello must come first")
	case l.ID == "" || l.Token == nil:
		return errors.New("id or token is missing")
	case l.Policy.Replay && session.Window == nil:
		return errors.New("replay needs a window")
	}
	return nil
}

func verdict(id string, plaintext []byte, unsigned, hasNoKey bool, err error) map[string]any {
	refused := new(Refused)
	if err != nil && hasNoKey && !errors.As(err, &refused) {
		err = &Refused{Reason: "hello has no merchant key"}
	}
	if errors.As(err, &refused) {
		answer := map[string]any{"id": id, "accepted": false, "code": nil, "reason": clipped(refused.Reason)}
		if refused.Code != "" {
			answer["code"], answer["stage"] = refused.Code, refused.Stage
		}
		if refused.Member != "" {
			answer["member"] = refused.Member
		}
		return answer
	} else if err != nil {
		fmt.Fprintln(os.Stderr, err)
		text := longRun.ReplaceAllString(err.Error(), "…")
		return map[string]any{"id": id, "error": clipped(fmt.Sprintf("%T: %s", err, text))}
	}
	answer := map[string]any{"id": id, "accepted": true, "plaintext": base64.StdEncoding.EncodeToString(plaintext)}
	if unsigned {
		answer["signed"] = false
	}
	return answer
}

// longRun matches a long run of base64 or hex, which may be part of the token.
var longRun = regexp.MustCompile("[A-Za-z0-9+/=_-]{33,}")

// clipped is one line of at most 200 characters.
func clipped(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > 200 {
		line = line[:200]
	}
	return string(line)
}

// tokenNames are the members by which a token selects a key: its version and the hash of the key.
type tokenNames struct {
	Version string
	Header  struct{ PublicKeyHash []byte }
}

func namesOf(token []byte) (named tokenNames) {
	_ = json.Unmarshal(token, &named) // a token that cannot be read names nothing
	return named
}

// key is the merchant's key for a token.
func (s *Session) key(named tokenNames) *Key {
	for _, key := range s.Keys {
		if bytes.Equal(key.PublicKeyHash, named.Header.PublicKeyHash) {
			return key
		}
	}
	for _, key := range s.Keys {
		if key.Version == named.Version {
			return key
		}
	}
	if len(s.Keys) == 0 {
		return nil
	}
	return s.Keys[0]
}

// load fills in the members that are derived from those of the hello.
func (k *Key) load() error {
	block, rest := pem.Decode([]byte(k.PrivateKeyPEM))
	for block != nil && block.Type == "EC PARAMETERS" {
		block, rest = pem.Decode(rest)
	}
	if block == nil {
		return errors.New("privateKeyPem is not PEM")
	}
	if key, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
		k.Private = key
	} else if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		k.Private = key
	} else if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		k.Private = key
	}
	var public []byte
	switch private := k.Private.(type) { // none of these encodings fails for a key that was parsed
	case *ecdsa.PrivateKey:
		sec1, _ := x509.MarshalECPrivateKey(private)
		public, _ = x509.MarshalPKIXPublicKey(private.Public())
		k.Version, k.SEC1PEM = "EC_v1", encodePEM("EC PRIVATE KEY", sec1)
	case *rsa.PrivateKey:
		public, _ = x509.MarshalPKIXPublicKey(private.Public())
		k.Version = "RSA_v1"
	default:
		return errors.New("privateKeyPem is neither an EC key nor an RSA key")
	}
	pkcs8, _ := x509.MarshalPKCS8PrivateKey(k.Private)
	k.PKCS8PEM = encodePEM("PRIVATE KEY", pkcs8)
	k.PublicKeyHash = hash(public)
	if k.MerchantID != "" {
		k.MerchantIDHash = hash([]byte(k.MerchantID))
	}
	return k.loadCertificate()
}

// loadCertificate takes the merchant ID's hash from an extension that ends in 64 hexadecimal digits.
func (k *Key) loadCertificate() error {
	if k.CertificatePEM == "" {
		return nil
	}
	block, _ := pem.Decode([]byte(k.CertificatePEM))
	if block == nil {
		return errors.New("certificatePem is not PEM")
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return errors.New("the certificate cannot be read")
	}
	for _, extension := range certificate.Extensions {
		value := extension.Value
		if extension.Id.String() == "1.2.840.113635.100.6.32" && len(value) >= 64 {
			k.MerchantIDHash, err = hex.DecodeString(string(value[len(value)-64:]))
		}
	}
	return err
}

// PKCS12 returns the key and its certificate as a PKCS #12 file, made by the command openssl.
func (k *Key) PKCS12(password string) ([]byte, error) {
	command := exec.Command("openssl", "pkcs12", "-export", "-passout", "env:PKCS12_PASSWORD")
	command.Env = append(os.Environ(), "PKCS12_PASSWORD="+password)
	command.Stdin = strings.NewReader(k.PKCS8PEM + k.CertificatePEM)
	return command.Output()
}

func encodePEM(label string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}))
}

func hash(of []byte) []byte {
	digest := sha256.Sum256(of)
	return digest[:]
}
