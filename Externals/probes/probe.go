// The program with which test-frames tests frame.go.
package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	"probe/frame"
)

func main() {
	program := frame.Program{Name: "probe", Version: "1", Supports: []string{"EC_v1", "RSA_v1"}, Decrypt: decrypt}
	if err := program.Serve(os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}

func decrypt(token []byte, key *frame.Key, request *frame.Request) ([]byte, error) {
	switch string(token) {
	case "throw":
		panic("a bug in " + strings.Repeat("A", 40) + "\nof mine")
	case "refuse":
		reason := "first line\nsecond line " + strings.Repeat("é", 300)
		return nil, fmt.Errorf("wrapped: %w", &frame.Refused{Reason: reason, Code: "signatureMismatch"})
	}
	window, pkcs12 := "none", []byte(nil)
	if request.Window != nil {
		window = fmt.Sprint(*request.Window)
	}
	if key.CertificatePEM != "" {
		var err error
		if pkcs12, err = key.PKCS12("secret"); err != nil {
			return nil, err
		}
	}
	text := ""
	add := func(name, value string) {
		text += name + " " + base64.StdEncoding.EncodeToString([]byte(value)) + "\n"
	}
	add("pkcs8", key.PKCS8PEM)
	add("sec1", key.SEC1PEM)
	add("pkcs12", string(pkcs12))
	add("merchantIdHash", string(key.MerchantIDHash))
	add("merchantId", key.MerchantID)
	add("certificate", key.CertificatePEM)
	add("at", fmt.Sprint(request.At.Unix()))
	add("window", window)
	keys, roots, prelude := len(request.Keys), len(request.RootsPEM), len(request.Prelude)
	add("counts", fmt.Sprintf("%d keys, %d roots, %d earlier", keys, roots, prelude))
	return []byte(text), nil
}
