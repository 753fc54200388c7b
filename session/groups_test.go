package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// countingAnew does something, and where groups have to be counted by more variables, counts them and does it again.
func countingAnew(s *Session, what func() error) (counts int, err error) {
	err = what()
	lacking := new(UncountedError)
	if !errors.As(err, &lacking) {
		return 0, err
	}
	count, err := s.PrepareCount(lacking)
	if err != nil {
		return 0, err
	}
	done, err := count.Run(context.Background(), nil)
	if err != nil {
		return 0, err
	}
	if err := s.Recount(done); err != nil {
		return 0, err
	}
	return 1, what()
}

// actOn does what a line of a script says, or a move.
func actOn(s *Session, line string) (int, error) {
	job := func(prepare func() (Job, error)) (int, error) {
		return countingAnew(s, func() error {
			job, err := prepare()
			if err != nil {
				return err
			}
			r, err := job.Run(context.Background(), nil, nil)
			if err != nil {
				return err
			}
			return s.Commit(r)
		})
	}
	switch line {
	case "undo":
		return job(s.PrepareUndo)
	case "redo":
		return job(s.PrepareRedo)
	case "newest step":
		return job(func() (Job, error) { return s.PrepareNode(len(s.tree.nodes) - 1) })
	}
	script, err := ReadScript(strings.NewReader("{\"format\":\"sdcdesk-script\",\"version\":1}\n"+line), nil)
	if err != nil {
		return 0, err
	}
	if len(script.Steps) == 0 {
		return countingAnew(s, func() error { return s.PutScenario("", script.Scenario) })
	}
	return job(func() (Job, error) { return s.Prepare(script.Steps[0].Spec), nil })
}

// summaryOf returns the summary of a session, and its protected file.
func summaryOf(t fataler, s *Session, folder string) (summary map[string]any, out string) {
	t.Helper()
	d := s.Document()
	found, err := d.Summarise(context.Background(), NewAnalyst().For(s))
	must(t, err)
	text, err := json.Marshal(found)
	must(t, err)
	must(t, json.Unmarshal(text, &summary))
	path := filepath.Join(folder, "out.csv")
	_, err = d.Export(context.Background(), ExportOptions{Path: path, Force: true, GuardFormulas: true}, nil)
	must(t, err)
	written, err := os.ReadFile(path)
	must(t, err)
	return summary, string(written)
}

// A session on a file that is read in passes begins without any group, and counts them anew where a role, a step
// or an undo needs more variables. After every act, and continued, it is as the session on the same file in memory.
func TestGroupsAreCountedAsTheyAreNeeded(t *testing.T) {
	stateHere(t)
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.csv")
	acts := append([]string{"undo", "undo", "redo", "newest step", "newest step", `{"step":"recode-rename","params":{"variable":"health","level":"ill","label":"bad"}}`,
		`{"scenario":{"keys":["region"],"remove":["id"],"k":[2,3]}}`}, slices.Concat(streamedSteps, drawnSteps)...)
	rapid.Check(t, func(t *rapid.T) {
		must(t, os.WriteFile(path, []byte(drawStreamed(t)), 0o600))
		format := fileio.NewFormat()
		format.Missing = []string{"", "NA"}
		whole := openedFor(t, Identity{Path: path}, format)
		passed := openedFor(t, Identity{Path: InPasses(path)}, format)
		counts := 0
		for _, line := range rapid.SliceOfN(rapid.SampledFrom(acts), 1, 8).Draw(t, "acts") {
			_, err := actOn(whole, line)
			more, other := actOn(passed, line)
			counts += more
			if refusedWithoutRecords(other) {
				break
			}
			if (err == nil) != (other == nil) {
				t.Fatalf("%s: in memory: %v, in passes: %v", line, err, other)
			}
			if whole.Position() != passed.Position() {
				t.Fatalf("%s: position %d and %d", line, whole.Position(), passed.Position())
			}
			summary, out := summaryOf(t, whole, folder)
			summaryPassed, outPassed := summaryOf(t, passed, folder)
			if where := differs("", summary, summaryPassed); where != "" {
				t.Fatalf("%s: in memory and in passes differ at %s", line, where)
			}
			if out != outPassed {
				t.Fatalf("%s: in memory:\n%s\nin passes:\n%s", line, out, outPassed)
			}
		}
		want, out := summaryOf(t, passed, folder)
		must(t, whole.Close())
		must(t, passed.Close())
		if passed.journal.lines == nil {
			return
		}
		found, err := FindJournals(InPasses(path), nil)
		must(t, err)
		again, err := Continue(context.Background(), found[0], nil, 0, nil)
		must(t, err)
		if got, gotOut := summaryOf(t, again, folder); differs("", want, got) != "" || out != gotOut {
			t.Fatalf("continued, it differs at %s", differs("", want, got))
		}
		must(t, again.Close())
		must(t, os.RemoveAll(filepath.Dir(found[0].Path)))
	})
}

