package risk

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk/diversity"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Diversity is the pane of l-diversity and t-closeness: one of them, with the key patterns
// that fail.
type Diversity struct {
	views.TablePane
	closeness bool
	joins     views.Cache[joinsOf, []diversity.Joined]
}

// joinsOf is the key that joins are told of.
type joinsOf struct {
	spread *diversity.Spread
	key    int
	c      float64
}

// NewDiversity returns the pane of l-diversity and t-closeness.
func NewDiversity() *Diversity {
	p := &Diversity{TablePane: views.TablePane{PaneID: "diversity", Heading: "l-diversity, t-closeness", Risk: true}}
	p.Content, p.Titled = p.table, p.frame
	p.Explained = func(s views.State) []views.Figure { return s.ExplainedOpen(p.measure()) }
	p.Actions = func() []views.KeyAction {
		name := p.measure()
		return []views.KeyAction{views.Handles("t", "l or t", func() { p.closeness, p.Cursor = !p.closeness, draw.Cursor{} }),
			views.Emits("o", "parameters", views.OpenMeasure{Name: name}), showingKey(name),
			views.EmitsFrom("enter", "compute, records", p.enterKey), views.Stopping(name)}
	}
	return p
}

func (p *Diversity) measure() string {
	if p.closeness {
		return "tcloseness"
	}
	return "ldiversity"
}

// IsOf reports whether the pane shows what the measure tells.
func (p *Diversity) IsOf(name string) bool { return name == p.measure() }

func (p *Diversity) frame(s views.State) string {
	title := map[bool]string{false: "l-diversity", true: "t-closeness"}[p.closeness]
	if f := p.failing(s); f != nil {
		return title + " · failing patterns"
	}
	return title
}

// failingKeys are the keys that fail by a measure, and their figures.
type failingKeys struct {
	list    []diversity.Failing
	names   []string // of the sensitive variables
	heads   []string
	figures func(f diversity.Failing) []string
	spread  func(f diversity.Failing) *diversity.Spread
	c       float64                          // of the recursive kind
	joined  func(j *diversity.Joined) string // what a join would give
	better  func(a, b *diversity.Joined) bool
}

// failing returns what the measure found; nil where it is not open, or not known.
func (p *Diversity) failing(s views.State) *failingKeys {
	o := s.Measured(p.measure())
	if o == nil || o.Current == nil {
		return nil
	}
	switch found := o.Current.Values.Result.(type) {
	case *diversity.Diversities:
		return &failingKeys{list: found.Failing, names: found.Names, heads: []string{"distinct", "entropy", "recursive"},
			figures: func(f diversity.Failing) []string {
				d := found.Of[f.Variable]
				return []string{draw.Count(int(d.Distinct[f.Key])), fmt.Sprintf("%.2f", d.Entropy[f.Key]),
					draw.Count(int(d.Recursive[f.Key]))}
			},
			spread: func(f diversity.Failing) *diversity.Spread { return found.Of[f.Variable].Spread },
			c:      found.Of[0].C,
			joined: func(j *diversity.Joined) string {
				return fmt.Sprintf("%d, %.2f, %d", j.Distinct, j.Entropy, j.Recursive)
			},
			better: func(a, b *diversity.Joined) bool { return a.Entropy > b.Entropy }}
	case *diversity.Distances:
		return &failingKeys{list: found.Failing, names: found.Names, heads: []string{"distance"},
			figures: func(f diversity.Failing) []string {
				return []string{wording.ShortProbability(found.Of[f.Variable].Distance[f.Key])}
			},
			spread: func(f diversity.Failing) *diversity.Spread { return found.Of[f.Variable].Spread },
			joined: func(j *diversity.Joined) string { return wording.ShortProbability(j.Distance) },
			better: func(a, b *diversity.Joined) bool { return a.Distance < b.Distance }}
	}
	return nil
}

// keyNames returns the key variables that the open measure looked at.
func (p *Diversity) keyNames(s views.State) []string {
	switch m := s.Measured(p.measure()).Current.Measure.(type) {
	case *diversity.LDiversity:
		if len(m.Keys) > 0 {
			return m.Keys
		}
	case *diversity.TCloseness:
		if len(m.Keys) > 0 {
			return m.Keys
		}
	}
	return s.Keys()
}

func (p *Diversity) columns(s views.State) (columns []*microdata.Column) {
	for _, name := range p.keyNames(s) {
		column := s.Current.Column(name)
		if column == nil {
			return nil
		}
		columns = append(columns, column)
	}
	return columns
}

