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

// Edges are the ends of intervals [Edges[i], Edges[i+1]) of different widths, in ascending order.
type Edges []float64

// LogEdges returns at most most intervals, but at least two, that contain all numbers from low to high. Their ends
// are 0 and, on both sides of it, 1, 2 and 5 times powers of ten, so that skewed distributions are spread over
// them and the ends are not values of the data. It returns nil if both numbers are 0, or if an end would overflow.
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
			inner = 0 // numbers close to 0 share an interval
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

// Label returns the label of an interval, as Bins.Label does.
func (e Edges) Label(interval int) string {
	spelled := func(x float64) string { return wording.Thousands(strconv.FormatFloat(x, 'f', -1, 64)) }
	return spelled(e[interval]) + " to <" + spelled(e[interval+1])
}

// Count returns the number of records in each interval. It returns the error of ctx, if any.
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
