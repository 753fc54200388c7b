package plan

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// member is a combination of groupings that was tried.
type member struct {
	state     []int // per variable the number of its grouping
	name      string
	lost      float64
	violators int
	recoded   int // variables that are recoded
	expanded  bool
	excess    float64 // violators by those of the archive for the same detail, when the reserve was sorted
}

// nameOf names a list of numbers.
func nameOf[T int | uint32](numbers []T) []byte {
	text := make([]byte, 0, 3*len(numbers))
	for _, n := range numbers {
		text = append(text, byte(n), byte(n>>8), byte(n>>16))
	}
	return text
}

// before orders members by detail lost, then by violators; of equal ones that with
// fewer recodes comes first.
func before(a, b *member) int {
	return cmp.Or(cmp.Compare(a.lost, b.lost), cmp.Compare(a.violators, b.violators), cmp.Compare(a.recoded, b.recoded),
		strings.Compare(a.name, b.name))
}

// add puts members into an archive, from which whatever is dominated is left out:
// what remains ascends in detail lost and descends in violators.
func add(archive, found []*member) []*member {
	archive = append(archive, found...)
	slices.SortFunc(archive, before)
	fewest := math.MaxInt
	return slices.DeleteFunc(archive, func(m *member) bool {
		dominated := m.violators >= fewest
		fewest = min(fewest, m.violators)
		return dominated
	})
}

// spot is a place in the plane in which plans are spread: both axes from 0 to 1,
// counts half as they are and half by their logarithm, so that few are told
// apart as well as many.
type spot struct{ x, y float64 }

// scale gives spots.
type scale struct{ lost, count float64 }

func (s scale) spot(lost float64, count int) spot {
	out := spot{}
	if s.lost > 0 {
		out.x = lost / s.lost
	}
	if s.count > 0 {
		out.y = 0.5*(float64(count)/s.count) + 0.5*(math.Log1p(float64(count))/math.Log1p(s.count))
	}
	return out
}

func (a spot) distance(b spot) float64 { return math.Abs(a.x-b.x) + math.Abs(a.y-b.y) }

// spots returns the spots of the members of an archive.
func spots(archive []*member) []spot {
	s := scale{archive[len(archive)-1].lost, float64(archive[0].violators)}
	out := make([]spot, len(archive))
	for i, m := range archive {
		out[i] = s.spot(m.lost, m.violators)
	}
	return out
}

// waiting returns up to n members of an archive that were not expanded, those
// first that stand in the widest gaps between their neighbours.
func waiting(archive []*member, n int) []*member {
	at, areas := spots(archive), map[*member]float64{}
	var open []*member
	for i, m := range archive {
		if m.expanded {
			continue
		}
		a, b := at[max(0, i-1)], at[min(len(at)-1, i+1)]
		open, areas[m] = append(open, m), float64((b.x-a.x)*(a.y-b.y))+float64(1e-9*a.distance(b))
	}
	slices.SortStableFunc(open, func(a, b *member) int { return cmp.Compare(areas[b], areas[a]) })
	return open[:min(n, len(open))]
}

// spread returns the numbers, ascending, of spots that are far from each other: those
// known, the first and the last, and up to n with the farthest from those chosen.
func spread(spots []spot, known []int, n int) []int {
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
