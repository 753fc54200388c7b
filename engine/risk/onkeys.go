package risk

import (
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// OnKeys is the common part of measures that can use other key variables than those of the scenario.
type OnKeys struct {
	Keys []string // nil: those of the scenario
}

// Param returns the parameter, bound to o.
func (o *OnKeys) Param() method.Param {
	return method.Variables(&o.Keys, "keys", "key variables").Empty("those of the scenario")
}

// Of returns the version with the selected key variables.
func (o *OnKeys) Of(v *measure.Version) *measure.Version {
	if len(o.Keys) == 0 {
		return v
	}
	scenario := v.Scenario.Clone()
	scenario.Keys = o.Keys
	return v.Under(&scenario)
}

// Needs returns why the key variables are not usable, because there are none or for the reason of NotApplicable,
// or "".
func (o *OnKeys) Needs(in measure.Input) string {
	current := o.Of(in.Current)
	if len(current.Scenario.Keys) == 0 {
		return "no key variables"
	}
	if in.Current == in.Original {
		return ""
	}
	return NotApplicable(current.Scenario, current.Origins())
}

// OfRecords returns, for each record, the figure of its key pattern.
func OfRecords(t *keys.Table, figure func(key int) float64) func(record int) float64 {
	return func(record int) float64 { return figure(int(t.Key(record))) }
}
