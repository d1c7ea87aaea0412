package decryptor

import (
	"strings"

	"assay.example/external/strict"
)

const (
	maximumToken   = 16_384 // bytes (1.1)
	maximumMembers = 64     // of an object (2.5, 13.1)

	versionEC  = "EC_v1"
	versionRSA = "RSA_v1"
)

// Members by their paths, as faults name them.
const (
	memberVersion            = "version"
	memberData               = "data"
	memberSignature          = "signature"
	memberHeader             = "header"
	memberEphemeralPublicKey = "header.ephemeralPublicKey"
	memberWrappedKey         = "header.wrappedKey"
	memberPublicKeyHash      = "header.publicKeyHash"
	memberTransactionID      = "header.transactionId"
	memberApplicationData    = "header.applicationData"
)

var knownMembers = map[string]bool{
	memberVersion: true, memberData: true, memberSignature: true, memberHeader: true, memberEphemeralPublicKey: true,
	memberWrappedKey: true, memberPublicKeyHash: true, memberTransactionID: true, memberApplicationData: true,
}

// members are a token's values by path.
type members map[string]*strict.Value

// token is the result of the stages 1 to 4. Absent members are nil.
type token struct {
	version         string
	signed          bool
	data            []byte
	signature       []byte
	keyMember       []byte // ephemeralPublicKey or wrappedKey
	publicKeyHash   []byte
	transactionID   []byte
	applicationData []byte
}

func fault(code string, stage int, member, rule string) *Fault {
	return &Fault{code, stage, member, rule}
}

// readToken is the stages 1 to 4 for a token that comes as a whole.
func readToken(text []byte) (*token, *Fault) {
	if len(text) > maximumToken {
		return nil, fault("tokenTooLarge", 1, "", "1.1")
	}
	found, refused := readMembers(text)
	if refused == nil {
		refused = checkShape(found)
	}
	if refused != nil {
		return nil, refused
	}
	return decode(found, &token{version: found[memberVersion].String, signed: true})
}

// readParts is the stages 1 to 4 for a token in parts; text is the object that holds them.
func readParts(text []byte, parts members, policy *Policy) (*token, *Fault) {
	if len(text) > maximumToken {
		return nil, fault("tokenTooLarge", 1, "", "1.1")
	}
	signed := !policy.Unsigned || parts[memberSignature] != nil
	required := []string{memberData, memberSignature, memberPublicKeyHash, memberTransactionID, memberEphemeralPublicKey}
	if !signed {
		required = []string{memberData, memberPublicKeyHash, memberEphemeralPublicKey}
		delete(parts, memberTransactionID)
		delete(parts, memberApplicationData)
	}
	if !signed && policy.Replay {
		required = []string{memberData, memberPublicKeyHash, memberTransactionID}
	}
	for _, member := range required {
		if refused := requireString(parts, member, "0.8"); refused != nil {
			return nil, refused
		}
	}
	if refused := allowString(parts, memberApplicationData); refused != nil {
		return nil, refused
	}
	return decode(parts, &token{version: versionEC, signed: signed})
}

// readMembers is stage 2.
func readMembers(text []byte) (members, *Fault) {
	document, err := strict.ReadObject(text)
	if err != nil {
		return nil, fault("malformedJSON", 2, "", "2.1-2.4")
	}
	headers := document.All(memberHeader)
	for _, object := range append([]*strict.Value{document}, headers...) {
		if len(object.Members) > maximumMembers {
			return nil, fault("malformedJSON", 2, "", "2.5")
		}
	}
	if refused := checkRepetitions(document, headers); refused != nil {
		return nil, refused
	}
	found := members{}
	for member := range knownMembers {
		if name := strings.TrimPrefix(member, memberHeader+"."); name == member {
			found[member] = document.Get(member)
		} else if len(headers) > 0 {
			found[member] = headers[0].Get(name)
		}
	}
	return found, nil
}

