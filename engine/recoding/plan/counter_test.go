package plan

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// Violators after groupings are those of the recoded records, counted by comparing
// every key with every other, whether all keys are gone through or only those of
// the groups that change.
func TestViolatorsOfGroupings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := generated.Random(t)
		k, identical := rapid.IntRange(2, 4).Draw(t, "k"), rapid.Bool().Draw(t, "identical")
		rule := microdata.RuleConservative
		if identical {
			rule = microdata.RuleOwnCategory
		}
		columns := golden.Columns(in.Data, in.Scenario.Keys...)
		table, err := keys.New(context.Background(), columns, nil)
		if err != nil {
			t.Fatal(err)
		}
		var groupings [][]uint32
		var recoded []*microdata.Column
		for _, column := range columns {
			v := newVariable(column, false)
			labels := make([]uint32, len(v.counts))
			for code := range labels {
				labels[code] = uint32(rapid.IntRange(1, 3).Draw(t, "group"))
			}
			g := v.list[v.intern(labels)]
			levels := make([]microdata.Level, g.groups)
			for i := range levels {
				levels[i].Label = string(rune('A' + i))
			}
			groupings = append(groupings, g.of)
			recoded = append(recoded, column.Regroup(column, levels, g.of, false))
		}
		c, w := newCounter(table, len(columns), k, identical), &workspace{}
		place := rapid.IntRange(0, len(columns)-1).Draw(t, "variable")
		v := newVariable(columns[place], false)
		from := c.view(w, groupings, place)
		was := c.violators(w, from, v.list[v.none])
		all := c.violators(w, from, v.list[v.intern(groupings[place])]).all
		want := golden.Violators(recoded, rule, 1, k)
		if in.Data.Len() < k {
			return
		}
		if changed := was.after(c, w, from, groupings[place]); all != want || changed != want {
			t.Fatalf("%d violators, and %d by the groups that change, not %d", all, changed, want)
		}
	})
}
