package masking

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	numericview "github.com/sdcdesk/sdcdesk/views/numeric"
)

// masking is the dialog of a method that masks numeric variables: its parameters,
// and under them what the values of one of the variables would become.
type masking struct {
	dialogs.StepDialog
	picture *numericview.Masking
	at      int // of the variables, the one that is drawn
}

var _ views.Seeker = (*masking)(nil)

// NewForm opens the form of a method that masks values; nil of one that does not.
func NewForm(s views.State, spec method.Spec, m method.Method) dialogs.Dialog {
	switch m := m.(type) {
	case *pram.PRAM:
		return newPRAM(s, spec, m)
	case method.Masker:
		return newMasking(s, spec, m)
	}
	return nil
}

func newMasking(s views.State, spec method.Spec, m method.Masker) dialogs.Dialog {
	d := &masking{picture: numericview.NewMasking()}
	d.Begin(s, spec, m, d)
	return d
}

// Acts choose what is drawn, and let a search go on.
func (d *masking) Acts(s views.State) []dialogs.Act {
	return append(d.pictured(), d.StepDialog.Acts(s)...)
}

// pictured are the keys of the picture.
func (d *masking) pictured() []dialogs.Act {
	return []dialogs.Act{
		dialogs.NewAct("shift+←→", "variable drawn", dialogs.Turns(func(by int) { d.at += by }), "shift+left", "shift+right"),
		dialogs.NewAct("shift+↑↓", "distribution, scatter", dialogs.Stays(func() { d.picture.Scatter = !d.picture.Scatter }),
			"shift+up", "shift+down"),
	}
}

// HandleKey takes the keys of the picture, also while a field is typed, and leaves the
// others to the fields.
func (d *masking) HandleKey(msg tea.KeyPressMsg, s views.State) dialogs.Effect {
	if effect := dialogs.CarryOut(d.pictured(), msg); effect != nil {
		return effect
	}
	return d.StepDialog.HandleKey(msg, s)
}

// drawn returns the variable whose picture is drawn, as it is and as it would be, in
// the records that the what-if looked at; ok is false where there is none.
func (d *masking) drawn(s views.State) (variable string, before, after *microdata.Dataset, ok bool) {
	known := d.Known.WhatIf
	if known == nil || known.Data == nil || d.Problem() != nil {
		return "", nil, nil, false
	}
	if before = known.Of; before == nil {
		before = s.Current.Data
	}
	if before.Len() != known.Data.Len() {
		return "", nil, nil, false
	}
	names := slices.DeleteFunc(slices.Clone(d.Method.(method.Masker).Masked()), func(name string) bool {
		column, there := before.Column(name)
		return !there || !column.Numeric()
	})
	if len(names) == 0 {
		return "", nil, nil, false
	}
	d.at = (d.at%len(names) + len(names)) % len(names)
	return names[d.at], before, known.Data, true
}

// Seek looks for what is drawn.
func (d *masking) Seek(s views.State) views.Piece {
	variable, before, after, ok := d.drawn(s)
	if !ok {
		return nil
	}
	return d.picture.Seek(s, variable, before, after)
}

// Under draws what the step would do, and the picture where there is room for it.
func (d *masking) Under(s views.State, width, height int) []string {
	lines := d.StepDialog.Under(s, width, height)
	variable, before, after, ok := d.drawn(s)
	if !ok {
		return lines
	}
	s.Stale = s.Stale || d.Known.Pending
	picture := d.picture.Lines(s, variable, before, after, width, height-len(lines)-1)
	if len(picture) == 0 {
		return lines
	}
	return append(append(lines, ""), picture...)
}

// Rows counts the fields, the help, what the step would do and the picture.
func (d *masking) Rows() int { return d.StepDialog.Rows() + 16 }
