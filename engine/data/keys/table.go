package keys

import (
	"context"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Table is the key table of a dataset: its distinct keys in ascending order of their codes, variable by variable,
// missing first. It is built from rows, each a record of a file or a group of records. It is immutable and safe
// for concurrent use.
type Table struct {
	layout       layout
	records      int
	codes        []uint64 // packed codes of the keys, layout.words() each
	counts       []int    // records by key
	units        []int64  // weight by key in units; records if there are no weights
	scale        float64  // units per weight of 1
	multiplicity []int    // records that each row stands for; nil if one each

	original []uint32 // key of each row in the table that this one was regrouped from
	regroup  []uint32 // from those keys to keys of this table; nil for the identity

	variables []variableCodes
	weights   func() []float64
	rowKeys   func() []uint32

	mutex      sync.Mutex
	groups     *patterns
	compatible *Compatible
}

// variableCodes holds the codes of one variable, unpacked on first use.
type variableCodes struct {
	once  sync.Once
	codes []uint32
}

// finish sets the functions that compute on first use.
func (t *Table) finish() *Table {
	t.variables = make([]variableCodes, len(t.layout.fields))
	t.weights = sync.OnceValue(t.makeWeights)
	t.rowKeys = sync.OnceValue(t.makeRowKeys)
	return t
}

// Bytes returns the memory of the table, including what is computed on first use.
func (t *Table) Bytes() int {
	// keys of rows, which are computed for a regrouped table
	bytes := size.Of(t.original, t.regroup) + size.Of(t.multiplicity) + size.Of(t.codes)
	if t.regroup != nil {
		bytes += size.Of(t.original)
	}
	// Per key: records, weight in units and as a number; code by variable; pattern, keys in the order of patterns
	// and their packed codes; compatible records.
	perKey := 8 + 8 + 8 + 4*t.Variables() + 8 + 8*t.layout.words() + 32
	return bytes + perKey*t.Keys()
}

// Records returns the number of records.
func (t *Table) Records() int { return t.records }

// Rows returns the number of rows that the table was built from: records of a file, or groups.
func (t *Table) Rows() int { return len(t.original) }

// Multiplicity returns the number of records that each row stands for, or nil if one each. It must not be
// modified.
func (t *Table) Multiplicity() []int { return t.multiplicity }

// Keys returns the number of distinct key patterns.
func (t *Table) Keys() int { return len(t.counts) }

// Variables returns the number of key variables.
func (t *Table) Variables() int { return len(t.layout.fields) }

// Levels returns the number of categories of a variable, without missing.
func (t *Table) Levels(variable int) int { return t.layout.fields[variable].levels }

// Counts returns the number of records by key. It must not be modified.
func (t *Table) Counts() []int { return t.counts }

// Weights returns the sum of weights by key, or the number of records if the table has no weights. It must not be
// modified.
func (t *Table) Weights() []float64 { return t.weights() }

func (t *Table) makeWeights() []float64 {
	weights := make([]float64, t.Keys())
	for key := range weights {
		weights[key] = float64(t.units[key]) / t.scale
	}
	return weights
}

// Codes returns the code of a variable by key, 0 for missing. It must not be modified.
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

// Key returns the key of a row.
func (t *Table) Key(row int) uint32 {
	key := t.original[row]
	if t.regroup != nil {
		return t.regroup[key]
	}
	return key
}

// RowKeys returns the key of every row. It must not be modified. For a regrouped table it is computed on first
// use, in O(rows).
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

// FirstRows returns the first row of each key. The only error is that of ctx.
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

// SameKey returns the first other rows, at most most, with the same key as a row.
func (t *Table) SameKey(row, most int) (rows []int) {
	own := t.Key(row)
	left := t.counts[own] - 1
	for other := 0; other < t.Rows() && len(rows) < min(most, left); other++ {
		if other != row && t.Key(other) == own {
			rows = append(rows, other)
		}
	}
	return rows
}

// Origin returns the key of every row in the table that this one was regrouped from, and the key of this table for
// each of those keys, or nil if the table was not regrouped. With it, figures per row can be computed without
// RowKeys. The slices must not be modified.
func (t *Table) Origin() (rowKeys, regroup []uint32) { return t.original, t.regroup }
