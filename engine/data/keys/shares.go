package keys

import (
	"context"
	"math/bits"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// shares holds the shares of the categories of a variable in all records, by code; the share of missing is 0.
type shares struct{ sample, population []float64 }

// Shares returns the share of each code of a variable in all records, with missing at index 0.
func (t *Table) Shares(variable int) []float64 { return t.sharesOf(variable).sample }

// sharesOf returns the shares of the categories of a variable.
func (t *Table) sharesOf(variable int) shares {
	counts := make([]int, t.Levels(variable)+1)
	units := make([]int64, len(counts))
	total := int64(0)
	for key, code := range t.Codes(variable) {
		counts[code] += t.counts[key]
		units[code] += t.units[key]
		total += t.units[key]
	}
	s := shares{make([]float64, len(counts)), make([]float64, len(counts))}
	for code := range counts {
		s.sample[code] = float64(counts[code]) / float64(t.records)
		s.population[code] = float64(units[code]) / float64(total)
	}
	return s
}

// countByShares adds to each complete key the compatible incomplete records, weighted by the product of the shares
// of the key's categories on the record's missing variables. Patterns are added in order, so that the result does
// not depend on the workers.
func (t *Table) countByShares(ctx context.Context, f *Frequencies) error {
	p := t.groups
	if p.len() < 2 || p.sets[0] != 0 {
		return nil
	}
	all := make([]shares, t.Variables())
	for _, set := range p.sets {
		for rest := set; rest != 0; rest &= rest - 1 {
			if j := bits.TrailingZeros64(rest); all[j].sample == nil {
				all[j] = t.sharesOf(j)
			}
		}
	}
	j := &joiner{table: t, patterns: p, projection: newProjection(t.layout.words())}
	for pattern := 1; pattern < p.len(); pattern++ {
		keep := t.layout.keep(p.sets[pattern])
		j.prepare(pattern, keep)
		err := parallel.Blocks(ctx, p.size(0), parallel.Workers(p.size(0), 64), func(_, from, to int) {
			j.addShares(f, p.sets[pattern], all, from, to)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addShares adds the records of one pattern to the complete keys of a block.
func (j *joiner) addShares(f *Frequencies, set uint64, all []shares, from, to int) {
	p, t := j.patterns, j.table
	keep, words := t.layout.keep(set), t.layout.words()
	for at := from; at < to; at++ {
		packed := p.codes[at*words : at*words+words]
		slot := j.projection.find(packed, keep)
		if slot < 0 {
			continue
		}
		sample, population := float64(j.sums[slot].count), float64(j.sums[slot].units)
		for rest := set; rest != 0; rest &= rest - 1 {
			variable := bits.TrailingZeros64(rest)
			code := t.layout.fields[variable].code(packed)
			sample *= all[variable].sample[code]
			population *= all[variable].population[code]
		}
		key := p.keys[at]
		f.Sample[key] += sample
		f.Population[key] += population / t.scale
	}
}
