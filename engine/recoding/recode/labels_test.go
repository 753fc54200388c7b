package recode_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// No recode makes a label with a control character.
func TestLabelsHaveNoControlCharacters(t *testing.T) {
	data, numbers := dataset(t, "a", "b", ""), dataset(t, "1", "2", "")
	for _, bad := range []string{"x\ny", "\x1b[31mx", "x\ty", "\u2028x"} {
		for _, test := range []struct {
			data   *microdata.Dataset
			method method.Method
		}{
			{data, &recode.Rename{Variable: "x", Level: "a", Label: bad}},
			{data, &recode.Group{Variable: "x", Levels: []string{"a", "b"}, Label: bad}},
			{data, &recode.Group{Variable: "x", IncludeMissing: true, Label: bad}},
			{data, &recode.Hierarchy{Variable: "x", Depth: 1, Levels: hierarchy.Table{{"a", bad}, {"b", "all"}}}},
			{numbers, &recode.Intervals{Variable: "x", Breaks: []float64{0, 1, 2}, Labels: []string{"low", bad}}},
		} {
			if _, err := method.Apply(t.Context(), test.method, method.Input{Data: test.data},
				nil); !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), "control character") {
				t.Errorf("%T, label %q: error %v", test.method, bad, err)
			}
		}
	}
	for _, m := range []method.Method{
		&recode.ArgusFile{Variable: "x", Recode: "\"\x1b[1m\": a"},
		&recode.CodeLabels{Variable: "x", Labels: "a,\x1b[1m"},
	} {
		if _, err := method.Apply(t.Context(), m, method.Input{Data: data}, nil); !errors.Is(err, method.ErrParam) {
			t.Errorf("%T: error %v", m, err)
		}
	}
}

// Blanks around a given label are removed.
func TestLabelsAreTrimmed(t *testing.T) {
	for _, m := range []method.Method{
		&recode.Rename{Variable: "x", Level: "1", Label: " low "},
		&recode.Group{Variable: "x", Levels: []string{"1"}, Label: "low  "},
		&recode.Intervals{Variable: "x", Breaks: []float64{0, 1, 2}, Labels: []string{" low", "2"}},
	} {
		out := apply(t, m, dataset(t, "1", "2"))
		if diff := cmp.Diff([]string{"low", "2"}, texts(out.Data, "x")); diff != "" {
			t.Errorf("%T (-want +got):\n%s", m, diff)
		}
		if title := out.Report.Title; strings.HasSuffix(title, " ") || strings.Contains(title, ":  ") {
			t.Errorf("title %q", title)
		}
	}
	for _, m := range []method.Method{
		&recode.Rename{Variable: "x", Level: "1", Label: "  "},
		&recode.Intervals{Variable: "x", Breaks: []float64{0, 1, 2}, Labels: []string{"a", " a"}},
	} {
		if _, err := method.Apply(t.Context(), m, method.Input{Data: dataset(t, "1", "2")}, nil); !errors.Is(err,
			method.ErrParam) {
			t.Errorf("%T: error %v", m, err)
		}
	}
}

// Codes are cut at user-perceived characters, and numbers with a sign are not codes.
func TestHierarchyByCharacters(t *testing.T) {
	data := dataset(t, "e\u0301ab", "\u00e9ab", "xyz")
	for want, m := range map[string]*recode.Hierarchy{
		"e\u0301 \u00e9 x":       {Digits: 1},
		"e\u0301a \u00e9a xy":    {Cut: 1},
		"e\u0301 \u00e9 x ":      {Cut: 2},
		"e\u0301ab \u00e9ab xyz": {Digits: 3},
	} {
		m.Variable, m.Unlisted = "x", recode.UnlistedError
		if got := strings.Join(texts(apply(t, m, data).Data, "x"), " "); got != strings.TrimSpace(want) {
			t.Errorf("%+v gives %q, want %q", m, got, want)
		}
	}
	_, err := method.Apply(t.Context(), &recode.Hierarchy{Variable: "x", Digits: 1},
		method.Input{Data: dataset(t, "-9", "5")}, nil)
	if !errors.Is(err, method.ErrInput) {
		t.Errorf("numbers below 0: error %v", err)
	}
}
