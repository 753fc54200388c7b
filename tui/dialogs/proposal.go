package dialogs

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
)

// proposal is what the dialog of a method begins with: its parameters set so that the
// method can be applied, as far as that goes without the user.
type proposal struct {
	defaults []string // of the parameters
	proposed []string // what was proposed for them; nil: nothing, as of a step that is changed
	wanted   string   // what only the user can give; "": nothing
	of       method.Method
}

// values are the texts of the parameters.
func values(m method.Method) []string {
	var texts []string
	for _, p := range m.Params() {
		texts = append(texts, p.Value.String())
	}
	return texts
}

// propose has the method proposed for the data.
func (p *proposal) propose(s views.State, spec *method.Spec, m method.Method) {
	if p.defaults == nil {
		p.defaults = values(m)
	}
	in := method.Input{Data: s.Current.Data, Scenario: s.Scenario}
	p.wanted = spec.Proposal(m, in, s.Selected.Variable)
	p.of, p.proposed = m, values(m)
}

// lacks says what only the user can give, as long as nothing was.
func (p *proposal) lacks() string {
	if p.wanted == "" || !slices.Equal(values(p.of), p.proposed) {
		return ""
	}
	return p.wanted
}

// follow looks at what was changed: for another variable, where nothing else was, the
// method is proposed anew.
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
			p.proposed, p.wanted = nil, "" // from here on it is the user's
			return
		}
		other = true
	}
	if !other {
		return
	}
	for i := range params {
		if params[i].Kind != method.KindVariable {
			_ = params[i].Value.Set(p.defaults[i]) // it was its own
		}
	}
	p.propose(s, spec, m)
}