func openedFor(t fataler, identity Identity, format fileio.Format) *Session {
	opening, err := (*Known)(nil).source(identity, &format).Open(context.Background(), nil)
	must(t, err)
	s, err := New(opening)
	must(t, err)
	return s
}

// A file that has changed since its groups were counted is not counted anew, and no session on it is continued.
func TestChangedFileIsNotCountedAnew(t *testing.T) {
	stateHere(t)
	path := filepath.Join(t.TempDir(), "survey.csv")
	must(t, os.WriteFile(path, []byte(smallText), 0o600))
	s := openedFor(t, Identity{Path: InPasses(path)}, fileio.NewFormat())
	if _, err := actOn(s, `{"scenario":{"keys":["sex"]}}`); err != nil {
		t.Fatal(err)
	}
	must(t, os.WriteFile(path, []byte(smallText+"9,f,1,north,1\n"), 0o600))
	if _, err := actOn(s, `{"scenario":{"keys":["sex","region"]}}`); !errors.Is(err, streamed.ErrChanged) {
		t.Errorf("counted anew: %v", err)
	}
	if keys := s.Scenario().Keys; len(keys) != 1 {
		t.Errorf("the key variables are %v", keys)
	}
	must(t, s.Close())
	found, err := FindJournals(InPasses(path), nil)
	must(t, err)
	if len(found) != 1 || !found[0].Changed {
		t.Fatalf("found %+v", found)
	}
	if _, err := Continue(t.Context(), found[0], nil, 0, nil); !errors.Is(err, streamed.ErrChanged) {
		t.Errorf("continued: %v", err)
	}
}

// What cannot be counted at once is refused, and the session stays as it was.
func TestTwoWeightsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.csv")
	must(t, os.WriteFile(path, []byte("sex,v,w\nf,1,2\nm,3,4\nm,5,6\n"), 0o600))
	opening, err := (*Known)(nil).Source(InPasses(path), fileio.NewFormat()).Open(t.Context(), nil)
	must(t, err)
	opening.Volatile = true
	s, err := New(opening)
	must(t, err)
	for _, line := range []string{`{"scenario":{"keys":["sex"],"weight":"v"}}`, `{"step":"recode-rename","params":{"variable":"sex","level":"m","label":"man"}}`} {
		if counts, err := actOn(s, line); err != nil {
			t.Fatal(counts, err)
		}
	}
	if _, err := actOn(s, `{"scenario":{"keys":["sex"],"weight":"w"}}`); !errors.Is(err, ErrStream) || !strings.Contains(err.Error(), "two weights") {
		t.Errorf("another weight under a step: %v", err)
	}
	if _, err := actOn(s, "undo"); err != nil {
		t.Fatal(err)
	}
	if counts, err := actOn(s, `{"scenario":{"keys":["sex"],"weight":"w"}}`); counts != 1 || err != nil {
		t.Errorf("another weight: %d counts, %v", counts, err)
	}
	if _, err := actOn(s, `{"scenario":{"keys":["sex","w"],"weight":""}}`); err != nil {
		t.Errorf("the weight becomes a key variable: %v", err)
	}
	if w, _ := s.Data().Column("w"); w.Sums() || w.Uncounted() {
		t.Error("the groups are not counted by what was the weight")
	}
}

// endingContext is a context that ends after so many looks at it.
type endingContext struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) == 0 {
		c.end()
	}
	return c.Context.Err()
}

// An export that is cancelled in the middle, or finds no room, leaves the folder as it was, and the session can be
// worked on.
func TestUnfinishedPassesLeaveNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.csv")
	must(t, os.WriteFile(path, []byte("sex,w\n"+strings.Repeat("f,1\nm,2\n", 100_000)), 0o600))
	opening, err := (*Known)(nil).Source(InPasses(path), fileio.NewFormat()).Open(t.Context(), nil)
	must(t, err)
	opening.Volatile = true
	s, err := New(opening)
	must(t, err)
	_, err = actOn(s, `{"scenario":{"keys":["sex"],"weight":"w"}}`)
	must(t, err)
	out := filepath.Join(folder, "out.csv")
	for looks := range 4 {
		within, end := context.WithCancel(t.Context())
		ctx := &endingContext{Context: within, end: end}
		ctx.left.Store(int64(1 + 3*looks))
		if _, err := s.Document().Export(ctx, ExportOptions{Path: out}, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d looks: %v", looks, err)
		}
		end()
	}
	if err := s.Document().WriteFile(path, true, func(io.Writer) error { return nil }); err == nil {
		t.Error("the file itself is written")
	}
	d := s.Document()
	staging := fileio.Staging{Options: fileio.WriteOptions{Source: path}}
	err = staging.AddChecked(out, func(io.Writer) error {
		r := &streamed.Release{Path: path, Format: d.Source.Format(), By: []string{"sex"}, Base: d.Base, Data: d.Data,
			Known: (&fileio.Passed{Variables: d.Source.(*stream).said}).Known()}
		_, err := r.Write(t.Context(), full{}, d.Source.Format(), fileio.WriteOptions{}, nil)
		return err
	}, func(string) error { return nil })
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("without room: %v", err)
	}
	staging.Discard()
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) != 1 {
		t.Errorf("there are %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, ".*")); len(left) != 0 {
		t.Errorf("there are %v", left)
	}
	if _, err := s.Document().Export(t.Context(), ExportOptions{Path: out}, nil); err != nil {
		t.Error(err)
	}
}

