package decryptor

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"math/big"
)

// spkiHeader has the bytes before the point of an ephemeral key (11.1).
var spkiHeader = []byte{
	0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
	0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
}

const (
	wrappedKeySize = 16 // bytes, of the AES key of RSA_v1
	ivSize         = 16
)

// symmetricKey is stage 11.
func (k *merchantKey) symmetricKey(keyMember []byte) ([]byte, *Fault) {
	if k.ec == nil {
		return k.unwrap(keyMember), nil
	}
	if !bytes.HasPrefix(keyMember, spkiHeader) {
		return nil, fault("invalidEphemeralKey", 11, "", "11.1")
	}
	x, y, valid := readPoint(elliptic.P256(), keyMember[len(spkiHeader):])
	if !valid {
		return nil, fault("invalidEphemeralKey", 11, "", "11.1")
	}
	return k.derive(x, y), nil
}

// derive is rule 11.2.
func (k *merchantKey) derive(x, y *big.Int) []byte {
	shared, _ := elliptic.P256().ScalarMult(x, y, k.ec.D.Bytes())
	input := []byte{0, 0, 0, 1}
	input = append(input, shared.FillBytes(make([]byte, 32))...)
	input = append(input, "\x0Did-aes256-GCMApple"...)
	input = append(input, k.merchantHash...)
	key := sha256.Sum256(input)
	return key[:]
}

// unwrap is the rules 11.4 and 11.5: after a failure it returns a random key, so that stage 12 fails.
func (k *merchantKey) unwrap(wrapped []byte) []byte {
	possible := len(wrapped) == k.rsa.Size() && new(big.Int).SetBytes(wrapped).Cmp(k.rsa.N) < 0
	if !possible {
		wrapped = make([]byte, k.rsa.Size())
		wrapped[len(wrapped)-1] = 2
	}
	substitute := make([]byte, wrappedKeySize)
	if _, err := rand.Read(substitute); err != nil {
		panic(err)
	}
	key, err := rsa.DecryptOAEP(sha256.New(), rand.Reader, k.rsa, wrapped, nil)
	if err != nil || len(key) != wrappedKeySize || !possible {
		return substitute
	}
	return key
}

// decrypt is stage 12.
func decrypt(key, data []byte) ([]byte, *Fault) {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // the key has 16 or 32 bytes
	}
	gcm, err := cipher.NewGCMWithNonceSize(block, ivSize)
	if err != nil {
		panic(err)
	}
	plaintext, err := gcm.Open(nil, make([]byte, ivSize), data, nil)
	if err != nil {
		return nil, fault("decryptionFailed", 12, "", "12.1")
	}
	return plaintext, nil
}
