package measure

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Catalog is a list of measures in display order.
type Catalog []Spec

// Find returns the measure with the given name.
func (c Catalog) Find(name string) (Spec, bool) {
	for _, spec := range c {
		if spec.Name == name {
			return spec, true
		}
	}
	return Spec{}, false
}

// Set holds the results of measures for a version of the data, in catalog order.
type Set []Entry

// Entry is the result of a measure.
type Entry struct {
	Spec    Spec
	Measure Measure
	Values  Values
	// NotApplicable is the reason why the measure does not apply to the data, and Values is empty; "" if it does.
	NotApplicable string
}

// Compute computes the measures shown at one of the places, with their default parameters.
func (c Catalog) Compute(ctx context.Context, in Input, places Place, meter *progress.Meter) (Set, error) {
	var set Set
	for _, spec := range c {
		if spec.Shown&places == 0 {
			continue
		}
		entry, err := spec.Compute(ctx, in, spec.New(), meter)
		if err != nil {
			return nil, err
		}
		set = append(set, entry)
	}
	return set, nil
}

// Compute computes the measure with the parameters of m.
func (s Spec) Compute(ctx context.Context, in Input, m Measure, meter *progress.Meter) (Entry, error) {
	entry := Entry{Spec: s, Measure: m, NotApplicable: s.NotApplicable(in, m)}
	if entry.NotApplicable != "" {
		return entry, nil
	}
	var err error
	if entry.Values, err = m.Compute(ctx, in, meter); err != nil {
		return entry, fmt.Errorf("%s: %w", s.Title, err)
	}
	return entry, ctx.Err()
}

// NotApplicable returns the reason why the measure with the parameters of m does not apply to the data, or "".
func (s Spec) NotApplicable(in Input, m Measure) string {
	if !s.Groups && in.Current.Data().Grouped() {
		return "this is a frequency table, and the measure needs the records"
	}
	return m.Needs(in)
}

// Find returns the result of the named measure, or nil if it was not computed.
func (s Set) Find(name string) *Entry {
	for i := range s {
		if s[i].Spec.Name == name {
			return &s[i]
		}
	}
	return nil
}

// With returns the set with the given results replacing those of the same measures or appended.
func (s Set) With(others Set) Set {
	out := slices.Clone(s)
	for _, other := range others {
		if entry := out.Find(other.Spec.Name); entry != nil {
			*entry = other
		} else {
			out = append(out, other)
		}
	}
	return out
}

// Value returns a number of a measure, or nil if it was not computed.
func (s Set) Value(name, value string, k int) *Value {
	entry := s.Find(name)
	if entry == nil {
		return nil
	}
	return entry.Value(value, k)
}

// Like returns the number of a measure with the same name, k and part as other, or nil if it was not computed.
func (s Set) Like(name string, other *Value) *Value {
	entry := s.Find(name)
	if entry == nil {
		return nil
	}
	for i := range entry.Values.Numbers {
		if v := &entry.Values.Numbers[i]; v.Name == other.Name && v.K == other.K && v.Part == other.Part {
			return v
		}
	}
	return nil
}

// Value returns a number of the measure, or nil if there is none.
func (e *Entry) Value(name string, k int) *Value {
	for i := range e.Values.Numbers {
		if v := &e.Values.Numbers[i]; v.Name == name && v.K == k {
			return v
		}
	}
	return nil
}

// Result returns the first result of type T in the set, or the zero value.
func Result[T any](s Set) (result T) {
	for i := range s {
		if found, ok := s[i].Values.Result.(T); ok {
			return found
		}
	}
	return result
}

// Columns returns the record figures of the measure.
func (e *Entry) Columns() []Column {
	if e.Values.Columns != nil {
		return e.Values.Columns
	}
	return e.Spec.Columns
}

// Each calls f for each number.
func (s Set) Each(f func(e *Entry, v *Value)) {
	for i := range s {
		for j := range s[i].Values.Numbers {
			f(&s[i], &s[i].Values.Numbers[j])
		}
	}
}

// Shown calls f for each number shown at a place.
func (s Set) Shown(place Place, f func(e *Entry, v *Value)) {
	s.Each(func(e *Entry, v *Value) {
		if e.Spec.Shown&place != 0 && v.Hidden&place == 0 {
			f(e, v)
		}
	})
}

// Numbers returns the set without tables, record figures and results, which is small enough to keep for every
// step.
func (s Set) Numbers() Set {
	out := make(Set, len(s))
	for i, entry := range s {
		entry.Values = Values{Numbers: entry.Values.Numbers}
		out[i] = entry
	}
	return out
}

// Record returns the function of a column's record figures, or nil if it was not computed.
func (v *Values) Record(column int) func(record int) float64 {
	if column >= len(v.Records) {
		return nil
	}
	return v.Records[column]
}

// MarshalJSON encodes the numbers by name, with those of several k or parts in an object, and the tables as
// objects with columns and rows; NaN and infinite numbers are null.
func (v Values) MarshalJSON() ([]byte, error) {
	members := method.Members{}
	for i := range v.Numbers {
		n := &v.Numbers[i]
		var number any = n.Number
		if math.IsNaN(n.Number) || math.IsInf(n.Number, 0) {
			number = nil
		}
		within := n.Part
		if n.K != 0 {
			within = strconv.Itoa(n.K)
		}
		if within == "" {
			members = append(members, method.Member{Name: n.Name, Value: number})
			continue
		}
		at := slices.IndexFunc(members, func(m method.Member) bool {
			_, several := m.Value.(method.Members)
			return several && m.Name == n.Name
		})
		if at < 0 {
			at = len(members)
			members = append(members, method.Member{Name: n.Name, Value: method.Members{}})
		}
		members[at].Value = append(members[at].Value.(method.Members), method.Member{Name: within, Value: number})
	}
	for _, table := range v.Tables {
		members = append(members, method.Member{Name: table.Name, Value: table.withoutNaN()})
	}
	return members.MarshalJSON()
}

// withoutNaN returns the table with nil in place of NaN and infinite cells.
func (t Table) withoutNaN() Table {
	rows := make([][]any, len(t.Rows))
	for i, row := range t.Rows {
		rows[i] = slices.Clone(row)
		for c, cell := range row {
			if x, ok := cell.(float64); ok && (math.IsNaN(x) || math.IsInf(x, 0)) {
				rows[i][c] = nil
			}
		}
	}
	t.Rows = rows
	return t
}
