package measure

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Page describes the layout of a measure's page, apart from the list of its numbers.
type Page struct {
	Headline []string               // up to three numbers shown first, by name and part: "interval_risk k0.05"; nil for the first three
	Meaning  func(v *Values) string // a sentence that interprets them; nil if none
	Bars     func(v *Values) []Bar  // bars to draw; nil if none
	Drawn    string                 // title of the bars
	Worst    string                 // record column that ranks the worst records, or ""
	Least    bool                   // the lowest figures are the worst, not the highest
}

// Bar is a figure drawn as a bar, such as that of a variable.
type Bar struct {
	Label string
	Value float64 // at least 0
	Text  string
}

// headlines is the number of figures shown first by default.
const headlines = 3

// Order returns the indices of the numbers in the order of the page: headline numbers first, then the others;
// first is the number of headline numbers.
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

// Find returns the number with a name and part, or nil if it is missing or NaN.
func (v *Values) Find(name, part string) *Value {
	for i := range v.Numbers {
		if n := &v.Numbers[i]; n.Name == name && n.Part == part && !math.IsNaN(n.Number) {
			return n
		}
	}
	return nil
}

// Telling returns a function that formats a sentence with a number, given by name and part, for each %s; it
// returns "" if one of them is not defined.
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

// BarsOf returns a bar for each number with one of the names.
func (v *Values) BarsOf(names ...string) (bars []Bar) {
	for i := range v.Numbers {
		if n := &v.Numbers[i]; slices.Contains(names, n.Name) && n.Number >= 0 {
			bars = append(bars, Bar{n.Title, n.Number, n.Text()})
		}
	}
	return bars
}

// BarsOfTable returns a function that makes a bar for each row of a table from one of its columns, labelled with
// the first column, except for the row Sum.
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

// Extreme is a record and its figure.
type Extreme struct {
	Record int
	Figure float64
}

// Extremes returns at most most records with the highest figures, or the lowest if least is set, in file order for
// equal figures; NaN figures are skipped. It visits every record once.
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
