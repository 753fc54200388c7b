package tui

import (
	"errors"
	"testing"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

func TestBudgetThatIsNoNumberMakesNoStep(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("K")
	k := d.m.dialog
	d.Type("7").Press("tab").focus("budget").Type("-inf")
	if d.m.asker().Question() != nil {
		t.Error("there are figures for a budget of inf")
	}
	d.Dialog().Contains("is a number")
	d.Press("enter")
	if d.m.dialog != k || len(d.m.bench.steps) > 0 {
		t.Errorf("%T is open, %d steps were made", d.m.dialog, len(d.m.bench.steps))
	}
}

// unwritten is a dialog of a step that cannot be encoded.
type unwritten struct{ dialogs.Previewer }

func (unwritten) Step() session.StepSpec {
	return session.StepSpec{Step: "suppress-kanonymity", Problem: errors.New("the budget cannot be written down")}
}

func (u unwritten) Question() *dialogs.Question { return &dialogs.Question{Step: u.Step()} }

func (u unwritten) HandleKey(tea.KeyPressMsg, views.State) draw.Action {
	return dialogs.Apply{Step: u.Step()}
}

func TestStepWhoseParametersCannotBeWrittenIsRefused(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("K")
	u := unwritten{d.m.asker()}
	d.m.dialog = u
	d.act(func() { d.m.ask() })
	d.Dialog().Contains("the budget cannot be written down")
	if d.m.asking.answer.Err == nil {
		t.Error("the what-if has no error")
	}
	d.Press("enter")
	if d.m.dialog != dialogs.Dialog(u) || len(d.m.bench.steps) > 0 {
		t.Errorf("%T is open, %d steps were made", d.m.dialog, len(d.m.bench.steps))
	}
}
