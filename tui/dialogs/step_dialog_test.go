package dialogs

import (
	"context"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// noise is a method that nothing else knows.
type noise struct {
	Variable string
	LowShare float64
	Limit    *int
	Grouped  bool
}

func (n *noise) Params() []method.Param {
	return []method.Param{
		method.Variable(&n.Variable, "variable", "the variable that is disturbed").Among(method.NumericVariables),
		method.Number(&n.LowShare, "low_share", "the standard deviation as a share of that of the variable").Between(0,
			1).By(0.05),
		method.Number(&n.Limit, "limit", "the largest change").AtLeast(1),
		method.Switch(&n.Grouped, "grouped", "whether equal values stay equal"),
	}
}

func (n *noise) Apply(context.Context, method.Input, *progress.Meter) (method.Output, error) {
	return method.Output{}, nil
}

func (n *noise) Narrate(*method.Report) string { return "" }

func noiseSpec() method.Spec {
	return method.Spec{Name: "noise", Title: "Noise", Draws: method.Always, New: func() method.Method { return &noise{LowShare: 0.1} }}
}

// noisePicture is the dialog of the method with something under its fields.
type noisePicture struct{ StepDialog }

func (d *noisePicture) Under(views.State, int, int) []string { return []string{"a picture"} }

// A method gets its dialog from its parameters, and a picture from one type.
func TestADialogComesFromTheParameters(t *testing.T) {
	s := surveyState(t)
	d := NewStepDialog(s, noiseSpec())
	n := d.Method.(*noise)
	if column := s.Current.Column(n.Variable); column == nil || !column.Numeric() {
		t.Fatalf("the variable is %q", n.Variable)
	}
	first := n.Variable
	pressed := func(keys ...string) {
		for _, name := range keys {
			d.HandleKey(draw.Press(name), s)
		}
	}
	pressed("right")
	if n.Variable == first || !s.Current.Column(n.Variable).Numeric() {
		t.Errorf("the next variable is %q", n.Variable)
	}
	pressed("down", "right")
	if n.LowShare != 0.15 {
		t.Errorf("one step from 0.1 is %v", n.LowShare)
	}
	pressed("2")
	if shown := ansi.Strip(d.View(s, 120, 30)); d.Question() != nil || n.LowShare != 0.15 ||
		!strings.Contains(shown, "low share is a number from 0 to 1") || strings.Contains(shown, "_") {
		t.Errorf("share %v, shown:\n%s", n.LowShare, shown)
	}
	pressed("esc", "down", "7", "down", "space")
	if n.Limit == nil || *n.Limit != 7 || !n.Grouped {
		t.Errorf("the parameters are %+v", n)
	}
	q := d.Question()
	if q == nil || q.Step.Seed == 0 ||
		string(q.Step.Params) != `{"variable":"`+n.Variable+`","low_share":0.15,"limit":7,"grouped":true}` {
		t.Errorf("the question is %+v", q)
	}
	if _, applies := d.HandleKey(draw.Press("enter"), s).(Apply); !applies {
		t.Error("enter does not apply")
	}
	picture := &noisePicture{}
	picture.Begin(s, noiseSpec(), n, picture)
	if shown := ansi.Strip(picture.View(s, 120, 30)); !strings.Contains(shown, "a picture") ||
		!strings.Contains(shown, "low share") {
		t.Errorf("shown:\n%s", shown)
	}
}
