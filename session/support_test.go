package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// fataler is the common interface of *testing.T and *rapid.T.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// smallText is a survey of twelve persons.
const smallText = `hid,sex,age,region,weight
1,f,3,north,10
1,m,34,north,10
2,f,35,south,20.5
2,f,71,south,20.5
3,m,52,,12
4,m,52,north,12
5,f,18,east,7
5,m,19,east,7
5,f,2,east,7
6,f,44,south,30
7,,44,south,30
8,m,99,west,5
`

// readText reads data from text.
func readText(t fataler, text string) (*microdata.Dataset, fileio.Format) {
	t.Helper()
	data, report, err := fileio.ReadBytes(context.Background(), "test.csv", []byte(text), fileio.NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return data, report.Format
}

// smallScenario returns a scenario for smallText.
func smallScenario() microdata.Scenario {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"sex", "age", "region"}
	scenario.Weight, scenario.Household = "weight", "hid"
	return scenario
}

// stateHere moves the state folder into a folder of the test.
func stateHere(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("XDG_STATE_HOME", folder)
	return filepath.Join(folder, "sdcdesk")
}

// fileOpening returns the opening of a session on a file that was read already.
func fileOpening(t fataler, path string, data *microdata.Dataset, format fileio.Format) Opening {
	t.Helper()
	identity, err := statted(path)
	if err != nil {
		t.Fatal(err)
	}
	return Opening{Source: (*MethodSource)(nil).source(identity, &format), Data: data}
}

// openSmall starts a session on smallText in a file, with its journal in the
// state folder and the scenario set.
func openSmall(t *testing.T) *Session {
	t.Helper()
	s := beginSmall(t)
	must(t, s.SetScenario(smallScenario()))
	return s
}

// beginSmall is openSmall without a scenario.
func beginSmall(t *testing.T) *Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.csv")
	must(t, os.WriteFile(path, []byte(smallText), 0o600))
	data, format := readText(t, smallText)
	s, err := New(fileOpening(t, path, data, format))
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Assess returns the risk figures of the data; see risk.Of.
func (a *Analyst) Assess(ctx context.Context, data *microdata.Dataset,
	scenario *microdata.Scenario) (*risk.Assessment, error) {
	return risk.Of(ctx, a.version(data, scenario))
}

// assessed returns the risk figures of an analyst for the data, or nil.
func assessed(t fataler, a *Analyst, data *microdata.Dataset, scenario *microdata.Scenario) *risk.Assessment {
	t.Helper()
	set, err := a.Figures(context.Background(), data, scenario, measure.History)
	if err != nil {
		t.Fatal(err)
	}
	return measure.Result[*risk.Assessment](set)
}

