package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// lines is a measure with a parameter that is the text of a file.
type lines struct{ text string }

func (m *lines) Params() []method.Param {
	return []method.Param{method.File(&m.text, "external", "a file")}
}
func (*lines) Needs(measure.Input) string { return "" }
func (m *lines) Compute(context.Context, measure.Input, *progress.Meter) (measure.Values, error) {
	return measure.Values{Numbers: []measure.Value{{Name: "lines", Title: "lines",
		Number: float64(strings.Count(m.text, "\n"))}}}, nil
}

var linesSpec = measure.Spec{Name: "lines", Title: "lines", New: func() measure.Measure { return &lines{} }}

// Active measures are settings: they are stored in the journal, restored with the session, and not steps.
func TestOpenMeasuresAreKept(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	open := func(name, params string) {
		t.Helper()
		if err := s.OpenMeasure(MeasureSpec{name, []byte(params)}); err != nil {
			t.Fatal(err)
		}
	}
	open("numericrisk", `{"k":[0.05]}`)
	open("lines", `{"external":"there.csv"}`)
	open("numericrisk", `{"k":[0.1]}`)
	open("categories", `{}`)
	if err := s.CloseMeasure("categories"); err != nil {
		t.Fatal(err)
	}
	want := []MeasureSpec{{"numericrisk", []byte(`{"k":[0.1]}`)}, {"lines", []byte(`{"external":"there.csv"}`)}}
	if diff := cmp.Diff(want, s.Measures()); diff != "" {
		t.Error(diff)
	}
	steps := len(s.Steps())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := resumed(t, s.identity.Path, s.JournalPath())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if diff := cmp.Diff(want, again.Measures()); diff != "" || len(again.Steps()) != steps {
		t.Errorf("after it was continued, %d steps: %s", len(again.Steps()), diff)
	}
}

// The file of a parameter is read when the measure is computed, and again if it has changed; cached results are
// not computed twice.
func TestAMeasureReadsItsFile(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	a := NewAnalyst().With(measure.Catalog{linesSpec})
	path := filepath.Join(t.TempDir(), "lines.txt")
	count := func(text string) (*MeasureResult, error) {
		t.Helper()
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		scenario := s.Scenario()
		return a.Measure(t.Context(), s.Data(), &scenario,
			MeasureSpec{"lines", []byte(`{"external":"` + filepath.ToSlash(path) + `"}`)}, nil)
	}
	if _, err := count(""); !errors.Is(err, ErrMeasures) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	first, err := count("a\nb\n")
	if err != nil || first.Current.Value("lines", 0).Number != 2 {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, _ := count(""); again.Current != first.Current {
		t.Error("computed twice")
	}
	if other, _ := count("a\n"); other.Current.Value("lines", 0).Number != 1 {
		t.Error("the file is not read anew")
	}
	for _, params := range []string{`{"external":3}`, `{"file":"x"}`, `[]`} {
		if _, err := DecodeMeasure(linesSpec, []byte(params)); !errors.Is(err, ErrMeasures) {
			t.Errorf("%s: %v", params, err)
		}
	}
}

// Which of several parameters without a measure is reported does not depend on chance.
func TestParametersWithoutTheirMeasure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "params.json")
	must(t, os.WriteFile(path, []byte(`{"e":{},"d":{},"c":{},"b":{},"a":{}}`), 0o600))
	for range 20 {
		if _, err := readRequested(nil, nil, path); !errors.Is(err, ErrMeasures) ||
			!strings.Contains(err.Error(), "parameters are given for a,") {
			t.Fatal(err)
		}
	}
}
