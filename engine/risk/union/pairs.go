package union

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// absent is the row of a record that a release lacks.
const absent = -1

// linkedRows has the rows of each record in both releases.
type linkedRows struct{ a, b []int }

// link matches records by their index in the source: first those of a in order, then those that only b has.
func link(a, b *microdata.Dataset) linkedRows {
	places := 0
	for row := range b.Len() {
		places = max(places, b.SourceRecord(row)+1)
	}
	rows := slices.Repeat([]int{absent}, places) // row in b by index in the source
	for row := range b.Len() {
		rows[b.SourceRecord(row)] = row
	}
	var l linkedRows
	used := microdata.NewBits(b.Len())
	for row := range a.Len() {
		match := absent
		if place := a.SourceRecord(row); place < places && rows[place] != absent {
			match = rows[place]
			used.Set(match)
		}
		l.a, l.b = append(l.a, row), append(l.b, match)
	}
	for row := range b.Len() {
		if !used.Has(row) {
			l.a, l.b = append(l.a, absent), append(l.b, row)
		}
	}
	return l
}

// pairs has the combined categories of a key variable, one pair per record: the codes in each release, from 1, or
// 0 if unknown.
type pairs struct {
	name   string
	halves [2][]uint32
	levels [2]int             // highest code of each half
	joined bool               // whether both releases have the variable
	occur  map[[2]uint32]bool // pairs of halves that share a source category
}

func newPairs(ctx context.Context, name string, a, b *microdata.Dataset, l linkedRows) (*pairs, error) {
	p := &pairs{name: name, occur: map[[2]uint32]bool{}}
	var columns [2]*microdata.Column
	for i, of := range []*microdata.Dataset{a, b} {
		column, ok := of.Column(name)
		if !ok {
			column = nil
		} else {
			p.levels[i] = len(column.Categories().Levels)
		}
		columns[i] = column
		p.halves[i] = codesOf(column, [][]int{l.a, l.b}[i])
	}
	if p.joined = columns[0] != nil && columns[1] != nil; p.joined {
		p.join(columns)
		p.complete()
	}
	return p, ctx.Err()
}

// codesOf returns the codes of a column at the given rows, or 0 if there is no row or no column.
func codesOf(column *microdata.Column, rows []int) []uint32 {
	out := make([]uint32, len(rows))
	if column == nil {
		return out
	}
	codes := column.Categories().Codes
	for i, row := range rows {
		if row != absent {
			out[i] = codes.At(row)
		}
	}
	return out
}

// join finds the pairs of halves that share a source category, from the mappings of recodes or, if one is unknown,
// from the records that have both. A category that a recode made missing in one release gets a separate code
// there.
func (p *pairs) join(columns [2]*microdata.Column) {
	a, known := columns[0].Categories().MadeOf(columns[0].Source().Categories())
	b, alsoKnown := columns[1].Categories().MadeOf(columns[1].Source().Categories())
	if !known || !alsoKnown {
		for i, code := range p.halves[0] {
			if other := p.halves[1][i]; code != 0 && other != 0 {
				p.occur[[2]uint32{code, other}] = true
			}
		}
		return
	}
	same := microdata.SameLabels(columns[0].Source().Categories().Levels, columns[1].Source().Categories().Levels)
	for code, other := range same {
		if code > 0 && other == 0 {
			continue // no record of B has it
		}
		pair := [2]uint32{a[code], b[other]}
		if pair == [2]uint32{} {
			continue
		}
		for i := range pair {
			if pair[i] == 0 {
				pair[i] = uint32(p.levels[i]) + 1
			}
		}
		p.occur[pair] = true
	}
	p.levels[0], p.levels[1] = p.levels[0]+1, p.levels[1]+1
}

// complete fills in unknown halves that the other half determines.
func (p *pairs) complete() {
	for i := range p.halves {
		other := 1 - i
		only := make([]uint32, p.levels[other]+1) // half determined by a code of the other half; 0: none
		several := microdata.NewBits(len(only))
		for pair := range p.occur {
			if was := only[pair[other]]; was != 0 && was != pair[i] {
				several.Set(int(pair[other]))
			}
			only[pair[other]] = pair[i]
		}
		several.Each(func(code int) { only[code] = 0 })
		for row, code := range p.halves[i] {
			if code == 0 {
				p.halves[i][row] = only[p.halves[other][row]]
			}
		}
	}
}

// columns returns the pairs as columns of a key table: one for each half, unless it follows from the other, and
// one for each half of a that is incompatible with cells that lack it.
func (p *pairs) columns() []*microdata.Column {
	for i := range p.halves {
		if p.follows(i) {
			return []*microdata.Column{p.column("", p.halves[1-i], p.levels[1-i])}
		}
	}
	columns := []*microdata.Column{p.column("a", p.halves[0], p.levels[0]), p.column("b", p.halves[1], p.levels[1])}
	for _, code := range p.excluded() {
		has := make([]uint32, len(p.halves[0]))
		for row, a := range p.halves[0] {
			switch b := p.halves[1][row]; {
			case a == code:
				has[row] = 1
			case a != 0, b != 0 && !p.occur[[2]uint32{code, b}]:
				has[row] = 2
			}
		}
		columns = append(columns, p.column(fmt.Sprint("a is ", code), has, 2))
	}
	return columns
}

// follows reports whether a half is a function of the other half and known whenever the other is.
func (p *pairs) follows(half int) bool {
	const unseen = ^uint32(0)
	of := slices.Repeat([]uint32{unseen}, p.levels[1-half]+1)
	of[0] = 0
	for row, other := range p.halves[1-half] {
		code := p.halves[half][row]
		if of[other] != unseen && of[other] != code || code == 0 && other != 0 && p.joined {
			return false
		}
		of[other] = code
	}
	return true
}

// excluded returns the codes of a in cells where only a is known, if a cell where only b is known shares no source
// category with it.
func (p *pairs) excluded() (codes []uint32) {
	alone := [2]*microdata.Bits{microdata.NewBits(p.levels[0] + 1), microdata.NewBits(p.levels[1] + 1)}
	for row, a := range p.halves[0] {
		switch b := p.halves[1][row]; {
		case b == 0 && a != 0:
			alone[0].Set(int(a))
		case a == 0 && b != 0:
			alone[1].Set(int(b))
		}
	}
	alone[0].Each(func(a int) {
		excludes := false
		alone[1].Each(func(b int) { excludes = excludes || !p.occur[[2]uint32{uint32(a), uint32(b)}] })
		if excludes {
			codes = append(codes, uint32(a))
		}
	})
	return codes
}

func (p *pairs) column(half string, codes []uint32, levels int) *microdata.Column {
	categories := &microdata.Categories{Levels: make([]microdata.Level, levels), Codes: microdata.NarrowCodes(codes, levels)}
	for i := range categories.Levels {
		categories.Levels[i].Label = fmt.Sprint(i + 1)
	}
	return microdata.NewCategorical(p.name+half, microdata.Category, categories)
}
