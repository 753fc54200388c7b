package inference

import (
	"math/rand/v2"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// The claims of groups about suppressed cells equal a count of all rows, even if counting stops early because no
// group can make a claim, or if only groups with a suppressed cell are collected.
func TestClaimsAgainstCountingAllRows(t *testing.T) {
	const rows, categories = 40_000, 4
	claimed, stopped := 0, 0
	for _, levels := range []int{3, 40, 20_000} {
		for agree := 50; agree <= 100; agree += 5 { // percent
			random := rand.New(rand.NewPCG(uint64(levels), uint64(agree)))
			codes := make([]uint32, rows)
			of := &target{variable: "x", known: true, categories: categories, cells: newRowCells(nil, rows, 2*categories+1)}
			for row := range codes {
				codes[row] = uint32(random.IntN(levels + 1))
				cell := 1 + codes[row]%categories
				if random.IntN(100) >= agree {
					cell = uint32(1 + random.IntN(categories))
				}
				switch of.cells.set(row, cell); random.IntN(30) {
				case 0:
					of.cells.set(row, 0)
				case 1:
					of.cells.set(row, categories+1+cell)
				}
			}
			of.completed()
			counts := make([]int, levels+1)
			for _, code := range codes {
				counts[code]++
			}
			p := newPartition(microdata.CodesOf(codes), levels, []*target{of})
			p.counts = counts
			o := &trial{target: of}
			some, err := o.claim(t.Context(), p, leastOthers)
			if err != nil {
				t.Fatal(err)
			}
			if counted, done := p.cells[of]; done && len(counted) == 0 {
				stopped++
			}
			any := false
			for level, want := range claimsOf(of, codes, levels) {
				if got := o.byLevel[level]; got.sure != want.sure || want.sure != silent && got.of != want.of {
					t.Fatalf("%d levels, %d %%: level %d claims %+v, want %+v", levels, agree, level, got, want)
				}
				any = any || want.sure != silent
			}
			if any != some {
				t.Errorf("%d levels, %d %%: some %v, want %v", levels, agree, some, any)
			}
			if any {
				claimed++
			}
		}
	}
	if claimed == 0 || stopped == 0 {
		t.Errorf("%d files with claims, %d counted in part", claimed, stopped)
	}
}

// claimsOf counts all rows. It omits levels without suppressed cells.
func claimsOf(of *target, codes []uint32, levels int) map[uint32]claim {
	counts, suppressed := make([][]int, levels+1), map[uint32]bool{}
	for row, code := range codes {
		if counts[code] == nil {
			counts[code] = make([]int, of.categories+1)
		}
		if cell := of.cells.at(uint32(row)); cell > of.categories {
			suppressed[code] = code > 0
		} else {
			counts[code][cell]++
		}
	}
	claims := map[uint32]claim{}
	for code, some := range suppressed {
		all, most := 0, 0
		for category, n := range counts[code][1:] {
			if all += n; n > counts[code][most] || most == 0 {
				most = category + 1
			}
		}
		top := counts[code][most]
		switch {
		case !some || all < leastOthers || float64(top) < probableShare*float64(all):
			claims[code] = claim{}
		case top == all:
			claims[code] = claim{exactly, uint32(most)}
		default:
			claims[code] = claim{probably, uint32(most)}
		}
	}
	return claims
}
