package decryptor

import (
	"crypto/sha256"

	"assay.example/external/asn1"
)

// certificate has the parts of a certificate that the rules use.
type certificate struct {
	raw             []byte
	serial          []byte // the whole INTEGER
	algorithm       algorithm
	issuer, subject []byte // the whole Names
	notBefore       int64  // seconds since 1970, like notAfter
	notAfter        int64
	keyInformation  []byte // the whole SubjectPublicKeyInfo
	key             publicKey
	extensions      map[string]extension // by their OIDs
	signedBytes     []byte               // tbsCertificate
	signature       []byte
	constraints     basicConstraints
	keyUsage        []byte // the contents of the BIT STRING; nil if absent
	keyIdentifier   []byte // nil if absent
}

type extension struct {
	critical bool
	value    []byte
}

// basicConstraints is the extension of this name, or what its absence means.
type basicConstraints struct {
	isAuthority bool
	noPath      bool // pathLenConstraint is 0
}

// readPinned reads a root's or a merchant's certificate.
func readPinned(der []byte) (*certificate, *Fault) {
	const maximum = 65_536 // bytes
	element, err := asn1.Parse(der, certificateDepth)
	if err != nil || len(der) > maximum {
		return nil, malformedSignature("5.1-5.5")
	}
	return readCertificate(element)
}

// readCertificate is the rules 5.13 to 5.18.
func readCertificate(element asn1.Element) (*certificate, *Fault) {
	outer, err := element.Fields(asn1.Sequence, 3, 3)
	if err != nil {
		return nil, malformedSignature("5.13")
	}
	c := &certificate{raw: element.Raw, signedBytes: outer[0].Raw}
	var isAlgorithm bool
	c.algorithm, isAlgorithm = readAlgorithm(outer[1])
	if c.signature, err = outer[2].WholeBytes(); err != nil || !isAlgorithm {
		return nil, malformedSignature("5.13")
	}
	fields, err := outer[0].Fields(asn1.Sequence, 7, 8)
	if err != nil || string(fields[2].Raw) != string(outer[1].Raw) {
		return nil, malformedSignature("5.13")
	}
	if fault := c.readFields(fields); fault != nil {
		return nil, fault
	}
	c.extensions = map[string]extension{}
	if len(fields) == 8 && !c.readExtensions(fields[7]) {
		return nil, malformedSignature("5.15")
	}
	if !c.readKnownExtensions() {
		return nil, malformedSignature("5.17")
	}
	return c, nil
}

// readFields reads tbsCertificate up to the extensions.
func (c *certificate) readFields(fields []asn1.Element) *Fault {
	version, err := fields[0].Fields(asn1.Constructed0, 1, 1)
	if err != nil || !version[0].Is(asn1.Integer, "\x02") || fields[1].Tag != asn1.Integer {
		return malformedSignature("5.13")
	}
	if !isName(fields[3]) || !isName(fields[5]) {
		return malformedSignature("5.14")
	}
	validity, err := fields[4].Fields(asn1.Sequence, 2, 2)
	if err != nil {
		return malformedSignature("5.13")
	}
	if c.notBefore, err = validity[0].Time(); err != nil {
		return malformedSignature("5.12")
	}
	if c.notAfter, err = validity[1].Time(); err != nil {
		return malformedSignature("5.12")
	}
	var valid bool
	if c.key, valid = readPublicKey(fields[6]); !valid {
		return malformedSignature("5.16")
	}
	c.serial, c.issuer, c.subject, c.keyInformation = fields[1].Raw, fields[3].Raw, fields[5].Raw, fields[6].Raw
	return nil
}

// isName is rule 5.14.
func isName(element asn1.Element) bool {
	if element.Tag != asn1.Sequence {
		return false
	}
	for _, relative := range element.Children {
		if relative.Tag != asn1.Set || len(relative.Children) == 0 {
			return false
		}
		for _, attribute := range relative.Children {
			fields, err := attribute.Fields(asn1.Sequence, 2, 2)
			if err != nil || fields[0].Tag != asn1.OID {
				return false
			}
		}
	}
	return true
}

// readExtensions is rule 5.15.
func (c *certificate) readExtensions(element asn1.Element) bool {
	holder, err := element.Fields(asn1.Constructed3, 1, 1)
	if err != nil || holder[0].Tag != asn1.Sequence || len(holder[0].Children) == 0 {
		return false
	}
	for _, child := range holder[0].Children {
		fields, err := child.Fields(asn1.Sequence, 2, 3)
		if err != nil || fields[0].Tag != asn1.OID || fields[len(fields)-1].Tag != asn1.OctetString {
			return false
		}
		if len(fields) == 3 && fields[1].Tag != asn1.Boolean || c.has(string(fields[0].Content)) {
			return false
		}
		critical := len(fields) == 3 && fields[1].Content[0] != 0
		c.extensions[string(fields[0].Content)] = extension{critical, fields[len(fields)-1].Content}
	}
	return true
}

func (c *certificate) has(oid string) bool {
	_, found := c.extensions[oid]
	return found
}

// readKnownExtensions is rule 5.17.
func (c *certificate) readKnownExtensions() bool {
	if found, present := c.extensions[oidBasicConstraints]; present && !c.constraints.read(found.value) {
		return false
	}
	if found, present := c.extensions[oidKeyUsage]; present {
		usage, err := asn1.Parse(found.value, 1)
		if err != nil || usage.Tag != asn1.BitString {
			return false
		}
		c.keyUsage = usage.Content
	}
	if found, present := c.extensions[oidSubjectKeyIdentifier]; present {
		identifier, err := asn1.Parse(found.value, 1)
		if err != nil || identifier.Tag != asn1.OctetString {
			return false
		}
		c.keyIdentifier = identifier.Content
	}
	return true
}

func (b *basicConstraints) read(value []byte) bool {
	element, err := asn1.Parse(value, 1)
	if err != nil {
		return false
	}
	fields, err := element.Fields(asn1.Sequence, 0, 2)
	if err != nil {
		return false
	}
	if len(fields) > 0 && fields[0].Tag == asn1.Boolean {
		b.isAuthority = fields[0].Content[0] != 0
		fields = fields[1:]
	}
	if len(fields) == 0 {
		return true
	}
	length, err := fields[0].NonNegative()
	if err != nil || len(fields) > 1 {
		return false
	}
	b.noPath = length.Sign() == 0
	return true
}

// allows says whether keyUsage is absent or has this bit.
func (c *certificate) allows(bit int) bool {
	if c.keyUsage == nil {
		return true
	}
	at := 1 + bit/8 // the first byte counts unused bits
	return at < len(c.keyUsage) && c.keyUsage[at]&(0x80>>(bit%8)) != 0
}

// onlyKnownCritical is rule 7.5.
func (c *certificate) onlyKnownCritical() bool {
	for oid, extension := range c.extensions {
		known := oid == oidBasicConstraints || oid == oidKeyUsage || oid == oidLeafMarker || oid == oidIntermediateMarker
		if extension.critical && !known {
			return false
		}
	}
	return true
}

// isRevoked is rule 7.6.
func (c *certificate) isRevoked(revoked map[[32]byte]bool) bool {
	return revoked[sha256.Sum256(c.raw)] || revoked[sha256.Sum256(c.keyInformation)]
}
