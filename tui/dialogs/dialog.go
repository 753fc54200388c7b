package dialogs

import (
	"context"
	"io"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Dialog is a window over the page. While it is open, its keys take precedence. A dialog does no long work: after
// every key the program asks for its question, computes the answer in the background and passes it to the dialog.
// A newer question cancels an older one.
type Dialog interface {
	Room
	Title() string
}

// Room is what takes keys: a dialog, or a full-screen page before the workbench.
type Room interface {
	Keys() []key.Binding
	HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action
	// Typing reports whether text or a number is being typed, so that letters are not commands.
	Typing() bool
	// View draws the page, or the inside of the window, in height lines of width cells; more than that is cut.
	View(s views.State, width, height int) string
}

// Previewer is a dialog that shows a what-if.
type Previewer interface {
	Dialog
	// Question returns what the dialog wants to know now, or nil, for example if its fields make no valid step.
	Question() *Question
	// Answer takes the answer to the latest question, or a part of it.
	Answer(a Answer)
}

// Question is a what-if: it asks for the figures after a step or under another scenario, and the cells that
// k-anonymity would then suppress.
type Question struct {
	Step     session.StepSpec
	Scenario *microdata.Scenario // ask for the figures under this scenario, without a step; nil: after the step
	Plan     *PlannedSteps       // ask for the figures after several steps; nil: after the step
	NeedK    int                 // k of the suppressions to count; 0: none
	K        int                 // a k whose violators are counted even if the scenario does not count it; 0: none
	Search   time.Duration       // how long to search for the step; 0: no search
}

// PlannedSteps is a sequence of steps on given data.
type PlannedSteps struct {
	Data     *microdata.Dataset
	Scenario *microdata.Scenario
	Steps    []session.StepSpec
}

// Same reports whether other has the same steps on the same data; either may be nil.
func (p *PlannedSteps) Same(other *PlannedSteps) bool {
	if p == nil || other == nil {
		return p == other
	}
	return p.Data == other.Data && p.Scenario == other.Scenario &&
		slices.EqualFunc(p.Steps, other.Steps, session.StepSpec.Same)
}

// Makes reports whether the question is about a step.
func (q *Question) Makes(step session.StepSpec) bool {
	if one, other := q.Step.Problem, step.Problem; one != nil || other != nil {
		return one != nil && other != nil && one.Error() == other.Error()
	}
	return q.Step.Same(step) && q.Step.Seed == step.Seed
}

// Answer is what is known of a question so far, with the progress of its search.
type Answer struct {
	whatif.Answer
	Search *SearchProgress // nil: no search
}

// Known returns an answer without a search.
func Known(a whatif.Answer) Answer { return Answer{Answer: a} }

// SearchProgress is the progress of a search, which continues while the answer is pending.
type SearchProgress struct {
	Account    *method.Report // of the best result so far
	Elapsed    time.Duration
	Iterations int
	Proven     bool             // the result is proven optimal
	Step       session.StepSpec // the step of the figures shown; empty while the search continues
}

// The actions of dialogs and pages, besides those of panes. Nil and draw.Handled change nothing outside the
// dialog.
type (
	// Close closes the dialog and changes nothing.
	Close struct{}
	// Apply applies the step. The dialog closes unless Stay is set, as after one of several merges.
	Apply struct {
		Step session.StepSpec
		Stay bool
	}
	// Try tries the step as a candidate and keeps the dialog open.
	Try struct{ Step session.StepSpec }
	// Cover opens another dialog over this one, which returns when that closes.
	Cover struct{ Dialog Dialog }
	// Swap replaces this dialog with another one.
	Swap struct{ Dialog Dialog }
	// Launch starts work that the dialog defines, such as an export, as a job with progress that esc cancels.
	// After success the dialog closes, or Back replaces it; the notice of the work, or its error, is shown.
	Launch struct {
		Title string
		Work  func(ctx context.Context, meter *progress.Meter) (notice string, err error)
		Back  Dialog // nil: none
	}
	// Write writes a file as work. The file is that of the path, unless the session must not touch it. The notice
	// is shown after success.
	Write struct {
		Title   string
		Path    string
		Replace bool // an existing file
		Notice  string
		Content func(w io.Writer) error
		Back    Dialog // as in Launch
	}
	// Call closes the dialog and executes a command of the program.
	Call func()
	// OpenDemonstration opens the embedded survey.
	OpenDemonstration struct{}
	// OpenLessons lists the lessons.
	OpenLessons struct{}
	// OpenPath opens the import page of a file.
	OpenPath struct{ Path string }
	// Continue resumes the session of a journal.
	Continue struct{ Journal session.JournalInfo }
	// OpenFile reads a file with the format of its import page.
	OpenFile struct {
		Path   string
		Format fileio.Format
	}
	// Redraw repeats applied steps with new seeds; the steps are counted from 0, in their order. The dialog stays
	// open.
	Redraw struct{ Steps []int }
	// Replace replaces an applied step, counted from 0. The dialog stays open.
	Replace struct {
		Step int
		By   session.StepSpec
	}
	// Undo undoes the last step.
	Undo struct{}
	// SetScenario changes and activates the scenario with a name; "" is the active one. Others are changed too.
	// The dialog closes unless Stay is set.
	SetScenario struct {
		Name     string
		Scenario microdata.Scenario
		Others   []session.NamedScenario
		Stay     bool
	}
)

// Narrow is the size of dialogs with text to read and of those that write a file.
type Narrow struct{}

// Size returns the size of a page of text.
func (Narrow) Size() (width, height int) { return 84, 26 }
