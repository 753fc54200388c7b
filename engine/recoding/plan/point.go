package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Point is a plan of a frontier: recodes, and what suppression still takes after
// them.
type Point struct {
	Lost    float64       // detail lost by the recodes, in bits: the sum over the key variables
	Cells   int           // that suppression blanks after them
	Bound   *int          // no suppression after these recodes can do with fewer; nil: not known
	Records int           // that lose a cell
	Blanked method.Counts // cells by key variable
	Steps   []Step        // the recodes, and the suppression where it blanks a cell
	Recodes int           // how many of the steps are recodes, the first ones

	Variables []Recoded // those that are recoded, in the order of the key variables

	name string
}

// Recoded is a variable that a plan recodes.
type Recoded struct {
	Variable      string
	Before, After int // categories that records have
	Lost          float64
}

// undominated returns the points that no other dominates, in order of detail
// lost; of equal ones that with fewer steps.
func undominated(points []*Point) []*Point {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b *Point) int {
		return cmp.Or(cmp.Compare(a.Lost, b.Lost), cmp.Compare(a.Cells, b.Cells), cmp.Compare(len(a.Steps), len(b.Steps)),
			strings.Compare(a.name, b.name))
	})
	var kept []*Point
	for _, p := range sorted {
		if len(kept) == 0 || p.Cells < kept[len(kept)-1].Cells {
			kept = append(kept, p)
		}
	}
	return kept
}
