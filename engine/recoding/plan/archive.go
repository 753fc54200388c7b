package plan

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// member is a combination of groupings that was estimated.
type member struct {
	state []int // per variable the number of its grouping
	name  string
	lost  float64
	cells int     // estimated
	each  float64 // by violator

	violators int
	second    float64 // see estimate
	settled   bool    // second was counted for it; else it is that of the member it was reached from
	recoded   int     // variables that are recoded
	expanded  bool
}

// nameOf names a list of numbers.
func nameOf[T int | uint32](numbers []T) []byte {
	text := make([]byte, 0, 3*len(numbers))
	for _, n := range numbers {
		text = append(text, byte(n), byte(n>>8), byte(n>>16))
	}
	return text
}

// before orders members by detail lost, then by cells; of equal ones that with
// fewer recodes comes first.
func before(a, b *member) int {
	return cmp.Or(cmp.Compare(a.lost, b.lost), cmp.Compare(a.cells, b.cells), cmp.Compare(a.recoded, b.recoded),
		strings.Compare(a.name, b.name))
}

// Boxes are the parts into which the axis of detail lost is cut: an archive has one
// member of each, which keeps it from filling up with what is all but equal. There
// are few at first, so that the search soon comes everywhere, and twice as many in
// each round that follows.
const (
	firstBoxes = 48
	mostBoxes  = 384
)

// axis is that of detail lost.
type axis struct {
	lost  float64 // what all of it stands for
	boxes int
}

func (a axis) box(lost float64) int {
	if a.lost <= 0 {
		return 0
	}
	return int(lost / a.lost * float64(a.boxes))
}

// add puts members into an archive, from which whatever is dominated is left out:
// what remains ascends in detail lost and descends in cells. Of those in one box of
// the axis that with fewest cells stays; the first of all members stays too.
func add(archive, found []*member, a axis) []*member {
	archive = append(archive, found...)
	slices.SortFunc(archive, before)
	fewest, kept := math.MaxInt, archive[:0]
	for _, m := range archive {
		if m.cells >= fewest {
			continue
		}
		fewest = m.cells
		if last := len(kept) - 1; last > 0 && a.box(kept[last].lost) == a.box(m.lost) {
			kept[last] = m
			continue
		}
		kept = append(kept, m)
	}
	clear(archive[len(kept):])
	return kept
}

// spot is a place in the plane in which points are spread: both axes from 0 to 1,
// cells half as they are and half by their logarithm, so that few cells are told
// apart as well as many.
type spot struct{ x, y float64 }

// scale gives spots.
type scale struct{ lost, cells float64 }

func (s scale) spot(lost float64, cells int) spot {
	out := spot{}
	if s.lost > 0 {
		out.x = lost / s.lost
	}
	if s.cells > 0 {
		out.y = 0.5*(float64(cells)/s.cells) + 0.5*(math.Log1p(float64(cells))/math.Log1p(s.cells))
	}
	return out
}

func (a spot) distance(b spot) float64 { return math.Abs(a.x-b.x) + math.Abs(a.y-b.y) }

// corner is a point of the plane of detail lost and cells.
type corner struct {
	lost  float64
	cells int
}

func (m *member) corner() corner { return corner{m.lost, m.cells} }

// near returns those of some plans, in order of detail lost, that are near the hull.
func near[T any](all []T, at func(T) corner) (near []T) {
	corners := make([]corner, len(all))
	for i, one := range all {
		corners[i] = at(one)
	}
	for i, is := range nearHull(corners) {
		if is {
			near = append(near, all[i])
		}
	}
	return near
}

// nearHull reports which of some corners, in order of detail lost, lie on the
// lower convex hull of all, or not far above it: the others are worth little, since
// next to them the same detail saves many more cells.
func nearHull(corners []corner) []bool {
	var hull []corner
	for _, c := range corners {
		for len(hull) > 1 {
			a, b := hull[len(hull)-2], hull[len(hull)-1]
			if float64((b.lost-a.lost)*float64(c.cells-a.cells)) > float64((c.lost-a.lost)*float64(b.cells-a.cells)) {
				break
			}
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, c)
	}
	above := make([]float64, len(corners)) // the part by which it lies above the hull
	at := 0
	for i, c := range corners {
		for at+1 < len(hull)-1 && hull[at+1].lost <= c.lost {
			at++
		}
		least := float64(hull[at].cells)
		if at+1 < len(hull) && c.lost > hull[at].lost {
			b := hull[at+1]
			least += float64(float64(b.cells-hull[at].cells) * ((c.lost - hull[at].lost) / (b.lost - hull[at].lost)))
		}
		above[i] = (float64(c.cells) - 1 - least) / (1 + least)
	}
	near := make([]bool, len(corners))
	last := 0
	for i := range corners {
		if near[i] = above[i] <= farFromHull; !near[i] {
			continue
		}
		for j := last + 1; j < i && corners[i].lost-corners[last].lost > wideGap*corners[len(corners)-1].lost; j++ {
			near[j] = above[j] <= 4*farFromHull
		}
		last = i
	}
	return near
}

// The part by which a point may lie above the hull, four times that in gaps that
// are wider than a part of the axis.
const (
	farFromHull = 0.04
	wideGap     = 0.1
)

// waiting returns up to n members of an archive that were not expanded, those
// first that stand in the widest gaps between their neighbours: half of them near
// the hull, the others anywhere.
func waiting(archive []*member, s scale, n int) []*member {
	near, areas := near(archive, (*member).corner), map[*member]float64{}
	var open []*member
	for i, m := range archive {
		if m.expanded {
			continue
		}
		last, next := archive[max(0, i-1)], archive[min(len(archive)-1, i+1)]
		a, b := s.spot(last.lost, last.cells), s.spot(next.lost, next.cells)
		open, areas[m] = append(open, m), float64((b.x-a.x)*(a.y-b.y))+float64(1e-9*a.distance(b))
	}
	slices.SortStableFunc(open, func(a, b *member) int { return cmp.Compare(areas[b], areas[a]) })
	out := make([]*member, 0, n)
	for _, m := range open {
		if len(out) < n/2 && slices.Contains(near, m) {
			out = append(out, m)
		}
	}
	for _, m := range open {
		if len(out) < n && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// spread returns the numbers, ascending, of spots that are far from each other: those
// known, the first and the last, and up to n with the farthest from those chosen.
func spread(spots []spot, known []int, n int) []int {
	if len(spots) <= n {
		all := make([]int, len(spots))
		for i := range all {
			all[i] = i
		}
		return all
	}
	nearest := make([]float64, len(spots))
	for i := range nearest {
		nearest[i] = math.Inf(1)
	}
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
		farthest := 0
		for i := range nearest {
			if nearest[i] > nearest[farthest] {
				farthest = i
			}
		}
		if nearest[farthest] == 0 {
			break
		}
		take(farthest)
	}
	slices.Sort(chosen)
	return chosen
}
