package microdata

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Errors of building a dataset.
var (
	ErrDuplicateName = errors.New("two variables have the same name")
	ErrLengths       = errors.New("variables have different numbers of records")
	ErrMultiplicity  = errors.New("every row must represent at least one record")
)

// Dataset is an immutable table: columns of equal length with unique names. A row is a record of a file, or stands
// for several equal records; see NewGrouped.
type Dataset struct {
	columns []*Column
	index   map[string]int
	rows    int
	numbers []uint32 // row numbers in the source; nil if the rows are those of the source in its order

	multiplicity []int // records that each row stands for; nil if one each

	spellings map[string]*Spelling // by variable, for the rows of the source

	store *store.Store // where columns are stored; nil for the heap
}

// NewDataset returns the dataset of the given columns, in their order.
func NewDataset(columns []*Column) (*Dataset, error) {
	d := &Dataset{columns: columns, index: make(map[string]int, len(columns))}
	for i, column := range columns {
		if _, taken := d.index[column.name]; taken {
			return nil, fmt.Errorf("%w: %q", ErrDuplicateName, column.name)
		}
		d.index[column.name] = i
		if i == 0 {
			d.rows = column.Len()
		} else if column.Len() != d.rows {
			return nil, fmt.Errorf("%w: %q has %d, %q has %d", ErrLengths, columns[0].name, d.rows, column.name, column.Len())
		}
	}
	return d, nil
}

// Len returns the number of rows, which are records unless the dataset is grouped.
func (d *Dataset) Len() int { return d.rows }

// Columns returns the columns in file order; the slice must not be modified.
func (d *Dataset) Columns() []*Column { return d.columns }

// Column returns the column with the given name.
func (d *Dataset) Column(name string) (*Column, bool) {
	i, ok := d.index[name]
	if !ok {
		return nil, false
	}
	return d.columns[i], true
}

// With returns the dataset with the columns of the same names replaced. All other columns are shared. It panics,
// as a programming error, if a name is unknown or a length differs.
func (d *Dataset) With(columns ...*Column) *Dataset {
	out := *d
	out.columns = slices.Clone(d.columns)
	for _, column := range columns {
		i, ok := d.index[column.name]
		if !ok || column.Len() != d.rows {
			panic("microdata: With needs columns of the dataset's names and length")
		}
		out.columns[i] = column.in(d.store).standingFor(d.multiplicity)
	}
	return &out
}

// Append returns the dataset with one more variable at the end. It returns an error that wraps ErrDuplicateName if
// the name is taken, or ErrLengths if the number of rows differs.
func (d *Dataset) Append(column *Column) (*Dataset, error) {
	out, err := NewDataset(append(slices.Clone(d.columns), column.in(d.store).standingFor(d.multiplicity)))
	if err != nil {
		return nil, err
	}
	out.numbers, out.multiplicity, out.spellings = d.numbers, d.multiplicity, d.spellings
	out.store = d.store
	return out, nil
}

// Without returns the dataset without the named variables.
func (d *Dataset) Without(names []string) *Dataset {
	out := *d
	out.columns, out.index = nil, map[string]int{}
	for _, column := range d.columns {
		if !slices.Contains(names, column.name) {
			out.index[column.name] = len(out.columns)
			out.columns = append(out.columns, column)
		}
	}
	return &out
}

// Source returns the same records as they were read: the source of every column. A variable that a step added is
// as the step made it.
func (d *Dataset) Source() *Dataset {
	out := *d
	out.columns = make([]*Column, len(d.columns))
	for i, column := range d.columns {
		out.columns[i] = column.Source()
	}
	return &out
}