// checkRepetitions is rule 2.6.
func checkRepetitions(document *strict.Value, headers []*strict.Value) *Fault {
	prefix := ""
	first := document.Repetition()
	for _, header := range headers {
		if repetition := header.Repetition(); repetition != nil && (first == nil || repetition.NameAt < first.NameAt) {
			first, prefix = repetition, memberHeader+"."
		}
	}
	if first == nil {
		return nil
	}
	member := prefix + first.Name
	if !knownMembers[member] || prefix == "" && strings.Contains(member, ".") {
		member = ""
	}
	return fault("duplicateMember", 2, member, "2.6")
}

// checkShape is stage 3.
func checkShape(found members) *Fault {
	for _, member := range []string{memberVersion, memberData, memberSignature} {
		if refused := requireString(found, member, "3.1"); refused != nil {
			return refused
		}
	}
	if found[memberHeader] == nil {
		return fault("missingMember", 3, memberHeader, "3.1")
	} else if found[memberHeader].Kind != strict.Object {
		return fault("wrongType", 3, memberHeader, "3.1")
	}
	for _, member := range []string{memberPublicKeyHash, memberTransactionID} {
		if refused := requireString(found, member, "3.1"); refused != nil {
			return refused
		}
	}
	version := found[memberVersion].String
	if version != versionEC && version != versionRSA {
		return fault("unsupportedVersion", 3, memberVersion, "3.2")
	}
	own, other := keyMembers(version)
	if refused := requireString(found, own, "3.3"); refused != nil {
		return refused
	}
	if found[other] != nil {
		return fault("conflictingMembers", 3, other, "3.3")
	}
	return allowString(found, memberApplicationData)
}

// keyMembers returns the key member of a version and that of the other.
func keyMembers(version string) (own, other string) {
	if version == versionEC {
		return memberEphemeralPublicKey, memberWrappedKey
	}
	return memberWrappedKey, memberEphemeralPublicKey
}

func requireString(found members, member, rule string) *Fault {
	if found[member] == nil {
		return fault("missingMember", 3, member, rule)
	}
	return allowString(found, member)
}

func allowString(found members, member string) *Fault {
	if value := found[member]; value != nil && value.Kind != strict.String {
		return fault("wrongType", 3, member, "3.1-3.4")
	}
	return nil
}

// encoding is a row of 4.3.
type encoding struct {
	member      string
	decode      func(string) ([]byte, bool)
	code, rule  string
	least, most int
	into        *[]byte
}

// decode is stage 4 for the members that are present.
func decode(found members, into *token) (*token, *Fault) {
	const unlimited = maximumToken
	keyMember, keyLeast, keyMost := memberEphemeralPublicKey, 91, 91
	if into.version == versionRSA {
		keyMember, keyLeast, keyMost = memberWrappedKey, 256, 512
	}
	base64 := func(member string, least, most int, into *[]byte) encoding {
		return encoding{member, strict.Base64, "invalidBase64", "4.1", least, most, into}
	}
	hex := func(member string, into *[]byte) encoding {
		return encoding{member, strict.Hex, "invalidHex", "4.2", 32, 32, into}
	}
	for _, row := range []encoding{
		base64(memberData, 17, unlimited, &into.data),
		base64(memberSignature, 1, unlimited, &into.signature),
		base64(keyMember, keyLeast, keyMost, &into.keyMember),
		base64(memberPublicKeyHash, 32, 32, &into.publicKeyHash),
		hex(memberTransactionID, &into.transactionID),
		hex(memberApplicationData, &into.applicationData),
	} {
		value := found[row.member]
		if value == nil {
			continue
		}
		decoded, valid := row.decode(value.String)
		if !valid {
			return nil, fault(row.code, 4, row.member, row.rule)
		}
		if len(decoded) < row.least || len(decoded) > row.most {
			return nil, fault("invalidLength", 4, row.member, "4.3")
		}
		*row.into = decoded
	}
	return into, nil
}
