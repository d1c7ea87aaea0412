// The decryptor as a program that speaks the line protocol (Docs/LineProtocol.md). `assay-external` starts it.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"assay.example/external/decryptor"
	"assay.example/external/frame"
	"assay.example/external/strict"
)

// main ends with 0 at the end of the input, and with 2 if input cannot be read or answers cannot be written.
func main() {
	signal.Ignore(syscall.SIGPIPE) // a write fails instead
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "assay-external:", err)
		os.Exit(2)
	}
}

func serve(in io.Reader, out io.Writer) error {
	var opener *decryptor.Decryptor
	program := frame.Program{
		Name:    "assay-external go",
		Version: "1",
		Supports: []string{
			"EC_v1", "RSA_v1", "envelopes", "expect", "replay", "revoked", "unsigned", "signature", "payload", "roots",
		},
		Prepare: func(session *frame.Session) (err error) {
			opener, err = decryptor.New(session)
			return err
		},
		Decrypt: func(token []byte, _ *frame.Key, request *frame.Request) ([]byte, error) {
			return decrypt(opener, token, request)
		},
	}
	return program.Serve(in, out)
}

// decrypt decides about the token after the prelude. It selects the key itself (rule 10.1).
func decrypt(opener *decryptor.Decryptor, token []byte, request *frame.Request) ([]byte, error) {
	policy, err := policy(&request.Policy)
	if err != nil {
		return nil, err
	}
	seen := decryptor.Seen{}
	for _, earlier := range request.Prelude {
		_, _ = opener.Decrypt(earlier, request.At.Unix(), policy, seen) // only its entry in seen matters
	}
	opened, fault := opener.Decrypt(token, request.At.Unix(), policy, seen)
	if fault != nil {
		return nil, &frame.Refused{Reason: fault.Error(), Code: fault.Code, Stage: fault.Stage, Member: fault.Member}
	}
	request.Unsigned = !opened.Signed
	return opened.Plaintext, nil
}

// policy converts a policy. It returns an error for a requirement that cannot be checked.
func policy(given *frame.Policy) (*decryptor.Policy, error) {
	if !decryptor.KnownEnvelope(given.Envelope) {
		return nil, errors.New("the envelope is unknown")
	}
	policy := &decryptor.Policy{
		Envelope: given.Envelope, Unsigned: given.Unsigned, Replay: given.Replay,
		Currency: given.Expect.Currency, Amount: given.Expect.Amount, Revoked: map[[32]byte]bool{},
	}
	if text := given.Expect.ApplicationData; text != nil {
		digest, err := digest(*text)
		if err != nil {
			return nil, err
		}
		policy.ApplicationData = digest[:]
	}
	for _, text := range given.Revoked {
		digest, err := digest(text)
		if err != nil {
			return nil, err
		}
		policy.Revoked[digest] = true
	}
	return policy, nil
}

func digest(text string) (digest [32]byte, err error) {
	bytes, valid := strict.Hex(text)
	if !valid || len(bytes) != len(digest) {
		return digest, errors.New("not SHA-256 in hex")
	}
	copy(digest[:], bytes)
	return digest, nil
}
