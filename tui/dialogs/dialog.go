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

// Dialog is a window over the page below. While it is open its keys win over
// all others. A dialog does no work of its own: after every key the program
// asks what it wants to know, has that computed in the background and hands
// the answer in; a newer question cancels an older one.
type Dialog interface {
	Room
	Title() string
}

// Room is what keys are for: a dialog, or a page before the workbench, which has the
// whole screen.
type Room interface {
	Keys() []key.Binding
	HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action
	// Typing reports whether a text or number is being typed, so that no letter
	// is a command.
	Typing() bool
	// View draws the page, or the inside of the window, in a space of height lines of
	// width cells; what is more than that is cut off.
	View(s views.State, width, height int) string
}

// Asking is a dialog that shows a what-if.
type Asking interface {
	Dialog
	// Question returns what the dialog wants to know now; nil: nothing, as when
	// its fields make no valid step.
	Question() *Question
	// Answer takes what is known of the newest question.
	Answer(a Answer)
}

// Question is a what-if: the figures after a step or under another scenario, and what
// k-anonymity would then need.
type Question struct {
	Step     session.StepSpec
	Scenario *microdata.Scenario // ask for the figures under it instead, without a step; nil: after the step
	Plan     *Planned            // ask for the figures after several steps instead; nil: after the step
	NeedK    int                 // k of the suppressions to count; 0: none
	K        int                 // of violators that are counted too where the scenario does not; 0: none
	Search   time.Duration       // how long to search for the step; 0: it is made as it stands
}

// Planned are steps one after the other on data of their own.
type Planned struct {
	Data     *microdata.Dataset
	Scenario *microdata.Scenario
	Steps    []session.StepSpec
}

// Same reports whether others are the same steps on the same data; either may be nil.
func (p *Planned) Same(other *Planned) bool {
	if p == nil || other == nil {
		return p == other
	}
	return p.Data == other.Data && p.Scenario == other.Scenario &&
		slices.EqualFunc(p.Steps, other.Steps, session.StepSpec.Same)
}

// Makes reports whether the question is one about a step.
func (q *Question) Makes(step session.StepSpec) bool {
	if one, other := q.Step.Problem, step.Problem; one != nil || other != nil {
		return one != nil && other != nil && one.Error() == other.Error()
	}
	return q.Step.Same(step) && q.Step.Seed == step.Seed
}

// Answer is what is known of a question so far, and how far a search for it has come.
type Answer struct {
	whatif.Answer
	Search *Searching // nil: nothing is searched for
}

// Known is an answer without a search.
func Known(a whatif.Answer) Answer { return Answer{Answer: a} }

// Searching tells how far a search has come. It goes on while the answer is
// pending.
type Searching struct {
	Account    *method.Report // of the best result so far
	Elapsed    time.Duration
	Iterations int
	Proven     bool             // no result is better
	Step       session.StepSpec // that gives what the figures show; empty while it goes on
}

// What dialogs and pages ask for, besides the actions of panes. Nil and draw.Handled
// leave everything outside the dialog as it is.
type (
	// Close closes the dialog and leaves everything as it was.
	Close struct{}
	// Apply runs the step. The dialog closes unless it is to stay, as after one
	// of several merges.
	Apply struct {
		Step session.StepSpec
		Stay bool
	}
	// Try tries the step as a candidate, and keeps the dialog open.
	Try struct{ Step session.StepSpec }
	// Cover puts another dialog over this one, which is back when that closes.
	Cover struct{ Dialog Dialog }
	// Swap puts another dialog in the place of this one.
	Swap struct{ Dialog Dialog }
	// Launch starts work that the dialog defines, such as an export, as a job with
	// progress that esc cancels. When the work ends well the dialog closes, or makes
	// way for the one it came from; the notice of the work, or its error, is shown.
	Launch struct {
		Title string
		Work  func(ctx context.Context, meter *progress.Meter) (notice string, err error)
		Back  Dialog // nil: none
	}
	// Write has a file written as work: the one of the path, unless the session must
	// not touch it. The notice is shown when it is there.
	Write struct {
		Title   string
		Path    string
		Replace bool // one that exists
		Notice  string
		Content func(w io.Writer) error
		Back    Dialog // as after Launch
	}
	// Call closes the dialog and carries out a command of the program.
	Call func()
	// OpenDemonstration opens the embedded survey.
	OpenDemonstration struct{}
	// OpenLessons lists the lessons.
	OpenLessons struct{}
	// OpenPath opens a file: first its import page.
	OpenPath struct{ Path string }
	// Continue continues the session of a journal.
	Continue struct{ Journal session.JournalInfo }
	// OpenFile has a file read, as its import page says.
	OpenFile struct {
		Path   string
		Format fileio.Format
	}
	// Redraw has steps that stand, counted from 0 and in their order, draw from new seeds.
	// The dialog stays.
	Redraw struct{ Steps []int }
	// Replace has another step take the place of one that stands, counted from 0. The dialog stays.
	Replace struct {
		Step int
		By   session.StepSpec
	}
	// Undo takes back the last step.
	Undo struct{}
	// SetScenario makes a scenario the session's, as the Variables page says
	// or the dialog of scenarios: the one of the name, "" being the one in force, comes
	// in force. Others are changed too. The dialog closes unless it is to stay.
	SetScenario struct {
		Name     string
		Scenario microdata.Scenario
		Others   []session.NamedScenario
		Stay     bool
	}
)

// Narrow is the size of the window of a dialog that is read, or that writes a
// file.
type Narrow struct{}

// Size is that of a page of text.
func (Narrow) Size() (width, height int) { return 84, 26 }
