package numeric

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// pattern has the indices of the variables, and of the additional variables, that records have.
type pattern struct{ variables, additional []int }

// patternBuilder assigns the records of a file to patterns.
type patternBuilder struct {
	all      [][]float64 // by variable and row
	missing  []func(row int) bool
	patterns []pattern // 0 is the pattern of complete records
	of       []int32   // pattern by row; -1: left unmasked
}

// read selects and reads the records to mask.
func (t *Table) read(ctx context.Context, in method.Input, r Request) error {
	records := in.Data.Len()
	p := &patternBuilder{all: make([][]float64, len(t.Columns)), missing: r.Additional, patterns: make([]pattern, 1), of: make([]int32, records)}
	for j, column := range t.Columns {
		p.all[j] = column.Floats()
	}
	incomplete, err := p.complete(ctx)
	if err != nil {
		return err
	}
	switch {
	case incomplete > 0 && r.Treatment.Missing == Refuse:
		return t.refused(incomplete)
	case r.Treatment.Missing == Patterns:
		p.lacking()
	}
	if r.Treatment.Decimals == AsSource {
		t.places = make([]places, len(t.Columns))
	}
	if err := t.stratify(ctx, in, r, p); err != nil {
		return err
	}
	t.leave(p)
	if t.Values = p.all; len(t.Rows) == records {
		return nil
	}
	t.picked = true
	return parallel.Each(ctx, len(p.all), func(j int) error {
		values := store.Make[float64](t.Columns[j].Store(), len(t.Rows))
		for i, row := range t.Rows {
			values[i] = p.all[j][row]
		}
		t.Values[j] = values
		return nil
	})
}

// Free releases the values, which must not be used any more. Values of variables without missing ones belong to
// their columns and are not released.
func (t *Table) Free() {
	for j := range t.Values {
		if t.picked {
			store.Free(t.Columns[j].Store(), t.Values[j])
		}
	}
	t.Values = nil
}

// complete excludes all records with a missing value and returns their number.
func (p *patternBuilder) complete(ctx context.Context) (incomplete int, err error) {
	counts := make([]int, (len(p.of)+Block-1)/Block)
	err = parallel.Each(ctx, len(counts), func(block int) error {
		first, end := block*Block, min((block+1)*Block, len(p.of))
		of := p.of[first:end]
		for _, values := range p.all {
			for i, x := range values[first:end] {
				if x != x {
					of[i] = -1
				}
			}
		}
		for i := range of {
			for k := 0; of[i] == 0 && k < len(p.missing); k++ {
				if p.missing[k](first + i) {
					of[i] = -1
				}
			}
			counts[block] -= int(of[i])
		}
		return nil
	})
	for _, count := range counts {
		incomplete += count
	}
	return incomplete, err
}

// lacking assigns incomplete records to patterns, in order of first occurrence. Records without any of the
// variables remain excluded.
func (p *patternBuilder) lacking() {
	known := map[string]int32{}
	there := make([]byte, len(p.all)+len(p.missing))
	for row, of := range p.of {
		if of == 0 {
			continue
		}
		clear(there)
		for j, values := range p.all {
			if !math.IsNaN(values[row]) {
				there[j] = 1
			}
		}
		for k, missing := range p.missing {
			if !missing(row) {
				there[len(p.all)+k] = 1
			}
		}
		number, ok := known[string(there)]
		if !ok {
			number = -1
			if has := p.having(there); len(has.variables) > 0 {
				number = int32(len(p.patterns))
				p.patterns = append(p.patterns, has)
			}
			known[string(there)] = number
		}
		p.of[row] = number
	}
}

// having returns the pattern of the values present.
func (p *patternBuilder) having(there []byte) pattern {
	has := pattern{variables: []int{}, additional: []int{}}
	for at, is := range there {
		switch {
		case is == 0:
		case at < len(p.all):
			has.variables = append(has.variables, at)
		default:
			has.additional = append(has.additional, at-len(p.all))
		}
	}
	return has
}

// stratify partitions the records by patterns and strata. Incomplete records are left unmasked if too few in their
// stratum have the same pattern; complete records never are.
func (t *Table) stratify(ctx context.Context, in method.Input, r Request, p *patternBuilder) error {
	strata, err := in.Strata(ctx, r.Strata)
	if err != nil {
		return err
	}
	count := len(strata.Labels)
	if count*len(p.patterns) == 1 {
		t.Rows = p.rows()
		all := t.Rows // if all rows are masked, record i is row i
		if len(all) < len(p.of) {
			all = stat.InOrder(len(t.Rows))
		}
		t.Strata = []Stratum{{Label: strata.Labels[0].String(), Records: all}}
		return ctx.Err()
	}
	sizes := make([]int, count*len(p.patterns))
	for row, number := range p.of {
		if number >= 0 {
			sizes[int(number)*count+strata.Of(row)]++
		}
	}
	for part := count; part < len(sizes); part++ {
		if sizes[part] < p.enough(part/count, r.Enough) {
			sizes[part] = 0
		}
	}
	records, kept := make([][]uint32, len(sizes)), 0
	for part, size := range sizes {
		records[part] = make([]uint32, 0, size)
		kept += size
	}
	t.Rows = make([]uint32, 0, kept)
	for row, number := range p.of {
		if number < 0 {
			continue
		}
		part := int(number)*count + strata.Of(row)
		if sizes[part] == 0 {
			p.of[row] = -1
			continue
		}
		records[part] = append(records[part], uint32(len(t.Rows)))
		t.Rows = append(t.Rows, uint32(row))
	}
	for part, some := range records {
		if len(some) == 0 {
			continue
		}
		has := p.patterns[part/count]
		t.Strata = append(t.Strata, Stratum{t.labelled(strata.Labels[part%count].String(), has), some, has.variables, has.additional})
		if part >= count {
			t.Partial += len(some)
		}
	}
	if len(t.Strata) == 0 {
		t.Strata = []Stratum{{}}
	}
	return ctx.Err()
}

// rows returns the rows to mask.
func (p *patternBuilder) rows() []uint32 {
	if !slices.Contains(p.of, -1) {
		return stat.InOrder(len(p.of))
	}
	rows := make([]uint32, 0, len(p.of))
	for row, of := range p.of {
		if of >= 0 {
			rows = append(rows, uint32(row))
		}
	}
	return rows
}

// enough returns the minimum number of records of a pattern with missing values.
func (p *patternBuilder) enough(number int, enough func(variables, additional int) int) int {
	if enough == nil {
		return LeastOfPattern
	}
	has := p.patterns[number]
	return enough(len(has.variables), len(has.additional))
}

// labelled returns the label of a stratum, with the variables of its records if these are incomplete.
func (t *Table) labelled(label string, has pattern) string {
	if has.variables == nil {
		return label
	}
	var names []string
	for _, j := range has.variables {
		names = append(names, t.Columns[j].Name())
	}
	if label != "" {
		label += ", "
	}
	return label + "of records with " + strings.Join(names, ", ")
}

// leave counts the records left unmasked and the values that they keep.
func (t *Table) leave(p *patternBuilder) {
	t.left = method.Unmasked{Partial: t.Partial, Values: make(method.Counts, len(t.Columns))}
	for j, column := range t.Columns {
		t.left.Values[j].Name = column.Name()
	}
	if len(t.Rows) == len(p.of) {
		return
	}
	for row, of := range p.of {
		if of >= 0 {
			continue
		}
		t.left.Records++
		keeps := 0
		for j, values := range p.all {
			if !math.IsNaN(values[row]) {
				keeps = 1
				t.left.Values[j].Count++
			}
		}
		t.left.Keeping += keeps
	}
}
