package decryptor

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"

	"assay.example/external/asn1"
	"assay.example/external/frame"
	"assay.example/external/strict"
)

// merchantKey decrypts tokens. One of the two private keys is set.
type merchantKey struct {
	ec           *ecdsa.PrivateKey
	rsa          *rsa.PrivateKey
	merchantHash []byte // SHA-256 of the merchant ID; RSA_v1 does not need it
}

func (k *merchantKey) version() string {
	if k.ec != nil {
		return versionEC
	}
	return versionRSA
}

// merchantKeys are the loaded keys by publicKeyHash.
type merchantKeys map[string]*merchantKey

// find is rule 10.1.
func (k merchantKeys) find(publicKeyHash []byte, version string) (*merchantKey, *Fault) {
	key := k[string(publicKeyHash)]
	if key == nil || key.version() != version {
		return nil, fault("unknownMerchantKey", 10, "", "10.1")
	}
	return key, nil
}

// add loads a key. The merchant IDs of its certificate, of the caller, and of an earlier load of the key must agree.
func (k merchantKeys) add(given *frame.Key) error {
	key, err := readMerchantKey(given)
	if err != nil {
		return err
	}
	known := k[string(given.PublicKeyHash)]
	if known != nil {
		if known.merchantHash != nil && key.merchantHash != nil && !bytes.Equal(known.merchantHash, key.merchantHash) {
			return errors.New("the same key has another merchant ID")
		}
		if key.merchantHash == nil {
			key.merchantHash = known.merchantHash
		}
	}
	if key.ec != nil && key.merchantHash == nil {
		return errors.New("an EC key needs a merchant ID, or a certificate that holds its hash")
	}
	k[string(given.PublicKeyHash)] = key
	return nil
}

func readMerchantKey(given *frame.Key) (*merchantKey, error) {
	key := &merchantKey{}
	var public any
	switch private := given.Private.(type) {
	case *ecdsa.PrivateKey:
		key.ec, public = private, private.Public()
		if private.Curve != elliptic.P256() {
			return nil, errors.New("the curve of an EC key is not P-256")
		}
	case *rsa.PrivateKey:
		key.rsa, public = private, private.Public()
		if bits := private.N.BitLen(); bits < minimumModulusBits || bits > maximumModulusBits {
			return nil, errors.New("an RSA key has fewer than 2048 bits or more than 4096")
		}
	}
	if given.MerchantID != "" {
		hash := sha256.Sum256([]byte(given.MerchantID))
		key.merchantHash = hash[:]
	}
	if given.CertificatePEM == "" {
		return key, nil
	}
	information, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		return nil, err
	}
	certified, err := certifiedHash(given.CertificatePEM, information)
	if err != nil {
		return nil, err
	}
	if key.merchantHash != nil && certified != nil && !bytes.Equal(key.merchantHash, certified) {
		return nil, errors.New("the merchant ID is not that of the certificate")
	}
	if certified != nil {
		key.merchantHash = certified
	}
	return key, nil
}

// certifiedHash returns the merchant ID's hash in a certificate for this SubjectPublicKeyInfo: 64 hexadecimal digits in
// a UTF8String. It is nil if the certificate has no such extension.
func certifiedHash(text string, information []byte) ([]byte, error) {
	certificate, err := readCertificatePEM(text)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(certificate.keyInformation, information) {
		return nil, errors.New("the certificate is for another key")
	}
	if !certificate.has(oidMerchantIdentifierHash) {
		return nil, nil
	}
	element, err := asn1.Parse(certificate.extensions[oidMerchantIdentifierHash].value, 1)
	hash, valid := strict.Hex(string(element.Content))
	if err != nil || element.Tag != asn1.UTF8String || !valid || len(hash) != sha256.Size {
		return nil, errors.New("the merchant ID's hash in the certificate is malformed")
	}
	return hash, nil
}

// readCertificatePEM reads a text that is exactly one certificate in PEM.
func readCertificatePEM(text string) (*certificate, error) {
	block, rest := pem.Decode([]byte(text))
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, errors.New("not a certificate in PEM")
	}
	if another, _ := pem.Decode(rest); another != nil {
		return nil, errors.New("more than one certificate")
	}
	certificate, fault := readPinned(block.Bytes)
	if fault != nil {
		return nil, fault
	}
	return certificate, nil
}
