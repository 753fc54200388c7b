package session

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// moving is a method that adds an amount to every weight; a later version adds another amount.
type moving struct {
	whole   bool // a variant whose result did not change
	by      float64
	version int
}

func (m *moving) Params() []method.Param {
	return []method.Param{method.Switch(&m.whole, "whole", "adds 1")}
}

func (m *moving) Narrate(*method.Report) string { return "" }

func (m *moving) results() int {
	if m.whole {
		return 0
	}
	return m.version
}

func (m *moving) Apply(_ context.Context, in method.Input, _ *progress.Meter) (method.Output, error) {
	by := m.by
	if m.whole {
		by = 1
	}
	column, err := in.Column("variable", "weight")
	if err != nil {
		return method.Output{}, err
	}
	numbers := &microdata.Numbers{Values: make([]float64, column.Len()), Decimals: 2}
	for record := range numbers.Values {
		numbers.Values[record] = column.Float(record) + by
	}
	moved := column.WithNumbers(microdata.Number, numbers)
	return method.Output{Data: in.Data.With(moved), Report: method.Report{Title: "move"}}, nil
}

// withMoving returns the catalog with a version of the method, which determines the amount.
func withMoving(version int) method.Catalog {
	return append(catalog.Methods(), method.Spec{Name: "move", Title: "Move", VersionOf: method.Of((*moving).results), New: func() method.Method {
		return &moving{by: float64(version + 5), version: version}
	}})
}

// movedSession returns a closed session of an earlier version of the program: two applied steps and an undone one.
func movedSession(t *testing.T, version int, moves ...StepSpec) (data *microdata.Dataset, journal string) {
	t.Helper()
	data, format := readText(t, smallText)
	journal = filepath.Join(t.TempDir(), "session.jsonl")
	s, err := New(Opening{Data: data, Source: NewDemonstration("small", format), Journal: journal,
		Methods: withMoving(version)})
	must(t, err)
	must(t, s.SetScenario(smallScenario()))
	for _, spec := range moves {
		do(t, s, spec)
	}
	must(t, s.Close())
	return data, journal
}

func TestStepsKeepTheVersionOfTheirMethod(t *testing.T) {
	_, journal := movedSession(t, 2, step("move", `{}`), step("move", `{"whole":true}`), ages)
	text, err := os.ReadFile(journal)
	must(t, err)
	if n := bytes.Count(text, []byte(`"version":2`)); n != 1 ||
		!bytes.Contains(text, []byte(`"params":{"whole":false},"version":2,"before"`)) {
		t.Errorf("%d lines of the journal have the version:\n%s", n, text)
	}
	s, err := Resume(context.Background(), Opening{Data: mustRead(t), Name: "small", Journal: journal,
		Methods: withMoving(2)}, nil)
	must(t, err)
	var script strings.Builder
	must(t, s.Document().WriteScript(&script, true))
	if want := `{"step":"move","params":{"whole":false},"version":2}` + "\n" + `{"step":"move","params":{"whole":true}}` +
		"\n"; !strings.Contains(script.String(), want) {
		t.Errorf("the script is\n%s", script.String())
	}
	must(t, s.Close())
}

// A step of a newer program is refused by name, in journals and in scripts, and is not damage that could be
// removed.
func TestStepsOfANewerVersionAreRefused(t *testing.T) {
	data, journal := movedSession(t, 2, step("move", `{}`), ages)
	before, err := os.ReadFile(journal)
	must(t, err)
	for _, repair := range []bool{false, true} {
		_, err := Resume(context.Background(), Opening{Data: data, Name: "small", Journal: journal,
			Methods: withMoving(1), Repair: repair}, nil)
		if !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "step move was made by a newer version") {
			t.Errorf("%v", err)
		}
	}
	info, err := ReadJournal(journal, &MethodSource{Methods: withMoving(1)})
	must(t, err)
	if info.Damage != nil || !errors.Is(info.Err, ErrNewer) {
		t.Errorf("damage %v, error %v", info.Damage, info.Err)
	}
	if after, err := os.ReadFile(journal); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the journal was changed: %v", err)
	}
}

