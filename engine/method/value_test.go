package method_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

func TestListsOfTexts(t *testing.T) {
	var got []string
	p := method.Labels(&got, "variables", "")
	for text, want := range map[string][]string{
		"":                 nil,
		"none":             {},
		"age":              {"age"},
		" age , sex,, ":    {"age", "sex"},
		`"a, b", c`:        {"a, b", "c"},
		`"say ""hello""",`: {`say "hello"`},
	} {
		if err := p.SetText(text, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		again, shown := got, p.Value.String()
		if err := p.SetText(shown, nil); err != nil {
			t.Errorf("%q, shown as %q, cannot be typed: %v", text, shown, err)
		}
		if diff := cmp.Diff(again, got); diff != "" {
			t.Errorf("%q, shown and typed again (-want +got):\n%s", text, diff)
		}
	}
	if p.SetText(`"a`, nil) == nil {
		t.Error("a quote that is not closed is taken")
	}
	for _, text := range []string{", age", "age,, sex", ",", `"", age`} {
		if err := p.SetText(text, nil); err == nil || !strings.Contains(err.Error(), "before a comma") {
			t.Errorf("%q, with no name before a comma: error %v", text, err)
		}
	}
}

func TestListsOfNumbers(t *testing.T) {
	var some []float64
	p := method.Numbers(&some, "breaks", "")
	if err := p.SetText("1, 2.5;-3 4", nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{1, 2.5, -3, 4}, some); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	if p.SetText("1, x", nil) == nil {
		t.Error("a letter is taken for a number")
	}
	var wholes []int
	p = method.Numbers(&wholes, "records", "")
	if err := p.SetText("1, 20", nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{1, 20}, wholes); diff != "" {
		t.Errorf("whole numbers (-want +got):\n%s", diff)
	}
	if p.SetText("1.5", nil) == nil || p.SetText("1e300", nil) == nil {
		t.Error("a number with decimals, or beyond all whole ones, is taken for a whole one")
	}
	wholes = []int{3, 5} // as when a step is edited
	if got := p.Value.String(); got != "3, 5" {
		t.Errorf("3 and 5 are shown as %q", got)
	}
}

// sexes returns a file with the variables sex and a:b.
func sexes(t *testing.T) *microdata.Dataset {
	t.Helper()
	var columns []*microdata.Column
	for _, name := range []string{"sex", "a:b"} {
		categories := &microdata.Categories{Levels: []microdata.Level{{Label: "f"}, {Label: "m"}},
			Codes: microdata.NewCodes(2, 2)}
		columns = append(columns, microdata.NewCategorical(name, microdata.Category, categories))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestImportanceAsText(t *testing.T) {
	var order map[string]int
	p, data := method.Importance(&order, "importance", ""), sexes(t)
	if err := p.SetText("sex:1, a:b:2", data); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"sex": 1, "a:b": 2}, order); diff != "" {
		t.Errorf("importance (-want +got):\n%s", diff)
	}
	for _, text := range []string{"sex", "sex:x", "age:1"} {
		if p.SetText(text, data) == nil {
			t.Errorf("%q is taken for an importance", text)
		}
		if got := p.Value.String(); got != "sex:1, a:b:2" {
			t.Errorf("after %q it is %q", text, got)
		}
	}
}

func TestWhatTheFileDoesNotHaveIsRefused(t *testing.T) {
	s := &struct {
		Variable string
		Levels   []string
	}{Variable: "sex"}
	p, data := method.Levels(&s.Levels, &s.Variable, "levels", ""), sexes(t)
	if err := p.SetText("f, x", data); err == nil || err.Error() != `sex has no category "x"` || s.Levels != nil {
		t.Errorf("levels %q, error %v", s.Levels, err)
	}
	if err := p.SetText("f", data); err != nil || len(s.Levels) != 1 {
		t.Errorf("levels %q, error %v", s.Levels, err)
	}
}

func TestWhatIsNotFiniteIsNoNumber(t *testing.T) {
	x, optional, list := 1.0, new(float64), []float64{1}
	for _, p := range []method.Param{
		method.Number(&x, "top_value", ""), method.Number(&optional, "budget", ""), method.Numbers(&list, "breaks", ""),
	} {
		for _, text := range []string{"inf", "-Inf", "nan", "infinity", "1e999"} {
			if p.SetText(text, nil) == nil {
				t.Errorf("%s: %q is taken", p.Name, text)
			}
		}
	}
}

// An error of a field is worded for the screen, and the field stays unchanged.
func TestTypedNumbersKeepTheirBounds(t *testing.T) {
	n, share, limit := 3, 0.5, new(float64)
	for _, test := range []struct {
		p    method.Param
		text string
		want string
	}{
		{method.Number(&n, "top_k", "").AtLeast(2), "1", "top k is an integer of at least 2"},
		{method.Number(&n, "top_k", ""), "1.5", "top k is an integer"},
		{method.Number(&share, "low_share", "").Between(0, 1), "1.5", "low share is a number from 0 to 1"},
		{method.Number(&limit, "top_value", ""), "x", "top value is a number"},
	} {
		was := test.p.Value.String()
		if err := test.p.SetText(test.text, nil); err == nil || err.Error() != test.want || test.p.Value.String() != was {
			t.Errorf("%q: error %v, want %q; the value is %s", test.text, err, test.want, test.p.Value)
		}
	}
}

func TestArrowsStopAtTheBounds(t *testing.T) {
	n, share := 2, 0.9
	count, part := method.Number(&n, "n", "").AtLeast(2), method.Number(&share, "share", "").Between(0, 1).By(0.05)
	count.Move(-1)
	for range 3 {
		part.Move(1)
	}
	if n != 2 || share != 1 {
		t.Errorf("moved to %d and %v", n, share)
	}
	if part.Move(-3); share != 0.85 {
		t.Errorf("three twentieths below 1 is %v", share)
	}
}

func TestSaidInWordsOfTheScreen(t *testing.T) {
	s := newSample()
	s.Variable, s.Share = "age", 2
	if said := method.Said(method.Validate(s), s); said != "share is 2; it must be at most 1" {
		t.Errorf("said: %s", said)
	}
	s.Share, s.Mode = 1, "grand"
	if said := method.Said(method.Validate(s), s); strings.Contains(said, "parameter") ||
		!strings.HasPrefix(said, "mode is") {
		t.Errorf("said: %s", said)
	}
	if said := method.Said(errors.New("plain"), s); said != "plain" {
		t.Errorf("said: %s", said)
	}
}
