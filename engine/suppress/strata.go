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

// stratum is a part of the data in which k is to be reached by itself: its
// distinct keys, numbered in ascending order, and its rows. Data without strata
// are one.
type stratum struct {
	label  string     // names it in a report; "" for the whole file
	codes  [][]uint32 // codes[variable][key], 0 for missing
	levels []int      // categories per variable, missing not counted
	counts []uint32   // records per key
	size   int        // records

	keys   []uint32 // key of each of its rows; nil where no row is to be touched
	rows   []uint32 // number of each of its rows, ascending; nil: all, in their order
	stands []uint32 // records of each row of the data; nil: one
	part   bool     // of the data, not all of them
}

// wholeFile returns a key table as one stratum. rowKeys are the keys of the
// rows; nil where no row is to be touched.
func wholeFile(t *keys.Table, rowKeys []uint32) *stratum {
	g := t.Groups()
	return &stratum{codes: g.Codes, levels: g.Levels, counts: g.Counts, keys: rowKeys, stands: t.Multiplicity(), size: t.Records()}
}

// record returns the number in the data of the stratum's i-th row.
func (s *stratum) record(i int) int {
	if s.rows == nil {
		return i
	}
	return int(s.rows[i])
}

// recordsAt returns the number of records of the stratum's i-th row.
func (s *stratum) recordsAt(i int) uint32 {
	if s.stands == nil {
		return 1
	}
	return s.stands[s.record(i)]
}

// StrataVariable is a variable of a key table that defines strata: one of its
// key variables, or one that stands behind them.
type StrataVariable struct {
	Variable int               // place in the table
	Levels   []microdata.Level // its categories, for names in errors
}

// stratify cuts the data by the combinations of categories of the strata
// variables, in their order; a missing value is a category of its own and comes
// first. columns are the key variables as they are in the table. Without strata
// variables the data are one stratum.
func stratify(ctx context.Context, in method.Input, t *keys.Table, columns []*microdata.Column, strata []string) ([]*stratum, error) {
	if len(strata) == 0 {
		return []*stratum{wholeFile(t, t.RowKeys())}, ctx.Err()
	}
	all, variables := slices.Clone(columns), make([]StrataVariable, len(strata))
	for i, name := range strata {
		column, ok := in.Data.Column(name)
		if !ok {
			return nil, fmt.Errorf("local suppression %w: the file has no strata variable %q", method.ErrInput, name)
		}
		place := slices.Index(all, column)
		if place < 0 {
			place, all = len(all), append(all, column)
		}
		variables[i] = StrataVariable{place, column.Categories().Levels}
	}
	var err error
	if len(all) > len(columns) {
		if t, err = keys.New(ctx, all, nil); err != nil {
			return nil, fmt.Errorf("strata: %w", err)
		}
	}
	c := newCutter(t, len(columns))
	cut, err := c.cut(ctx, variables)
	if err != nil {
		return nil, err
	}
	c.addRows(cut)
	return cut, ctx.Err()
}

// stratifyKeys is stratify for a key table whose first variables are the key
// variables. It touches no row.
func stratifyKeys(ctx context.Context, t *keys.Table, keyVariables int, variables []StrataVariable) ([]*stratum, error) {
	return newCutter(t, keyVariables).cut(ctx, variables)
}

// cutter makes strata of a key table.
type cutter struct {
	t      *keys.Table
	keys   int         // number of key variables, its first
	of     *keys.Table // of the strata variables: its rows are the keys, its keys the strata
	number []uint32    // per key: its number in its stratum
}

func newCutter(t *keys.Table, keyVariables int) *cutter {
	return &cutter{t: t, keys: keyVariables, number: make([]uint32, t.Keys())}
}

// cut returns the strata without their rows, in the order of the codes of the
// strata variables.
func (c *cutter) cut(ctx context.Context, variables []StrataVariable) (strata []*stratum, err error) {
	groups := &keys.Groups{Counts: c.t.Counts()}
	for _, v := range variables {
		groups.Levels, groups.Codes = append(groups.Levels, c.t.Levels(v.Variable)), append(groups.Codes, c.t.Codes(v.Variable))
	}
	if c.of, err = keys.FromGroups(ctx, groups); err != nil {
		return nil, fmt.Errorf("strata: %w", err)
	}
	own := make([][]uint32, c.of.Keys())
	for key, stratum := range c.of.RowKeys() {
		c.number[key] = uint32(len(own[stratum]))
		own[stratum] = append(own[stratum], uint32(key))
	}
	for i, list := range own {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := c.stratum(list)
		s.label = labelOf(c.of, i, variables)
		strata = append(strata, s)
	}
	return strata, nil
}

// stratum returns the stratum of the given keys, which no two have alike on the
// key variables.
func (c *cutter) stratum(own []uint32) *stratum {
	s := &stratum{part: true, counts: make([]uint32, len(own))}
	for i, key := range own {
		s.counts[i] = c.t.Counts()[key]
		s.size += int(s.counts[i])
	}
	for v := range c.keys {
		codes, all := make([]uint32, len(own)), c.t.Codes(v)
		for i, key := range own {
			codes[i] = all[key]
		}
		s.levels = append(s.levels, renumber(codes, c.t.Levels(v)))
		s.codes = append(s.codes, codes)
	}
	return s
}

// addRows gives the strata the rows of the table.
func (c *cutter) addRows(strata []*stratum) {
	of, rows := c.of.RowKeys(), make([]uint32, len(strata))
	for _, key := range c.t.RowKeys() {
		rows[of[key]]++
	}
	for i, s := range strata {
		s.keys, s.rows, s.stands = make([]uint32, rows[i]), make([]uint32, rows[i]), c.t.Multiplicity()
	}
	clear(rows)
	for row, key := range c.t.RowKeys() {
		stratum := of[key]
		s, place := strata[stratum], rows[stratum]
		s.keys[place], s.rows[place] = c.number[key], uint32(row)
		rows[stratum]++
	}
}

// labelOf names a stratum by the labels of its categories.
func labelOf(of *keys.Table, stratum int, variables []StrataVariable) string {
	labels := make([]string, len(variables))
	for i, v := range variables {
		labels[i] = "missing"
		if code := of.Codes(i)[stratum]; code != 0 {
			labels[i] = v.Levels[code-1].Label
		}
	}
	return strings.Join(labels, ", ")
}

// renumber replaces codes up to levels by their rank among those that occur, and
// returns their number. Missing stays 0 whether it occurs or not.
func renumber(list []uint32, levels int) (occurring int) {
	rank := make([]uint32, levels+1)
	for _, code := range list {
		rank[code] = 1
	}
	rank[0] = 0
	for code, occurs := range rank {
		if occurs == 1 {
			occurring++
			rank[code] = uint32(occurring)
		}
	}
	for i, code := range list {
		list[i] = rank[code]
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
