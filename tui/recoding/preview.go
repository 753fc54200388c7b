package recoding

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// preview caches the categories that a recode of a variable results in.
type preview struct {
	step    session.StepSpec
	of      *microdata.Column
	made    *method.Regrouping // nil: none, for the reason in the what-if
	levels  method.Counts
	said    *microdata.Description
	gain    []bool // by resulting level: it gains records
	changes string // which records change; "": the effect of the step says it

	people views.Cache[*microdata.Column, []float64] // population by category
}

// look returns the preview of a recode of a column, empty if the fields make none.
func (p *preview) look(s views.State, step session.StepSpec, m method.Regrouper, column *microdata.Column) *preview {
	if step.Same(p.step) && p.of == column {
		return p
	}
	*p = preview{step: step, of: column, people: p.people}
	if m == nil || column == nil {
		return p
	}
	if r, err := m.Regroup(method.Input{Data: s.Current.Data, Scenario: s.Scenario}, column); err == nil {
		p.made, p.levels, p.said = &r, r.Table(), r.Said()
		p.gain = make([]bool, len(r.Levels))
		p.changes = p.changed(s)
	}
	return p
}

// changed returns how many records, and persons in the population, change their category of the current variable.
func (p *preview) changed(s views.State) string {
	r, before := p.made, p.made.From.Categories()
	if r.From != r.Target || r.Effect != "" {
		return ""
	}
	people := *p.people.Look(p.of, func() []float64 {
		if weights, err := s.Scenario.Weights(s.Current.Data); err == nil && weights != nil {
			return before.Sums(weights)
		}
		return make([]float64, len(before.Levels)+1)
	})
	records, all, most := 0, 0, 0.0
	weighted, total := 0.0, 0.0
	for code, count := range before.Counts() {
		if code == 0 || count == 0 {
			continue
		}
		all, total = all+count, total+people[code]
		if is := r.Mapping[code]; is > 0 && r.Levels[is-1].Label != before.Levels[code-1].Label {
			records, weighted, p.gain[is-1] = records+count, weighted+people[code], true
			most = max(most, math.Abs(r.Levels[is-1].Value-before.Levels[code-1].Value))
		}
	}
	if records == 0 {
		return ""
	}
	text := fmt.Sprintf("%s (%s%s) ", wording.Counted(records, "record"), wording.PercentOf(records, max(1, all)),
		dialogs.Weighted(s, weighted, total)) + wording.Verb(records, "change")
	if r.Target.Numeric() && !r.Target.Coded() && most > 0 {
		text += ", each by at most " + wording.Thousands(method.FormatNumber(most))
	}
	return text
}

// view draws which records change, and the resulting categories, in at most height lines; many numbers are grouped
// into bins.
func (p *preview) view(s views.State, width, height int) (lines []string) {
	if p.changes != "" {
		lines = s.Theme.Changed.Wrapped(p.changes, width)
	}
	rows, room, gain := p.levels, height-len(lines), p.gain
	if room < 3 || len(rows) == 0 {
		return lines
	}
	if len(rows) > room && p.made.Ordered && !p.of.Coded() && p.made.Levels[0].NumberLevel() {
		rows, gain = p.parts(room), nil
	}
	largest, size := 1, min(28, max(8, width/3))
	for _, row := range rows {
		largest = max(largest, row.Count)
	}
	list, _ := dialogs.InSight(s.Theme, len(rows), max(0, slices.Index(gain, true)), width, room, func(i int) string {
		style := &s.Theme.Plain
		if gain != nil && gain[i] {
			style = &s.Theme.Changed
		}
		return viewRow(s.Theme, style, "  "+s.WithMeaning(p.said, rows[i].Name), size, rows[i].Count, largest, width)
	}, nil)
	return append(lines, list...)
}

// parts returns the records by bin, in at most so many bins of the resulting numbers.
func (p *preview) parts(most int) method.Counts {
	levels := p.made.Levels
	bins := profile.RoundBins(levels[0].Value, levels[len(levels)-1].Value, most, p.of.Kind() == microdata.Whole)
	parts := make(method.Counts, bins.Count)
	for bin := range parts {
		parts[bin].Name = bins.Label(bin)
	}
	for i, level := range levels {
		if bin, ok := bins.Of(level.Value); ok {
			parts[bin].Count += p.levels[i].Count
		}
	}
	return parts
}
