package measure

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Page says what the page of a measure has beside all its numbers.
type Page struct {
	Headline []string               // the numbers that stand first, up to three, by name and part: "interval_risk k0.05"; nil: the first ones
	Meaning  func(v *Values) string // what they mean here, in a sentence; nil: it has none
	Bars     func(v *Values) []Bar  // what is drawn; nil: nothing
	Drawn    string                 // what the bars are
	Worst    string                 // the column of records by which the worst are listed; "": none are
	Least    bool                   // those with the lowest figures are the worst, else those with the highest
}

// Bar is a figure that is drawn: one of a part, such as a variable.
type Bar struct {
	Label string
	Value float64 // at least 0
	Text  string
}

// headlines is the number of figures that stand first.
const headlines = 3

// Order returns the places of the numbers as a page shows them: those of the headline first,
// then the others in their order; first is the number of the former.
func (p *Page) Order(numbers []Value) (places []int, first int) {
	for _, name := range p.Headline {
		name, part, _ := strings.Cut(name, " ")
		if at := slices.IndexFunc(numbers, func(v Value) bool { return v.Name == name && v.Part == part }); at >= 0 {
			places = append(places, at)
		}
	}
	for at := range numbers {
		if len(places) < min(headlines, len(numbers)) && !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	first = len(places)
	for at := range numbers {
		if !slices.Contains(places[:first], at) {
			places = append(places, at)
		}
	}
	return places, first
}

// Find returns a number by name and part; nil where there is none, or it is not defined.
func (v *Values) Find(name, part string) *Value {
	for i := range v.Numbers {
		if n := &v.Numbers[i]; n.Name == name && n.Part == part && !math.IsNaN(n.Number) {
			return n
		}
	}
	return nil
}

// Telling returns a sentence in which each %s stands for a number by name and part; "" where
// one of them is not defined.
func Telling(sentence string, names ...string) func(v *Values) string {
	return func(v *Values) string {
		texts := make([]any, len(names))
		for i, name := range names {
			name, part, _ := strings.Cut(name, " ")
			n := v.Find(name, part)
			if n == nil {
				return ""
			}
			texts[i] = n.Text()
		}
		return fmt.Sprintf(sentence, texts...)
	}
}

// BarsOf returns a bar for each number of a name.
func (v *Values) BarsOf(names ...string) (bars []Bar) {
	for i := range v.Numbers {
		if n := &v.Numbers[i]; slices.Contains(names, n.Name) && n.Number >= 0 {
			bars = append(bars, Bar{n.Title, n.Number, n.Text()})
		}
	}
	return bars
}

// BarsOfTable returns what makes a bar for each row of a table by one of its columns, named by the
// first; a row of sums is left out.
func BarsOfTable(table, column string) func(*Values) []Bar {
	return func(v *Values) (bars []Bar) {
		for i := range v.Tables {
			t := &v.Tables[i]
			at := slices.Index(t.Columns, column)
			if t.Name != table || at < 0 {
				continue
			}
			for _, row := range t.Rows {
				x := CellNumber(row[at])
				if x >= 0 && row[0] != Sum {
					bars = append(bars, Bar{CellText(row[0]), x, CellText(row[at])})
					if percent, ok := row[at].(Percent); ok {
						bars[len(bars)-1].Text = wording.Percent(float64(percent) / 100)
					}
				}
			}
		}
		return bars
	}
}

// Extreme is a record with its figure.
type Extreme struct {
	Record int
	Figure float64
}

// Extremes returns the records with the highest figures, or the lowest, the first of the file
// before others of the same figure, at most so many; those without a figure are left out. It
// looks at every record once.
func Extremes(ctx context.Context, figure func(record int) float64, records, most int, least bool) ([]Extreme, error) {
	var found []Extreme
	before := func(a, b float64) bool { return a > b != least && a != b }
	for record := range records {
		if record%(1<<14) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x := figure(record)
		if math.IsNaN(x) || len(found) == most && !before(x, found[most-1].Figure) {
			continue
		}
		at, _ := slices.BinarySearchFunc(found, x, func(e Extreme, x float64) int {
			if before(x, e.Figure) {
				return 1
			}
			return -1
		})
		found = slices.Insert(found, at, Extreme{record, x})
		found = found[:min(most, len(found))]
	}
	return found, ctx.Err()
}
