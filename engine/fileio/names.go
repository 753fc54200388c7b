package fileio

import (
	"fmt"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Rename tells that a variable got another name than the file has, because the
// file's name is empty or was taken.
type Rename struct {
	Position int    // of the variable, from 1
	From, To string // the file's name and the variable's
}

// uniqueNames returns names that are unique and not empty: an empty one becomes
// V and its position, a repeated one gets _2, _3 and so on.
func uniqueNames(spelled []string) (names []string, renamed []Rename) {
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
		if unique != name {
			renamed = append(renamed, Rename{i + 1, name, unique})
		}
	}
	return names, renamed
}

// positionNames returns the names of n variables of a file without a header:
// V1, V2 and so on.
func positionNames(n int) []string {
	names, _ := uniqueNames(make([]string, n))
	return names
}

// String returns `column 3 has no name; it is called "V3"`.
func (r Rename) String() string {
	if r.From == "" {
		return fmt.Sprintf("column %s has no name; it is called %q", wording.Number(r.Position), r.To)
	}
	return fmt.Sprintf("column %s: the name %q is taken; it is called %q", wording.Number(r.Position), r.From, r.To)
}
