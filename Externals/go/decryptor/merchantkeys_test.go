package decryptor

import (
	"bytes"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"testing"
)

func TestKeysOfMerchants(t *testing.T) {
	key, other := newKey(t, elliptic.P256()), newKey(t, elliptic.P256())
	certificate := certify(t, key, "one")
	type pair struct{ certificate, merchantID string }
	for name, test := range map[string]struct {
		loaded []pair
		valid  bool
	}{
		"a certificate":                      {[]pair{{certificate, ""}}, true},
		"a merchant ID":                      {[]pair{{"", "one"}}, true},
		"both":                               {[]pair{{certificate, "one"}}, true},
		"twice":                              {[]pair{{certificate, ""}, {"", "one"}}, true},
		"neither":                            {[]pair{{"", ""}}, false},
		"neither, after a certificate":       {[]pair{{certificate, ""}, {"", ""}}, true},
		"two that contradict each other":     {[]pair{{certificate, "two"}}, false},
		"another merchant later":             {[]pair{{certificate, ""}, {"", "two"}}, false},
		"the certificate of another key":     {[]pair{{certify(t, other, "one"), ""}}, false},
		"two certificates in one text":       {[]pair{{certificate + certificate, ""}}, false},
		"a text that holds no certificate":   {[]pair{{"certificate", "one"}}, false},
		"a certificate with a broken length": {[]pair{{certificate[:200] + certificate[400:], "one"}}, false},
	} {
		keys := merchantKeys{}
		var err error
		for _, pair := range test.loaded {
			if err == nil {
				err = keys.add(given(t, key, pair.certificate, pair.merchantID))
			}
		}
		if (err == nil) != test.valid {
			t.Errorf("%s: %v", name, err)
		}
		hash := sha256.Sum256([]byte("one"))
		if test.valid {
			found, fault := keys.find(given(t, key, "", "").PublicKeyHash, versionEC)
			if fault != nil || !bytes.Equal(found.merchantHash, hash[:]) {
				t.Errorf("%s: the key is not found with its merchant", name)
			}
		}
	}
}

func TestKeysAreOfAVersion(t *testing.T) {
	keys := merchantKeys{}
	ec, wrapping := newKey(t, elliptic.P256()), newRSAKey(t, 2048)
	if keys.add(given(t, ec, "", "one")) != nil || keys.add(given(t, wrapping, "", "")) != nil {
		t.Fatal("a key is refused")
	}
	ecHash, rsaHash := given(t, ec, "", "").PublicKeyHash, given(t, wrapping, "", "").PublicKeyHash
	for version, hashes := range map[string][2][]byte{versionEC: {ecHash, rsaHash}, versionRSA: {rsaHash, ecHash}} {
		if _, fault := keys.find(hashes[0], version); fault != nil {
			t.Errorf("%s: the key is not found", version)
		}
		if _, fault := keys.find(hashes[1], version); fault == nil || fault.Code != "unknownMerchantKey" {
			t.Errorf("%s: the key of the other version is found", version)
		}
	}
	if keys.add(given(t, newKey(t, elliptic.P384()), "", "one")) == nil {
		t.Error("a P-384 key is accepted")
	}
	if keys.add(given(t, newRSAKey(t, 1024), "", "")) == nil {
		t.Error("an RSA key of 1024 bits is accepted")
	}
}

func TestUnwrapping(t *testing.T) {
	private := newRSAKey(t, 2048)
	key := &merchantKey{rsa: private}
	wrap := func(text []byte) []byte {
		wrapped, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &private.PublicKey, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		return wrapped
	}
	secret := []byte("sixteen bytes...")
	wrapped := wrap(secret)
	if !bytes.Equal(key.unwrap(wrapped), secret) {
		t.Error("the key is not unwrapped")
	}
	for name, text := range map[string][]byte{
		"15 bytes": wrap(secret[:15]), "17 bytes": wrap(append(secret, 0)),
		"too short": wrapped[:255], "too long": append([]byte{0}, wrapped...),
		"the modulus": private.N.FillBytes(make([]byte, 256)), "zero": make([]byte, 256), "empty": nil,
	} {
		first, second := key.unwrap(text), key.unwrap(text)
		if len(first) != 16 || bytes.Equal(first, second) || bytes.Equal(first, secret) {
			t.Errorf("%s: not a random key", name)
		}
	}
}
