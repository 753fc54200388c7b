package pages

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// about describes the variable, its moments and its distribution in about height lines.
func (p *Inspector) about(s views.State, width, height int) []string {
	page := &recordPage{State: s, width: width}
	p.facts(page)
	f := p.found.Last()
	if f.Profile.Numbers != nil {
		page.add("")
		p.numbers(page)
	}
	page.add("")
	room := height - len(page.lines)
	if p.left == 0 {
		room = 24 // the page scrolls
	}
	switch {
	case f.Profile.Numbers != nil:
		p.histogram(page, room)
	case len(f.periods) > 0:
		p.bars(page, "Dates", f.periods)
	case f.values != nil && f.values.Distinct() > 0:
		order := profile.ByRecords
		if p.weighted && f.weighted() {
			order = profile.ByWeight
		}
		frequent := f.frequent(order, max(3, min(20, room-1)))
		p.bars(page, "Most frequent", frequent, f.originals(frequent)...)
	}
	return page.lines
}

// frequent returns the first values in an order, without sorting all of them.
func (f *inspected) frequent(order profile.Order, most int) []profile.Value {
	if f.placed != nil && f.placed.order == order && f.placed.text == "" {
		var first []profile.Value
		for _, place := range f.places[:min(most, len(f.places))] {
			first = append(first, f.values.All[place])
		}
		return first
	}
	return f.values.Top(order, most)
}

// originals returns the originals of some values, without records if there was none, or nil if nothing has
// changed.
func (f *inspected) originals(values []profile.Value) []profile.Value {
	if f.was == nil {
		return nil
	}
	originals := make([]profile.Value, len(values))
	for i := range values {
		place, ok := slices.BinarySearchFunc(f.values.All, values[i].Code,
			func(v profile.Value, code uint32) int { return cmp.Compare(v.Code, code) })
		if was := f.original(uint32(place)); ok && was != nil {
			originals[i] = *was
		}
	}
	return originals
}

// facts describes the variable and its cells.
func (p *Inspector) facts(page *recordPage) {
	f, theme := p.found.Last(), page.Theme
	row := func(name, text string) {
		if text == "" {
			return
		}
		const size = 10
		lines := draw.Style{}.Wrapped(draw.Label(text), max(8, page.width-size-5))
		for i, line := range lines {
			if i > 0 {
				name = ""
			}
			l := page.line()
			l.Left(&theme.Faint, name, size)
			l.Text(&theme.Plain, strings.TrimRight(line, " "))
			page.add(l.String())
		}
	}
	name := p.Variable(page.State)
	page.section(name)
	row("type", f.column.Kind().String()+": "+f.content.Why)
	row("label", page.VariableLabel(name))
	if f.column.Described().Level != "" {
		row("level", string(f.column.Described().Level))
	}
	row("order", orderOf(f.column))
	row("role", roleOf(page.State, name))
	row("missing", p.missing(page.State))
	if f.values == nil {
		row("distinct", "counting …")
	} else {
		text := draw.Count(f.values.Distinct())
		switch once := f.values.Once(); {
		case f.values.Distinct() == 1:
			text += ": constant"
		case once > 0 && once == f.Profile.Records-f.Profile.Missing:
			text += ": each record has its own"
		case once > 0:
			text += "; " + wording.Does(once, "value", "occur") + " once"
		}
		row("distinct", text)
	}
	if f.content.Longest > 0 && f.content.Form == profile.Texts {
		row("length", draw.Count(f.content.Shortest)+" to "+draw.Count(f.content.Longest)+" characters")
	}
	if f.outmost != nil && f.content.Form == profile.Dates && len(f.outmost.lowest) > 0 {
		last := append(f.outmost.lowest, f.outmost.highest...) // either can contain the highest
		if len(f.outmost.highest) > 0 {
			last = f.outmost.highest[:1]
		}
		row("dates", f.Profile.Column.Text(f.outmost.lowest[0].Row)+" to "+f.Profile.Column.Text(last[len(last)-1].Row))
	}
	if f.refused != "" && p.weighted {
		row("weights", f.refused)
	}
}

// orderOf reports whether the categories of a variable are ordered; "" for amounts.
func orderOf(column *microdata.Column) string {
	switch {
	case column.Amounts() || column.Valueless():
		return ""
	case column.InOrder():
		return "categories are ordered"
	}
	return "none"
}

