package recode_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// An open interval includes the values beyond it, and its label does not reveal them.
func TestOpenIntervals(t *testing.T) {
	data := dataset(t, "-3", "0", "9", "10", "19", "20", "97")
	money := dataset(t, "-3.5", "0.0", "9.5", "97.25")
	for _, test := range []struct {
		name   string
		method recode.Intervals
		want   []string
	}{
		{"none", recode.Intervals{Breaks: []float64{-1, 9, 19, 29}},
			[]string{"", "0-9", "0-9", "10-19", "10-19", "20-29", ""}},
		{"above", recode.Intervals{Breaks: []float64{-1, 9, 19, 29}, Open: recode.OpenAbove},
			[]string{"", "0-9", "0-9", "10-19", "10-19", "20+", "20+"}},
		{"below", recode.Intervals{Breaks: []float64{-1, 9, 19, 29}, Open: recode.OpenBelow},
			[]string{"<=9", "<=9", "<=9", "10-19", "10-19", "20-29", ""}},
		{"both", recode.Intervals{Breaks: []float64{-1, 9, 29}, Open: recode.OpenBoth},
			[]string{"<=9", "<=9", "<=9", "10+", "10+", "10+", "10+"}},
		{"labels", recode.Intervals{Breaks: []float64{-1, 9, 29}, Open: recode.OpenBoth, Labels: []string{"a", "b"}},
			[]string{"a", "a", "a", "b", "b", "b", "b"}},
		{"one", recode.Intervals{Breaks: []float64{0, 9}, Open: recode.OpenBoth},
			[]string{"all values", "all values", "all values", "all values", "all values", "all values", "all values"}},
		{"a single break", recode.Intervals{Breaks: []float64{9}, Open: recode.OpenBoth},
			[]string{"<=9", "<=9", "<=9", "10+", "10+", "10+", "10+"}},
		{"a single break at 0", recode.Intervals{Breaks: []float64{0}, Open: recode.OpenBoth},
			[]string{"<=0", "<=0", "1+", "1+", "1+", "1+", "1+"}},
		{"a single break below 0", recode.Intervals{Breaks: []float64{-3}, Open: recode.OpenBoth, Labels: []string{"a", "b"}},
			[]string{"a", "b", "b", "b", "b", "b", "b"}},
		{"one above", recode.Intervals{Breaks: []float64{0, 9}, Open: recode.OpenAbove},
			[]string{"", "", "1+", "1+", "1+", "1+", "1+"}},
		{"one below", recode.Intervals{Breaks: []float64{0, 9}, Open: recode.OpenBelow},
			[]string{"<=9", "<=9", "<=9", "", "", "", ""}},
	} {
		test.method.Variable = "x"
		out := apply(t, &test.method, data)
		if diff := cmp.Diff(test.want, texts(out.Data, "x")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	out := apply(t, &recode.Intervals{Variable: "x", Breaks: []float64{0, 5, 10}, IncludeLowest: true,
		Open: recode.OpenBoth}, money)
	if diff := cmp.Diff([]string{"<=5", "<=5", ">5", ">5"}, texts(out.Data, "x")); diff != "" {
		t.Error(diff)
	}
	_, err := method.Apply(t.Context(), &recode.Intervals{Variable: "x", Breaks: []float64{0, 5}, Open: "left"},
		method.Input{Data: data}, nil)
	if !errors.Is(err, method.ErrParam) {
		t.Errorf("error %v", err)
	}
}

// A recode saved before intervals could be open is read unchanged.
func TestSavedOpenIntervals(t *testing.T) {
	for params, want := range map[string]string{
		`{"variable":"x","breaks":[-1,9,29]}`:                "0-9,10-29,",
		`{"variable":"x","breaks":[-1,9,29],"open":"above"}`: "0-9,10+,10+",
	} {
		m, err := recode.RecodeFile{Step: "recode-intervals", Params: json.RawMessage(params)}.Method()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(texts(apply(t, m, dataset(t, "0", "12", "97")).Data, "x"), ","); got != want {
			t.Errorf("%s gives %q, want %q", params, got, want)
		}
	}
}
