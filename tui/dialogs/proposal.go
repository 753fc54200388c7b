package dialogs

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
)

// proposal is the initial values of a method's dialog: its parameters set so that the method can be applied, as
// far as that is possible without the user.
type proposal struct {
	defaults []string // texts of the default parameters
	proposed []string // texts of the proposed parameters; nil: none, as for a step being changed
	wanted   string   // what only the user can provide; "": nothing
	of       method.Method
}

// values returns the texts of the parameters.
func values(m method.Method) []string {
	var texts []string
	for _, p := range m.Params() {
		texts = append(texts, p.Value.String())
	}
	return texts
}

// propose sets the parameters for the data.
func (p *proposal) propose(s views.State, spec *method.Spec, m method.Method) {
	if p.defaults == nil {
		p.defaults = values(m)
	}
	in := method.Input{Data: s.Current.Data, Scenario: s.Scenario}
	p.wanted = spec.Proposal(m, in, s.Selected.Variable)
	p.of, p.proposed = m, values(m)
}

// lacks returns what only the user can provide, as long as nothing was changed.
func (p *proposal) lacks() string {
	if p.wanted == "" || !slices.Equal(values(p.of), p.proposed) {
		return ""
	}
	return p.wanted
}

// follow reacts to a change: if only the variable was changed, it proposes parameters again.
func (p *proposal) follow(s views.State, spec *method.Spec, m method.Method) {
	if p.proposed == nil {
		return
	}
	now := values(m)
	if slices.Equal(now, p.proposed) {
		return
	}
	other, params := false, m.Params()
	for i := range now {
		if now[i] == p.proposed[i] {
			continue
		}
		if params[i].Kind != method.KindVariable {
			p.proposed, p.wanted = nil, "" // from now on the values are the user's
			return
		}
		other = true
	}
	if !other {
		return
	}
	for i := range params {
		if params[i].Kind != method.KindVariable {
			_ = params[i].Value.Set(p.defaults[i]) // it was a valid text
		}
	}
	p.propose(s, spec, m)
}
