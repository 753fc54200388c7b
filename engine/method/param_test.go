package method_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// A former spelling of a choice is accepted, and written in its current spelling.
func TestFormerSpellings(t *testing.T) {
	s := formerly{}
	if err := method.Decode(&s, map[string]json.RawMessage{"how": json.RawMessage(`"usual"`)}); err != nil || s.How != "default" {
		t.Errorf("%q, %v", s.How, err)
	}
	if written, err := method.Encode(&s); err != nil || string(written) != `{"how":"default"}` {
		t.Errorf("%s, %v", written, err)
	}
	if err := method.Decode(&s, map[string]json.RawMessage{"how": json.RawMessage(`"other"`)}); err == nil {
		t.Error("a spelling that no choice had was read")
	}
}

// formerly has a choice with a former spelling.
type formerly struct{ How string }

func (f *formerly) Params() []method.Param {
	return []method.Param{method.Choice(&f.How, "how", "how", "default", "none").Formerly("usual", "default")}
}

// sample is a method with a parameter of every kind that does nothing.
type sample struct {
	Variable   string
	Mode       string
	Count      int
	Share      float64
	Limit      *float64
	On         bool
	Labels     []string
	Breaks     []float64
	Importance map[string]int
	Depends    string
}

func newSample() *sample { return &sample{Mode: "plain", Count: 3, Share: 0.5, Depends: "default"} }

func (s *sample) Params() []method.Param {
	return []method.Param{
		method.Variable(&s.Variable, "variable", "which"),
		method.Choice(&s.Mode, "mode", "how", "plain", "fancy"),
		method.Number(&s.Count, "count", "how many").Between(1, 9),
		method.Number(&s.Share, "share", "what part").Between(0, 1).By(0.05),
		method.Number(&s.Limit, "limit", "up to").AtLeast(0),
		method.Switch(&s.On, "on", "whether"),
		method.Labels(&s.Labels, "labels", "names").Empty("made from the ends"),
		method.Numbers(&s.Breaks, "breaks", "ends"),
		method.Importance(&s.Importance, "importance", "order"),
		method.Text(&s.Depends, "depends", "on mode").Decoded(s.follow),
	}
}

func (s *sample) Narrate(*method.Report) string { return "" }

func (s *sample) Apply(context.Context, method.Input, *progress.Meter) (method.Output, error) {
	return method.Output{}, nil
}

// follow makes the last parameter depend on the mode.
func (s *sample) follow(given func(name string) bool) {
	if s.Mode == "fancy" && !given("depends") {
		s.Depends = "fancy default"
	}
}

func decode(text string) (*sample, error) {
	var params map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &params); err != nil {
		return nil, err
	}
	s := newSample()
	return s, method.Decode(s, params)
}

func TestDecode(t *testing.T) {
	limit := 2.5
	tests := map[string]*sample{
		`{"variable":"age"}`: {Variable: "age", Mode: "plain", Count: 3, Share: 0.5, Depends: "default"},
		`{"variable":"age","count":9,"share":1,"limit":2.5,"on":true,"labels":["a"],"breaks":[1,2],"importance":{"age":1}}`: {
			Variable: "age", Mode: "plain", Count: 9, Share: 1, Limit: &limit, On: true, Labels: []string{"a"},
			Breaks: []float64{1, 2}, Importance: map[string]int{"age": 1}, Depends: "default"},
		`{"variable":"age","mode":"fancy"}`: {Variable: "age", Mode: "fancy", Count: 3, Share: 0.5,
			Depends: "fancy default"},
		`{"variable":"age","mode":"fancy","depends":"own"}`: {Variable: "age", Mode: "fancy", Count: 3, Share: 0.5,
			Depends: "own"},
		`{"variable":"age","limit":null,"labels":null}`: {Variable: "age", Mode: "plain", Count: 3, Share: 0.5,
			Depends: "default"},
	}
	for text, want := range tests {
		got, err := decode(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := map[string]string{
		`{}`:                                `"variable" is missing`,
		`{"variable":""}`:                   `"variable" is empty`,
		`{"variable":"age","colour":1}`:     `"colour" is unknown; known are variable, mode`,
		`{"variable":"age","mode":"grand"}`: `"mode" is "grand"; it must be one of plain, fancy`,
		`{"variable":"age","count":0}`:      `"count" is 0; it must be at least 1`,
		`{"variable":"age","count":10}`:     `"count" is 10; it must be at most 9`,
		`{"variable":"age","count":1.5}`:    `"count" cannot be read as an integer`,
		`{"variable":"age","share":-0.1}`:   `"share" is -0.1`,
		`{"variable":"age","limit":-1}`:     `"limit" is -1; it must be at least 0`,
		`{"variable":"age","limit":"x"}`:    `"limit" cannot be read as a number`,
		`{"variable":"age","on":1}`:         `"on" cannot be read as true or false`,
		`{"variable":"age","labels":"a"}`:   `"labels" cannot be read as a list`,
		`{"variable":"age","importance":1}`: `"importance" cannot be read as an object`,
		`{"variable":1}`:                    `"variable" cannot be read as a text`,
	}
	for text, want := range tests {
		_, err := decode(text)
		if !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %s", text, err, want)
		}
	}
}

func TestValidateRefusesWhatIsNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for name, set := range map[string]func(s *sample){
			"share":  func(s *sample) { s.Share = x },
			"limit":  func(s *sample) { s.Limit = &x },
			"breaks": func(s *sample) { s.Breaks = []float64{1, x} },
		} {
			s := newSample()
			s.Variable = "age"
			set(s)
			if err := method.Validate(s); !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), name) {
				t.Errorf("%s of %v: error %v", name, x, err)
			}
		}
	}
}

func TestEncode(t *testing.T) {
	s := newSample()
	s.Variable = `"a"`
	text, err := method.Encode(s)
	want := `{"variable":"\"a\"","mode":"plain","count":3,"share":0.5,"limit":null,"on":false,"labels":null,"breaks":null,"importance":null,"depends":"default"}`
	if err != nil || string(text) != want {
		t.Errorf("%s, error %v\nwant %s", text, err, want)
	}
	s.Share = math.Inf(1)
	if _, err := method.Encode(s); !errors.Is(err, method.ErrParam) {
		t.Errorf("error %v", err)
	}
}
