package tui

import (
	"reflect"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/planning"
)

// plans is a dialog of plans as it was left, with the data and scenario it was opened on.
type plans struct {
	dialog   planning.Dialog // nil: there is none
	base     *microdata.Dataset
	scenario *microdata.Scenario
}

// openPlans opens the plans for a target k. It shows the earlier ones if the session is where they were searched,
// or in a plan tried from there.
func (m *Model) openPlans() {
	b := m.bench
	if m.dropPlans(); b.plans.dialog == nil {
		b.plans = plans{m.newPlans(), b.doc.Base(), b.scenario}
	}
	m.open(b.plans.dialog)
}

func (m *Model) newPlans() *planning.Plans {
	b := m.bench
	return planning.NewPlans(b.doc.Data(), b.scenario, b.called, b.doc.Node(), b.k, m.options.Longest, m.tryPlan)
}

// openRecodes opens the same search for recodes of one variable, or of each key variable separately.
func (m *Model) openRecodes(variable string) {
	dialog := m.newPlans()
	dialog.Alone(variable)
	m.open(dialog)
}

// dropPlans discards plans that belong to other data or another scenario.
func (m *Model) dropPlans() {
	b := m.bench
	for _, p := range []*plans{&b.plans, &b.numberPlans} {
		if p.dialog != nil && (p.base != b.doc.Base() || !reflect.DeepEqual(p.scenario, b.scenario) || !m.tries(p.dialog)) {
			*p = plans{}
		}
	}
}

// tries reports whether the session is at the node where plans were searched, or only steps of a tried plan follow
// it.
func (m *Model) tries(dialog planning.Dialog) bool {
	nodes, at := m.bench.doc.Nodes(), m.bench.doc.Node()
	var steps []session.StepSpec
	for at != dialog.Node() {
		i := slices.IndexFunc(nodes, func(n session.Node) bool { return n.ID == at })
		if i < 0 || nodes[i].Parent < 0 {
			return false
		}
		steps, at = append(steps, nodes[i].Step.Spec), nodes[i].Parent
	}
	slices.Reverse(steps)
	return dialog.Tried(steps)
}

// tryPlan applies the steps of a plan from the node where the plans were searched. If another plan was tried
// before, they start a branch.
func (m *Model) tryPlan(node int, steps []session.StepSpec) {
	m.change("returning to the state before the plans", nil,
		func() (session.Job, error) { return m.bench.doc.PrepareNode(node) })
	for _, step := range steps {
		m.apply(step, nil)
	}
}