// missing counts the cells without a value by their text in the file.
func (p *Inspector) missing(state views.State) string {
	f := p.found.Last().Profile
	if f.Missing == 0 {
		return "none of " + wording.Counted(f.Records, "record")
	}
	text := draw.Count(f.Missing) + " of " + wording.Counted(f.Records, "record") + " (" +
		wording.PercentOf(f.Missing, f.Records) + ")"
	for i, code := range f.Codes {
		how := " empty"
		if code.Text != "" {
			how = " as " + draw.Shortened(state.WithCodeLabel(f.Column.Source(), code.Text))
		}
		text += [...]string{": ", ", "}[min(i, 1)] + draw.Count(code.Records) + how
		if i == 9 && len(f.Codes) > 10 {
			text += ", …"
			break
		}
	}
	if f.Suppressed > 0 {
		text += "; suppressed " + draw.Count(f.Suppressed)
	}
	return text
}

// moment is a figure of a numeric variable.
type moment struct {
	name     string
	of       func(m *profile.Moments, v *profile.Values) float64
	weighted func(m *profile.Moments, v *profile.Values) float64 // nil: weights do not change it
}

var moments = []moment{
	{"minimum", func(m *profile.Moments, _ *profile.Values) float64 { return m.Min }, nil},
	quantile("lower quartile", .25),
	quantile("median", .5),
	{"mean", func(m *profile.Moments, _ *profile.Values) float64 { return m.Mean },
		func(m *profile.Moments, _ *profile.Values) float64 { return m.WeightedMean }},
	quantile("upper quartile", .75),
	{"maximum", func(m *profile.Moments, _ *profile.Values) float64 { return m.Max }, nil},
	{"standard deviation", func(m *profile.Moments, _ *profile.Values) float64 { return m.SD },
		func(m *profile.Moments, _ *profile.Values) float64 { return m.WeightedSD }},
}

func quantile(name string, share float64) moment {
	of := func(weighted bool) func(m *profile.Moments, v *profile.Values) float64 {
		return func(_ *profile.Moments, v *profile.Values) float64 {
			switch {
			case v == nil:
				return math.NaN()
			case weighted:
				return v.WeightedQuantile(share)
			}
			return v.Quantile(share)
		}
	}
	return moment{name, of(false), of(true)}
}

// numbers lists the moments: unweighted, weighted, and of the original if it differs.
func (p *Inspector) numbers(page *recordPage) {
	f := p.found.Last()
	columns := []draw.Column{{Head: "figures", Least: 9}, {Head: "now", Kind: draw.Values, Size: 10}}
	weighted, before := f.weighted(), f.source != nil && f.source.Numbers != nil
	if weighted {
		columns = append(columns, draw.Column{Head: "weighted", Kind: draw.Values, Size: 10, Rank: 2})
	}
	if before {
		columns = append(columns, draw.Column{Head: "original", Kind: draw.Values, Size: 10, Rank: 1})
	}
	n := f.Profile.Numbers
	var counts [][]draw.Cell
	for i, count := range []int{n.Zero, n.Negative, n.Infinite} {
		if count > 0 {
			name := [...]string{"zeros", "negative values", "infinite values"}[i]
			counts = append(counts, []draw.Cell{{Text: name, Style: &page.Faint}, {Text: draw.Count(count)}, {}, {}}[:len(columns)])
		}
	}
	var now []float64
	for i := range moments {
		now = append(now, moments[i].of(f.Profile.Numbers, f.values))
	}
	decimals := draw.Decimals(6, now...)
	t := draw.Table{Columns: columns, Rows: len(moments) + len(counts), Indent: 3, Close: true, Row: func(row int) []draw.Cell {
		if row >= len(moments) {
			return counts[row-len(moments)]
		}
		m := &moments[row]
		cells := []draw.Cell{{Text: m.name, Style: &page.Faint}, {Text: f.awaited(now[row], decimals)}}
		if weighted {
			text := ""
			if m.weighted != nil {
				text = f.awaited(m.weighted(f.Profile.Numbers, f.values), decimals)
			}
			cells = append(cells, draw.Cell{Text: text})
		}
		if before {
			cells = append(cells, draw.Cell{Text: f.awaited(m.of(f.source.Numbers, f.before), decimals), Style: &page.BarOriginal})
		}
		return cells
	}}
	page.add(t.Lines(draw.Look{Theme: page.Theme}, nil, page.width, t.Rows+1, false)...)
}

