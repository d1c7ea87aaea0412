// Runs a file of `assay corpus export` (Corpus/README.md, "JSON Lines") against a decryptor: go run load.go FILE
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

type header struct {
	Schema, Suite, SHA256 string
	Version               int
}

// vector has the members that most decryptors need. encoding/json decodes base64 into []byte; null is nil.
type vector struct {
	ID, Severity, Reason, Result, At, MerchantID string
	WindowSeconds                                *uint32
	Request, PrivateKey, Plaintext               []byte // PrivateKey is PKCS #8
	Roots                                        [][]byte
}

func load(path string) (h header, vectors []vector) {
	file, err := os.ReadFile(path)
	check(err)
	first, lines, _ := bytes.Cut(file, []byte("\n"))
	check(json.Unmarshal(first, &h))
	if sum := sha256.Sum256(lines); h.Schema != "assay.lines/1" || hex.EncodeToString(sum[:]) != h.SHA256 {
		log.Fatal("not a file of assay.lines/1, or damaged")
	}
	for decoder := json.NewDecoder(bytes.NewReader(lines)); decoder.More(); {
		var v vector
		check(decoder.Decode(&v))
		vectors = append(vectors, v)
	}
	return h, vectors
}

// decrypt is yours: the plaintext, or an error for a refusal. This one refuses everything.
func decrypt(v vector) ([]byte, error) { return nil, fmt.Errorf("refused") }

func main() {
	h, vectors := load(os.Args[1])
	wrong := 0
	for _, v := range vectors {
		plaintext, err := decrypt(v)
		isValid := err == nil && bytes.Equal(plaintext, v.Plaintext)
		if v.Result == "valid" && !isValid || v.Result == "invalid" && err == nil {
			wrong++
			fmt.Fprintf(os.Stderr, "%s %s: %s\n", v.Severity, v.ID, v.Reason)
		}
	}
	fmt.Printf("%s of corpus %d: %d vectors, %d wrong\n", h.Suite, h.Version, len(vectors), wrong)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
