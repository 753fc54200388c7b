package keys

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// soughtKeys is what decides which distinct keys are listed, and in what order.
type soughtKeys struct {
	of     *risk.Assessment
	by     string // see sorting.key
	filter string
}

// foundKeys are the distinct keys that are listed, and what takes a walk over
// the records to know. They are kept for an assessment: those of another order or filter
// stay in sight while the new ones are looked for.
type foundKeys struct {
	soughtKeys
	ready      bool
	keys       []uint32
	first      []uint32  // the first record of each key of the table
	households []float64 // the highest household risk of the records of each key; nil without households
	tenths     bool      // population frequencies have decimals
	err        error
}

// listed returns what is known of the keys of the assessment that is shown.
func (p *DistinctKeys) listed(s views.State) *foundKeys { return p.found.For(s.Current.Assessment) }

// rows returns the number of keys that are listed; all until they were looked
// through.
func (p *DistinctKeys) rows(s views.State) int {
	if f := p.listed(s); f.ready {
		return len(f.keys)
	}
	return s.Current.Assessment.Table().Keys()
}

// key returns the key of a row.
func (p *DistinctKeys) key(s views.State, row int) uint32 {
	if f := p.listed(s); f.ready {
		return f.keys[row]
	}
	return uint32(row)
}

// keyScope is what filters of keys can speak of: key variables, frequencies and
// risk.
func keyScope(s views.State) notation.Scope {
	scope := s.Scope()
	if data, err := microdata.NewDataset(keyColumns(s)); err == nil {
		scope.Data, scope.Original = data, nil
	}
	return scope
}

// Seek sorts and filters the keys of the assessment that is shown. What was found
// about records before serves again as long as that is the same.
func (p *DistinctKeys) Seek(s views.State) views.Piece {
	a := s.Current.Assessment
	if a == nil || len(s.Keys()) == 0 || keyColumns(s) == nil {
		return nil
	}
	sought := soughtKeys{a, p.by.Key(), p.filter}
	before := *p.listed(s)
	if before.soughtKeys == sought {
		return nil
	}
	by, names, scope := p.by, s.Keys(), keyScope(s)
	return p.found.Extend(a, func(ctx context.Context, _ time.Duration) (func(*foundKeys), error) {
		found := foundKeys{soughtKeys: sought, ready: true}
		if before.ready {
			found.first, found.households, found.tenths = before.first, before.households, before.tenths
		} else if err := found.walk(ctx); err != nil {
			return nil, err
		}
		found.list(by, names, scope)
		return func(known *foundKeys) {
			*known = found
			if found.err != nil {
				p.err, p.filter = found.err, ""
			}
		}, nil
	})
}

// walk looks at every record once.
func (f *foundKeys) walk(ctx context.Context) (err error) {
	if f.first, err = f.of.Table().FirstRows(ctx); err != nil {
		return err
	}
	f.tenths = slices.ContainsFunc(f.of.KeyFrequencies().Population, func(F float64) bool { return F != math.Trunc(F) })
	f.households, err = f.of.HouseholdRiskOfKeys(ctx)
	return err
}

// list filters and sorts; keys that are alike in the column stay in the order of
// the table.
func (f *foundKeys) list(by draw.Sorting, names []string, scope notation.Scope) {
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
	var orders draw.Sorting // those of columns that are there
	for _, column := range by {
		if numbers := f.values(column.Id, names); numbers != nil {
			values, orders = append(values, numbers), append(orders, column)
		}
	}
	slices.SortFunc(f.keys, func(x, y uint32) int {
		for i, by := range orders {
			if order := cmp.Compare(values[i][x], values[i][y]); order != 0 && by.Down {
				return -order
			} else if order != 0 {
				return order
			}
		}
		return cmp.Compare(x, y)
	})
}

// values returns what each key has in a column; nil where there is no such column.
func (f *foundKeys) values(id string, names []string) []float64 {
	switch figure, _ := strings.CutPrefix(id, draw.FigureMark); {
	case figure == id: // a key variable
		place := slices.Index(names, id)
		if place < 0 || place >= f.of.Table().Variables() {
			return nil
		}
		return asNumbers(f.of.Table().Codes(place))
	case figure == keyFigures[keySample]:
		return f.of.KeyFrequencies().Sample
	case figure == keyFigures[keyPopulation]:
		return f.of.KeyFrequencies().Population
	case figure == keyFigures[keyRisk]:
		return f.of.KeyRisks()
	case figure == keyFigures[keyHouseholds]:
		return f.households
	}
	return asNumbers(f.of.Table().Counts())
}

func asNumbers[T uint32 | int](whole []T) []float64 {
	values := make([]float64, len(whole))
	for i, n := range whole {
		values[i] = float64(n)
	}
	return values
}