// full is a disk without room after some bytes.
type full struct{}

func (full) Write(p []byte) (int, error) { return 0, syscall.ENOSPC }

// A step that was left on another branch is done again on groups that were counted anew meanwhile.
func TestBranchesAreCountedAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.csv")
	must(t, os.WriteFile(path, []byte("sex,region\nf,north\nf,south\nf,north\nm,north\nm,south\n"), 0o600))
	opening, err := (*Known)(nil).Source(InPasses(path), fileio.NewFormat()).Open(t.Context(), nil)
	must(t, err)
	opening.Volatile = true
	s, err := New(opening)
	must(t, err)
	for _, line := range []string{`{"scenario":{"keys":["sex"]}}`, `{"step":"suppress-kanonymity","params":{"k":3}}`, "undo",
		`{"scenario":{"keys":["sex","region"]}}`, "newest step"} {
		if _, err := actOn(s, line); err != nil {
			t.Fatal(line, err)
		}
	}
	if region, _ := s.Data().Column("region"); region.Uncounted() || region.MissingCount() != 0 {
		t.Error("the branch stands on groups that are not counted by region")
	}
	if sex, _ := s.Data().Column("sex"); sex.SuppressedCount() != 2 {
		t.Errorf("%d cells are suppressed on the branch", sex.SuppressedCount())
	}
}

// Values of which there are many are counted where a step needs them, up to a limit that is said; the groups stay as
// they are, and the protected file is that of the records in memory.
func TestManyValuesAreCountedForAStep(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.csv")
	var text strings.Builder
	text.WriteString("id,sex,income\n")
	for i := range 12_000 {
		fmt.Fprintf(&text, "%d,%s,%d.5\n", i, []string{"f", "m"}[i%2], 3*i)
	}
	must(t, os.WriteFile(path, []byte(text.String()), 0o600))
	whole := openedFor(t, Identity{Path: path}, fileio.NewFormat())
	lines := []string{`{"scenario":{"keys":["sex"]}}`, `{"step":"recode-topbottom","params":{"variable":"income","top":30000,"replacement":"mean"}}`,
		`{"step":"recode-round","params":{"variable":"income","base":500}}`, `{"step":"reset","params":{"variable":"income"}}`}
	for _, line := range lines {
		_, err := actOn(whole, line)
		must(t, err)
	}
	summary, out := summaryOf(t, whole, folder)
	for name, passed := range map[string]*Session{"stream": openedFor(t, Identity{Path: InPasses(path)}, fileio.NewFormat())} {
		for i, line := range lines {
			counts, err := actOn(passed, line)
			must(t, err)
			if counts != []int{1, 1, 0, 0}[i] || passed.Data().Len() != 2 {
				t.Errorf("%s: %d counts, %d groups after %s", name, counts, passed.Data().Len(), line)
			}
		}
		if is, isOut := summaryOf(t, passed, folder); name == "stream" && differs("", summary, is) != "" || out != isOut {
			t.Errorf("%s: in memory and in passes differ at %q", name, differs("", summary, is))
		}
		must(t, passed.Close())
	}
	must(t, whole.Close())
}

// More values than are kept are refused with their number.
func TestTooManyValuesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.csv")
	var text strings.Builder
	text.WriteString("sex,income\n")
	for i := range fileio.MostValues + 1 {
		fmt.Fprintf(&text, "f,%d\n", i)
	}
	must(t, os.WriteFile(path, []byte(text.String()), 0o600))
	opening, err := (*Known)(nil).Source(InPasses(path), fileio.NewFormat()).Open(t.Context(), nil)
	must(t, err)
	opening.Volatile = true
	s, err := New(opening)
	must(t, err)
	_, err = actOn(s, `{"step":"recode-round","params":{"variable":"income","base":500}}`)
	if !errors.Is(err, ErrStream) || !strings.Contains(err.Error(), "more than 1,000,000 different values") {
		t.Errorf("too many values: %v", err)
	}
}
