package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Version is a version of the data under a scenario. Results that several measures use are computed once for equal
// variables. It is immutable and safe for concurrent use.
type Version struct {
	Scenario *microdata.Scenario // must not be modified

	data *microdata.Dataset
	memo Memo
}

// Memo is a cache of results; the key identifies all inputs of the computation. It is safe for concurrent use.
type Memo interface {
	Get(ctx context.Context, key string, compute func() (any, error)) (any, error)
	// Peek returns the cached value; ok is false if there is none.
	Peek(key string) (value any, ok bool)
}

// NewVersion returns a version of the data. If memo is nil, the version has its own cache.
func NewVersion(data *microdata.Dataset, scenario *microdata.Scenario, memo Memo) *Version {
	if memo == nil {
		memo = &unboundedCache{}
	}
	return &Version{Scenario: scenario, data: data, memo: memo}
}

// Under returns the version under another scenario.
func (v *Version) Under(scenario *microdata.Scenario) *Version {
	return &Version{Scenario: scenario, data: v.data, memo: v.memo}
}

// Data returns the dataset.
func (v *Version) Data() *microdata.Dataset { return v.data }

// Column returns a variable of Data.
func (v *Version) Column(variable string) (*microdata.Column, bool) { return v.data.Column(variable) }

// Source returns the same records as they were read.
func (v *Version) Source() *microdata.Dataset { return v.data.Source() }

// Origins returns the origins of the variables.
func (v *Version) Origins() microdata.Origins { return v.data.Origins() }

// Levels returns the levels of a variable, or nil if there is no such variable.
func (v *Version) Levels(variable string) []microdata.Level {
	if column, ok := v.data.Column(variable); ok {
		return column.Categories().Levels
	}
	return nil
}

// Ordered reports whether the levels of a variable have an order: numbers that cannot be codes, and ordered
// categories.
func (v *Version) Ordered(variable string) bool {
	column, ok := v.data.Column(variable)
	if !ok || column.MayBeCodes() {
		return false
	}
	return column.InOrder()
}

// Table returns the key table of the scenario's key variables and weight. It is derived from the table before a
// recode, if that is cached or worth caching, in time that depends on the number of key patterns.
func (v *Version) Table(ctx context.Context) (*keys.Table, error) {
	weight, err := v.contents([]string{v.Scenario.Weight})
	if err != nil {
		return nil, err
	}
	all := make([]*microdata.Categories, len(v.Scenario.Keys))
	for i, name := range v.Scenario.Keys {
		column, ok := v.data.Column(name)
		if !ok {
			return nil, unknown(name)
		}
		all[i] = column.Categories()
	}
	return v.table(ctx, weight, all)
}

// mostEarlier is the maximum number of levels of a variable for which the key table before a recode is computed.
const mostEarlier = 1000

// table returns the key table of categories. The table it is derived from is computed first, because the cache
// does not allow nested computations.
func (v *Version) table(ctx context.Context, weight string, all []*microdata.Categories) (*keys.Table, error) {
	key := tableOf(weight, all)
	compute := func() (any, error) {
		weights, err := v.weights(ctx)
		if err != nil {
			return nil, err
		}
		return keys.Of(ctx, all, weights)
	}
	if variable, before := v.before(weight, all); variable >= 0 {
		if _, known := v.memo.Peek(key); !known {
			from, err := v.table(ctx, weight, before)
			if err != nil {
				return nil, err
			}
			_, mapping, _ := all[variable].Earlier()
			compute = func() (any, error) { return from.Regroup(ctx, variable, len(all[variable].Levels), mapping) }
		}
	}
	found, err := v.memo.Get(ctx, key, compute)
	if err != nil {
		return nil, err
	}
	return found.(*keys.Table), nil
}

// before returns the categories before a recode of one of them, if their key table is cached or was needed before;
// variable is -1 otherwise.
func (v *Version) before(weight string, all []*microdata.Categories) (variable int, before []*microdata.Categories) {
	variable = -1
	for i, now := range all {
		earlier, _, ok := now.Earlier()
		if !ok {
			continue
		}
		with := slices.Clone(all)
		with[i] = earlier
		key := tableOf(weight, with)
		if _, known := v.memo.Peek(key); known {
			return i, with
		}
		if v.asked(key) && variable < 0 && len(earlier.Levels) <= mostEarlier {
			variable, before = i, with
		}
	}
	return variable, before
}

// asked reports whether the key was asked for before: recodes of the same categories are usually tried one after
// another.
func (v *Version) asked(key string) bool {
	_, before := v.memo.Peek("asked for " + key)
	if !before {
		_, _ = v.memo.Get(context.Background(), "asked for "+key, func() (any, error) { return true, nil }) // never fails
	}
	return before
}

// tableOf returns the cache key of the key table of categories.
func tableOf(weight string, all []*microdata.Categories) string {
	var key strings.Builder
	key.WriteString("table\n" + weight)
	for _, categories := range all {
		digest := categories.Identity()
		key.Write(digest[:])
	}
	return key.String()
}

// weights returns the weight of each record, or nil without a weight variable.
func (v *Version) weights(ctx context.Context) ([]float64, error) {
	if v.Scenario.Weight == "" {
		return nil, nil
	}
	return Once(ctx, v, "weights", []string{v.Scenario.Weight},
		func() ([]float64, error) { return v.Scenario.Weights(v.data) })
}

// Once returns a result that several measures use, computed once for equal contents of the named variables; a name
// may be "". what identifies the computation and all its other inputs. An unknown variable is an error that wraps
// microdata.ErrScenario.
func Once[T any](ctx context.Context, v *Version, what string, variables []string,
	compute func() (T, error)) (T, error) {
	var none T
	key, err := v.contents(variables)
	if err != nil {
		return none, err
	}
	found, err := v.memo.Get(ctx, what+"\n"+key, func() (any, error) { return compute() })
	if err != nil {
		return none, err
	}
	return found.(T), nil
}

// contents returns a cache key for the contents of the variables.
func (v *Version) contents(variables []string) (key string, err error) {
	var all strings.Builder
	for _, name := range variables {
		if name == "" {
			all.WriteByte('\n')
			continue
		}
		column, ok := v.data.Column(name)
		if !ok {
			return "", unknown(name)
		}
		digest := column.Identity()
		all.Write(digest[:])
	}
	return all.String(), nil
}

func unknown(name string) error {
	return fmt.Errorf("%w: the file has no variable %q", microdata.ErrScenario, name)
}

// unboundedCache is an unbounded cache. Concurrent calls for the same key may both compute the value.
type unboundedCache struct{ entries sync.Map }

// Get returns the cached value, or computes it. Errors are not cached.
func (b *unboundedCache) Get(_ context.Context, key string, compute func() (any, error)) (any, error) {
	if value, ok := b.entries.Load(key); ok {
		return value, nil
	}
	value, err := compute()
	if err == nil {
		b.entries.Store(key, value)
	}
	return value, err
}

// Peek returns the cached value.
func (b *unboundedCache) Peek(key string) (any, bool) { return b.entries.Load(key) }
