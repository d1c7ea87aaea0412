package decryptor

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"fmt"

	"assay.example/external/frame"
	"assay.example/external/strict"
)

// Decryptor verifies and decrypts tokens with the keys, roots and window of a session.
type Decryptor struct {
	keys   merchantKeys
	roots  []*certificate
	window *int64 // seconds; nil switches stage 9 off
}

// Policy is what a caller requires besides a valid signature.
type Policy struct {
	Envelope        string
	Unsigned        bool
	Currency        *string
	Amount          *int64
	ApplicationData []byte // nil if it is not expected
	Replay          bool
	Revoked         map[[32]byte]bool
}

// Seen is a store of transactionIds that has room for all (14.4).
type Seen map[string]bool

// Opened is an accepted token.
type Opened struct {
	Plaintext []byte
	Signed    bool
}

// New loads keys and roots. Its errors hold nothing of what was loaded.
func New(session *frame.Session) (*Decryptor, error) {
	d := &Decryptor{keys: merchantKeys{}, window: session.Window}
	for index, key := range session.Keys {
		if err := d.keys.add(key); err != nil {
			return nil, fmt.Errorf("keys[%d]: %w", index, err)
		}
	}
	for index, text := range session.RootsPEM {
		root, err := readCertificatePEM(text)
		if err != nil {
			return nil, fmt.Errorf("rootsPem[%d]: %w", index, err)
		}
		d.roots = append(d.roots, root)
	}
	return d, nil
}

// Decrypt runs the stages in their order. The verification time `at` is in seconds since 1970.
func (d *Decryptor) Decrypt(request []byte, at int64, policy *Policy, seen Seen) (*Opened, *Fault) {
	found, refused := extract(request, policy.Envelope)
	if refused != nil {
		return nil, refused
	}
	var token *token
	if found.parts != nil {
		token, refused = readParts(found.text, found.parts, policy)
	} else {
		token, refused = readToken(found.text)
	}
	if refused == nil && token.signed {
		refused = d.verify(token, at, policy)
	}
	if refused != nil {
		return nil, refused
	}
	plaintext, refused := d.open(token)
	if refused != nil {
		return nil, refused
	}
	payment, refused := readPayload(plaintext, token.version)
	if refused == nil {
		refused = checkExpectations(token, payment, found.transaction, policy)
	}
	if refused == nil && policy.Replay {
		refused = seen.add(token.transactionID)
	}
	if refused != nil {
		return nil, refused
	}
	return &Opened{plaintext, token.signed}, nil
}

// verify is the stages 5 to 9.
func (d *Decryptor) verify(token *token, at int64, policy *Policy) *Fault {
	message, refused := readCMS(token.signature, token.version)
	if refused != nil {
		return refused
	}
	chain, refused := findChain(message, d.roots)
	if refused != nil {
		return refused
	}
	if refused = chain.verify(token.version, d.roots, policy.Revoked, at); refused != nil {
		return refused
	}
	if refused = message.signer.verify(token, chain.leaf.key); refused != nil {
		return refused
	}
	distance := message.signer.signingTime - at
	if d.window != nil && (distance > *d.window || -distance > *d.window) {
		return fault("signingTimeOutsideWindow", 9, "", "9.1")
	}
	return nil
}

// verify is stage 8.
func (s *signer) verify(token *token, key publicKey) *Fault {
	content := sha256.New()
	for _, member := range [][]byte{token.keyMember, token.data, token.transactionID, token.applicationData} {
		content.Write(member)
	}
	if !bytes.Equal(content.Sum(nil), s.messageDigest) {
		return fault("signatureMismatch", 8, "", "8.1")
	}
	verifies := key.verifiesECDSA
	if token.version == versionRSA {
		verifies = key.verifiesRSA
	}
	if !verifies(crypto.SHA256, s.signedBytes, s.signature) {
		return fault("signatureMismatch", 8, "", "8.2")
	}
	return nil
}

// open is the stages 10 to 12.
func (d *Decryptor) open(token *token) ([]byte, *Fault) {
	merchant, refused := d.keys.find(token.publicKeyHash, token.version)
	if refused != nil {
		return nil, refused
	}
	key, refused := merchant.symmetricKey(token.keyMember)
	if refused != nil {
		return nil, refused
	}
	return decrypt(key, token.data)
}

// checkExpectations is the rules 14.0 to 14.3.
func checkExpectations(token *token, payment payment, transaction *strict.Value, policy *Policy) *Fault {
	if transaction != nil {
		id, valid := strict.Hex(transaction.String)
		if transaction.Kind != strict.String || !valid || !bytes.Equal(id, token.transactionID) {
			return fault("envelopeFieldMismatch", 14, "", "14.0")
		}
	}
	if policy.ApplicationData != nil && !bytes.Equal(policy.ApplicationData, token.applicationData) {
		return fault("applicationDataMismatch", 14, "", "14.1")
	}
	if policy.Currency != nil && *policy.Currency != payment.currency {
		return fault("currencyMismatch", 14, "", "14.2")
	}
	if policy.Amount != nil && *policy.Amount != payment.amount {
		return fault("amountMismatch", 14, "", "14.3")
	}
	return nil
}

// add is rule 14.4.
func (s Seen) add(transactionID []byte) *Fault {
	if s[string(transactionID)] {
		return fault("replayedTransaction", 14, "", "14.4")
	}
	s[string(transactionID)] = true
	return nil
}
