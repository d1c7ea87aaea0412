package decryptor

import (
	"strings"

	"assay.example/external/strict"
)

const maximumRequest = 65_536 // bytes (0.1)

// holding is how the value at the end of a route holds the token (0.5).
type holding int

const (
	asObject holding = iota
	asText
	asBase64
	asParts
)

// route is a path to the token, with the fields that belong to it.
type route struct {
	path        []string
	holding     holding
	constants   []constant
	transaction []string // the path of transactionIdentifier; nil if the route has none
}

// constant is a field that must have this text if it is present (0.6).
type constant struct {
	path []string
	kind strict.Kind
	text string
}

// mark is a member by which auto recognizes an envelope (0.9).
type mark struct {
	path   []string
	absent bool
}

// envelope is a row of 0.10.
type envelope struct {
	routes []route
	marks  []mark
	parts  map[string][]string // the names that a member of a token has as a part
}

func path(dotted string) []string { return strings.Split(dotted, ".") }

var envelopes = map[string]envelope{
	"applepayjs": {
		routes: []route{
			{path: path("token.paymentData"), transaction: path("token.transactionIdentifier")},
			{path: path("paymentData"), transaction: path("transactionIdentifier")},
		},
		marks: []mark{{path("paymentId"), true}},
	},
	"worldline": {
		routes: []route{{
			path:      path("mobilePaymentMethodSpecificInput"),
			holding:   asParts,
			constants: []constant{{path("mobilePaymentMethodSpecificInput.paymentProductId"), strict.Number, "302"}},
		}},
		marks: []mark{{path("mobilePaymentMethodSpecificInput.encryptedPaymentData"), false}},
		parts: map[string][]string{
			memberData:               {"encryptedPaymentData"},
			memberSignature:          {"signature"},
			memberEphemeralPublicKey: {"ephemeralPublicKey", "ephemeralKey"},
			memberPublicKeyHash:      {"publicKeyHash"},
			memberTransactionID:      {"transactionId"},
			memberApplicationData:    {"applicationData"},
		},
	},
	"alphapay": {
		routes: []route{{path: path("token.paymentData"), transaction: path("token.transactionIdentifier")}},
		marks:  []mark{{path("paymentId"), false}},
	},
	"mpgs": {
		routes: []route{{
			path:      path("sourceOfFunds.provided.card.devicePayment.paymentToken"),
			holding:   asText,
			constants: []constant{{path("order.walletProvider"), strict.String, "APPLE_PAY"}},
		}},
	},
	"bambora": {
		routes: []route{
			{
				path:      path("apple_pay.payment_token"),
				holding:   asBase64,
				constants: []constant{{path("payment_method"), strict.String, "apple_pay"}},
			},
			{path: path("apple-wallet.payment-token"), holding: asBase64},
		},
	},
}

// KnownEnvelope says whether a caller may name this envelope.
func KnownEnvelope(name string) bool {
	_, known := envelopes[name]
	return known || name == "apple" || name == "auto"
}

// extracted is the result of stage 0: the token's text, or its parts, and the field that 14.0 compares.
type extracted struct {
	text        []byte
	parts       members // nil if the token comes as a whole
	transaction *strict.Value
}

func malformedEnvelope(rule string) *Fault {
	return &Fault{Code: "malformedEnvelope", Rule: rule}
}

func fieldMismatch(rule string) *Fault {
	return &Fault{Code: "envelopeFieldMismatch", Rule: rule}
}

// extract is stage 0 for the envelope that the caller names.
func extract(request []byte, name string) (extracted, *Fault) {
	if name == "apple" {
		return extracted{text: request}, nil
	}
	if len(request) > maximumRequest {
		return extracted{}, &Fault{Code: "tokenTooLarge", Rule: "0.1"}
	}
	document, err := strict.ReadObject(request)
	if name == "auto" {
		return extractAny(request, document, err)
	}
	if err != nil {
		return extracted{}, malformedEnvelope("0.2")
	}
	return envelopes[name].extract(document)
}

// extractAny is rule 0.9.
func extractAny(request []byte, document *strict.Value, err error) (extracted, *Fault) {
	whole := extracted{text: request}
	if err != nil {
		return whole, nil
	}
	var fitting []string
	for name, envelope := range envelopes {
		if envelope.fits(document) {
			fitting = append(fitting, name)
		}
	}
	if fitsApple(document) {
		fitting = append(fitting, "apple")
	}
	switch {
	case len(fitting) > 1:
		return extracted{}, &Fault{Code: "ambiguousEnvelope", Rule: "0.9"}
	case len(fitting) == 0 || fitting[0] == "apple":
		return whole, nil
	}
	return envelopes[fitting[0]].extract(document)
}

