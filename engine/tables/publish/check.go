package publish

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/sensitivity"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Check reports what is wrong with a definition, whatever the data are. Errors wrap tabular.ErrDefinition or
// sensitivity.ErrRule.
func Check(d *microdata.TableDefinition) error {
	wrong := func(format string, values ...any) error {
		return fmt.Errorf("%w: %s", tabular.ErrDefinition, fmt.Sprintf(format, values...))
	}
	if len(d.By) == 0 {
		return wrong("it needs at least one spanning variable")
	}
	for i := range d.By {
		name := d.By[i].Variable
		if slices.ContainsFunc(d.By[:i], func(other microdata.Spanning) bool { return other.Variable == name }) {
			return wrong("%q is given twice", wording.Excerpt(name))
		}
	}
	for _, text := range d.Rules {
		if _, err := sensitivity.Parse(text); err != nil {
			return err
		}
	}
	for _, s := range d.States {
		if len(s.Codes) != len(d.By) {
			return wrong("cell %v must have one code per spanning variable", s.Codes)
		}
		if !slices.Contains([]microdata.State{microdata.StateSafe, microdata.StateUnsafe, microdata.StateForced,
			microdata.StateFrozen, microdata.StatePreferred}, s.State) {
			return wrong("state %q of cell %v; known states are safe, unsafe, forced, frozen and preferred", wording.Excerpt(string(s.State)), s.Codes)
		}
	}
	perturbation, err := parse(d.Protect)
	switch {
	case err != nil:
		return err
	case perturbation != nil && d.Cost != microdata.CostValue:
		return wrong("cost %q is for suppression, and %s suppresses no cell", wording.Excerpt(string(d.Cost)), d.Protect)
	case d.Cost != microdata.CostValue && d.Cost != microdata.CostFrequency && d.Cost != microdata.CostCells:
		return wrong("cost %q; leave it out for value, or write frequency or cells", wording.Excerpt(string(d.Cost)))
	case d.OfCells && (d.Response == "" || d.Weight != "" || d.Holding != ""):
		return wrong("a file of cells needs a response, and has neither weights nor holdings")
	}
	return nil
}
