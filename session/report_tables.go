package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
)

// tables describes the tables that are published with the file. Users read what a table shows and how many cells are
// suppressed; those who protect the file read why.
func (r *reportBuilder) tables(ctx context.Context) error {
	tables, err := r.Tables(ctx, r.analyst)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if r.options.Audience == Users {
			loss := t.Loss()
			s := report.Section{Heading: t.Definition.Name}
			if s.Add("The table shows %s.", shown(t)); t.Perturbs() {
				s.Add("%s All cells have the status %q.", t.Described(), publish.PerturbedMark)
			} else {
				s.Add("Of its %s, %s suppressed and have the status %q.", wording.Counted(len(t.Cells), "cell"),
					wording.Number(loss.Primary+loss.Secondary)+" "+wording.Verb(loss.Primary+loss.Secondary, "are"), publish.SuppressedMark)
			}
			r.add(s)
		} else if err := r.tableInside(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// shown says what the values of a table are.
func shown(t *publish.Table) string {
	var by []string
	for _, tree := range t.Trees {
		by = append(by, tree.Variable)
	}
	what := t.ValueName()
	if weight := t.Definition.Weight; weight != "" {
		what += " (weighted by " + weight + ")"
	}
	return what + " by " + wording.Listed(by)
}

// byHand lists the cells that were set by hand, and counts those that an earlier table gives.
func byHand(d *microdata.TableDefinition) string {
	var texts []string
	counts := map[microdata.State]int{}
	for _, c := range d.States {
		if c.State == microdata.StateFrozen || c.State == microdata.StatePreferred {
			counts[c.State]++
		} else {
			texts = append(texts, strings.Join(c.Codes, " ")+": "+string(c.State))
		}
	}
	for _, state := range []microdata.State{microdata.StateFrozen, microdata.StatePreferred} {
		if n := counts[state]; n > 0 {
			texts = append(texts, wording.Number(n)+" "+string(state))
		}
	}
	return strings.Join(texts, "; ")
}

// tableInside describes a table for those who protect it, with the equations that reveal open cells.
func (r *reportBuilder) tableInside(ctx context.Context, t *publish.Table) error {
	s, safety, loss := newFacts(), t.Safety(), t.Loss()
	intervals, err := t.FewIntervals(ctx)
	if err != nil {
		return err
	}
	s.Heading = t.Definition.Name
	s.say("Values", shown(t))
	s.say("Holding", t.Definition.Holding)
	s.say("Rules", strings.Join(t.Definition.Rules, "; "))
	s.say("Cells", wording.Number(len(t.Cells)))
	s.say("Sensitive cells", wording.Number(safety.Sensitive))
	if t.Perturbs() {
		s.say("Protection", string(t.Definition.Protect)+": "+t.Described())
		s.say("Changed cells", fmt.Sprintf("%s, by %s at most and %s on average", wording.Number(loss.Changed), wording.Value(loss.Largest),
			wording.Amount(loss.Mean())))
	} else {
		s.say("Suppressed cells", fmt.Sprintf("%s sensitive and %s secondary", wording.Number(loss.Primary), wording.Number(loss.Secondary)))
	}
	s.say("Cells set by hand", byHand(t.Definition))
	s.say("Recalculable from all tables", wording.Number(len(safety.Open)))
	s.say("Recalculable by a single contributor", wording.Number(len(safety.Insiders)))
	if intervals.Of != nil {
		s.say("One possible integer", wording.Number(len(intervals.OneInteger)))
		s.say("Interval too narrow", wording.Number(len(intervals.TooNarrow)))
	}
	for _, cell := range safety.Open {
		s.Add("%s", t.WhyOpen(cell))
	}
	r.add(s.Section)
	return nil
}
