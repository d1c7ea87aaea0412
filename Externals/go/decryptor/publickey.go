package decryptor

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	_ "crypto/sha256" // crypto.SHA256
	_ "crypto/sha512" // crypto.SHA384
	"math/big"

	"assay.example/external/asn1"
)

const (
	minimumModulusBits = 2_048 // of keys that verify (7.2, 7.4)
	maximumModulusBits = 4_096 // 5.16
	publicExponent     = 65_537
)

// publicKey is the key of a certificate: one of the two, or none if it is of a kind that verifies nothing.
type publicKey struct {
	ec  *ecdsa.PublicKey
	rsa *rsa.PublicKey
}

// readPublicKey is rule 5.16.
func readPublicKey(information asn1.Element) (publicKey, bool) {
	fields, err := information.Fields(asn1.Sequence, 2, 2)
	if err != nil {
		return publicKey{}, false
	}
	algorithm, isAlgorithm := readAlgorithm(fields[0])
	key, err := fields[1].WholeBytes()
	if err != nil || !isAlgorithm {
		return publicKey{}, false
	}
	switch algorithm.oid {
	case oidECPublicKey:
		return readECKey(algorithm.parameters, key)
	case oidRSAEncryption:
		if algorithm.parameters == nil || algorithm.parameters.Tag != asn1.Null {
			return publicKey{}, false
		}
		return readRSAKey(key)
	}
	return publicKey{}, true
}

func readECKey(parameters *asn1.Element, key []byte) (publicKey, bool) {
	if parameters == nil || parameters.Tag != asn1.OID {
		return publicKey{}, false
	}
	var curve elliptic.Curve
	switch string(parameters.Content) {
	case oidP256:
		curve = elliptic.P256()
	case oidP384:
		curve = elliptic.P384()
	default:
		return publicKey{}, true
	}
	x, y, valid := readPoint(curve, key)
	return publicKey{ec: &ecdsa.PublicKey{Curve: curve, X: x, Y: y}}, valid
}

// readPoint reads 04 ‖ x ‖ y with x and y below p, of a point on the curve.
func readPoint(curve elliptic.Curve, text []byte) (x, y *big.Int, valid bool) {
	size := (curve.Params().BitSize + 7) / 8
	if len(text) != 1+2*size || text[0] != 4 {
		return nil, nil, false
	}
	x, y = new(big.Int).SetBytes(text[1:1+size]), new(big.Int).SetBytes(text[1+size:])
	p := curve.Params().P
	return x, y, x.Cmp(p) < 0 && y.Cmp(p) < 0 && curve.IsOnCurve(x, y)
}

func readRSAKey(key []byte) (publicKey, bool) {
	sequence, err := asn1.Parse(key, 1)
	if err != nil {
		return publicKey{}, false
	}
	numbers, err := sequence.Fields(asn1.Sequence, 2, 2)
	if err != nil {
		return publicKey{}, false
	}
	modulus, err := numbers[0].NonNegative()
	if err != nil || modulus.Bit(0) == 0 || modulus.BitLen() > maximumModulusBits {
		return publicKey{}, false
	}
	exponent, err := numbers[1].NonNegative()
	if err != nil || !exponent.IsInt64() || exponent.Int64() != publicExponent {
		return publicKey{}, false
	}
	return publicKey{rsa: &rsa.PublicKey{N: modulus, E: publicExponent}}, true
}

// signsTokens is the part of rule 7.4 about the leaf's key.
func (k publicKey) signsTokens(version string) bool {
	if version == versionEC {
		return k.ec != nil && k.ec.Curve == elliptic.P256()
	}
	return k.rsa != nil && k.rsa.N.BitLen() >= minimumModulusBits
}

// verifiesECDSA is rule 8.3.
func (k publicKey) verifiesECDSA(hash crypto.Hash, signed, signature []byte) bool {
	if k.ec == nil {
		return false
	}
	sequence, err := asn1.Parse(signature, 1)
	if err != nil {
		return false
	}
	numbers, err := sequence.Fields(asn1.Sequence, 2, 2)
	if err != nil {
		return false
	}
	r, rErr := numbers[0].NonNegative()
	s, sErr := numbers[1].NonNegative()
	order := k.ec.Params().N
	if rErr != nil || sErr != nil || r.Sign() == 0 || s.Sign() == 0 || r.Cmp(order) >= 0 || s.Cmp(order) >= 0 {
		return false
	}
	return ecdsa.Verify(k.ec, digest(hash, signed), r, s)
}

// verifiesRSA is rule 8.4.
func (k publicKey) verifiesRSA(hash crypto.Hash, signed, signature []byte) bool {
	if k.rsa == nil || k.rsa.N.BitLen() < minimumModulusBits || len(signature) != k.rsa.Size() {
		return false
	}
	return new(big.Int).SetBytes(signature).Cmp(k.rsa.N) < 0 &&
		rsa.VerifyPKCS1v15(k.rsa, hash, digest(hash, signed), signature) == nil
}

func digest(hash crypto.Hash, text []byte) []byte {
	function := hash.New()
	function.Write(text)
	return function.Sum(nil)
}
