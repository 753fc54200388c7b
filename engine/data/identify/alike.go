package identify

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// MostAlike is the largest number of texts for which Alike is called: a variable with more distinct texts is not
// categorical.
const MostAlike = 1000

// Alike returns groups of texts, as indices, that differ only in case, spaces or Unicode composition: "m", "m "
// and "M"; é as one character or as two.
func Alike(texts []string) (groups [][]int) {
	if len(texts) > MostAlike {
		return nil
	}
	first := make(map[string]int, len(texts)) // spelling to index in groups
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
