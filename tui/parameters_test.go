package tui

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/prepare"
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
	if field.typed("1.5") == nil || field.typed("1e300") == nil {
		t.Error("a number with decimals, or beyond all whole ones, is taken for a whole one")
	}
	wholes = []int{3, 5} // as when a step is changed
	if got := field.value(); got != "3, 5" {
		t.Errorf("3 and 5 are shown as %q", got)
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

func TestWhatIsNotFiniteIsNoNumber(t *testing.T) {
	x, optional, list := 1.0, new(float64), []float64{1}
	for name, field := range map[string]*formField{
		"number":   {typed: typedNumber(method.Param{}, &x)},
		"optional": optionalParameter("budget", method.Param{}, &optional),
		"list":     numbersParameter("breaks", method.Param{}, &list),
	} {
		for _, text := range []string{"inf", "-Inf", "nan", "infinity", "1e999"} {
			if field.typed(text) == nil {
				t.Errorf("%s: %q is taken", name, text)
			}
		}
	}
}

func TestBudgetThatIsNoNumberMakesNoStep(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K")
	k := d.m.dialog.(*kAnonymity)
	d.Type("7").Press("tab")
	for k.field().label != "budget" {
		d.Press("down")
	}
	d.Type("inf")
	if k.Question() != nil {
		t.Error("there are figures for a budget of inf")
	}
	d.Dialog().Contains("is a number")
	d.Press("enter")
	if d.m.dialog != Dialog(k) || len(d.m.bench.steps) > 0 {
		t.Errorf("%T is open, %d steps were made", d.m.dialog, len(d.m.bench.steps))
	}
}

func TestStepWhoseParametersCannotBeWrittenIsRefused(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K")
	k := d.m.dialog.(*kAnonymity)
	endless := math.Inf(1)
	k.method.Budget = &endless // no field takes it
	d.Press("up")
	if step := k.step(); step.Problem == nil {
		t.Errorf("step %s", step.Params)
	}
	d.Dialog().Contains("budget")
	if d.m.asking.answer.Err == nil {
		t.Error("the what-if has no error")
	}
	d.Press("enter")
	if d.m.dialog != Dialog(k) || len(d.m.bench.steps) > 0 {
		t.Errorf("%T is open, %d steps were made", d.m.dialog, len(d.m.bench.steps))
	}
}

func TestOnlyStepsThatDrawHaveASeed(t *testing.T) {
	s := surveyOf(t, 120, 40).m.state()
	for name, draws := range map[string]bool{"set-missing": false, "shuffle-records": true} {
		spec, _ := catalog.Find(name)
		d := newParameters(s, spec).(*parameters)
		if seed := d.step().Seed; seed != 0 != draws {
			t.Errorf("%s: seed %d", name, seed)
		}
	}
	spec, _ := catalog.Find("subset")
	d := newParameters(s, spec).(*parameters)
	d.draw(0) // a step without a seed is changed
	d.method.(*prepare.Subset).Take = prepare.TakeRandom
	if d.step().Seed == 0 {
		t.Error("a subset at random has no seed: what-if and step would draw differently")
	}
}
