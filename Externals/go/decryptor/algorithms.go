package decryptor

import (
	"assay.example/external/asn1"
)

var (
	oidSignedData             = asn1.Identifier("1.2.840.113549.1.7.2")
	oidData                   = asn1.Identifier("1.2.840.113549.1.7.1")
	oidContentType            = asn1.Identifier("1.2.840.113549.1.9.3")
	oidMessageDigest          = asn1.Identifier("1.2.840.113549.1.9.4")
	oidSigningTime            = asn1.Identifier("1.2.840.113549.1.9.5")
	oidAlgorithmProtection    = asn1.Identifier("1.2.840.113549.1.9.52")
	oidSHA256                 = asn1.Identifier("2.16.840.1.101.3.4.2.1")
	oidECDSAWithSHA256        = asn1.Identifier("1.2.840.10045.4.3.2")
	oidECDSAWithSHA384        = asn1.Identifier("1.2.840.10045.4.3.3")
	oidRSAEncryption          = asn1.Identifier("1.2.840.113549.1.1.1")
	oidSHA256WithRSA          = asn1.Identifier("1.2.840.113549.1.1.11")
	oidSHA384WithRSA          = asn1.Identifier("1.2.840.113549.1.1.12")
	oidECPublicKey            = asn1.Identifier("1.2.840.10045.2.1")
	oidP256                   = asn1.Identifier("1.2.840.10045.3.1.7")
	oidP384                   = asn1.Identifier("1.3.132.0.34")
	oidBasicConstraints       = asn1.Identifier("2.5.29.19")
	oidKeyUsage               = asn1.Identifier("2.5.29.15")
	oidSubjectKeyIdentifier   = asn1.Identifier("2.5.29.14")
	oidLeafMarker             = asn1.Identifier("1.2.840.113635.100.6.29")
	oidIntermediateMarker     = asn1.Identifier("1.2.840.113635.100.6.2.14")
	oidMerchantIdentifierHash = asn1.Identifier("1.2.840.113635.100.6.32")
)

// algorithm is an AlgorithmIdentifier (5.10).
type algorithm struct {
	oid        string
	parameters *asn1.Element // nil if absent
}

func readAlgorithm(element asn1.Element) (algorithm, bool) {
	fields, err := element.Fields(asn1.Sequence, 1, 2)
	if err != nil {
		return algorithm{}, false
	}
	return algorithmOf(fields)
}

// algorithmOf reads the contents of an AlgorithmIdentifier.
func algorithmOf(fields []asn1.Element) (algorithm, bool) {
	if len(fields) < 1 || len(fields) > 2 || fields[0].Tag != asn1.OID {
		return algorithm{}, false
	}
	read := algorithm{oid: string(fields[0].Content)}
	if len(fields) == 2 {
		read.parameters = &fields[1]
	}
	return read, true
}

// nullOrAbsent says whether the parameters are NULL or absent, as the rules allow for SHA-256 and RSA.
func (a algorithm) nullOrAbsent() bool {
	return a.parameters == nil || a.parameters.Tag == asn1.Null
}

func (a algorithm) isSHA256() bool {
	return a.oid == oidSHA256 && a.nullOrAbsent()
}

// signs says whether a SignerInfo of a token of this version may have this signature algorithm.
func (a algorithm) signs(version string) bool {
	if version == versionEC {
		return a.oid == oidECDSAWithSHA256 && a.parameters == nil
	}
	return (a.oid == oidRSAEncryption || a.oid == oidSHA256WithRSA) && a.nullOrAbsent()
}
