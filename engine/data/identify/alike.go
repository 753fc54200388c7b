package identify

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// MostAlike is the number of texts up to which those that look alike are looked for: more
// are no categories.
const MostAlike = 1000

// Alike returns the groups of texts, by their places, that differ only in capitals, spaces
// and how accents are composed: "m", "m " and "M"; é as one character or as two.
func Alike(texts []string) (groups [][]int) {
	if len(texts) > MostAlike {
		return nil
	}
	first := make(map[string]int, len(texts)) // by spelling, the place in groups
	for i, text := range texts {
		spelled := strings.Join(strings.Fields(strings.ToLower(norm.NFC.String(text))), " ")
		at, seen := first[spelled]
		if !seen {
			at = len(groups)
			first[spelled], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	several := groups[:0]
	for _, group := range groups {
		if len(group) > 1 {
			several = append(several, group)
		}
	}
	return several
}
