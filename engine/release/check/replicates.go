package check

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// leastReplicates is the number of replicate weights that a survey has at least.
const leastReplicates = 10

// replicateName has the names of replicate weights, by their usual stems and a number.
var replicateName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^((?:[a-z]*_?)?(?:rep|repl|repw|repwt|repwgt|replicate|brr|brrwt|jk|jkw|jkwt|bs|bsw|bsweight|boot|` +
		`bootw|rwgt|rwt|wrep|wtrep|repweight|fay|pwgtp|wgtp|w_fstr|w_fsturwt|weightrep|rep_?weight|rep_?wgt|w_?rep)_?)\d+$`)
})

// replicated returns the replicate weights of the file: at least ten variables of numbers whose
// names are one stem with different numbers.
func (r *release) replicated() (names []string) {
	stems := map[string][]string{}
	for _, column := range r.data.Columns() {
		if match := replicateName().FindStringSubmatch(column.Name()); match != nil && column.Numeric() {
			stem := strings.ToLower(match[1])
			stems[stem] = append(stems[stem], column.Name())
		}
	}
	for _, column := range r.data.Columns() {
		for _, of := range stems {
			if len(of) >= leastReplicates && slices.Contains(of, column.Name()) {
				names = append(names, column.Name())
			}
		}
	}
	return names
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
