package session

import (
	"context"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// eachRecode has every released variable that was recoded beside itself as it was read,
// with the pairs of categories that records have in both, of those with at most so many
// values in the source; of others the pairs are nil.
func (r *reporting) eachRecode(ctx context.Context, f func(now, was *microdata.Column, pairs *keys.Table)) error {
	for _, column := range r.released().Columns() {
		was, ok := r.original().Column(column.Name())
		if !ok || !column.Recoded() {
			continue
		}
		column, was = column.Alone(), was.Alone()
		if was.Categories().Occurring() > mostRecoded {
			f(column, was, nil)
			continue
		}
		pairs, err := keys.New(ctx, []*microdata.Column{column, was}, nil)
		if err != nil {
			return err
		}
		f(column, was, pairs)
	}
	return ctx.Err()
}

// mostRecoded is the number of categories in the source up to which a report has a recode.
const mostRecoded = 200

// recodes shows what became of the categories of recoded variables: a row for each
// category of the source in each that is released.
func (r *reporting) recodes(ctx context.Context) error {
	return r.eachRecode(ctx, func(now, was *microdata.Column, pairs *keys.Table) {
		s := report.Section{Heading: "Recode of " + now.Name()}
		if pairs == nil {
			s.Add("%s became %s.", wording.Counted(was.Categories().Occurring(), "value"),
				wording.Number(now.Categories().Occurring()))
		} else {
			s.Table = [][]string{{"released", "source", "records"}}
			suppressed := now.SuppressedCount() > 0
			if suppressed {
				s.Add("Without %s.", wording.CountedAs(now.SuppressedCount(), "cell that was suppressed",
					"cells that were suppressed"))
			}
			for key, count := range pairs.Counts() {
				if suppressed && pairs.Codes(0)[key] == 0 && pairs.Codes(1)[key] != 0 {
					continue
				}
				labels, _ := pairs.Labels([]*microdata.Column{now, was}, key)
				s.Table = append(s.Table, []string{labels[0].Label, labels[1].Label, wording.Number(int(count))})
			}
		}
		r.add(s)
	})
}

// categories tells users which categories recoded variables have, and which ones of
// the source these stand for. Those that few records had are not named.
func (r *reporting) categories(ctx context.Context) error {
	s := report.Section{Heading: "Categories", Table: [][]string{{"variable", "category", "stands for"}}}
	err := r.eachRecode(ctx, func(now, was *microdata.Column, pairs *keys.Table) {
		if pairs == nil {
			return
		}
		said := was.Described()
		for code, level := range now.Categories().Levels {
			var of []string
			others := ""
			for key := range pairs.Keys() {
				switch source := pairs.Codes(1)[key]; {
				case pairs.Codes(0)[key] != uint32(code+1) || source == 0:
				case r.least.hides(was.Categories().Counts()[source], 0):
					others = "others"
				default:
					of = append(of, said.Called(was.Categories().Levels[source-1].Label))
				}
			}
			if others != "" {
				of = append(of, others)
			}
			if was.Numeric() && !was.Coded() {
				of = []string{"–"} // the category says it
			}
			if now.Categories().Counts()[code+1] > 0 {
				s.Table = append(s.Table, []string{now.Name(), level.Label, strings.Join(of, ", ")})
			}
		}
	})
	if len(s.Table) > 1 {
		r.add(s)
	}
	return err
}
