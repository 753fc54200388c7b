package session

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk/union"
)

// State is the data of a file under a scenario: of a branch, after a step, or the original.
type State struct {
	Name     string // its name
	Data     *microdata.Dataset
	Scenario *microdata.Scenario
}

// Comparison compares two states of one file, A and B, record by record.
type Comparison struct {
	A, B      string
	Figures   []FigureOfTwo
	Variables []VariableOfTwo // those that differ, in the order of A, then of B
	Compared  int             // records in both
	Differing int             // of these, with another value in at least one variable
	OnlyA     int             // records not in B
	OnlyB     int
	Records   []RecordOfTwo // the first of those that differ
	Union     *union.Result // violators if both are published; nil: one of them is the original
}

// FigureOfTwo is a figure of both states, each under its own scenario; nil if the state has none.
type FigureOfTwo struct {
	Measure measure.Spec
	A, B    *measure.Value
}

// VariableOfTwo describes how a variable differs. A state without the variable has no categories.
type VariableOfTwo struct {
	Name             string
	Cells            int // records of both states with different values
	OnlyA, OnlyB     int // of these, with a value in only one of them
	MissingA         int // records without a value, among all of A
	MissingB         int
	LevelsA, LevelsB int // number of distinct values that occur
	InA, InB         bool
}

// Either returns the figure of A, or of B if A has none.
func (f *FigureOfTwo) Either() *measure.Value { return cmp.Or(f.A, f.B) }

// Title returns the name of the figure: "violators, k = 3, conservative".
func (f *FigureOfTwo) Title() string {
	v := f.Either()
	if v.K == 0 {
		return v.Title
	}
	title := fmt.Sprintf("%s, k = %d", f.Measure.ByK(), v.K)
	if v.Title != "" {
		title += ", " + v.Title
	}
	return title
}

// Better returns which state has the better figure, -1 for A and 1 for B, or 0 if they are equal or not ordered.
func (f *FigureOfTwo) Better() int {
	if f.A == nil || f.B == nil || f.A.Better == measure.Either {
		return 0
	}
	switch difference := f.B.Number - f.A.Number; {
	case difference*float64(f.A.Better) > 0:
		return 1
	case difference*float64(f.A.Better) < 0:
		return -1
	default:
		return 0
	}
}

// Compare compares two states: the figures of all measures in reports, the variables that differ, and the records,
// matched by their place in the file. It takes time in the number of cells of the variables that both do not
// share. It returns errors of measures and of ctx.
func (a *Analyst) Compare(ctx context.Context, one, other State, meter *progress.Meter) (*Comparison, error) {
	c := &Comparison{A: one.Name, B: other.Name}
	first, err := a.Figures(ctx, one.Data, one.Scenario, measure.Report)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", one.Name, err)
	}
	second, err := a.Figures(ctx, other.Data, other.Scenario, measure.Report)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", other.Name, err)
	}
	c.figures(first, second)
	if err := c.union(ctx, one, other); err != nil {
		return nil, err
	}
	return c, c.cells(ctx, one.Data, other.Data, meter)
}

// CompareReleases is Compare without figures.
func CompareReleases(ctx context.Context, one, other State) (*Comparison, error) {
	c := &Comparison{A: one.Name, B: other.Name}
	if err := c.union(ctx, one, other); err != nil {
		return nil, err
	}
	return c, c.cells(ctx, one.Data, other.Data, nil)
}

// union counts the violators if both are published, without the variables that are not released.
func (c *Comparison) union(ctx context.Context, one, other State) (err error) {
	if one.Name == Original || other.Name == Original {
		return nil
	}
	released := func(of State) union.Release {
		return union.Release{Data: of.Data.Without(of.Scenario.Remove), Scenario: of.Scenario}
	}
	c.Union, err = union.Of(ctx, released(one), released(other))
	return err
}

// figures pairs the figures of two sets, in the order of the first, then of the second.
func (c *Comparison) figures(first, second measure.Set) {
	for _, entry := range first {
		for i := range entry.Values.Numbers {
			v := &entry.Values.Numbers[i]
			c.Figures = append(c.Figures, FigureOfTwo{entry.Spec, v, second.Like(entry.Spec.Name, v)})
		}
	}
	for _, entry := range second {
		for i := range entry.Values.Numbers {
			if v := &entry.Values.Numbers[i]; first.Like(entry.Spec.Name, v) == nil {
				c.Figures = append(c.Figures, FigureOfTwo{entry.Spec, nil, v})
			}
		}
	}
}

// cells counts what differs.
func (c *Comparison) cells(ctx context.Context, one, other *microdata.Dataset, meter *progress.Meter) error {
	sameOne, sameOther := shared(one, other)
	c.Compared = sameOne.Records()
	c.OnlyA, c.OnlyB = one.Records()-c.Compared, other.Records()-c.Compared
	differing := microdata.NewBits(sameOne.Len())
	meter.Start(int64(len(one.Columns())))
	for _, column := range one.Columns() {
		var v VariableOfTwo
		match, found := other.Column(column.Name())
		if found {
			a, _ := sameOne.Column(column.Name())
			b, _ := sameOther.Column(column.Name())
			for row := 0; a != b && row < a.Len(); row++ {
				if row%checkEvery == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				if a.Differs(b, row) {
					v.add(a, b, row)
					differing.Set(row)
				}
			}
		}
		if !found || v.Cells > 0 {
			c.list(v, column, match)
		}
		meter.Add(1)
	}
	c.onlyIn(one, other)
	c.Differing = differing.Count()
	c.Records = recordsOfTwo(sameOne, sameOther, differing)
	return ctx.Err()
}

// list adds a variable with its columns in both states, nil if a state lacks it.
func (c *Comparison) list(v VariableOfTwo, a, b *microdata.Column) {
	if a != nil {
		v.Name, v.InA, v.MissingA, v.LevelsA = a.Name(), true, a.MissingCount(), a.Categories().Occurring()
	}
	if b != nil {
		v.Name, v.InB, v.MissingB, v.LevelsB = b.Name(), true, b.MissingCount(), b.Categories().Occurring()
	}
	c.Variables = append(c.Variables, v)
}

// onlyIn lists the variables that only B has.
func (c *Comparison) onlyIn(one, other *microdata.Dataset) {
	for _, column := range other.Columns() {
		if _, found := one.Column(column.Name()); !found {
			c.list(VariableOfTwo{}, nil, column)
		}
	}
}

// add counts a cell that differs.
func (v *VariableOfTwo) add(a, b *microdata.Column, row int) {
	v.Cells++
	if a.Missing(row) {
		v.OnlyB++
	} else if b.Missing(row) {
		v.OnlyA++
	}
}

// shared returns the records in both datasets, in the same order.
func shared(one, other *microdata.Dataset) (sameOne, sameOther *microdata.Dataset) {
	if one.SameRecords(other) {
		return one, other
	}
	places := map[int]uint32{}
	for row := range other.Len() {
		places[other.SourceRecord(row)] = uint32(row)
	}
	var left, right []uint32
	for row := range one.Len() {
		if place, ok := places[one.SourceRecord(row)]; ok {
			left, right = append(left, uint32(row)), append(right, place)
		}
	}
	return one.Select(left), other.Select(right)
}
