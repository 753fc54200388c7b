package plan

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Point is a plan on the frontier: recodes, and the suppression needed after them.
type Point struct {
	Lost       float64       // information loss of the recodes in bits, summed over the key variables
	Violators  int           // records that violate k-anonymity after the recodes
	Cells      int           // cells to suppress after the recodes; not counted for single recodes
	Bound      *int          // lower bound of Cells for these recodes; nil: not known
	Records    int           // records that lose a cell
	Suppressed method.Counts // suppressed cells by key variable
	Recodes    []*Recode     // in key variable order
	Steps      []Step        // steps of the recodes, and the suppression if any

	state
}

// Worthwhile returns the points with recodes in descending order of the violators that they remove times the share
// of the detail of their variables that they keep. A recode that removes hardly any violator has a low value even
// if it loses very little, and so has a recode that keeps hardly any detail.
func (f *Result) Worthwhile() []*Point {
	worth := func(p *Point) float64 {
		detail := 0.0
		for _, r := range p.Recodes {
			detail += r.Detail
		}
		return float64(f.Frontier[0].Violators-p.Violators) * (1 - p.Lost/detail)
	}
	best := slices.DeleteFunc(slices.Clone(f.Frontier), func(p *Point) bool { return len(p.Recodes) == 0 })
	slices.SortStableFunc(best, func(a, b *Point) int { return cmp.Compare(worth(b), worth(a)) })
	return best
}

// state is a combination of recodes.
type state struct {
	recodes   []int // index of the recode of each variable
	name      string
	removed   int // number of removed variables
	lost      float64
	violators int
	expanded  bool
}

// before orders states: those that remove fewer variables first, then by information loss.
func (s *state) before(other *state) int {
	return cmp.Or(cmp.Compare(s.removed, other.removed), cmp.Compare(s.lost, other.lost))
}

// undominated returns the elements that no other with as many or fewer removed variables dominates, sorted. An
// element that removes variables is kept only if it is better than every one that removes fewer. of returns the
// state and the count to minimise.
func undominated[T interface{ *state | *Point }](all []T, of func(T) (*state, int)) []T {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b T) int {
		x, risk := of(a)
		y, other := of(b)
		return cmp.Or(x.before(y), cmp.Compare(risk, other), strings.Compare(x.name, y.name))
	})
	least := math.MaxInt
	return slices.DeleteFunc(sorted, func(one T) bool {
		_, risk := of(one)
		dominated := risk >= least
		least = min(least, risk)
		return dominated
	})
}

// spot is the position of a plan in the plane used to spread plans. Both axes range from 0 to 1. Counts are the
// mean of a linear and a logarithmic scale, so that low counts are distinguished as well as high ones.
type spot struct{ x, y float64 }

func (a spot) distance(b spot) float64 { return math.Abs(a.x-b.x) + math.Abs(a.y-b.y) }

// spots returns the spots of undominated elements.
func spots[T any](all []T, of func(T) (*state, int)) []spot {
	most, out := spot{}, make([]spot, len(all))
	for i, one := range all {
		s, risk := of(one)
		out[i] = spot{s.lost, float64(risk)}
		most = spot{max(most.x, s.lost), max(most.y, float64(risk))}
	}
	for i, at := range out {
		out[i] = spot{at.x / cmp.Or(most.x, 1), 0.5*(at.y/cmp.Or(most.y, 1)) + 0.5*(math.Log1p(at.y)/cmp.Or(math.Log1p(most.y), 1))}
	}
	return out
}

// waiting returns up to n states of an archive that are not expanded: the last one, and those in the widest gaps
// between their neighbours.
func waiting(archive []*state, n int) []*state {
	at, areas := spots(archive, byViolators), map[*state]float64{}
	var open []*state
	for i, s := range archive {
		if s.expanded {
			continue
		}
		a, b := at[max(0, i-1)], at[min(len(at)-1, i+1)]
		open, areas[s] = append(open, s), math.Abs(float64((b.x-a.x)*(a.y-b.y)))+float64(1e-9*a.distance(b))
		if i == len(archive)-1 {
			areas[s] = math.Inf(1)
		}
	}
	slices.SortStableFunc(open, func(a, b *state) int { return cmp.Compare(areas[b], areas[a]) })
	return open[:min(n, len(open))]
}

func byViolators(s *state) (*state, int) { return s, s.violators }

func byCells(p *Point) (*state, int) { return &p.state, p.Cells }

// spread returns, in ascending order, the indices of well-separated spots: the first, the last, the known ones
// and, up to n in total, those farthest from the ones already chosen.
func spread(spots []spot, known []int, n int) []int {
	nearest := slices.Repeat([]float64{math.Inf(1)}, len(spots))
	var chosen []int
	take := func(place int) {
		chosen = append(chosen, place)
		for i := range spots {
			nearest[i] = min(nearest[i], spots[i].distance(spots[place]))
		}
	}
	for _, place := range append([]int{0, len(spots) - 1}, known...) {
		if !slices.Contains(chosen, place) {
			take(place)
		}
	}
	for len(chosen) < n {
		farthest := slices.Index(nearest, slices.Max(nearest))
		if nearest[farthest] == 0 {
			break
		}
		take(farthest)
	}
	slices.Sort(chosen)
	return chosen
}
