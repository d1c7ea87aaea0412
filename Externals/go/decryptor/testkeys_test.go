package decryptor

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"

	"assay.example/external/frame"
)

func newKey(t *testing.T, curve elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// given is a key as the frame hands it over.
func given(t *testing.T, private crypto.Signer, certificate, merchantID string) *frame.Key {
	t.Helper()
	information, err := x509.MarshalPKIXPublicKey(private.Public())
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(information)
	return &frame.Key{Private: private, PublicKeyHash: hash[:], CertificatePEM: certificate, MerchantID: merchantID}
}

// certify makes a certificate that holds the hash of a merchant ID.
func certify(t *testing.T, key *ecdsa.PrivateKey, merchantID string) string {
	t.Helper()
	hash := sha256.Sum256([]byte(merchantID))
	value := append([]byte{0x0C, 0x40}, strings.ToUpper(hex.EncodeToString(hash[:]))...)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1, 0),
		ExtraExtensions: []pkix.Extension{{Id: []int{1, 2, 840, 113635, 100, 6, 32}, Value: value}},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// newRSAKey is fast: nothing here verifies with it.
func newRSAKey(t *testing.T, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
