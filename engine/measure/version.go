package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Version is one version of the data under a scenario. What several measures
// build on is computed once for equal variables. It is immutable and safe for
// concurrent use.
type Version struct {
	Scenario *microdata.Scenario // not to be modified

	from    *microdata.Dataset
	mapping *method.Regrouping // of the levels of a variable of from; nil: none
	data    func() *microdata.Dataset
	memo    Memo
	own     Memo // of what the mapping has a part in
}

// Memo remembers what was computed, by a key that stands for all that went in.
// It is safe for concurrent use.
type Memo interface {
	Get(ctx context.Context, key string, compute func() (any, error)) (any, error)
}

// NewVersion returns the data as a version. A nil memo remembers for this version
// alone.
func NewVersion(data *microdata.Dataset, scenario *microdata.Scenario, memo Memo) *Version {
	if memo == nil {
		memo = &brief{}
	}
	return &Version{Scenario: scenario, from: data, data: func() *microdata.Dataset { return data }, memo: memo, own: memo}
}

// Mapped returns the version in which the levels of a variable are mapped, as a
// method says. Its records are made when they are asked for, its key table comes
// from that of v.
func (v *Version) Mapped(r *method.Regrouping) *Version {
	from := v.from
	if r.From != r.Target {
		from = from.With(r.From)
	}
	made := sync.OnceValue(func() *microdata.Dataset { return v.from.With(r.Column()) })
	return &Version{Scenario: v.Scenario, from: from, mapping: r, data: made, memo: v.memo, own: &brief{}}
}

// Under returns the version under another scenario.
func (v *Version) Under(scenario *microdata.Scenario) *Version {
	out := *v
	out.Scenario = scenario
	if v.mapping != nil {
		out.own = &brief{}
	}
	return &out
}

// Data returns the dataset; after a mapping it is made at the first call, in time
// proportional to the records.
func (v *Version) Data() *microdata.Dataset { return v.data() }

// Column returns a variable of Data; only one that is mapped is made for it.
func (v *Version) Column(variable string) (*microdata.Column, bool) {
	if v.mapping != nil && v.mapping.Target.Name() == variable {
		return v.Data().Column(variable)
	}
	return v.from.Column(variable)
}

// Source returns the same records as they were read.
func (v *Version) Source() *microdata.Dataset { return v.from.Source() }

// Origins returns where the values of the variables come from.
func (v *Version) Origins() microdata.Origins { return v.from.Origins() }

// Levels returns the levels of a variable, of its categories where it is stored
// as numbers; nil where there is no such variable.
func (v *Version) Levels(variable string) []microdata.Level {
	if v.mapping != nil && v.mapping.Target.Name() == variable {
		return v.mapping.Levels
	}
	if column, ok := v.from.Column(variable); ok {
		return column.Categories().Levels
	}
	return nil
}

// Ordered reports whether the levels of a variable have an order: those of numbers that cannot be codes, and of
// categories that do.
func (v *Version) Ordered(variable string) bool {
	column, ok := v.from.Column(variable)
	if !ok || column.MayBeCodes() {
		return false
	}
	if v.mapping != nil && v.mapping.Target.Name() == variable {
		return v.mapping.Ordered
	}
	return method.OrderedVariables(column, v.Scenario)
}

// Table returns the key table of the scenario's key variables and weight.
func (v *Version) Table(ctx context.Context) (*keys.Table, error) {
	return Once(ctx, v, "table", append([]string{v.Scenario.Weight}, v.Scenario.Keys...), func() (*keys.Table, error) {
		if v.mapping != nil {
			if variable := slices.Index(v.Scenario.Keys, v.mapping.Target.Name()); variable >= 0 {
				table, err := NewVersion(v.from, v.Scenario, v.memo).Table(ctx)
				if err != nil {
					return nil, err
				}
				return table.Regroup(ctx, variable, len(v.mapping.Levels), v.mapping.Mapping)
			}
		}
		columns := make([]*microdata.Column, len(v.Scenario.Keys))
		for i, name := range v.Scenario.Keys {
			columns[i], _ = v.from.Column(name) // there: its contents were looked at
		}
		weights, err := v.weights(ctx)
		if err != nil {
			return nil, err
		}
		return keys.New(ctx, columns, weights)
	})
}

// weights returns the weight of each record; nil without.
func (v *Version) weights(ctx context.Context) ([]float64, error) {
	if v.Scenario.Weight == "" {
		return nil, nil
	}
	return Once(ctx, v, "weights", []string{v.Scenario.Weight},
		func() ([]float64, error) { return v.Scenario.Weights(v.from) })
}

// Once has something computed that several measures build on: once for equal
// contents of the named variables ("" is none). what names it, with all else that
// it depends on. A variable that is not there is an error that wraps
// microdata.ErrScenario.
func Once[T any](ctx context.Context, v *Version, what string, variables []string,
	compute func() (T, error)) (T, error) {
	var none T
	key, own, err := v.contents(variables)
	if err != nil {
		return none, err
	}
	memo := v.memo
	if own {
		memo = v.own
	}
	found, err := memo.Get(ctx, what+"\n"+key, func() (any, error) { return compute() })
	if err != nil {
		return none, err
	}
	return found.(T), nil
}

// contents stands for the contents of the variables; own says that it does so in
// this version alone.
func (v *Version) contents(variables []string) (key string, own bool, err error) {
	var all strings.Builder
	for _, name := range variables {
		if name == "" {
			all.WriteByte('\n')
			continue
		}
		column, ok := v.from.Column(name)
		if !ok {
			return "", false, fmt.Errorf("%w: the file has no variable %q", microdata.ErrScenario, name)
		}
		own = own || v.mapping != nil && v.mapping.Target.Name() == name
		hash := column.Hash()
		all.Write(hash[:])
	}
	return all.String(), own, nil
}

// brief remembers without bounds. Two callers that want the same at the same time
// both compute it.
type brief struct{ entries sync.Map }

// Get returns what is remembered, or computes it. Errors are not kept.
func (b *brief) Get(_ context.Context, key string, compute func() (any, error)) (any, error) {
	if value, ok := b.entries.Load(key); ok {
		return value, nil
	}
	value, err := compute()
	if err == nil {
		b.entries.Store(key, value)
	}
	return value, err
}