// awaited formats a figure, or returns "…" while it is being computed.
func (f *inspected) awaited(x float64, decimals int) string {
	if f.values == nil && x != x {
		return "…"
	}
	return draw.Figure(x, decimals)
}

// histogram draws the distribution by round bins, the original behind.
func (p *Inspector) histogram(page *recordPage, room int) {
	f := p.found.Last()
	if len(f.bars) == 0 {
		return
	}
	d := profile.Finest(f.bars, min(22, room-1))
	values, before := make([]profile.Value, d.Now.Count), make([]profile.Value, d.Now.Count)
	for bin := range values {
		value := func(h *profile.Histogram) profile.Value {
			v := profile.Value{Label: h.Name(bin), Records: h.Records[bin]}
			if h.Weights != nil {
				v.Weight = h.Weights[bin]
			}
			return v
		}
		values[bin], before[bin] = value(d.Now), value(d.Before)
	}
	p.bars(page, "Distribution", values, before...)
}

// bars lists values with a bar, the original behind if before is given.
func (p *Inspector) bars(page *recordPage, title string, values []profile.Value, before ...profile.Value) {
	f := p.found.Last()
	weighted := p.weighted && f.weighted()
	size := func(v profile.Value) float64 { return sizeOf(&v, weighted) }
	largest, whole := 0.0, float64(f.Profile.Records-f.Profile.Missing)
	if weighted {
		whole = f.Profile.Weight
	}
	for _, v := range append(append([]profile.Value(nil), values...), before...) {
		largest = max(largest, size(v))
	}
	if weighted {
		title += ", weighted"
	}
	page.section(title)
	t := draw.Table{Columns: []draw.Column{{Least: 6, Most: 24}, {Kind: draw.Bars}, {Kind: draw.Counts, Size: 5},
		{Kind: draw.Percents, Size: 6, Rank: 1}},
		Rows: len(values), Indent: 3, Row: func(row int) []draw.Cell {
			had := 0.0
			if row < len(before) {
				had = size(before[row]) / max(largest, 1e-300)
			}
			return []draw.Cell{{Text: page.WithCodeLabel(f.column, values[row].Label)},
				{Share: size(values[row]) / max(largest, 1e-300), Had: had, Style: &page.Bar},
				{Text: draw.Count(wording.Rounded(size(values[row])))},
				{Share: size(values[row]) / whole, Style: &page.Faint}}
		}}
	page.add(t.Lines(draw.Look{Theme: page.Theme}, nil, page.width, len(values)+1, false)...)
}

// moments explains the figures of a numeric variable.
func (p *Inspector) moments(s views.State) []views.Figure {
	f := p.Look(s)
	if f.Profile == nil {
		return nil
	}
	name := p.Variable(s)
	figures := []views.Figure{{Name: "Missing values of " + name,
		Value:      draw.Count(f.Profile.Missing) + " of " + draw.Count(f.Profile.Records),
		Definition: "Records without a value: missing in the file, by missing code, and suppressed by a step.",
		Formula:    "records without a value", Source: measure.SourceGuide}}
	if f.Profile.Numbers == nil {
		return figures
	}
	m, n := f.Profile.Numbers, f.Profile.Records-f.Profile.Missing
	figures = append(figures, views.Figure{Name: "Mean and standard deviation of " + name,
		Value:      draw.FigureText(m.Mean) + ", " + draw.FigureText(m.SD),
		Definition: "Mean and standard deviation of all records with a value; weighted, those of the population.",
		Formula:    "mean = Σx / n,  sd = √(Σ(x - mean)² / (n - 1));  weighted Σwx / Σw,  √(Σw(x - mean)² / Σw)",
		Values: []string{"n = " + draw.Count(n), "weighted: " + draw.FigureText(m.WeightedMean) + ", " +
			draw.FigureText(m.WeightedSD)},
		Source: measure.SourceTempl})
	if f.values != nil {
		figures = append(figures, views.Figure{Name: "Quartiles of " + name,
			Value: draw.FigureText(f.values.Quantile(.25)) + ", " + draw.FigureText(f.values.Quantile(.5)) + ", " +
				draw.FigureText(f.values.Quantile(.75)),
			Definition: "Values below which a quarter, half and three quarters of the records lie; weighted, the smallest value that " +
				"reaches this share of the weights.",
			Formula: "x between places p(n - 1) rounded down and up, counted from 0",
			Source:  "Hyndman and Fan, The American Statistician 50, 1996: type 7"})
	}
	return figures
}
