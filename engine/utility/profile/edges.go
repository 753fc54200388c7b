package profile

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Edges are the ends of intervals [Edges[i], Edges[i+1]) of different widths, ascending.
type Edges []float64

// LogEdges returns at most so many intervals, two or more, that hold all numbers from low to
// high. Their ends are 0 and 1, 2 and 5 times powers of ten on both sides of it: the
// numbers of a skewed distribution spread over them, and no end is a value of the data.
// It returns nil if both are 0, or if an end is beyond what a float64 can hold.
func LogEdges(low, high float64, most int) Edges {
	top := max(math.Abs(low), math.Abs(high))
	if !(top > 0) || math.IsInf(top, 0) {
		return nil
	}
	outer := 3 * int(math.Floor(math.Log10(top)))
	for end(outer) <= top {
		outer++
	}
	if math.IsInf(end(outer), 0) {
		return nil
	}
	if low < 0 && high >= 0 {
		most /= 2
	}
	edges := Edges{0}
	for left := max(most, 1) - 1; left >= 0; left-- {
		inner := end(outer - 1)
		if left == 0 {
			inner = 0 // the numbers next to 0 are together
		}
		if high >= inner {
			edges = append(edges, end(outer))
		}
		if low < -inner {
			edges = append(edges, -end(outer))
		}
		outer--
	}
	slices.Sort(edges)
	return edges
}

// end returns 1, 2 or 5 times a power of ten: 1 for 0, 2 for 1, 0.5 for -1.
func end(exponent int) float64 {
	third := ((exponent % 3) + 3) % 3
	value, _ := strconv.ParseFloat(fmt.Sprintf("%de%d", [...]int{1, 2, 5}[third], (exponent-third)/3), 64)
	return value
}

// Label returns what an interval is called, as that of Bins.
func (e Edges) Label(interval int) string {
	spelled := func(x float64) string { return wording.Thousands(strconv.FormatFloat(x, 'f', -1, 64)) }
	return spelled(e[interval]) + " to <" + spelled(e[interval+1])
}

// Count returns how many records have a number in each of the intervals. Errors: that of ctx.
func (e Edges) Count(ctx context.Context, column *microdata.Column) ([]int, error) {
	counts := make([]int, len(e)-1)
	each(ctx, column, func(row int, x float64) {
		above := sort.Search(len(e), func(i int) bool { return e[i] > x })
		if above > 0 && above < len(e) {
			counts[above-1] += column.RecordsAt(row)
		}
	})
	return counts, ctx.Err()
}
