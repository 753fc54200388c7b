package keys

import (
	"context"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Table is the key table of a dataset: its distinct keys in ascending order of
// their codes, variable by variable, missing first. It was made of rows, each of
// which stands for one record of a file or for the records of a group. It is
// immutable and safe for concurrent use.
type Table struct {
	layout       layout
	records      int
	codes        []uint64 // packed codes of the distinct keys, layout.words() each
	counts       []int    // records per key
	units        []int64  // weight per key in units; the records where there are no weights
	scale        float64  // units in a weight of 1
	multiplicity []int    // records that each row stands for; nil: one

	original []uint32 // per row its key, in the table this one was regrouped from
	regroup  []uint32 // from such a key to one of this table; nil: the same

	variables []variableCodes
	weights   func() []float64
	rowKeys   func() []uint32

	mutex      sync.Mutex
	groups     *patterns
	compatible *Compatible
}

// variableCodes are the codes of one variable, unpacked when first asked for.
type variableCodes struct {
	once  sync.Once
	codes []uint32
}

// finish sets what is computed when first asked for.
func (t *Table) finish() *Table {
	t.variables = make([]variableCodes, len(t.layout.fields))
	t.weights = sync.OnceValue(t.makeWeights)
	t.rowKeys = sync.OnceValue(t.makeRowKeys)
	return t
}

// Bytes returns the memory of the table, with what is computed when first asked for.
func (t *Table) Bytes() int {
	// Keys of rows, those of a regrouped table made anew.
	bytes := size.Of(t.original, t.regroup) + size.Of(t.multiplicity) + size.Of(t.codes)
	if t.regroup != nil {
		bytes += size.Of(t.original)
	}
	// Per key its record count, weight in units and as a number; its code per variable;
	// its pattern with the keys in their order and their packed codes; what is compatible.
	perKey := 8 + 8 + 8 + 4*t.Variables() + 8 + 8*t.layout.words() + 32
	return bytes + perKey*t.Keys()
}

// Records returns the number of records.
func (t *Table) Records() int { return t.records }

// Rows returns the number of rows that the table was made of: the records of a
// file, or groups.
func (t *Table) Rows() int { return len(t.original) }

// Multiplicity returns how many records each row stands for; nil: one each. Not
// to be modified.
func (t *Table) Multiplicity() []int { return t.multiplicity }

// Keys returns the number of distinct keys.
func (t *Table) Keys() int { return len(t.counts) }

// Variables returns the number of key variables.
func (t *Table) Variables() int { return len(t.layout.fields) }

// Levels returns the number of categories of a variable, missing not counted.
func (t *Table) Levels(variable int) int { return t.layout.fields[variable].levels }

// Counts returns the number of records per distinct key; not to be modified.
func (t *Table) Counts() []int { return t.counts }

// Weights returns the sum of weights per distinct key, the number of records
// where the table has no weights; not to be modified.
func (t *Table) Weights() []float64 { return t.weights() }

func (t *Table) makeWeights() []float64 {
	weights := make([]float64, t.Keys())
	for key := range weights {
		weights[key] = float64(t.units[key]) / t.scale
	}
	return weights
}

// Codes returns the code of a variable for each distinct key, 0 for missing;
// not to be modified.
func (t *Table) Codes(variable int) []uint32 {
	v := &t.variables[variable]
	v.once.Do(func() {
		f, words := &t.layout.fields[variable], t.layout.words()
		v.codes = make([]uint32, t.Keys())
		for key := range v.codes {
			v.codes[key] = f.code(t.codes[key*words:])
		}
	})
	return v.codes
}

// Key returns the distinct key of a row.
func (t *Table) Key(row int) uint32 {
	key := t.original[row]
	if t.regroup != nil {
		return t.regroup[key]
	}
	return key
}

// RowKeys returns the distinct key of every row; not to be modified. For a
// regrouped table it is made when first asked for, in O(rows).
func (t *Table) RowKeys() []uint32 { return t.rowKeys() }

func (t *Table) makeRowKeys() []uint32 {
	if t.regroup == nil {
		return t.original
	}
	keys := make([]uint32, len(t.original))
	for row, key := range t.original {
		keys[row] = t.regroup[key]
	}
	return keys
}

// FirstRows returns the first row of each key. Errors: that of ctx.
func (t *Table) FirstRows(ctx context.Context) ([]uint32, error) {
	rows := t.RowKeys()
	first := make([]uint32, t.Keys())
	for row := len(rows) - 1; row >= 0; row-- {
		if parallel.Stopped(ctx, row) {
			return nil, ctx.Err()
		}
		first[rows[row]] = uint32(row)
	}
	return first, nil
}

// Sharing returns the first rows, at most so many, that have the same key as a row,
// without it.
func (t *Table) Sharing(row, most int) (rows []int) {
	own := t.Key(row)
	left := t.counts[own] - 1
	for other := 0; other < t.Rows() && len(rows) < min(most, left); other++ {
		if other != row && t.Key(other) == own {
			rows = append(rows, other)
		}
	}
	return rows
}

// Origin returns the key of every row in the table that this one was regrouped
// from, and for each such key the key of this table; regroup is nil where the
// table was not regrouped. Figures per row can be gathered through it without
// the rows' own keys; neither slice is to be modified.
func (t *Table) Origin() (rowKeys, regroup []uint32) { return t.original, t.regroup }
