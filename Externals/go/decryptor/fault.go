// Package decryptor decides about Apple Pay tokens by Docs/Verification.md. Numbers such as 5.11 are its rules.
package decryptor

import "fmt"

// Fault is why a token is refused. A stage returns its first one.
type Fault struct {
	Code   string
	Stage  int
	Member string // a path in the token, in stages 2 to 4
	Rule   string
}

func (f *Fault) Error() string {
	if f.Member != "" {
		return fmt.Sprintf("%s of %s, rule %s", f.Code, f.Member, f.Rule)
	}
	return fmt.Sprintf("%s, rule %s", f.Code, f.Rule)
}

func malformedSignature(rule string) *Fault {
	return &Fault{Code: "malformedSignature", Stage: 5, Rule: rule}
}
