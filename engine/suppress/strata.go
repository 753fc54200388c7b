package suppress

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// stratum is a part of the file in which k is to be reached by itself: its
// distinct keys, numbered in ascending order, and its records. A file without
// strata is one.
type stratum struct {
	label   string     // names it in a report; "" for the whole file
	codes   [][]uint32 // codes[variable][key], 0 for missing
	levels  []int      // categories per variable, missing not counted
	counts  []uint32   // records per key
	keys    []uint32   // key of each of its records
	records []uint32   // number in the file of each of its records, ascending; nil: all
	size    int        // records
}

// wholeFile returns a key table as one stratum. recordKeys are the keys of the
// records; nil where no record is to be touched.
func wholeFile(t *keys.Table, recordKeys []uint32) *stratum {
	s := &stratum{counts: t.Counts(), keys: recordKeys, size: t.Records()}
	for v := range t.Variables() {
		s.codes = append(s.codes, t.Codes(v))
		s.levels = append(s.levels, t.Levels(v))
	}
	return s
}

// record returns the number in the file of the stratum's i-th record.
func (s *stratum) record(i int) int {
	if s.records == nil {
		return i
	}
	return int(s.records[i])
}

// stratify cuts the file by the combinations of categories of the strata
// variables, in their order; a missing value is a category of its own and
// comes first. Without strata variables the file is one stratum.
func stratify(ctx context.Context, in method.Input, t *keys.Table, strata []string) ([]*stratum, error) {
	if len(strata) == 0 {
		return []*stratum{wholeFile(t, t.RecordKeys())}, ctx.Err()
	}
	columns := make([]*microdata.Column, len(strata))
	for i, name := range strata {
		column, ok := in.Data.Column(name)
		if !ok {
			return nil, fmt.Errorf("local suppression %w: the file has no strata variable %q", method.ErrInput, name)
		}
		columns[i] = column
	}
	of, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, fmt.Errorf("strata: %w", err)
	}
	cut := newCutter(t)
	parts := make([]*stratum, of.Keys())
	for i, records := range recordsByKey(of) {
		if parts[i], err = cut.stratum(records), ctx.Err(); err != nil {
			return nil, err
		}
		parts[i].label = labelOf(of, columns, i)
	}
	return parts, nil
}

// recordsByKey returns the records of each key of a table, ascending.
func recordsByKey(t *keys.Table) [][]uint32 {
	all := make([]uint32, t.Records())
	lists, from := make([][]uint32, t.Keys()), 0
	for key, count := range t.Counts() {
		lists[key] = all[from : from : from+int(count)]
		from += int(count)
	}
	for record, key := range t.RecordKeys() {
		lists[key] = append(lists[key], uint32(record))
	}
	return lists
}

// labelOf names a stratum by the labels of its categories.
func labelOf(of *keys.Table, columns []*microdata.Column, stratum int) string {
	labels := make([]string, len(columns))
	for v, column := range columns {
		labels[v] = "missing"
		if code := of.Codes(v)[stratum]; code != 0 {
			labels[v] = column.Categories().Levels[code-1].Label
		}
	}
	return strings.Join(labels, ", ")
}

// cutter makes strata of a key table, one after the other.
type cutter struct {
	t     *keys.Table
	keys  *renumbering
	codes []*renumbering // per variable
}

func newCutter(t *keys.Table) *cutter {
	c := &cutter{t: t, keys: newRenumbering(t.Keys())}
	for v := range t.Variables() {
		c.codes = append(c.codes, newRenumbering(t.Levels(v)+1))
	}
	return c
}

// stratum returns the stratum of the given records, which it keeps.
func (c *cutter) stratum(records []uint32) *stratum {
	s := &stratum{records: records, size: len(records), keys: make([]uint32, len(records))}
	recordKeys := c.t.RecordKeys()
	for i, record := range records {
		s.keys[i] = recordKeys[record]
	}
	own := c.keys.renumber(s.keys, 0)
	s.counts = make([]uint32, len(own))
	for _, key := range s.keys {
		s.counts[key]++
	}
	for v := range c.t.Variables() {
		codes, all := make([]uint32, len(own)), c.t.Codes(v)
		for i, key := range own {
			codes[i] = all[key]
		}
		// Missing stays 0 whether it occurs or not.
		s.levels = append(s.levels, len(c.codes[v].renumber(codes, 1)))
		s.codes = append(s.codes, codes)
	}
	return s
}

// renumbering numbers the values that occur in a list, again and again without
// clearing what it remembers.
type renumbering struct {
	lists  uint32
	seen   []uint32 // per value: the last list that has it, counted from 1
	number []uint32
}

func newRenumbering(values int) *renumbering {
	return &renumbering{seen: make([]uint32, values), number: make([]uint32, values)}
}

// renumber replaces the values from least on by their rank among those that
// occur, beginning with least, and returns these, ascending.
func (r *renumbering) renumber(list []uint32, least uint32) (occurring []uint32) {
	r.lists++
	for _, value := range list {
		if value >= least && r.seen[value] != r.lists {
			r.seen[value] = r.lists
			occurring = append(occurring, value)
		}
	}
	slices.Sort(occurring)
	for rank, value := range occurring {
		r.number[value] = uint32(rank) + least
	}
	for i, value := range list {
		if value >= least {
			list[i] = r.number[value]
		}
	}
	return occurring
}

// shownStrata is the number of strata that an error names.
const shownStrata = 5

// checkSizes reports the strata that have fewer than k records.
func checkSizes(strata []*stratum, names []string, k int) error {
	var small []string
	count := 0
	for _, s := range strata {
		if s.size >= k {
			continue
		}
		if count++; count <= shownStrata {
			small = append(small, fmt.Sprintf("%q has %d", s.label, s.size))
		}
	}
	if count == 0 {
		return nil
	}
	if count > shownStrata {
		small = append(small, "…")
	}
	return fmt.Errorf("k = %d %w in %d of the %d strata of %s, which have fewer records: %s; group their categories or choose other strata",
		k, method.ErrUnreachable, count, len(strata), strings.Join(names, ", "), strings.Join(small, ", "))
}
