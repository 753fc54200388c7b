package views

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/notation"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// keyOrder is the column that distinct keys are sorted by; down: the highest first.
type keyOrder struct {
	column int
	down   bool
}

// keyOrders are the columns, the later ones for keys that are alike in the others.
type keyOrders []keyOrder

func (o keyOrders) at(column int) int {
	return slices.IndexFunc(o, func(by keyOrder) bool { return by.column == column })
}

// mark returns the sign of a column for its heading: an arrow, with its place where
// there are several.
func (o keyOrders) mark(column int) string {
	at := o.at(column)
	if at < 0 {
		return ""
	}
	arrow := map[bool]string{true: "↓", false: "↑"}[o[at].down]
	if len(o) > 1 {
		arrow += strconv.Itoa(at + 1)
	}
	return arrow
}

// soughtKeys is what decides which distinct keys are listed, and in what order.
type soughtKeys struct {
	of     *risk.Assessment
	by     string // the order, spelled
	filter string
}

// foundKeys are the distinct keys that are listed, and what takes a walk over
// the records to know.
type foundKeys struct {
	soughtKeys
	order      keyOrders
	ready      bool
	keys       []uint32
	first      []uint32  // the first record of each key of the table
	households []float64 // the highest household risk of the records of each key; nil without households
	tenths     bool      // population frequencies have decimals
	err        error
}

// rows returns the number of keys that are listed; all until they were looked
// through.
func (p *DistinctKeys) rows(s State) int {
	if p.found.of == s.Current.Assessment && p.found.ready {
		return len(p.found.keys)
	}
	return s.Current.Assessment.Table().Keys()
}

// key returns the key of a row.
func (p *DistinctKeys) key(s State, row int) uint32 {
	if p.found.of == s.Current.Assessment && p.found.ready {
		return p.found.keys[row]
	}
	return uint32(row)
}

// keyScope is what filters of keys can speak of: key variables, frequencies and
// risk.
func keyScope(s State) notation.Scope {
	scope := s.scope()
	if data, err := microdata.NewDataset(keyColumns(s)); err == nil {
		scope.Data, scope.Original = data, nil
	}
	return scope
}

// Seek sorts and filters the keys of the assessment that is shown. What was found
// about records before serves again as long as that is the same.
func (p *DistinctKeys) Seek(s State) func(ctx context.Context, budget time.Duration) (take func()) {
	a := s.Current.Assessment
	if a == nil || len(s.keys()) == 0 || keyColumns(s) == nil {
		return nil
	}
	sought, order := soughtKeys{a, fmt.Sprint(p.by), p.filter}, p.by
	if p.found.ready && p.found.soughtKeys == sought {
		return nil
	}
	before, figures, scope := p.found, p.figureColumns(s), keyScope(s)
	return func(ctx context.Context, _ time.Duration) func() {
		found := foundKeys{soughtKeys: sought, order: order, ready: true}
		if before.ready && before.of == a {
			found.first, found.households, found.tenths = before.first, before.households, before.tenths
		} else if !found.walk(ctx) {
			return func() {}
		}
		found.list(figures, scope)
		return func() {
			p.found = found
			if found.err != nil {
				p.err, p.filter = found.err, ""
			}
		}
	}
}

// walk looks at every record once; false: it was cancelled.
func (f *foundKeys) walk(ctx context.Context) bool {
	a, rows := f.of, f.of.Table().RowKeys()
	f.first = make([]uint32, a.Table().Keys())
	for row := len(rows) - 1; row >= 0; row-- {
		if row&(1<<14-1) == 0 && ctx.Err() != nil {
			return false
		}
		f.first[rows[row]] = uint32(row)
	}
	f.tenths = slices.ContainsFunc(a.KeyFrequencies().Population, func(F float64) bool { return F != math.Trunc(F) })
	if a.HouseholdIndex() == nil {
		return true
	}
	f.households = make([]float64, len(f.first))
	for row, key := range rows {
		if row&(1<<14-1) == 0 && ctx.Err() != nil {
			return false
		}
		f.households[key] = max(f.households[key], a.HouseholdRiskOf(row))
	}
	return true
}

// list filters and sorts; keys that are alike in the column stay in the order of
// the table.
func (f *foundKeys) list(figures int, scope notation.Scope) {
	meets := func(int) bool { return true }
	if f.filter != "" {
		condition, err := notation.ParseCondition(f.filter)
		if err == nil {
			meets, err = condition.Bind(scope)
		}
		if f.err = err; err != nil { // it fitted other data
			meets = func(int) bool { return true }
		}
	}
	for key, record := range f.first {
		if meets(int(record)) {
			f.keys = append(f.keys, uint32(key))
		}
	}
	var values [][]float64
	var orders keyOrders // those of columns that are there
	for _, by := range f.order {
		if column := f.values(by.column, figures); column != nil {
			values, orders = append(values, column), append(orders, by)
		}
	}
	slices.SortFunc(f.keys, func(x, y uint32) int {
		for i, by := range orders {
			if order := cmp.Compare(values[i][x], values[i][y]); order != 0 && by.down {
				return -order
			} else if order != 0 {
				return order
			}
		}
		return cmp.Compare(x, y)
	})
}

// values returns what each key has in a column; nil where there is no such column.
func (f *foundKeys) values(column, figures int) []float64 {
	frequencies := f.of.KeyFrequencies()
	switch {
	case column == keySample:
		return frequencies.Sample
	case column == keyPopulation:
		return frequencies.Population
	case column == keyRisk:
		return f.of.KeyRisks()
	case column == keyHouseholds && figures > keyHouseholds:
		return f.households
	}
	whole := f.of.Table().Counts()
	if column >= figures {
		if column-figures >= f.of.Table().Variables() {
			return nil
		}
		whole = f.of.Table().Codes(column - figures)
	}
	values := make([]float64, len(whole))
	for i, n := range whole {
		values[i] = float64(n)
	}
	return values
}

// NewMatching returns the grid of the records that meet a condition.
func NewMatching(condition string) *Records {
	p := NewRecords("", 0)
	p.filter, p.given = condition, condition
	return p
}

// keyCondition writes what the records of a key have in common, as it is typed.
func keyCondition(t *keys.Table, columns []*microdata.Column, key uint32) string {
	parts := make([]string, len(columns))
	for i, column := range columns {
		parts[i] = conditionWord(column.Name()) + " missing"
		if code := t.Codes(i)[key]; code != 0 {
			parts[i] = conditionWord(column.Name()) + " = " + conditionWord(column.Categories().Levels[code-1].Label)
		}
	}
	return strings.Join(parts, " and ")
}

// conditionWord returns a name or a label as it is typed in a condition: in quotes
// where it is not a word of letters or a whole number.
func conditionWord(text string) string {
	letters := func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }
	number, err := strconv.Atoi(text)
	plain := text != "" && strings.IndexFunc(text, letters) < 0 || err == nil && strconv.Itoa(number) == text && number >= 0
	if plain && !slices.Contains([]string{"and", "or", "not", "in", "above", "below", "contains", "missing", "suppressed", "changed"}, strings.ToLower(text)) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