// volatile starts a session without a journal.
func volatile(t fataler, text string, scenario microdata.Scenario) *Session {
	t.Helper()
	data, format := readText(t, text)
	s, err := New(Opening{Source: NewDemonstration("test", format), Data: data, Volatile: true})
	if err == nil {
		err = s.SetScenario(scenario)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func step(name, params string) StepSpec {
	return StepSpec{Step: name, Params: json.RawMessage(params)}
}

var (
	ages     = step("recode-intervals", `{"variable":"age","breaks":[-1,17,44,120]}`)
	wideAges = step("recode-intervals", `{"variable":"age","breaks":[-1,44,120]}`)
	regions  = step("recode-group", `{"variable":"region","levels":["east","west"],"label":"other"}`)
	two      = step("suppress-kanonymity", `{"k":2}`)
)

// jump moves to a position, as undo and redo do by one.
func jump(s *Session, position int) error {
	job, err := s.PrepareMove(position)
	return runJob(s, job, err)
}

// goTo moves to a node.
func goTo(s *Session, id int) error {
	job, err := s.PrepareNode(id)
	return runJob(s, job, err)
}

// runJob runs and commits a prepared job.
func runJob(s *Session, job Job, err error) error {
	if err != nil {
		return err
	}
	result, err := job.Run(context.Background(), nil, nil)
	if err != nil {
		return err
	}
	return s.Commit(result)
}

// back and again are the undo and redo of the program.
func back(s *Session) error {
	job, err := s.PrepareUndo()
	return runJob(s, job, err)
}

func again(s *Session) error {
	job, err := s.PrepareRedo()
	return runJob(s, job, err)
}

// continueAt resumes the session of a journal on its source.
func continueAt(t fataler, path string) (*Session, error) {
	t.Helper()
	info, err := ReadJournal(path, nil)
	must(t, err)
	return Continue(context.Background(), info, nil, 0, nil, nil)
}

func undo(s *Session) error { return jump(s, s.Position()-1) }

func redo(s *Session) error { return jump(s, s.Position()+1) }

// do applies a step.
func do(t fataler, s *Session, spec StepSpec) *Result {
	t.Helper()
	result, err := s.Prepare(spec).Run(context.Background(), NewAnalyst(), nil)
	if err == nil {
		err = s.Commit(result)
	}
	if err != nil {
		t.Fatalf("%s: %v", spec.Step, err)
	}
	return result
}

func must(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// drawText draws a small survey: two variables of text, ages, weights and
// households, with missing cells.
func drawText(t *rapid.T) string {
	n := rapid.IntRange(1, 40).Draw(t, "records")
	cell := func(name string, values ...string) string { return rapid.SampledFrom(values).Draw(t, name) }
	var text strings.Builder
	text.WriteString("hid,sex,age,region,weight\n")
	for range n {
		fmt.Fprintf(&text, "%s,%s,%s,%s,%s\n", cell("hid", "1", "2", "3", "4", "5"), cell("sex", "f", "m", ""),
			cell("age", "1", "7", "18", "30", "31", "64", "80", ""), cell("region", "east", "west", "north", ""),
			cell("weight", "1", "2.5", "10", "333.25", "0.1"))
	}
	return text.String()
}

// drawRecode draws a recode that splits, orders or coarsens the codes of a variable.
func drawRecode(t *rapid.T) StepSpec {
	return rapid.SampledFrom([]StepSpec{
		step("recode-intervals", `{"variable":"age","count":3,"method":"quantiles"}`),
		step("recode-hierarchy", `{"variable":"age","digits":1}`),
		step("recode-hierarchy", `{"variable":"region","levels":[["east","coast"],["west","coast"]],"unlisted":"keep"}`),
		step("recode-round", `{"variable":"age","base":10}`),
		step("recode-split", `{"variable":"region","level":"other"}`),
		step("recode-split", `{"variable":"sex","level":"x"}`),
		step("recode-group", `{"variable":"sex","include_missing":true,"label":"not known"}`),
		step("recode-order", `{"variable":"region","levels":["west","east"]}`),
		step("recode-topbottom", `{"variable":"region","top_level":"west"}`),
	}).Draw(t, "recode")
}

// drawStep draws a step that usually fits the data.
func drawStep(t *rapid.T) StepSpec {
	missing := rapid.Bool().Draw(t, "include missing")
	switch rapid.IntRange(0, 8).Draw(t, "step") {
	case 0:
		breaks := rapid.SliceOfNDistinct(rapid.IntRange(-1, 90), 2, 5, rapid.ID[int]).Draw(t, "breaks")
		slices.Sort(breaks)
		text, _ := json.Marshal(breaks)
		return step("recode-intervals", fmt.Sprintf(`{"variable":"age","breaks":%s}`, text))
	case 1:
		return step("recode-group",
			fmt.Sprintf(`{"variable":"region","levels":["east","west"],"label":"other","include_missing":%v}`, missing))
	case 2:
		return step("recode-group", fmt.Sprintf(`{"variable":"sex","levels":["f"],"label":"x","include_missing":%v}`,
			missing))
	case 3:
		return step("recode-rename", `{"variable":"region","level":"north","label":"N"}`)
	case 4:
		return step("suppress-kanonymity",
			fmt.Sprintf(`{"k":2,"rule":%q}`, rapid.SampledFrom([]string{"default", "conservative", "own-category"}).Draw(t,
				"rule")))
	case 5:
		return step("suppress-risk", `{"variable":"age","threshold":0.2}`)
	case 6:
		return drawRecode(t)
	case 7:
		return rapid.SampledFrom([]StepSpec{
			step("suppress-kanonymity", `{"subsets":[{"size":2,"k":2},{"size":1,"k":3}]}`),
			step("suppress-combinations", `{"combinations":{"dimension":2,"threshold":1},"by":"entropy"}`),
			step("suppress-combinations",
				`{"combinations":[{"variables":["age","sex"],"threshold":2}],"priorities":{"sex":10}}`),
			step("mondrian", `{"k":2}`),
			step("local-recoding", `{"k":2}`),
		}).Draw(t, "suppression")
	default:
		return drawPreparation(t)
	}
}

// drawPreparation draws a step of preparation.
func drawPreparation(t *rapid.T) StepSpec {
	spec := rapid.SampledFrom([]StepSpec{
		step("convert", `{"variable":"age"}`),
		step("convert", `{"variable":"age","to":"whole","invalid":"missing"}`),
		step("set-missing", `{"variable":"age","levels":["80"]}`),
		step("set-missing", `{"variable":"sex","records":[1]}`),
		step("make-stratum", `{"variables":["sex","region"]}`),
		step("reset", `{"variable":"age"}`),
		step("reset", `{"variable":"region"}`),
		step("new-ids", `{"variables":["hid"]}`),
		step("shuffle-records", `{}`),
		step("shuffle-records", `{"members":"kept"}`),
		step("subset", `{"percent":60}`),
		step("subset", `{"take":"random","n":9,"households":true}`),
		step("subset", `{"take":"every","n":2}`),
	}).Draw(t, "preparation")
	spec.Seed = rapid.Uint64Range(1, 1<<40).Draw(t, "seed")
	return spec
}

// Steps returns the new steps: the requested one and those replayed after it.
func (r *Result) Steps() []Step { return append([]Step(nil), r.steps...) }

// writeScript writes the applied steps as a script.
func writeScript(d Document, path string, force, seeds bool) error {
	return d.WriteFile(path, force, func(w io.Writer) error { return d.WriteScript(w, seeds) })
}

// expectedOf returns the expected re-identifications of a summary.
func expectedOf(f Figures) float64 {
	return f.Set.Value("risk", "expected_reidentifications", 0).Number
}
