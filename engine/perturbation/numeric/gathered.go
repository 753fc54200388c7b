package numeric

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Gathered are the values of numeric variables of records that come piece by piece and are not held otherwise: 8
// bytes for each.
type Gathered struct {
	in      method.Input
	request Request
	columns []*microdata.Column // of the data, whose rows stand for several records
	values  [][]float64         // by variable and record
	Records int                 // that came
	places  []places            // in the source, so far
}

// Gather returns what gathers the variables of a request, without strata. Errors are those of New that values do not
// decide.
func Gather(in method.Input, r Request) (*Gathered, error) {
	columns, err := in.Apart(r.Param, r.Variables)
	if err != nil {
		return nil, err
	}
	g := &Gathered{in: in, request: r, columns: columns, values: make([][]float64, len(columns)),
		places: make([]places, len(columns))}
	for j := range g.places {
		g.places[j] = places{most: -1, fixed: true}
	}
	return g, (&Table{Columns: columns}).numbersOf(in, r)
}

// Add takes records when what it returns is called, in turn. The data may change then.
func (g *Gathered) Add(data *microdata.Dataset) (inOrder func()) {
	values, found := make([][]float64, len(g.columns)), make([]places, len(g.columns))
	for j, of := range g.columns {
		column, _ := data.Column(of.Name())
		values[j], found[j] = slices.Clone(column.Floats()), places{most: -1, fixed: true}
		if g.request.Treatment.Decimals == AsSource {
			found[j].look(column)
		}
	}
	return func() {
		g.Records += data.Len()
		for j := range values {
			if g.values[j] == nil {
				g.values[j] = make([]float64, 0, g.in.Data.Records())
			}
			g.values[j] = append(g.values[j], values[j]...)
			g.places[j].join(found[j])
		}
	}
}

// Table returns the records, once all of them came. Errors are those of New. The values are not to be used after it.
func (g *Gathered) Table(ctx context.Context) (*Table, error) {
	t := &Table{Columns: g.columns}
	if err := t.take(ctx, g.in, g.request, g.values, g.Records, nil); err != nil {
		return nil, err
	}
	for j := range t.places {
		t.places[j] = g.places[j].told()
	}
	return t, parallel.Each(ctx, len(t.Columns), func(j int) error { return finite(t.Columns[j].Name(), t.Values[j]) })
}

// Changed gives masked values the decimals that they have, and returns how many differ, by variable; whole says whether
// all of a variable are whole numbers.
func (t *Table) Changed(masked [][]float64) (changed method.Counts, whole []bool) {
	changed, whole = make(method.Counts, len(t.Columns)), make([]bool, len(t.Columns))
	for j, column := range t.Columns {
		t.round(j, masked[j])
		changed[j].Name, whole[j] = column.Name(), isWhole(masked[j])
		for i, x := range masked[j] {
			if was := t.Values[j][i]; x != was && !math.IsNaN(was) {
				changed[j].Count++
			}
		}
	}
	return changed, whole
}

// Masking is what becomes of the numbers of one variable, record by record: the same as Masked makes of all of them.
type Masking struct {
	Kind   microdata.Kind // of the masked variable
	places []places       // nil: numbers are not rounded
}

// Masking returns what becomes of a variable whose masked values are whole numbers, or not.
func (t *Table) Masking(j int, whole bool) Masking {
	m := Masking{Kind: microdata.Number}
	if t.Columns[j].Kind() == microdata.Whole && whole {
		m.Kind = microdata.Whole
	}
	if t.places != nil {
		m.places = t.places[j : j+1]
	}
	return m
}

// Column returns a column of records in which those rows that have a value get another one, in turn.
func (m Masking) Column(column *microdata.Column, rows []uint32, value func(x float64) float64) (*microdata.Column, error) {
	t := &Table{Columns: []*microdata.Column{column}, Values: [][]float64{make([]float64, len(rows))}, Rows: rows, places: m.places}
	masked, all := make([]float64, len(rows)), column.Floats()
	for i, row := range rows {
		t.Values[0][i] = all[row]
		masked[i] = value(all[row])
	}
	t.round(0, masked)
	numbers, _ := t.numbers(column, 0, masked, nil)
	return column.WithNumbers(m.Kind, numbers)
}
