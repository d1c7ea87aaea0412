package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

const (
	hello = `{"hello":1,"keys":[],"rootsPem":[],"windowSeconds":300}`
	token = `{"id":"x","token":"e30=","at":"2026-03-01T12:00:00Z"}`
)

// with puts a member at the end of an object.
func with(object, member string) string {
	return object[:len(object)-1] + "," + member + "}"
}

// outcomes sends lines and shortens the answers: the address of an error, the code of a refusal, or "hello".
func outcomes(t *testing.T, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := serve(strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	var found []string
	decoder := json.NewDecoder(&out)
	for decoder.More() {
		var answer struct {
			Hello       int
			ID          *string
			Code, Error string
		}
		if err := decoder.Decode(&answer); err != nil {
			t.Fatal(err)
		}
		switch {
		case answer.Error != "" && answer.Hello == 1:
			found = append(found, "error hello")
		case answer.Error != "" && answer.ID == nil:
			found = append(found, "error null")
		case answer.Error != "":
			found = append(found, "error "+*answer.ID)
		case answer.Hello == 1:
			found = append(found, "hello")
		default:
			found = append(found, answer.Code)
		}
	}
	if len(found) != len(lines) {
		t.Fatalf("%d answers to %d lines", len(found), len(lines))
	}
	return found
}

func TestHellos(t *testing.T) {
	for _, line := range []string{
		``, `foo`, `[]`, `{"hello":2}`, `{"hello":1}`, `{"hello":"1"}`, with(hello, `"colour":1`), with(hello, `"hello":1`),
		strings.Replace(hello, `300`, `-1`, 1), strings.Replace(hello, `300`, `1.0`, 1), strings.Replace(hello, `300`,
			`"300"`, 1),
		strings.Replace(hello, `,"windowSeconds":300`, ``, 1), strings.Replace(hello, `[]`, `null`, 1),
		strings.Replace(hello, `[]`, `[null]`, 1),
		strings.Replace(hello, `[]`, `[{}]`, 1), strings.Replace(hello, `"rootsPem":[]`, `"rootsPem":[""]`, 1),
		strings.Replace(hello, `"rootsPem":[]`, `"rootsPem":[null]`, 1), strings.Replace(hello, `"keys"`, `"Keys"`, 1),
	} {
		got := outcomes(t, line, hello, hello, token)
		if got[0] != "error hello" || got[1] != "hello" || got[2] != "error hello" || got[3] != "missingMember" {
			t.Errorf("%s: %v", line, got)
		}
	}
	got := outcomes(t, token, strings.Replace(hello, `300`, `null`, 1), token)
	if got[0] != "error x" || got[1] != "hello" || got[2] != "missingMember" {
		t.Errorf("without a window: %v", got)
	}
}

func TestLinesThatCannotBeUsed(t *testing.T) {
	for outcome, lines := range map[string][]string{
		"error null": {
			``, `foo`, `[]`, "\xff", `{}`, `{"id":null}`, `{"id":1}`, `{"id":"\ud800"}`, `{"id":"x","id":"x"}`,
			`{"x":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`,
			with(token, `"policy":{"replay":true,"replay":true}`),
			strings.Repeat(" ", 5<<20),
		},
		"error x": {
			`{"id":"x"}`,
			with(token, `"colour":1`),
			with(token, `"Policy":{}`),
			strings.Replace(token, `"e30="`, `"e30"`, 1),
			strings.Replace(token, `"e30="`, `"e31="`, 1),
			strings.Replace(token, `Z"`, `+00:00"`, 1),
			strings.Replace(token, `Z"`, `.5Z"`, 1),
			strings.Replace(token, `T12`, `T2`, 1),
			strings.Replace(token, `03-01`, `02-30`, 1),
			with(token, `"policy":[]`),
			with(token, `"policy":{"colour":1}`),
			with(token, `"policy":{"envelope":"paper"}`),
			with(token, `"policy":{"unsigned":1}`),
			with(token, `"policy":{"expect":{"amount":1.0}}`),
			with(token, `"policy":{"expect":{"amount":"1"}}`),
			with(token, `"policy":{"expect":{"applicationData":"00"}}`),
			with(token, `"policy":{"revoked":["00"]}`),
			with(token, `"policy":{"revoked":[null]}`),
			with(token, `"prelude":[null]`),
			with(token, `"prelude":["a"]`),
		},
		"missingMember": { // what the token is refused for
			" \t" + token + " \r",
			with(token, `"policy":null,"prelude":null`),
			with(token, `"policy":{"envelope":null,"expect":null,"replay":null,"revoked":null}`),
			with(token, `"policy":{"expect":{"currency":null,"amount":-1},"revoked":[]},"prelude":["",""]`),
		},
	} {
		for _, line := range lines {
			got := outcomes(t, hello, line, token)
			if got[1] != outcome || got[2] != "missingMember" {
				t.Errorf("%.200s: %v", line, got)
			}
		}
	}
}

func TestLinesAreAsLongAs4MiB(t *testing.T) {
	padded := func(length int) string { return token + strings.Repeat(" ", length-len(token)) }
	got := outcomes(t, hello, padded(4<<20), padded(4<<20+1), token)
	if got[1] != "missingMember" || got[2] != "error null" || got[3] != "missingMember" {
		t.Errorf("%v", got)
	}
}

func TestReplayNeedsAWindow(t *testing.T) {
	line := with(token, `"policy":{"replay":true}`)
	if got := outcomes(t, hello, line); got[1] != "missingMember" {
		t.Errorf("with a window: %v", got)
	}
	if got := outcomes(t, strings.Replace(hello, `300`, `null`, 1), line); got[1] != "error x" {
		t.Errorf("without a window: %v", got)
	}
}
