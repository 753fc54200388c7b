package risk

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/size"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// ErrOptions reports invalid options.
var ErrOptions = errors.New("risk options")

// Options are the parameters of a risk assessment.
type Options struct {
	Rule   microdata.Rule
	Alpha  float64 // for the rule default, in [0,1]
	K      []int   // each k whose violators are counted
	Target float64 // target global risk; 0: none
	Exact  bool    // compute individual risk by the hypergeometric function for every f above 2
	// Unweighted appends NoWeight to explanations.
	Unweighted bool
}

// NoWeight explains risks without a weight variable.
const NoWeight = "No weight variable: the sample counts as the whole population."

// OptionsOf returns the options of a scenario.
func OptionsOf(s *microdata.Scenario) Options {
	return Options{Rule: s.Rule, Alpha: s.Alpha, K: s.K, Target: s.GlobalRiskTarget(), Unweighted: s.Weight == ""}
}

// Violators counts the records that violate one k.
type Violators struct {
	K            int
	Count        int // under the rule of the options
	Conservative int // under the rule conservative
	OwnCategory  int // under the rule own-category
}

// Assessment holds the risk figures of one version of the data. It is immutable and safe for concurrent use; its
// slices must not be modified.
type Assessment struct {
	Records    int
	Violators  []Violators    // for each k of the options, in order
	Expected   float64        // sum of the individual risks: expected number of re-identifications
	Global     float64        // Expected / Records
	Households *HouseholdRisk // nil without households
	Raised     int            // records with F below f, for which F was raised to f

	options      Options
	table        *keys.Table
	index        *microdata.Households
	frequencies  *keys.Frequencies
	risks        []float64 // per key pattern
	ranking      func() *ranking
	aboveMain    func() int
	distribution func() *Distribution
	atRisk       atRisk
}

// Assess computes the figures of a key table. households may be nil. The time is proportional to the number of key
// patterns, with households to the number of records. It returns an error for an unknown rule, an alpha outside
// [0,1] or a k below 2.
func Assess(ctx context.Context, t *keys.Table, households *microdata.Households, o Options) (*Assessment, error) {
	for _, k := range o.K {
		if k < 2 {
			return nil, fmt.Errorf("%w: k is %d and must be at least 2", ErrOptions, k)
		}
	}
	if households != nil && households.Records() != t.Records() {
		return nil, fmt.Errorf("%w: households of %d records for a file of %d", ErrOptions, households.Records(), t.Records())
	}
	a := &Assessment{Records: t.Records(), options: o, table: t, index: households}
	a.ranking = sync.OnceValue(a.makeRanking)
	a.aboveMain = sync.OnceValue(a.countAboveMain)
	a.distribution = sync.OnceValue(a.makeDistribution)
	if err := a.count(ctx); err != nil {
		return nil, err
	}
	if err := a.individual(ctx); err != nil {
		return nil, err
	}
	if households != nil {
		risk, err := householdRisks(ctx, households, t, a.risks)
		if err != nil {
			return nil, err
		}
		a.Households = risk
	}
	return a, nil
}

// Bytes returns the memory of the figures in bytes, without the key table and the households, which have their own
// Bytes.
func (a *Assessment) Bytes() int {
	// Risks and their ordering with record counts; frequencies; the distribution.
	perKey := 8 + 16 + 16 + 16
	bytes := perKey*a.table.Keys() + size.Of(a.Violators)
	if a.Households != nil {
		bytes += size.Of(a.Households.risks)
	}
	return bytes
}

// count computes the frequencies and counts the violators under three rules.
func (a *Assessment) count(ctx context.Context) (err error) {
	if a.frequencies, err = a.table.Frequencies(ctx, a.options.Rule, a.options.Alpha); err != nil {
		return err
	}
	conservative, err := a.table.Frequencies(ctx, microdata.RuleConservative, 0)
	if err != nil {
		return err
	}
	ownCategory, err := a.table.Frequencies(ctx, microdata.RuleOwnCategory, 0)
	if err != nil {
		return err
	}
	for _, k := range a.options.K {
		a.Violators = append(a.Violators, Violators{
			K:            k,
			Count:        a.table.Violators(a.frequencies, k),
			Conservative: a.table.Violators(conservative, k),
			OwnCategory:  a.table.Violators(ownCategory, k),
		})
	}
	return ctx.Err()
}

// individual computes the risk of each key pattern and the figures of the file, summed in the order of the key
// patterns.
func (a *Assessment) individual(ctx context.Context) error {
	n, f := a.table.Keys(), a.frequencies
	a.risks = make([]float64, n)
	err := parallel.Blocks(ctx, n, parallel.Workers(n, runtime.GOMAXPROCS(0)), func(_, from, to int) {
		for key := from; key < to; key++ {
			a.risks[key] = Individual(f.Sample[key], f.Population[key], a.options.Exact)
		}
	})
	for key, count := range a.table.Counts() {
		a.Expected += float64(float64(count) * a.risks[key])
		if f.Population[key] < f.Sample[key] {
			a.Raised += int(count)
		}
	}
	if a.Records > 0 {
		a.Global = a.Expected / float64(a.Records)
	}
	return err
}

// Options returns the options that the figures were computed with.
func (a *Assessment) Options() Options { return a.options }

// Table returns the key table that the figures were computed from.
func (a *Assessment) Table() *keys.Table { return a.table }

// HouseholdIndex returns the households of the records, or nil if there are none.
func (a *Assessment) HouseholdIndex() *microdata.Households { return a.index }

// KeyRisks returns the individual risk per key pattern.
func (a *Assessment) KeyRisks() []float64 { return a.risks }

// KeyFrequencies returns the frequencies per key pattern under the rule of the options.
func (a *Assessment) KeyFrequencies() *keys.Frequencies { return a.frequencies }

// Frequency returns the sample and population frequency of a record under the
// rule of the options.
func (a *Assessment) Frequency(record int) (sample, population float64) {
	key := a.table.Key(record)
	return a.frequencies.Sample[key], a.frequencies.Population[key]
}

// Risk returns the individual risk of a record.
func (a *Assessment) Risk(record int) float64 { return a.risks[a.table.Key(record)] }

// HouseholdRiskOf returns the household risk of a record, or its individual risk if there are no households or the
// row represents several records, which do not share a household.
func (a *Assessment) HouseholdRiskOf(record int) float64 {
	if a.Households == nil {
		return a.Risk(record)
	}
	return a.Households.risks[a.index.Of(record)]
}

// Violates reports whether a record violates k-anonymity under the rule of the options.
func (a *Assessment) Violates(record, k int) bool {
	return a.frequencies.Violates(int(a.table.Key(record)), k)
}
