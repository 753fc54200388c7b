package views

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// State is a read-only picture of the workbench, all that a pane may draw
// from. Figures of one Version belong together: they were computed on its data
// and on no other.
type State struct {
	draw.Look
	File string // the name of the file, without its folder
	// DecimalComma says that a comma stands before the decimals of the file's
	// numbers, else a point.
	DecimalComma bool
	// Bare hides what codes and variables mean.
	Bare     bool
	Scenario *microdata.Scenario
	Original Version // the records of Current as they were read
	Current  Version
	// NotApplicable says why k-anonymity and risk do not apply to the current
	// data, whose assessment is then nil; "" where they do.
	NotApplicable string
	Begins        string // what the data before all steps are called; "": original data
	Steps         []Step
	Position      int      // number of steps that stand; Steps[Position:] can be redone
	Tree          []Node   // of all branches; nil: there is only that of Steps
	Measures      []Opened // that are open, in the order in which they were opened
	// numbers of the data after steps of the tree, by their numbers, as far as they are known
	StepFigures map[int]measure.Set
	Axes        [2]FigureID // of the map of risk and loss; zero: nobody has chosen
	Trials      []Trial     // candidates that were tried on the current data
	Selected    Selection
	K           int              // the k of the screen: which violators are listed
	Changing    int              // the step that a dialog changes, Current being the data before it; 0: none
	Last        measure.Set      // then the numbers after the last step, as it is
	Now         func() time.Time // the clock; tests stop it
	// Try computes beside the program what the step of a method would give on the
	// current data, as its dialog does; it draws nothing. nil: nothing can be tried.
	Try func(ctx context.Context, name string, m method.Method) (*whatif.Result, error)
	// TableSource returns what tables of the session are made of now. The result can be used in the background.
	TableSource func() TableSource
}

// TableSource returns the data that a table is made of, and the levels of its variables that the session knows.
type TableSource func(d *microdata.TableDefinition) (*microdata.Dataset, publish.Hierarchies)

// Beginning returns what the data before all steps are called.
func (s *State) Beginning() string { return cmp.Or(s.Begins, "original data") }

// Version is a dataset with what measures tell of it. There is nothing while that
// is being computed for the first time.
type Version struct {
	Data       *microdata.Dataset
	Figures    measure.Set
	Assessment *risk.Assessment // the result behind some of them; nil without key variables, and where it does not apply
}

// NewVersion returns a dataset with its figures.
func NewVersion(data *microdata.Dataset, figures measure.Set) Version {
	return Version{data, figures, measure.Result[*risk.Assessment](figures)}
}

// Column returns a variable; nil where it is not there.
func (v Version) Column(name string) *microdata.Column {
	if v.Data == nil {
		return nil
	}
	column, _ := v.Data.Column(name)
	return column
}

// Step is one step of the session as the screen shows it. Violators are those
// of State.K right after the step; -1 where not known.
type Step struct {
	Name      string // the method's script name
	Params    json.RawMessage
	Restores  string // the variable that got its source values back; "": none
	Title     string
	Effect    string
	Violators int
	Change    int // against the step before; 0 where not known
	// NotApplicable says why violators have no meaning after the step.
	NotApplicable string
	Figures       measure.Set // right after the step, the numbers; nil where not known
	At            time.Time
	Report        *method.Report
	Meanings      []method.Meaning // of the variables and categories that the title may name
	// before the step, of the variables whose categories its report of PRAM has
	Said map[string]microdata.Description
}

// Standing returns the steps that stand, the first one first.
func (s State) Standing() []Step { return s.Steps[:max(0, min(s.Position, len(s.Steps)))] }

// Selection is what the cursor is on. All panes share it, so that choosing a
// variable in one shows it in the others.
type Selection struct {
	Variable string // a variable's name; "" where there is none
	Level    uint32 // a code of that variable; 0 is missing
	Record   int    // record index, from 0; -1 for none
	Stratum  int    // place among the strata of PRAM, from 0
}

// Keys returns the key variables; none without a scenario.
func (s State) Keys() []string {
	if s.Scenario == nil {
		return nil
	}
	return s.Scenario.Keys
}

// Records returns the number of records of the current data.
func (s State) Records() int {
	if s.Current.Data == nil {
		return 0
	}
	return s.Current.Data.Records()
}

// Rows returns the number of rows of the current data, each of which may stand for
// several records.
func (s State) Rows() int {
	if s.Current.Data == nil {
		return 0
	}
	return s.Current.Data.Len()
}

// Row is what a row of the current data is called: a record, or a group of those that are alike.
func (s State) Row() string {
	if s.Current.Data != nil && s.Current.Data.Grouped() {
		return "group"
	}
	return "record"
}

// SourceRecord names the record of the source that a record is.
func SourceRecord(s State, record int) string {
	return "record " + draw.Count(s.Current.Data.SourceRecord(record)+1) + " of the original"
}

// Prepare computes what panes would otherwise have to when they draw a version
// for the first time, k being that of the screen. It is for the work that makes
// the version, beside the screen.
func Prepare(v Version, k int) {
	if v.Assessment != nil {
		v.Assessment.RecordsAtRisk(FirstViolators, ViolatorsAt(v.Assessment, k).K)
	}
}
