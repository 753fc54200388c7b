package check

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// leastReplicates is the minimum number of replicate weights of a survey.
const leastReplicates = 10

// replicateName matches usual names of replicate weights: a stem and a number.
var replicateName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^((?:[a-z]*_?)?(?:rep|repl|repw|repwt|repwgt|replicate|brr|brrwt|jk|jkw|jkwt|bs|bsw|bsweight|boot|` +
		`bootw|rwgt|rwt|wrep|wtrep|repweight|fay|pwgtp|wgtp|w_fstr|w_fsturwt|weightrep|rep_?weight|rep_?wgt|w_?rep)_?)\d+$`)
})

// replicatesOf returns the replicate weights of the file: at least ten numeric variables whose names have the same
// stem and different numbers, or that are multiples of the weight.
func (r *release) replicatesOf() []string {
	stems := map[string]int{}
	stem := func(v *variable) string {
		match := replicateName().FindStringSubmatch(v.Name())
		if match == nil || !v.Numeric() {
			return ""
		}
		return strings.ToLower(match[1])
	}
	for _, v := range r.variables {
		stems[stem(v)]++
	}
	delete(stems, "")
	multiples := r.multiplesOfWeight()
	return namesOf(r.those(func(v *variable) bool {
		return stems[stem(v)] >= leastReplicates || len(multiples) >= leastReplicates && slices.Contains(multiples, v)
	}))
}

// multiplesOfWeight returns the variables whose values are 0 or a few multiples of the weight.
func (r *release) multiplesOfWeight() []*variable {
	column := r.weightColumn()
	if column == nil || !column.Numeric() {
		return nil
	}
	weights := newRatios(column)
	if weights.width == 0 {
		return nil
	}
	return r.those(func(v *variable) bool {
		return v.Numeric() && v.Name() != column.Name() && v.Name() != r.scenario.Household && !r.has(v, microdata.RoleKey) &&
			weights.multiple(v.Column)
	})
}

// weightColumn returns the weight variable, before masking if the original is known, or nil if there is none.
func (r *release) weightColumn() *microdata.Column {
	name := r.scenario.Weight
	for _, v := range r.variables {
		if name == "" && v.suggested.Role == microdata.RoleWeight {
			name = v.Name()
		}
	}
	if r.Original != nil {
		if column, ok := r.Original.Data().Column(name); ok && column.Numeric() && column.Len() == r.data.Len() {
			return column
		}
	}
	column, _ := r.data.Column(name)
	return column
}

// replicates finds replicate weights and reports them in one finding.
func (r *release) replicates() []Finding {
	names := r.replicated()
	if len(names) == 0 {
		return nil
	}
	return []Finding{{Variables: names, Text: "The file has " + wording.Counted(len(names), "replicate weight") + ": " + list(names) + ".",
		Fixes: []Fix{leaving(names...)}}}
}
