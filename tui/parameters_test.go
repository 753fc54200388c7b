package tui

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

func TestListsOfTexts(t *testing.T) {
	for text, want := range map[string][]string{
		"":                 nil,
		"none":             {},
		"age":              {"age"},
		" age , sex,, ":    {"age", "sex"},
		`"a, b", c`:        {"a, b", "c"},
		`"say ""hello""",`: {`say "hello"`},
	} {
		var got []string
		field := textsParameter("variables", method.Param{}, &got, nil)
		if err := field.typed(text); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		again := got
		if err := field.typed(field.value()); err != nil {
			t.Errorf("%q, shown as %q, cannot be typed: %v", text, field.value(), err)
		}
		if diff := cmp.Diff(again, got); diff != "" {
			t.Errorf("%q, shown and typed again (-want +got):\n%s", text, diff)
		}
	}
	var got []string
	if textsParameter("variables", method.Param{}, &got, nil).typed(`"a`) == nil {
		t.Error("a quote that is not closed is taken")
	}
}

func TestListsOfNumbers(t *testing.T) {
	var numbers []float64
	field := numbersParameter("breaks", method.Param{}, &numbers)
	if err := field.typed("1, 2.5;-3 4"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{1, 2.5, -3, 4}, numbers); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
	if field.typed("1, x") == nil {
		t.Error("a letter is taken for a number")
	}
	var wholes []int
	field = wholesParameter("records", method.Param{}, &wholes)
	if err := field.typed("1, 20"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{1, 20}, wholes); diff != "" {
		t.Errorf("whole numbers (-want +got):\n%s", diff)
	}
	if field.typed("1.5") == nil {
		t.Error("a number with decimals is taken for a whole one")
	}
}

func TestImportanceAsText(t *testing.T) {
	var order map[string]int
	field := importanceParameter("importance", method.Param{}, &order, func(string) error { return nil })
	if err := field.typed("sex:1, a:b:2"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"sex": 1, "a:b": 2}, order); diff != "" {
		t.Errorf("importance (-want +got):\n%s", diff)
	}
	if got := field.value(); got != "sex:1, a:b:2" {
		t.Errorf("shown as %q", got)
	}
	for _, text := range []string{"sex", "sex:x"} {
		if field.typed(text) == nil {
			t.Errorf("%q is taken for an importance", text)
		}
	}
}
