package decryptor

import (
	"bytes"
	"crypto"
)

// chain is the leaf and the intermediate of a token.
type chain struct {
	leaf, intermediate *certificate
}

const (
	usageDigitalSignature = 0 // bits of keyUsage
	usageCertificateSign  = 5
)

// findChain is stage 6.
func findChain(message *signedMessage, roots []*certificate) (chain, *Fault) {
	leaf, unique := only(message.certificates, oidLeafMarker)
	if !unique {
		return chain{}, fault("missingLeafMarker", 6, "", "6.1")
	}
	intermediate, unique := only(message.certificates, oidIntermediateMarker)
	if !unique || intermediate == leaf {
		return chain{}, fault("missingIntermediateMarker", 6, "", "6.2")
	}
	others := 0
	for _, certificate := range message.certificates {
		if certificate == leaf || certificate == intermediate {
			continue
		}
		if others++; others > 1 || !contains(roots, certificate) {
			return chain{}, fault("unexpectedCertificate", 6, "", "6.3")
		}
	}
	if !message.signer.names(leaf) {
		return chain{}, fault("signerMismatch", 6, "", "6.4")
	}
	return chain{leaf, intermediate}, nil
}

// only returns the one certificate with this extension.
func only(certificates []*certificate, oid string) (found *certificate, unique bool) {
	for _, certificate := range certificates {
		if certificate.has(oid) {
			found, unique = certificate, found == nil
			if !unique {
				break
			}
		}
	}
	return found, unique
}

func contains(roots []*certificate, certificate *certificate) bool {
	for _, root := range roots {
		if bytes.Equal(root.raw, certificate.raw) {
			return true
		}
	}
	return false
}

// verify is stage 7.
func (c chain) verify(version string, roots []*certificate, revoked map[[32]byte]bool, at int64) *Fault {
	if !c.isTrusted(version, roots) {
		return fault("untrustedChain", 7, "", "7.1-7.5")
	}
	if c.leaf.isRevoked(revoked) || c.intermediate.isRevoked(revoked) {
		return fault("certificateRevoked", 7, "", "7.6")
	}
	for _, certificate := range []*certificate{c.leaf, c.intermediate} {
		if at > certificate.notAfter {
			return fault("certificateExpired", 7, "", "7.7")
		}
		if at < certificate.notBefore {
			return fault("certificateNotYetValid", 7, "", "7.7")
		}
	}
	return nil
}

func (c chain) isTrusted(version string, roots []*certificate) bool {
	if !c.leafMayEndChain(version) || !c.intermediate.mayIssue() || !c.intermediate.issued(c.leaf) {
		return false
	}
	for _, root := range roots {
		if root.mayIssue() && !root.constraints.noPath && root.issued(c.intermediate) {
			return true
		}
	}
	return false
}

// leafMayEndChain is the rules 7.4 and 7.5.
func (c chain) leafMayEndChain(version string) bool {
	return !c.leaf.constraints.isAuthority && c.leaf.allows(usageDigitalSignature) && c.leaf.onlyKnownCritical() &&
		c.leaf.key.signsTokens(version)
}

// mayIssue is the rules 7.3, except the root's pathLenConstraint, and 7.5.
func (c *certificate) mayIssue() bool {
	return c.constraints.isAuthority && c.allows(usageCertificateSign) && c.onlyKnownCritical()
}

// issued is rule 7.2.
func (c *certificate) issued(subject *certificate) bool {
	if !bytes.Equal(c.subject, subject.issuer) {
		return false
	}
	switch algorithm := subject.algorithm; {
	case algorithm.oid == oidECDSAWithSHA256 && algorithm.parameters == nil:
		return c.key.verifiesECDSA(crypto.SHA256, subject.signedBytes, subject.signature)
	case algorithm.oid == oidECDSAWithSHA384 && algorithm.parameters == nil:
		return c.key.verifiesECDSA(crypto.SHA384, subject.signedBytes, subject.signature)
	case algorithm.oid == oidSHA256WithRSA && algorithm.nullOrAbsent():
		return c.key.verifiesRSA(crypto.SHA256, subject.signedBytes, subject.signature)
	case algorithm.oid == oidSHA384WithRSA && algorithm.nullOrAbsent():
		return c.key.verifiesRSA(crypto.SHA384, subject.signedBytes, subject.signature)
	}
	return false
}
