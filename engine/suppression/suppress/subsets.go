package suppress

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
)

// Subset requires K in every combination of Size key variables.
type Subset struct {
	Size int `json:"size"`
	K    int `json:"k"`
}

// Subsets is a list of subsets with different sizes and k. In a script it is a list of objects,
// [{"size":4,"k":10},{"size":3,"k":20}]; typed it is "4:10, 3:20".
type Subsets []Subset

// String returns the list as it is typed, or "" if it is empty.
func (s *Subsets) String() string {
	return wording.Joined(*s, ", ", func(subset Subset) string { return fmt.Sprintf("%d:%d", subset.Size, subset.K) })
}

// Set parses the output of String. "" and "none" are no subsets.
func (s *Subsets) Set(text string) error {
	if text = strings.TrimSpace(text); text == "" || text == "none" {
		*s = nil
		return nil
	}
	var read Subsets
	for entry := range strings.SplitSeq(text, ",") {
		size, k, ok := strings.Cut(entry, ":")
		subset, failed := Subset{}, error(nil)
		if subset.Size, failed = strconv.Atoi(strings.TrimSpace(size)); failed == nil {
			subset.K, failed = strconv.Atoi(strings.TrimSpace(k))
		}
		if !ok || failed != nil {
			return fmt.Errorf(`subsets: write the number of variables, a colon and their k, as in "4:10, 3:20"`)
		}
		read = append(read, subset)
	}
	*s = read
	return nil
}

// check reports subsets that are impossible with the given number of key variables.
func (s Subsets) check(variables int) error {
	count := 0
	for i, subset := range s {
		switch {
		case subset.Size < 1 || subset.Size > variables:
			return method.ParamError("\"subsets\": size %d; with %d key variables it must be from 1 to %d",
				subset.Size, variables, variables)
		case subset.K < 2:
			return method.ParamError("\"subsets\": k is %d for size %d; it must be at least 2", subset.K,
				subset.Size)
		case slices.ContainsFunc(s[:i], func(other Subset) bool { return other.Size == subset.Size }):
			return method.ParamError("\"subsets\": size %d is listed twice", subset.Size)
		}
		sets, ok := crosstable.Choices(variables, subset.Size)
		if count += len(sets); !ok || count > crosstable.Most {
			return method.ParamError("\"subsets\": there are more than %d combinations of the %d key variables; choose other "+
				"sizes or fewer key variables", crosstable.Most, variables)
		}
	}
	return nil
}

// combination is a set of key variables with the k that must hold for it.
type combination struct {
	minimal.Combination
	subset int // index of its Subset
}

// combinations lists all combinations in which k must hold, in the order of the subsets and then of the variables.
// Without subsets it is the combination of all variables with the given k.
func (s Subsets) combinations(variables, k int) []combination {
	if len(s) == 0 {
		s = Subsets{{variables, k}}
	}
	var all []combination
	for i, subset := range s {
		sets, _ := crosstable.Choices(variables, subset.Size)
		for _, set := range sets {
			all = append(all, combination{minimal.Combination{Set: set, K: subset.K}, i})
		}
	}
	return all
}

// single reports whether the only combination is that of all variables.
func (s Subsets) single(variables int) bool {
	return len(s) == 0 || len(s) == 1 && s[0].Size == variables
}
