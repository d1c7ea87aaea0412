package decryptor

import (
	"bytes"

	"assay.example/external/asn1"
)

// signer is a SignerInfo (5.9).
type signer struct {
	issuer        []byte // the whole Name; nil if a key identifier names the certificate
	serial        []byte
	keyIdentifier []byte
	algorithm     algorithm
	signature     []byte

	signedBytes   []byte // the attributes, with the tag of SET OF
	messageDigest []byte
	signingTime   int64 // seconds since 1970
}

func readSigner(element asn1.Element, version string) (*signer, *Fault) {
	fields, err := element.Fields(asn1.Sequence, 6, 6)
	if err != nil {
		return nil, malformedSignature("5.9")
	}
	s := &signer{signature: fields[5].Content}
	digest, isAlgorithm := readAlgorithm(fields[2])
	if !s.readIdentifier(fields[0], fields[1]) || !isAlgorithm || !digest.isSHA256() ||
		fields[3].Tag != asn1.Constructed0 || fields[5].Tag != asn1.OctetString {
		return nil, malformedSignature("5.9")
	}
	if s.algorithm, isAlgorithm = readAlgorithm(fields[4]); !isAlgorithm || !s.algorithm.signs(version) {
		return nil, malformedSignature("5.10")
	}
	s.signedBytes = append([]byte{asn1.Set}, fields[3].Raw[1:]...)
	return s, s.readAttributes(fields[3].Children, version)
}

// readIdentifier reads the version and the signer identifier that goes with it.
func (s *signer) readIdentifier(version, identifier asn1.Element) bool {
	if version.Is(asn1.Integer, "\x03") {
		s.keyIdentifier = identifier.Content
		return identifier.Tag == asn1.Context0
	}
	fields, err := identifier.Fields(asn1.Sequence, 2, 2)
	if err != nil || !version.Is(asn1.Integer, "\x01") || !isName(fields[0]) || fields[1].Tag != asn1.Integer {
		return false
	}
	s.issuer, s.serial = fields[0].Raw, fields[1].Raw
	return true
}

// names says whether this is the signer's certificate (6.4).
func (s *signer) names(leaf *certificate) bool {
	if s.issuer != nil {
		return bytes.Equal(s.issuer, leaf.issuer) && bytes.Equal(s.serial, leaf.serial)
	}
	return leaf.keyIdentifier != nil && bytes.Equal(s.keyIdentifier, leaf.keyIdentifier)
}

// readAttributes is rule 5.11.
func (s *signer) readAttributes(attributes []asn1.Element, version string) *Fault {
	values := map[string][]asn1.Element{} // of all attributes of a type
	count := map[string]int{}
	for _, attribute := range attributes {
		fields, err := attribute.Fields(asn1.Sequence, 2, 2)
		if err != nil || fields[0].Tag != asn1.OID || fields[1].Tag != asn1.Set {
			return malformedSignature("5.11")
		}
		oid := string(fields[0].Content)
		values[oid] = append(values[oid], fields[1].Children...)
		count[oid]++
	}
	for _, oid := range []string{oidContentType, oidMessageDigest, oidSigningTime} {
		if count[oid] != 1 || len(values[oid]) != 1 {
			return malformedSignature("5.11")
		}
	}
	digest := values[oidMessageDigest][0]
	if !values[oidContentType][0].Is(asn1.OID, oidData) || digest.Tag != asn1.OctetString || len(digest.Content) != 32 {
		return malformedSignature("5.11")
	}
	s.messageDigest = digest.Content
	var err error
	if s.signingTime, err = values[oidSigningTime][0].Time(); err != nil {
		return malformedSignature("5.12")
	}
	if count[oidAlgorithmProtection] == 0 {
		return nil
	}
	protection := values[oidAlgorithmProtection]
	if count[oidAlgorithmProtection] > 1 || len(protection) != 1 || !s.isProtection(protection[0], version) {
		return malformedSignature("5.11")
	}
	return nil
}

// isProtection checks the value of cmsAlgorithmProtection.
func (s *signer) isProtection(value asn1.Element, version string) bool {
	fields, err := value.Fields(asn1.Sequence, 2, 2)
	if err != nil || fields[1].Tag != asn1.Constructed1 {
		return false
	}
	digest, isDigest := readAlgorithm(fields[0])
	signature, isSignature := algorithmOf(fields[1].Children)
	return isDigest && digest.isSHA256() && isSignature && signature.signs(version) && signature.oid == s.algorithm.oid
}
