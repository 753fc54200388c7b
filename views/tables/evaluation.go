package tables

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/views"
)

// exactCells is the number of cells up to which all intervals are exact. In larger tables the search for an interval
// stops as soon as it is wide enough.
const exactCells = 2000

// evaluation is what is known of one table so far. Its parts depend on less and less: states by hand and rules leave the
// cells as they are.
type evaluation struct {
	cells     views.Cache[cellsKey, built]
	judged    views.Cache[judgedKey, result]
	protected views.Cache[judgedKey, result]
	intervals views.Cache[*publish.Table, *publish.Intervals]
}

// cellsKey is what the cells depend on: the data and the definition without rules, protection and states.
type cellsKey struct {
	data       *microdata.Dataset
	definition string
}

type built struct {
	cells *tabular.Table
	err   error
}

// judgedKey is what the pattern of suppressed cells depends on.
type judgedKey struct {
	cells      *tabular.Table
	definition string
}

// result is a table with its pattern of suppressed cells, and what is cheap to know of it.
type result struct {
	table  *publish.Table
	safety publish.Safety
	loss   publish.Loss
	err    error
}

func resultOf(t *publish.Table, err error) result {
	if err != nil {
		return result{err: err}
	}
	return result{t, t.Safety(), t.Loss(), nil}
}

// keyOf returns what the cells of a table depend on.
func keyOf(data *microdata.Dataset, d *microdata.TableDefinition) cellsKey {
	plain := *d
	plain.Name, plain.Rules, plain.Protect, plain.Cost, plain.States = "", nil, "", "", nil
	text, _ := json.Marshal(plain) // a definition always can be
	return cellsKey{data, string(text)}
}

// judge returns the table with its sensitive cells, computed at once; nil while the cells are being counted.
func (e *evaluation) judge(data *microdata.Dataset, d *microdata.TableDefinition) *result {
	found := e.cells.Found(keyOf(data, d))
	switch {
	case found == nil:
		return nil
	case found.err != nil:
		return &result{err: found.err}
	}
	text, _ := json.Marshal(d)
	return e.judged.Look(judgedKey{found.cells, string(text)}, func() result {
		return resultOf(publish.Judge(found.cells, d))
	})
}

// protect returns the table with its secondary cells; nil while they are being searched for.
func (e *evaluation) protect(data *microdata.Dataset, d *microdata.TableDefinition) *result {
	j := e.judge(data, d)
	switch {
	case j == nil:
		return nil
	case j.err != nil:
		return j
	}
	text, _ := json.Marshal(d)
	return e.protected.Found(judgedKey{j.table.Table, string(text)})
}

// narrow returns the intervals; nil while they are being computed.
func (e *evaluation) narrow(data *microdata.Dataset, d *microdata.TableDefinition) *publish.Intervals {
	p := e.protect(data, d)
	if p == nil || p.err != nil {
		return nil
	}
	if found := e.intervals.Found(p.table); found != nil {
		return *found
	}
	return nil
}

// seek returns the next piece of work on a table; nil if everything is known.
func (e *evaluation) seek(data *microdata.Dataset, d *microdata.TableDefinition, source func() views.TableSource) views.Piece {
	if key := keyOf(data, d); e.cells.Found(key) == nil {
		definition, now := d.Clone(), source()
		return e.cells.Seek(key, func(ctx context.Context) (b built, err error) {
			of, levels := now(&definition)
			b.cells, b.err = publish.Build(ctx, of, &definition, levels)
			return b, ctx.Err()
		})
	}
	j := e.judge(data, d)
	if j == nil || j.err != nil {
		return nil
	}
	text, _ := json.Marshal(d)
	piece := e.protected.Seek(judgedKey{j.table.Table, string(text)}, func(ctx context.Context) (result, error) {
		return resultOf(j.table.Protect(ctx)), ctx.Err()
	})
	if piece != nil {
		return piece
	}
	p := e.protect(data, d)
	if p == nil || p.err != nil {
		return nil
	}
	return e.intervals.Seek(p.table, func(ctx context.Context) (*publish.Intervals, error) {
		return p.table.Intervals(ctx, len(p.table.Cells) > exactCells)
	})
}

// shown returns the table as it is known so far: with its secondary cells, or else without them, and then the reason if
// there can be none; nil while its cells are being counted.
func (e *evaluation) shown(data *microdata.Dataset, d *microdata.TableDefinition) (known *result, err error) {
	p, j := e.protect(data, d), e.judge(data, d)
	switch {
	case p == nil || p.err == nil && p.table != nil:
		return cmp.Or(p, j), nil
	case j.err != nil:
		return nil, j.err
	}
	return j, p.err
}
