package fileio

import (
	"fmt"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// uniqueNames returns names that are unique and not empty, and warnings of those
// that are not as spelled: an empty one becomes V and its position, a repeated one
// gets _2, _3 and so on.
func uniqueNames(spelled []string) (names, warnings []string) {
	taken := make(map[string]bool, len(spelled))
	for _, name := range spelled {
		taken[name] = true
	}
	used := make(map[string]bool, len(spelled))
	next := map[string]int{}
	names = make([]string, len(spelled))
	for i, name := range spelled {
		unique := name
		if name == "" {
			unique = "V" + strconv.Itoa(i+1)
		}
		if used[unique] || name == "" && taken[unique] {
			base := unique
			for n := max(2, next[base]); ; n++ {
				unique = base + "_" + strconv.Itoa(n)
				if !taken[unique] && !used[unique] {
					next[base] = n + 1
					break
				}
			}
		}
		used[unique] = true
		names[i] = unique
		switch {
		case name == "":
			warnings = append(warnings, fmt.Sprintf("column %s has no name; it is called %q", wording.Number(i+1), unique))
		case unique != name:
			warnings = append(warnings, fmt.Sprintf("column %s: the name %q is taken; it is called %q", wording.Number(i+1), name, unique))
		}
	}
	return names, firstOf(warnings, "column", "have no name or one that is taken")
}

// positionNames returns the names of n variables of a file without a header:
// V1, V2 and so on.
func positionNames(n int) []string {
	names, _ := uniqueNames(make([]string, n))
	return names
}