func fitsApple(document *strict.Value) bool {
	for _, name := range []string{memberVersion, memberData, memberSignature, memberHeader} {
		if document.Get(name) == nil {
			return false
		}
	}
	return true
}

func (e envelope) fits(document *strict.Value) bool {
	for _, mark := range e.marks {
		if leads(document, mark.path) == mark.absent {
			return false
		}
	}
	for _, route := range e.routes {
		if leads(document, route.path) {
			return true
		}
	}
	return false
}

// leads says whether a path leads to a value. If a name on the path is repeated, any of its values counts.
func leads(from *strict.Value, path []string) bool {
	if len(path) == 0 {
		return true
	}
	for _, value := range from.All(path[0]) {
		if leads(value, path[1:]) {
			return true
		}
	}
	return false
}

// follow returns the value at the end of a path, nil if there is none, and whether each name on the path occurs at most
// once in the objects that it reaches (0.3).
func follow(from *strict.Value, path []string) (*strict.Value, bool) {
	for _, name := range path {
		found := from.All(name)
		if len(found) != 1 {
			return nil, len(found) == 0
		}
		from = found[0]
	}
	return from, true
}

// extract is the rules 0.3 to 0.6 and 0.11.
func (e envelope) extract(document *strict.Value) (extracted, *Fault) {
	taken, value, fault := e.takeRoute(document)
	if fault != nil {
		return extracted{}, fault
	}
	var result extracted
	var distinct bool
	for _, constant := range taken.constants {
		if _, distinct = follow(document, constant.path); !distinct {
			return extracted{}, malformedEnvelope("0.3")
		}
	}
	if taken.transaction != nil {
		if result.transaction, distinct = follow(document, taken.transaction); !distinct {
			return extracted{}, malformedEnvelope("0.3")
		}
	}
	if fault := result.take(value, taken.holding); fault != nil {
		return extracted{}, fault
	}
	for _, constant := range taken.constants {
		if field, _ := follow(document, constant.path); field != nil && !constant.equals(field) {
			return extracted{}, fieldMismatch("0.6")
		}
	}
	if taken.holding == asParts {
		result.parts, fault = e.readParts(value)
	}
	return result, fault
}

// takeRoute is the rules 0.3, for the names of routes and parts, and 0.4.
func (e envelope) takeRoute(document *strict.Value) (taken route, value *strict.Value, fault *Fault) {
	for _, route := range e.routes {
		reached, distinct := follow(document, route.path)
		if !distinct {
			return taken, nil, malformedEnvelope("0.3")
		}
		if reached == nil {
			continue
		}
		if value != nil {
			return taken, nil, malformedEnvelope("0.4")
		}
		taken, value = route, reached
	}
	if value == nil {
		return taken, nil, malformedEnvelope("0.4")
	}
	for _, names := range e.parts {
		for _, name := range names {
			if len(value.All(name)) > 1 {
				return taken, nil, malformedEnvelope("0.3")
			}
		}
	}
	return taken, value, nil
}

// take is rule 0.5.
func (x *extracted) take(value *strict.Value, holding holding) *Fault {
	valid := true
	switch holding {
	case asObject, asParts:
		x.text, valid = value.Text, value.Kind == strict.Object
	case asText:
		x.text, valid = []byte(value.String), value.Kind == strict.String
	case asBase64:
		if valid = value.Kind == strict.String; valid {
			x.text, valid = strict.Base64(value.String)
		}
	}
	if !valid {
		return malformedEnvelope("0.5")
	}
	return nil
}

func (c constant) equals(field *strict.Value) bool {
	if field.Kind != c.kind {
		return false
	}
	if c.kind == strict.String {
		return field.String == c.text
	}
	return string(field.Text) == c.text
}

// readParts returns the parts by the paths that they have in a token. A part under both of its names must be the same
// string (0.11).
func (e envelope) readParts(holder *strict.Value) (members, *Fault) {
	parts := members{}
	for member, names := range e.parts {
		for _, name := range names {
			part := holder.Get(name)
			if part == nil {
				continue
			}
			if other := parts[member]; other != nil && !sameString(part, other) {
				return nil, fieldMismatch("0.11")
			}
			parts[member] = part
		}
	}
	return parts, nil
}

func sameString(one, other *strict.Value) bool {
	return one.Kind == strict.String && other.Kind == strict.String && one.String == other.String
}
