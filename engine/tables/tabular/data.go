package tabular

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Missing is the code of records whose spanning variable is missing.
const Missing = "(missing)"

// ErrDefinition is wrapped by errors about a definition that does not fit the data.
var ErrDefinition = errors.New("invalid definition of a table")

// Definition says how a table is made from records. Empty names are variables that the table does without.
type Definition struct {
	By       []Spanning
	Response string   // numeric; "": the table counts records
	Shadow   string   // numeric variable that rules judge; "": the response
	Weight   string   // sampling weight
	Holding  string   // records with the same value are one contributor
	Count    string   // how many contributors a row of the file stands for
	Keys     []uint64 // record keys, by the place of a record in the source; nil: the table has none
}

// Spanning is a variable whose categories are rows, columns or layers of a table.
type Spanning struct {
	Variable string
	Levels   hierarchy.Table // the coarser levels of each category; nil: the total only
	Nested   []string        // variables that have the coarser levels; nil: none has them
	Tree     *Tree           // instead of Levels
}

// Of makes the table of a dataset. A record whose response, weight or shadow is missing adds nothing, one whose
// spanning variable is missing has the code Missing. Errors wrap ErrDefinition, ErrTree or ErrTable, or are those of
// the context.
func Of(ctx context.Context, data *microdata.Dataset, d *Definition) (*Table, error) {
	r := rows{ctx: ctx, data: data, keys: d.Keys}
	for i := range d.By {
		r.span(&d.By[i])
	}
	r.response, r.shadow = r.amounts(d.Response, "response"), r.amounts(d.Shadow, "shadow variable")
	r.weight, r.count = r.amounts(d.Weight, "weight"), r.amounts(d.Count, "count")
	if d.Holding != "" {
		r.holding = r.column(d.Holding).Categories()
	}
	if r.err != nil {
		return nil, r.err
	}
	if len(r.trees) == 0 {
		return nil, fmt.Errorf("%w: it needs at least one spanning variable", ErrDefinition)
	}
	if r.shadow == nil {
		r.shadow = r.response
	}
	t, err := New(r.trees...)
	if err != nil {
		return nil, err
	}
	if d.Keys != nil {
		t.Keys = make([]uint64, len(t.Cells))
	}
	if err := t.Sum(r.each); err != nil {
		return nil, err
	}
	return t, r.err
}

// rows are the records of a dataset as contributions.
type rows struct {
	ctx     context.Context
	data    *microdata.Dataset
	trees   []*Tree
	codes   []microdata.Codes
	nodes   [][]int // per tree: the node of each code
	holding *microdata.Categories
	keys    []uint64

	response, shadow, weight, count *microdata.Column // nil: there is none

	err error
}

// column returns a variable.
func (r *rows) column(name string) *microdata.Column {
	column, ok := r.data.Column(name)
	if !ok && r.err == nil {
		r.err = fmt.Errorf("%w: there is no variable %q", ErrDefinition, name)
	}
	return column
}

// amounts returns a numeric variable.
func (r *rows) amounts(name, what string) *microdata.Column {
	if name == "" || r.err != nil {
		return nil
	}
	column := r.column(name)
	if r.err == nil && !column.Numeric() {
		r.err = fmt.Errorf("%w: the %s %q is not numeric", ErrDefinition, what, name)
	}
	return column
}

// span adds a spanning variable.
func (r *rows) span(s *Spanning) {
	column := r.column(s.Variable)
	if r.err != nil {
		return
	}
	categories := column.Categories()
	tree, nodes, err := s.place(categories)
	if err != nil {
		r.err = err
		return
	}
	r.trees, r.codes, r.nodes = append(r.trees, tree), append(r.codes, categories.Codes), append(r.nodes, nodes)
}

// place returns the tree of a variable, and the node of each code of its categories.
func (s *Spanning) place(categories *microdata.Categories) (*Tree, []int, error) {
	labels := []string{Missing}
	for _, level := range categories.Levels {
		labels = append(labels, level.Label)
	}
	counts := categories.Codes.Counts(len(labels))
	tree := s.Tree
	if tree == nil {
		find := s.Levels.Rows(false)
		var paths [][]string
		for code, label := range labels {
			switch row, ok := find(microdata.Level{Label: label}); {
			case counts[code] == 0:
			case ok:
				paths = append(paths, row)
			case s.Levels != nil && code > 0:
				return nil, nil, fmt.Errorf("%w of %s: code %q is in no row", ErrTree, s.Variable, wording.Excerpt(label))
			default:
				paths = append(paths, []string{label})
			}
		}
		var err error
		if tree, err = NewTree(s.Variable, paths); err != nil {
			return nil, nil, err
		}
		tree.Nested = s.Nested
	}
	nodes := make([]int, len(labels))
	for code, label := range labels {
		node, ok := tree.Find(label)
		if !ok && counts[code] > 0 {
			return nil, nil, fmt.Errorf("%w of %s: code %q is not in it", ErrTree, s.Variable, wording.Excerpt(label))
		}
		nodes[code] = node
	}
	return tree, nodes, nil
}

// each yields the contributions.
func (r *rows) each(yield func(*Contribution) bool) {
	c := Contribution{Nodes: make([]int, len(r.trees))}
	multiplicity := r.data.Multiplicity()
	for row := range r.data.Len() {
		const often = 1 << 14
		if row%often == 0 && r.ctx.Err() != nil {
			r.err = r.ctx.Err()
			return
		}
		if c.N = 1; multiplicity != nil {
			c.N = multiplicity[row]
		}
		c.Weight, c.N = value(r.weight, row, 1), int(value(r.count, row, float64(c.N)))
		c.Value, c.Shadow = value(r.response, row, float64(c.N)), value(r.shadow, row, 0)
		if math.IsNaN(c.Value) || math.IsNaN(c.Weight) || math.IsNaN(c.Shadow) {
			continue
		}
		for d, codes := range r.codes {
			c.Nodes[d] = r.nodes[d][codes.At(row)]
		}
		if c.Holding = 0; r.holding != nil {
			c.Holding = int32(r.holding.Codes.At(row))
		}
		if r.keys != nil {
			c.Key = r.keys[r.data.SourceRecord(row)]
		}
		if !yield(&c) {
			return
		}
	}
}

// value returns that of a record, or what holds without a variable.
func value(column *microdata.Column, row int, without float64) float64 {
	if column == nil {
		return without
	}
	return column.Float(row)
}
