package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// compare looks at how far the variables that are to be the same for households
// are so in the data. What a scenario says wrong is told elsewhere.
func (p *Variables) compare() {
	p.differences, _ = suppress.Differing(p.data, &p.scenario)
}

// difference says that the members of some households differ in the variable
// under the cursor, which is to be the same for them; "" where none do.
func (p *Variables) difference() string {
	if len(p.order) == 0 {
		return ""
	}
	at := slices.IndexFunc(p.differences, func(d suppress.Difference) bool { return d.Variable == p.name() })
	if at < 0 {
		return ""
	}
	d := p.differences[at]
	var parts []string
	if d.Differing > 0 {
		parts = append(parts, "in "+wording.Counted(d.Differing, "household")+" the members differ")
	}
	switch {
	case d.PartlyMissing > 0 && d.Differing > 0: // short: it has one line
		parts = append(parts, "in "+wording.Number(d.PartlyMissing)+" only some have a value")
	case d.PartlyMissing > 0:
		parts = append(parts, "in "+wording.Counted(d.PartlyMissing, "household")+" only some have a value")
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is to be the same for households, but %s", p.name(), strings.Join(parts, ", and "))
}
