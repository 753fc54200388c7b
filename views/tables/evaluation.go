package tables

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/views"
)

// exactCells is the number of cells up to which all intervals are exact, and exactChanged that of a table with changed values,
// in which all cells are unknown. In larger tables the search for an interval stops as soon as it is wide enough.
const (
	exactCells   = 2000
	exactChanged = 300
)

// evaluation is what is known of one table so far. Its parts depend on less and less: states by hand and rules leave the
// cells as they are.
type evaluation struct {
	cells     views.Cache[cellsKey, built]
	judged    views.Cache[judgedKey, result]
	protected views.Cache[string, protected] // of all tables that are protected together; the first of them keeps it
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

// judgedKey is what the sensitive cells depend on.
type judgedKey struct {
	cells      *tabular.Table
	definition string
}

// result is a table with its pattern of suppressed cells, and what is cheap to know of it.
type result struct {
	table  *publish.Table
	safety publish.Safety
	loss   publish.Loss
	linked []string // titles of the tables that share cells with it
	err    error
}

func resultOf(t *publish.Table, err error) result {
	if err != nil {
		return result{err: err}
	}
	return result{t, t.Safety(), t.Loss(), t.LinkedWith(), nil}
}

// protected are tables that are protected together.
type protected struct {
	results []result
	err     error
}

// plan is what the definitions of the tables say, as texts: as a whole, and what the cells depend on. sets are the tables
// that are protected together with each.
type plan struct {
	texts, cells []string
	sets         [][]int
}

func (r *room) plan(s views.State) *plan {
	return r.plans.Look(s.Scenario, func() (p plan) {
		all := definitions(s)
		var pointers []*microdata.TableDefinition
		for i := range all {
			plain := all[i]
			plain.Name, plain.Rules, plain.Protect, plain.Cost, plain.States = "", nil, "", "", nil
			whole, _ := json.Marshal(all[i]) // a definition always can be
			cells, _ := json.Marshal(plain)
			p.texts, p.cells, pointers = append(p.texts, string(whole)), append(p.cells, string(cells)), append(pointers, &all[i])
		}
		for i := range all {
			p.sets = append(p.sets, publish.Linked(pointers, i))
		}
		return p
	})
}

// judge returns a table with its sensitive cells, computed at once; nil while the cells are being counted.
func (r *room) judge(s views.State, at int) *result {
	e, d := r.of(at), &definitions(s)[at]
	found := e.cells.Found(cellsKey{s.Current.Data, r.plan(s).cells[at]})
	switch {
	case found == nil:
		return nil
	case found.err != nil:
		return &result{err: found.err}
	}
	return e.judged.Look(judgedKey{found.cells, r.plan(s).texts[at]}, func() result {
		return resultOf(publish.Judge(found.cells, d))
	})
}

// set are tables that are protected together, with their sensitive cells.
type set struct {
	places []int // of the tables among those of the session
	tables []*publish.Table
	key    string // what the pattern of suppressed cells depends on
}

// set returns the tables that are protected together with one of them; ok is false while cells of one are being counted.
// A table that cannot be made is left out.
func (r *room) set(s views.State, at int) (of set, ok bool) {
	for _, place := range r.plan(s).sets[at] {
		switch j := r.judge(s, place); {
		case j == nil:
			return set{}, false
		case j.err == nil:
			of.places, of.tables = append(of.places, place), append(of.tables, j.table)
			of.key += fmt.Sprintf("%p %s\n", j.table.Table, r.plan(s).texts[place])
		}
	}
	return of, len(of.places) > 0
}

// protect returns a table with its secondary cells; nil while they are being searched for.
func (r *room) protect(s views.State, at int) *result {
	if j := r.judge(s, at); j == nil || j.err != nil {
		return j
	}
	of, ok := r.set(s, at)
	if !ok {
		return nil
	}
	found := r.of(of.places[0]).protected.Found(of.key)
	switch {
	case found == nil:
		return nil
	case found.err != nil:
		return &result{err: found.err}
	}
	return &found.results[slices.Index(of.places, at)]
}

// narrow returns the intervals of the selected table; nil while they are being computed.
func (r *room) narrow(s views.State) *publish.Intervals {
	p := r.protect(s, r.at)
	if p == nil || p.err != nil {
		return nil
	}
	if found := r.of(r.at).intervals.Found(p.table); found != nil {
		return *found
	}
	return nil
}

// seek returns the next piece of work on a table; nil if everything is known.
func (r *room) seek(s views.State, at int) views.Piece {
	if piece := r.seekCells(s, at); piece != nil {
		return piece
	}
	if j := r.judge(s, at); j == nil || j.err != nil {
		return nil
	}
	of, ok := r.set(s, at)
	if !ok {
		for place := range definitions(s) {
			if piece := r.seekCells(s, place); piece != nil {
				return piece
			}
		}
		return nil
	}
	piece := r.of(of.places[0]).protected.Seek(of.key, func(ctx context.Context) (p protected, err error) {
		tables, err := publish.Protect(ctx, of.tables)
		for _, t := range tables {
			p.results = append(p.results, resultOf(t, nil))
		}
		p.err = err
		return p, ctx.Err()
	})
	if piece != nil {
		return piece
	}
	p := r.protect(s, at)
	if p == nil || p.err != nil {
		return nil
	}
	return r.of(at).intervals.Seek(p.table, func(ctx context.Context) (*publish.Intervals, error) {
		most := exactCells
		if p.table.Perturbs() {
			most = exactChanged
		}
		return p.table.Intervals(ctx, len(p.table.Cells) > most)
	})
}

// seekCells returns the work of counting the cells of a table; nil if they are known.
func (r *room) seekCells(s views.State, at int) views.Piece {
	e, d := r.of(at), &definitions(s)[at]
	key := cellsKey{s.Current.Data, r.plan(s).cells[at]}
	if e.cells.Found(key) != nil {
		return nil
	}
	definition, now := d.Clone(), s.TableSource()
	return e.cells.Seek(key, func(ctx context.Context) (b built, err error) {
		of, levels := now(&definition)
		b.cells, b.err = publish.Build(ctx, of, &definition, levels)
		return b, ctx.Err()
	})
}

// shown returns a table as it is known so far: with its secondary cells, or else without them, and then the reason if
// there can be none; nil while its cells are being counted.
func (r *room) shown(s views.State, at int) (known *result, err error) {
	p, j := r.protect(s, at), r.judge(s, at)
	switch {
	case p == nil || p.err == nil && p.table != nil:
		return cmp.Or(p, j), nil
	case j.err != nil:
		return nil, j.err
	}
	return j, p.err
}
