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

// State is a read-only snapshot of the workbench, the only thing a pane draws from. The figures of a Version were
// computed on its data.
type State struct {
	draw.Look
	File string // file name without folder
	// DecimalComma reports whether the file writes numbers with a decimal comma instead of a point.
	DecimalComma bool
	// Bare hides the labels of codes and variables.
	Bare     bool
	Scenario *microdata.Scenario
	Original Version // the records of Current before all steps
	Current  Version
	// NotApplicable is the reason why k-anonymity and risk do not apply to the current data, whose assessment is
	// then nil; "" if they apply.
	NotApplicable string
	Begins        string // name of the data before all steps; "": original data
	Steps         []Step
	Position      int      // number of applied steps; Steps[Position:] can be redone
	Tree          []Node   // all branches; nil if there is only Steps
	Measures      []Opened // the active measures in the order of opening
	// StepFigures has the figures of the data after steps of the tree by node ID, as far as known.
	StepFigures map[int]measure.Set
	Axes        [2]FigureID // axes of the risk-utility map; zero: not chosen
	Trials      []Trial     // candidates tried on the current data
	Selected    Selection
	K           int              // the k whose violators are listed
	Changing    int              // the step being edited in a dialog, Current being the data before it; 0: none
	Last        measure.Set      // figures after the last step, when a step is being edited
	Now         func() time.Time // the clock; tests stop it
	// Try computes in the background what the step of a method would give on the current data, as its dialog does;
	// it draws nothing. It is nil if nothing can be tried.
	Try func(ctx context.Context, name string, m method.Method) (*whatif.Result, error)
	// TableSource returns what tables of the session are made of now. The result can be used in the background.
	TableSource func() TableSource
}

// TableSource returns the data that a table is made of, and the levels of its variables that the session knows.
type TableSource func(d *microdata.TableDefinition) (*microdata.Dataset, publish.Hierarchies)

// Beginning returns the name of the data before all steps.
func (s *State) Beginning() string { return cmp.Or(s.Begins, "original data") }

// Version is a dataset with the figures of the measures, which are empty until they are computed for the first
// time.
type Version struct {
	Data       *microdata.Dataset
	Figures    measure.Set
	Assessment *risk.Assessment // the result behind some figures; nil without key variables and if it does not apply
}

// NewVersion returns a dataset with its figures.
func NewVersion(data *microdata.Dataset, figures measure.Set) Version {
	return Version{data, figures, measure.Result[*risk.Assessment](figures)}
}

// Column returns a variable, or nil if it does not exist.
func (v Version) Column(name string) *microdata.Column {
	if v.Data == nil {
		return nil
	}
	column, _ := v.Data.Column(name)
	return column
}

// Step is a step of the session as shown on the screen. Violators counts the violators of State.K right after the
// step, -1 if unknown.
type Step struct {
	Name      string // script name of the method
	Params    json.RawMessage
	Restores  string // the variable whose original values were restored; "": none
	Title     string
	Effect    string
	Violators int
	Change    int // difference to the step before; 0 if unknown
	// NotApplicable is the reason why violators have no meaning after the step, or "".
	NotApplicable string
	Figures       measure.Set // right after the step; nil if unknown
	At            time.Time
	Report        *method.Report
	Meanings      []method.Meaning // labels of the variables and categories that the title may name
	// descriptions before the step, of the variables in its PRAM report
	Said map[string]microdata.Description
}

// Standing returns the applied steps, the first one first.
func (s State) Standing() []Step { return s.Steps[:max(0, min(s.Position, len(s.Steps)))] }

// Selection is what the cursor is on. All panes share it, so that a variable selected in one pane is shown in the
// others.
type Selection struct {
	Variable string // name of a variable; "" if none is selected
	Level    uint32 // code of that variable; 0 is missing
	Record   int    // record index from 0; -1 if none is selected
	Stratum  int    // index of the PRAM stratum, from 0
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

// Rows returns the number of rows of the current data. A row can represent several records.
func (s State) Rows() int {
	if s.Current.Data == nil {
		return 0
	}
	return s.Current.Data.Len()
}

// Row returns what a row of the current data is called: "record", or "group" for identical records counted
// together.
func (s State) Row() string {
	if s.Current.Data != nil && s.Current.Data.Grouped() {
		return "group"
	}
	return "record"
}

// SourceRecord names the original record of a record.
func SourceRecord(s State, record int) string {
	return "record " + draw.Count(s.Current.Data.SourceRecord(record)+1) + " of the original"
}

// Prepare computes what panes would otherwise compute when they first draw a version, for the k of the screen. It
// runs in the background, in the job that makes the version.
func Prepare(v Version, k int) {
	if v.Assessment != nil {
		v.Assessment.RecordsAtRisk(FirstViolators, ViolatorsAt(v.Assessment, k).K)
	}
}
