package check

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// leastReplicates is the number of replicate weights that a survey has at least.
const leastReplicates = 10

// replicateName has the names of replicate weights, by their usual stems and a number.
var replicateName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^((?:[a-z]*_?)?(?:rep|repl|repw|repwt|repwgt|replicate|brr|brrwt|jk|jkw|jkwt|bs|bsw|bsweight|boot|` +
		`bootw|rwgt|rwt|wrep|wtrep|repweight|fay|pwgtp|wgtp|w_fstr|w_fsturwt|weightrep|rep_?weight|rep_?wgt|w_?rep)_?)\d+$`)
})

// replicatesOf returns the replicate weights of the file: at least ten numeric variables whose names are one stem with
// different numbers, or that are multiples of the weight.
func (r *release) replicatesOf() (names []string) {
	stems := map[string][]string{}
	for _, column := range r.data.Columns() {
		if match := replicateName().FindStringSubmatch(column.Name()); match != nil && column.Numeric() {
			stem := strings.ToLower(match[1])
			stems[stem] = append(stems[stem], column.Name())
		}
	}
	multiples := r.multiplesOfWeight()
	for _, column := range r.data.Columns() {
		found := len(multiples) >= leastReplicates && slices.Contains(multiples, column.Name())
		for _, of := range stems {
			found = found || len(of) >= leastReplicates && slices.Contains(of, column.Name())
		}
		if found {
			names = append(names, column.Name())
		}
	}
	return names
}

// multiplesOfWeight returns the variables that are 0 or a few multiples of the weight.
func (r *release) multiplesOfWeight() (names []string) {
	column, ok := r.weightColumn()
	if !ok {
		return nil
	}
	weights := newRatios(column)
	if weights.width == 0 {
		return nil
	}
	for _, of := range r.data.Columns() {
		if of.Numeric() && of.Name() != column.Name() && of.Name() != r.scenario.Household && !r.scenario.Has(of.Name(), microdata.RoleKey) &&
			weights.multiple(of) {
			names = append(names, of.Name())
		}
	}
	return names
}

// weightColumn returns the weight variable as it was before masking, if the original is known.
func (r *release) weightColumn() (*microdata.Column, bool) {
	name := r.scenario.Weight
	for _, column := range r.data.Columns() {
		if name == "" && r.suggested[column.Name()].Role == microdata.RoleWeight {
			name = column.Name()
		}
	}
	if r.Original != nil {
		if column, ok := r.Original.Data().Column(name); ok && column.Numeric() && column.Len() == r.data.Len() {
			return column, true
		}
	}
	column, ok := r.data.Column(name)
	return column, ok && column.Numeric()
}

// replicates finds replicate weights, all in one finding.
func (r *release) replicates(context.Context) ([]Finding, error) {
	names := r.replicated()
	if len(names) == 0 {
		return nil, nil
	}
	return []Finding{{Variables: names, Text: "The file has " + wording.Counted(len(names), "replicate weight") + ": " + list(names) + ".",
		Fixes: []Fix{leaving(names...)}}}, nil
}