func mustRead(t *testing.T) *microdata.Dataset {
	t.Helper()
	data, _ := readText(t, smallText)
	return data
}

// A session whose method was fixed since says so, and continues with the current method: that step and those after
// it are applied again on a branch, the earlier ones remain on theirs.
func TestSessionOfAnEarlierVersionGoesOn(t *testing.T) {
	data, journal := movedSession(t, 0, ages, step("move", `{}`), regions)
	s, err := Resume(context.Background(), Opening{Data: data, Name: "small", Journal: journal, Methods: withMoving(1)},
		nil)
	must(t, err)
	const want = "step 2 (move) was made by an earlier version of this method; its result differs; only the steps before it are applied: 1"
	if err := s.Halted(); !errors.Is(err, ErrEarlier) || err.Error() != want || s.Position() != 1 {
		t.Fatalf("at %d: %v", s.Position(), err)
	}
	if err := redo(s); !errors.Is(err, ErrEarlier) {
		t.Errorf("redo: %v", err)
	}
	job, err := s.PrepareWithCurrentMethods()
	must(t, runJob(s, job, err))
	steps := s.Steps()
	if s.Position() != 3 || len(steps) != 3 || steps[1].Spec.Version != 1 || len(s.Nodes()) != 6 {
		t.Fatalf("at %d of %d steps, %d nodes", s.Position(), len(steps), len(s.Nodes()))
	}
	weight, _ := s.Data().Column("weight")
	if weight.Float(0) != 16 {
		t.Errorf("the first weight is %v, of the earlier version 15", weight.Float(0))
	}
	must(t, s.Close())
	s, err = Resume(context.Background(), Opening{Data: data, Name: "small", Journal: journal, Methods: withMoving(1)},
		nil)
	must(t, err)
	if s.Halted() != nil || s.Position() != 3 {
		t.Errorf("continued once more: at %d, %v", s.Position(), s.Halted())
	}
	must(t, s.Close())
}

// Steps that the fix did not affect continue without a message, and another result of the same version is not
// treated as a fix.
func TestUnrelatedResultIsNoFix(t *testing.T) {
	data, journal := movedSession(t, 0, step("move", `{"whole":true}`))
	s, err := Resume(context.Background(), Opening{Data: data, Name: "small", Journal: journal, Methods: withMoving(1)},
		nil)
	must(t, err)
	if s.Halted() != nil {
		t.Error(s.Halted())
	}
	must(t, s.Close())
	data, journal = movedSession(t, 1, step("move", `{}`))
	text, err := os.ReadFile(journal)
	must(t, err)
	at := bytes.Index(text, []byte(`"after":"`)) + len(`"after":"`)
	copy(text[at:], "0000")
	must(t, os.WriteFile(journal, text, 0o600))
	s, err = Resume(context.Background(), Opening{Data: data, Name: "small", Journal: journal, Methods: withMoving(1)},
		nil)
	must(t, err)
	if !errors.Is(s.Halted(), ErrReplay) {
		t.Error(s.Halted())
	}
	must(t, s.Close())
}

func TestScriptOfEarlierVersionWarns(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script.jsonl")
	lines := `{"format":"sdcdesk-script","version":1}` + "\n" + `{"step":"move","version":1}` + "\n" + `{"step":"move","version":2}` +
		"\n" +
		`{"step":"move"}` + "\n"
	must(t, os.WriteFile(script, []byte(lines), 0o600))
	var reported []string
	must(t,
		Run(context.Background(), RunOptions{Script: script, File: surveyPath, Out: script + ".csv", Methods: withMoving(2),
			Warn: func(message string) { reported = append(reported, message) }}))
	want := "line 2, step 1 (move): made by an earlier or unknown version of this method; its result may differ"
	if len(reported) == 0 || reported[0] != want || len(reported) > 1 && strings.Contains(reported[1], "earlier") {
		t.Errorf("told: %q", reported)
	}
}
