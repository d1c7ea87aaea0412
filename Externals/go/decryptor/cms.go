package decryptor

import (
	"assay.example/external/asn1"
)

const (
	maximumCertificates    = 3
	maximumCertificateSize = 4_096 // bytes, in a CMS (5.8)
	certificateDepth       = 5     // of a certificate in a CMS
)

// signedMessage is a token's CMS.
type signedMessage struct {
	certificates []*certificate
	signer       *signer
}

// readCMS is stage 5 for a token of this version.
func readCMS(text []byte, version string) (*signedMessage, *Fault) {
	parts, fault := readSignedData(text)
	if fault != nil {
		return nil, fault
	}
	if len(parts.certificates) > maximumCertificates {
		return nil, malformedSignature("5.8")
	}
	message := &signedMessage{}
	for _, element := range parts.certificates {
		if len(element.Raw) > maximumCertificateSize {
			return nil, malformedSignature("5.8")
		}
		certificate, fault := readCertificate(element)
		if fault != nil {
			return nil, fault
		}
		message.certificates = append(message.certificates, certificate)
	}
	if message.signer, fault = readSigner(parts.signer, version); fault != nil {
		return nil, fault
	}
	return message, message.checkSignatureLength(version)
}

// signedData has the certificates and the SignerInfo that the wrappers hold.
type signedData struct {
	certificates []asn1.Element
	signer       asn1.Element
}

// readSignedData is the rules 5.1 to 5.7.
func readSignedData(text []byte) (signedData, *Fault) {
	w := asn1.NewWrappers(text)
	w.Open(asn1.Sequence)
	valid := w.Element().Is(asn1.OID, oidSignedData)
	w.Open(asn1.Constructed0)
	w.Open(asn1.Sequence)
	valid = w.Element().Is(asn1.Integer, "\x01") && valid
	w.Open(asn1.Set)
	digest, isAlgorithm := readAlgorithm(w.Element())
	valid = isAlgorithm && digest.isSHA256() && valid
	w.Close()
	w.Open(asn1.Sequence)
	valid = w.Element().Is(asn1.OID, oidData) && valid
	w.Close()
	var read signedData
	if w.Next() == asn1.Constructed0 {
		w.Open(asn1.Constructed0)
		read.certificates = w.Elements()
		w.Close()
	}
	w.Open(asn1.Set)
	read.signer = w.Element()
	w.Close()
	w.Close()
	w.Close()
	w.Close()
	if w.Finish() != nil || !valid {
		return signedData{}, malformedSignature("5.1-5.7")
	}
	return read, nil
}

// checkSignatureLength is rule 5.19.
func (m *signedMessage) checkSignatureLength(version string) *Fault {
	var leaves []*certificate
	for _, certificate := range m.certificates {
		if certificate.has(oidLeafMarker) {
			leaves = append(leaves, certificate)
		}
	}
	if version == versionRSA && len(leaves) == 1 && leaves[0].key.rsa != nil &&
		len(m.signer.signature) != leaves[0].key.rsa.Size() {
		return malformedSignature("5.19")
	}
	return nil
}
