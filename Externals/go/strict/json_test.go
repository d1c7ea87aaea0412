package strict

import (
	"strings"
	"testing"
)

func TestReadsWhatIsStrict(t *testing.T) {
	for _, text := range []string{
		`{}`, " \t\r\n{ \"a\" : [ 1 , -0.5e+10 , true , false , null , \"\" ] , \"b\" : { } }\n",
		`{"":0}`, `{"a":1,"a":2}`, `{"\u0000":"\b\f\n\r\t\/\\\""}`, `{"a":"\uD834\udd1e"}`,
		"{\"a\":\"\x7f\u0080\U0010FFFF\"}",
		`{"a":0E0}`, `{"a":[[],{}]}`,
	} {
		if _, err := ReadObject([]byte(text)); err != nil {
			t.Errorf("refused: %q", text)
		}
	}
}

func TestRefusesWhatIsNot(t *testing.T) {
	for _, text := range []string{
		``, ` `, `[]`, `1`, `"a"`, `null`, `{`, `}`, `{}{}`, `{} x`, "\ufeff{}", `{a:1}`, `{'a':1}`, `{"a"}`, `{"a":}`,
		`{"a":1,}`,
		`{,}`, `{"a":1 "b":2}`, `{"a":[1,]}`, `{"a":[,1]}`, `{"a":[1 2]}`, `{"a":[}`, `{"a":01}`, `{"a":1.}`, `{"a":.5}`,
		`{"a":+1}`,
		`{"a":-}`, `{"a":1e}`, `{"a":1e+}`, `{"a":0x1}`, `{"a":NaN}`, `{"a":True}`, `{"a":tru}`, `{"a":nulll}`, `{"a":"`,
		`{"a":"\`,
		`{"a":"\x41"}`, `{"a":"\u12"}`, `{"a":"\u12g4"}`, `{"a":"\ud834"}`, `{"a":"\ud834\u0041"}`, `{"a":"\ud834\n"}`,
		`{"a":"\udd1e"}`, `{"a":"\udd1e\ud834"}`, "{\"a\":\"\n\"}", "{\"a\":\"\x00\"}", "{\"a\":\"\xc0\x80\"}",
		"{\"a\":\"\xed\xa0\x80\"}", "{\"a\":\"\xf4\x90\x80\x80\"}", "{\"a\":\"\xe2\x82\"}", "{\v}", "{}\x00", "{/**/}",
	} {
		if _, err := ReadObject([]byte(text)); err == nil {
			t.Errorf("accepted: %q", text)
		}
	}
}

func TestNestsTo32(t *testing.T) {
	nested := func(levels int) []byte {
		return []byte(`{"a":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + `}`)
	}
	if _, err := ReadObject(nested(32)); err != nil {
		t.Error("32 levels are refused")
	}
	if _, err := ReadObject(nested(33)); err == nil {
		t.Error("33 levels are accepted")
	}
	if _, err := ReadObject([]byte(strings.Repeat(`{"a":`, 100_000))); err == nil {
		t.Error("endless nesting is accepted")
	}
}

func TestKeepsTextNamesAndPlaces(t *testing.T) {
	value, err := ReadObject([]byte(` {"a" : 1.50, "\u0061":"\u20ac", "b":{"c":null}} `))
	if err != nil {
		t.Fatal(err)
	}
	if string(value.Get("a").Text) != "1.50" || value.All("a")[1].String != "€" ||
		string(value.Get("b").Text) != `{"c":null}` {
		t.Error("a value is not as it is written")
	}
	if repetition := value.Repetition(); repetition == nil || repetition.NameAt != 14 {
		t.Errorf("the repetition is not found: %v", repetition)
	}
	if value.Get("c") != nil || value.Get("a").Get("b") != nil || value.Get("b").Repetition() != nil {
		t.Error("something is found that is not there")
	}
}
