package suppress

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// file is the file to protect: a key table divided into strata, each of which must reach k. Data without strata
// have one.
type file struct {
	table    *keys.Table // of the key variables, followed by those that define strata
	defining []StrataVariable
	strata   []*stratum
	of       []uint32 // per key of the table: its stratum,
	number   []uint32 // and its index in the stratum
}

// stratum is a part of a file, or the whole file, with its key patterns in ascending order.
type stratum struct {
	*keys.Groups                       // of the key variables
	keys         []uint32              // their indices in the file's table
	label        microdata.Combination // its name in a report; none for the whole file
	size         int                   // records
	part         bool                  // not the whole file
}

// StrataVariable is a variable of a key table that defines strata: a key variable, or one that follows the key
// variables.
type StrataVariable struct {
	Name     string
	Variable int               // index in the table
	Levels   []microdata.Level // its categories, for error messages
}

// fileOf returns the data divided by strata variables.
func fileOf(ctx context.Context, in method.Input, strata []string) (*file, error) {
	columns, err := keyColumns(in)
	if err != nil {
		return nil, err
	}
	variables := make([]StrataVariable, len(strata))
	for i, name := range strata {
		column, ok := in.Data.Column(name)
		if !ok {
			return nil, fmt.Errorf("local suppression %w: the file has no strata variable %q", method.ErrInput, name)
		}
		place := slices.Index(columns, column)
		if place < 0 {
			place, columns = len(columns), append(columns, column)
		}
		variables[i] = StrataVariable{name, place, column.Categories().Levels}
	}
	t, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, err
	}
	return newFile(ctx, t, len(in.Scenario.Keys), variables)
}

// newFile divides a key table, whose first variables are the key variables, by the combinations of categories of
// the strata variables, in their order. A missing value is a separate category and comes first. The time does not
// depend on the number of records.
func newFile(ctx context.Context, t *keys.Table, keyVariables int, variables []StrataVariable) (*file, error) {
	f := &file{table: t, defining: variables, of: make([]uint32, t.Keys()), number: make([]uint32, t.Keys())}
	own := make([][]uint32, 1) // per stratum: its keys
	var of projection
	if len(variables) > 0 {
		var places []int
		for _, v := range variables {
			places = append(places, v.Variable)
		}
		var err error
		if of, err = project(ctx, t.Groups(), places); err != nil {
			return nil, fmt.Errorf("strata: %w", err)
		}
		f.of, own = of.of, make([][]uint32, of.Keys())
	}
	for key, stratum := range f.of {
		f.number[key] = uint32(len(own[stratum]))
		own[stratum] = append(own[stratum], uint32(key))
	}
	if len(variables) == 0 {
		f.strata = []*stratum{{Groups: t.Groups(), keys: own[0], size: t.Records()}}
		return f, ctx.Err()
	}
	for i, list := range own {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := newStratum(t, keyVariables, list)
		s.label = of.Reads(i, func(v int) (string, []microdata.Level) { return variables[v].Name, variables[v].Levels })
		f.strata = append(f.strata, s)
	}
	return f, ctx.Err()
}

// strataNames returns the names of the variables that define strata.
func (f *file) strataNames() (names []string) {
	for _, v := range f.defining {
		names = append(names, v.Name)
	}
	return names
}

// newStratum returns the stratum of the given keys, no two of which are equal on the key variables.
func newStratum(t *keys.Table, keyVariables int, own []uint32) *stratum {
	s := &stratum{Groups: &keys.Groups{Counts: make([]int, len(own))}, keys: own, part: true}
	for i, key := range own {
		s.Counts[i] = t.Counts()[key]
		s.size += s.Counts[i]
	}
	for v := range keyVariables {
		codes, all := make([]uint32, len(own)), t.Codes(v)
		for i, key := range own {
			codes[i] = all[key]
		}
		s.Levels, s.Codes = append(s.Levels, renumber(codes, t.Levels(v))), append(s.Codes, codes)
	}
	return s
}

// all returns the indices of the key variables.
func (s *stratum) all() []int { return crosstable.Variables(1<<len(s.Codes) - 1) }

// present returns the variables that are not missing in a key.
func (s *stratum) present(key uint32) (set uint64) {
	for v, codes := range s.Codes {
		if codes[key] != 0 {
			set |= 1 << v
		}
	}
	return set
}

// renumber replaces codes up to levels with their rank among those that occur, and returns how many occur. Missing
// stays 0 even if it does not occur.
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

// projection is a key table of groups with the key of each group.
type projection struct {
	*keys.Table
	of []uint32 // key of each group
}

func project(ctx context.Context, g *keys.Groups, variables []int) (projection, error) {
	own := &keys.Groups{Counts: g.Counts}
	for _, v := range variables {
		own.Levels, own.Codes = append(own.Levels, g.Levels[v]), append(own.Codes, g.Codes[v])
	}
	return projected(ctx, own)
}

func projected(ctx context.Context, g *keys.Groups) (projection, error) {
	t, err := keys.FromGroups(ctx, g)
	if err != nil {
		return projection{}, err
	}
	return projection{t, t.RowKeys()}, nil
}

// shownStrata is the number of strata that an error names.
const shownStrata = 5

// checkSizes reports strata with fewer than k records.
func (f *file) checkSizes(k int) error {
	var small []string
	for _, s := range f.strata {
		if s.part && s.size < k {
			small = append(small, fmt.Sprintf("%q has %d", s.label, s.size))
		}
	}
	if len(small) == 0 {
		return nil
	}
	return fmt.Errorf("k = %d %w in %d of the %d strata of %s, which have fewer records: %s; group their categories or choose "+
		"other strata",
		k, method.ErrUnreachable, len(small), len(f.strata), strings.Join(f.strataNames(), ", "), wording.Beginning(small,
			shownStrata))
}
