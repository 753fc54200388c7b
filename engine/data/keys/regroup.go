package keys

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// ErrMapping is wrapped by errors of a mapping that does not fit the table.
var ErrMapping = errors.New("the mapping of categories does not fit the key table")

// Regroup returns the table in which code l of a variable has become mapping[l], with the given number of levels.
// mapping has an entry for every code, including missing (0); an entry of 0 makes a level missing. The result
// equals the table of the regrouped columns; it takes O(keys) time.
func (t *Table) Regroup(ctx context.Context, variable, levels int, mapping []uint32) (*Table, error) {
	if variable < 0 || variable >= t.Variables() {
		return nil, fmt.Errorf("%w: variable %d of %d", ErrMapping, variable, t.Variables())
	}
	if len(mapping) != t.Levels(variable)+1 || levels < 0 || int64(slices.Max(mapping)) > int64(levels) {
		return nil, fmt.Errorf("%w: %d entries up to %d for %d levels, %d levels after", ErrMapping,
			len(mapping), slices.Max(mapping), t.Levels(variable), levels)
	}
	counts := make([]int, t.Variables())
	for j := range counts {
		counts[j] = t.Levels(j)
	}
	counts[variable] = levels
	out := &Table{layout: newLayout(counts), records: t.records, scale: t.scale, multiplicity: t.multiplicity,
		original: t.original}
	codes := t.mapped(&out.layout, variable, mapping)
	words := out.layout.words()
	numbers, err := numberWords(ctx, t.Keys(), out.layout.bits, func(word int, dst []uint64, from int) {
		for i := range dst {
			dst[i] = codes[(from+i)*words+word]
		}
	})
	if err != nil {
		return nil, err
	}
	if err := out.gather(ctx, t, codes, numbers); err != nil {
		return nil, err
	}
	return out.finish(), nil
}

// mapped returns the packed codes of the keys after the mapping, in the new layout.
func (t *Table) mapped(after *layout, variable int, mapping []uint32) []uint64 {
	before, words := t.layout.words(), after.words()
	codes := make([]uint64, t.Keys()*words)
	if before == 1 && words == 1 {
		mapField(codes, t.codes, &t.layout.fields[variable], &after.fields[variable], mapping)
		return codes
	}
	for j := range after.fields {
		from, to := &t.layout.fields[j], &after.fields[j]
		for key := range t.Keys() {
			code := from.code(t.codes[key*before:])
			if j == variable {
				code = mapping[code]
			}
			codes[key*words+to.word] |= uint64(code) << to.shift
		}
	}
	return codes
}

// mapField maps one field of one-word codes: the bits above it are shifted, those below it stay.
func mapField(dst, src []uint64, from, to *field, mapping []uint32) {
	low := uint64(1)<<from.shift - 1
	end := from.shift + from.width()
	endAfter := to.shift + to.width()
	for i, code := range src {
		field := uint64(mapping[code&from.mask>>from.shift]) << to.shift
		// Go shifts by 64 or more give 0, as needed for the first variable.
		dst[i] = code&low | field | code>>end<<endAfter
	}
}

// gather sums the keys of a table by their new keys and composes the mapping from rows to keys.
func (t *Table) gather(ctx context.Context, from *Table, codes []uint64, numbers numbering) error {
	words := t.layout.words()
	t.codes = make([]uint64, numbers.distinct*words)
	t.counts, t.units = make([]int, numbers.distinct), make([]int64, numbers.distinct)
	err := parallel.Blocks(ctx, from.Keys(), 1, func(_, first, end int) {
		for key := first; key < end; key++ {
			id := int(numbers.ids[key])
			t.counts[id] += from.counts[key]
			t.units[id] += from.units[key]
			for word := range words {
				t.codes[id*words+word] = codes[key*words+word]
			}
		}
	})
	t.regroup = numbers.ids
	if err == nil && from.regroup != nil {
		t.regroup = make([]uint32, len(from.regroup))
		err = parallel.Blocks(ctx, len(from.regroup), 1, func(_, first, end int) {
			for key, middle := range from.regroup[first:end] {
				t.regroup[first+key] = numbers.ids[middle]
			}
		})
	}
	return err
}
