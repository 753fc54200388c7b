package check

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// alike finds categories with several spellings in variables used for figures.
func (r *release) alike() (found []Finding) {
	for _, v := range r.variables {
		if v.Kind() != microdata.Category || !r.named(v) || v.distinct > identify.MostAlike {
			continue
		}
		groups := identify.Alike(v.texts())
		if len(groups) == 0 {
			continue
		}
		count := 0
		for _, group := range groups {
			count += len(group)
		}
		name := v.Name()
		m := &recode.Group{Variable: name}
		for _, at := range groups[0] {
			m.Levels = append(m.Levels, v.sampled[at].Label)
		}
		m.Label = m.Levels[0]
		found = append(found, Finding{Variables: []string{name}, Count: count, Of: v.distinct, unit: "value",
			Text: fmt.Sprintf("%s categories of %s differ only in capitals, spaces or the composition of accents.",
				wording.Number(count), name),
			Fixes: []Fix{{Title: "merge those of " + name + " that look alike", Step: recode.GroupSpec().Name, Method: m}}})
	}
	return found
}