// enterKey opens the records of the key under the cursor; where nothing is open yet the
// measure.
func (p *Diversity) enterKey(s views.State) draw.Action {
	o := s.Measured(p.measure())
	f := p.failing(s)
	if o == nil || f == nil {
		return views.ComputeMeasure{Name: p.measure()}
	}
	columns := p.columns(s)
	if len(f.list) == 0 || columns == nil || o.Stale {
		return draw.Handled{}
	}
	p.Cursor.Clamp(len(f.list))
	failing := f.list[p.Cursor.At]
	return views.ShowMatching{
		Condition: views.KeyCondition(f.spread(failing).Table.Codes, columns, uint32(failing.Key))}
}

func (p *Diversity) table(s views.State, _ int) draw.Table {
	o := s.Measured(p.measure())
	if o == nil {
		text := "l-diversity counts the different values of a sensitive variable within each key pattern: where all its records share one value, an intruder learns it. enter computes it; t shows t-closeness."
		if p.closeness {
			text = "t-closeness compares the distribution of a sensitive variable within each key pattern with that of the whole file. enter computes it; t shows l-diversity."
		}
		return draw.Table{Instead: text}
	}
	if text := o.Waiting(); text != "" {
		return draw.Table{Instead: text}
	}
	f, columns := p.failing(s), p.columns(s)
	if f == nil || columns == nil {
		return draw.Table{Instead: s.Waiting()}
	}
	t := draw.Table{Rows: len(f.list), None: "no key pattern fails",
		Columns: []draw.Column{{Head: "records", Short: "n", Kind: draw.Values, Size: 7},
			{Head: "key pattern", Short: "key", Size: 24, Most: 80, Least: 10}, {Head: "sensitive", Size: 6, Most: 16, Rank: 2}},
		Above: func(width, height int) []string { return withNews(s, o, p.above(s, o, width, height), width) },
		Status: func(width int) []string {
			if o.Stale { // the key variables may be others by now
				return nil
			}
			return p.values(s, f, width)
		}}
	for i, head := range f.heads {
		t.Columns = append(t.Columns, draw.Column{Head: head, Short: head[:1], Kind: draw.Counts, Size: 5, Rank: i + 3})
	}
	t.Row = func(row int) []draw.Cell {
		failing := f.list[row]
		labels := "…" // of other data than those of the figures
		if !o.Stale {
			key, _ := f.spread(failing).Table.Labels(columns, failing.Key)
			labels = s.WithMeanings(key)
		}
		cells := []draw.Cell{{Text: draw.Count(failing.Records)}, {Text: labels},
			{Text: f.names[failing.Variable], Style: &s.Faint}}
		for _, figure := range f.figures(failing) {
			cells = append(cells, draw.Cell{Text: figure, Style: &s.High})
		}
		return cells
	}
	return t
}

// above says how many records fail by each kind.
func (p *Diversity) above(s views.State, o *views.Opened, width, height int) []string {
	var lines []string
	was := o.OriginalSet()
	for i := range o.Current.Values.Numbers {
		v := &o.Current.Values.Numbers[i]
		name, _ := v.Row()
		text := name + " " + v.Text()
		if v.Of > 0 {
			text += ", " + wording.Percent(int(v.Number), v.Of)
		}
		if old := was.Like(o.Spec.Name, v); old != nil {
			text += " (" + old.Text() + ")"
		}
		lines = append(lines, s.Plain.Indented(text, 1, width)...)
	}
	if height < 12 {
		return lines[:min(len(lines), 1)]
	}
	return lines
}

// values lists the sensitive values of the key under the cursor.
func (p *Diversity) values(s views.State, f *failingKeys, width int) []string {
	if len(f.list) == 0 {
		return nil
	}
	failing := f.list[max(0, min(p.Cursor.At, len(f.list)-1))]
	spread := f.spread(failing)
	codes, counts := spread.Of(failing.Key)
	var parts []string
	for i, code := range codes[:min(len(codes), 8)] {
		label := views.MissingSign
		if code > 0 {
			label = s.WithCode(f.names[failing.Variable], spread.Levels[code-1].Label)
		}
		parts = append(parts, draw.Label(label)+" "+draw.Count(int(counts[i])))
	}
	if len(codes) > 8 {
		parts = append(parts, "…")
	}
	return append(s.Faint.Indented(draw.Label(f.names[failing.Variable])+": "+strings.Join(parts, ", "), 1, width),
		s.Faint.Indented(p.merging(s, f, spread, failing.Key), 1, width)...)
}

// merging says which key variable is best merged for a key pattern, and the figures of its
// records then.
func (p *Diversity) merging(s views.State, f *failingKeys, spread *diversity.Spread, key int) string {
	joins := *p.joins.Look(joinsOf{spread, key, f.c}, func() []diversity.Joined { return spread.Joins(key, f.c) })
	best, names := 0, p.keyNames(s)
	for i := range joins {
		if f.better(&joins[i], &joins[best]) {
			best = i
		}
	}
	j := &joins[best]
	return "merging all of " + draw.Label(names[best]) + ": " + f.joined(j) + " in " + wording.Counted(j.Records, "record")
}
