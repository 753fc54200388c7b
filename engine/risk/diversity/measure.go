package diversity

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// sensitiveMeasure is the common part of both measures: key variables and sensitive variables.
type sensitiveMeasure struct {
	risk.OnKeys
	Sensitive []string // nil: those of the scenario
}

func (o *sensitiveMeasure) params() []method.Param {
	return []method.Param{o.OnKeys.Param(),
		method.Variables(&o.Sensitive, "sensitive",
			"sensitive variables, each assessed separately").Empty("those of the scenario")}
}

// variables returns the names of the sensitive variables to measure.
func (o *sensitiveMeasure) variables(v *measure.Version) []string {
	return measure.Chosen(o.Sensitive, v.Scenario.Sensitive)
}

// Needs returns why the measure does not apply, or "": there are no key or sensitive variables, or their values
// were perturbed.
func (o *sensitiveMeasure) Needs(in measure.Input) string {
	names := o.variables(in.Current)
	reason := o.OnKeys.Needs(in)
	switch {
	case reason != "":
		return reason
	case len(names) == 0:
		return "no sensitive variables"
	case in.Current == in.Original:
		return ""
	}
	return risk.NotApplicable(&microdata.Scenario{Keys: names}, in.Current.Origins())
}

// spreads returns the spread of each sensitive variable.
func (o *sensitiveMeasure) spreads(ctx context.Context, v *measure.Version) ([]*Spread, error) {
	version := o.OnKeys.Of(v)
	var spreads []*Spread
	for _, name := range o.variables(v) {
		s, err := NewSpread(ctx, version, name)
		if err != nil {
			return nil, err
		}
		spreads = append(spreads, s)
	}
	return spreads, nil
}

// Violation is a key pattern whose records reveal too much about a sensitive variable.
type Violation struct {
	Key      int
	Records  int
	Variable int     // index of the sensitive variable
	Danger   float64 // the higher, the more is revealed: -distinct, or the distance
}

// mostFailing is the maximum number of failing key patterns in the table of a report, mostKept that of those
// stored.
const (
	mostFailing = 50
	mostKept    = 1000
)

// violations sorts failing key patterns. Those of several records come before sample uniques, which fail with any
// value; then those that reveal most, those with most records, and finally by variable and key pattern.
type violations []Violation

func (f *violations) add(one Violation) {
	list := *f
	if len(list) == mostKept && compareFailing(list[mostKept-1], one) < 0 {
		return
	}
	at, _ := slices.BinarySearchFunc(list, one, compareFailing)
	if len(list) == mostKept {
		list = list[:mostKept-1]
	}
	*f = slices.Insert(list, at, one)
}

func compareFailing(a, b Violation) int {
	return cmp.Or(cmp.Compare(min(b.Records, 2), min(a.Records, 2)), cmp.Compare(b.Danger, a.Danger),
		cmp.Compare(b.Records, a.Records), cmp.Compare(a.Variable, b.Variable), cmp.Compare(a.Key, b.Key))
}

// violationFigures formats the figures of failing key patterns for a measure.
type violationFigures struct {
	heads  []string
	of     func(f Violation, place int) any
	spread func(f Violation) *Spread
	c      float64                          // for the recursive kind
	joined func(j *MergedCategories) string // figure after merging categories
	better func(a, b *MergedCategories) bool
}

// failingTable lists failing key patterns with their figures.
func failingTable(failing []Violation, v *measure.Version, t *keys.Table, names []string,
	figures violationFigures) measure.Table {
	failing = failing[:min(len(failing), mostFailing)]
	table := measure.Table{Name: "failing_keys", Title: "Key patterns that fail: those with the fewest values or greatest distance first, sample uniques last",
		Columns: append([]string{"key pattern", "records", "variable"}, figures.heads...)}
	for _, f := range failing {
		row := []any{KeyOf(v, t, f.Key), f.Records, names[f.Variable]}
		for place := range figures.heads {
			row = append(row, figures.of(f, place))
		}
		table.Rows = append(table.Rows, row)
	}
	keyNames := v.Scenario.Keys
	table.About = func(row int, spell func(variable, category string) string) []string {
		f := failing[row]
		return []string{figures.spread(f).frequentValues(f.Key, names[f.Variable], spell), figures.merging(f, keyNames)}
	}
	return table
}

// frequentValues lists the most frequent sensitive values of a key pattern with their numbers of records.
func (s *Spread) frequentValues(key int, variable string, spell func(variable, category string) string) string {
	const most = 8
	codes, counts := s.Of(key)
	var values []string
	for i, code := range codes[:min(len(codes), most)] {
		label := "missing"
		if code > 0 {
			label = spell(variable, s.Levels[code-1].Label)
		}
		values = append(values, label+" "+wording.Number(counts[i]))
	}
	if len(codes) > most {
		values = append(values, "…")
	}
	return variable + ": " + strings.Join(values, ", ")
}

// merging names the key variable whose categories are best merged for a failing key pattern, with the resulting
// figure.
func (figures *violationFigures) merging(f Violation, names []string) string {
	joins, best := figures.spread(f).Joins(f.Key, figures.c), 0
	for i := range joins {
		if figures.better(&joins[i], &joins[best]) {
			best = i
		}
	}
	return "key pattern with " + names[best] + " merged: " + figures.joined(&joins[best]) + " (" +
		wording.Counted(joins[best].Records, "record") + ")"
}

// KeyOf returns the categories of a key pattern under the version's key variables, "missing" for variables without
// a value.
func KeyOf(v *measure.Version, t *keys.Table, key int) microdata.Combination {
	return t.Reads(key,
		func(i int) (string, []microdata.Level) { return v.Scenario.Keys[i], v.Levels(v.Scenario.Keys[i]) })
}

// distribution is a summary of figures over records: minimum, quartiles (type 7), mean and maximum.
type distribution [6]float64

// distributionHeads are the names of its numbers.
var distributionHeads = []string{"min", "first quartile", "median", "mean", "third quartile", "max"}

// distributionOf returns the distribution of a figure of key patterns over their records. NaN is ignored.
func distributionOf(t *keys.Table, figure func(key int) float64) (d distribution) {
	counts := map[float64]int{}
	last, run := math.NaN(), 0
	total := 0
	for key, count := range t.Counts() {
		x := figure(key)
		if math.IsNaN(x) {
			continue
		}
		total += int(count)
		if x == last {
			run += int(count)
			continue
		}
		if run > 0 {
			counts[last] += run
		}
		last, run = x, int(count)
	}
	if total == 0 {
		return distribution{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	counts[last] += run
	values := make([]float64, 0, len(counts))
	for x := range counts {
		values = append(values, x)
	}
	slices.Sort(values)
	sum := 0.0
	for _, x := range values {
		sum += float64(x * float64(counts[x]))
	}
	quantile := func(p float64) float64 {
		place := p * float64(total-1)
		low := int(math.Floor(place))
		a, b := valueAt(values, counts, low), valueAt(values, counts, min(low+1, total-1))
		return a + float64((b-a)*(place-float64(low)))
	}
	return distribution{values[0], quantile(0.25), quantile(0.5), sum / float64(total), quantile(0.75),
		values[len(values)-1]}
}

// valueAt returns the value of the record with the given index in ascending order.
func valueAt(values []float64, counts map[float64]int, place int) float64 {
	for _, x := range values {
		if place -= counts[x]; place < 0 {
			return x
		}
	}
	return math.NaN()
}

func (d *distribution) cells() (cells []any) {
	for _, x := range d {
		cells = append(cells, x)
	}
	return cells
}

func recordName(record int) string { return fmt.Sprintf("record %d", record+1) }
