package secondary

import (
	"math/rand/v2"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/internal/modular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// basis writes each cell of a union of tables as a sum of independent ones: combinations of independent codes, which are
// called groups.
type basis struct {
	union  *tabular.Union
	tables []tableBasis
	groups int32
}

// tableBasis writes the cells of a table as sums of combinations, numbered from 0.
type tableBasis struct {
	nodes  [][][]entry // per tree and node: codes, numbered from 0 within the tree
	codes  [][]int32   // per tree and code: that of the union
	groups []int32     // per combination: that of the union; nil: the same
}

func newBasis(u *tabular.Union) *basis {
	b := &basis{union: u}
	for _, codes := range u.Codes {
		var t tableBasis
		for _, nodes := range codes {
			own, entries := ownCodes(nodes)
			t.codes, t.nodes = append(t.codes, own), append(t.nodes, entries)
		}
		b.tables = append(b.tables, t)
	}
	b.number()
	return b
}

// ownCodes numbers the codes that the nodes of a tree are sums of.
func ownCodes(nodes [][]tabular.Part) (codes []int32, entries [][]entry) {
	codes = []int32{0} // the total
	for _, parts := range nodes {
		for _, p := range parts {
			codes = append(codes, p.Code)
		}
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	for _, parts := range nodes {
		var of []entry
		for _, p := range parts {
			at, _ := slices.BinarySearch(codes, p.Code)
			of = append(of, entry{int32(at), p.Factor})
		}
		entries = append(entries, of)
	}
	return codes, entries
}

// number numbers the combinations of all tables, each once.
func (b *basis) number() {
	random, draws := rand.New(rand.NewPCG(9, 10)), map[int32]uint64{0: 0}
	known := map[uint64]int32{}
	for number := range b.tables {
		t := &b.tables[number]
		keys := []uint64{0}
		for _, codes := range t.codes {
			next := make([]uint64, 0, len(keys)*len(codes))
			for _, key := range keys {
				for _, code := range codes {
					if _, drawn := draws[code]; !drawn {
						draws[code] = random.Uint64()
					}
					next = append(next, key+draws[code])
				}
			}
			keys = next
		}
		if len(b.tables) == 1 {
			b.groups = int32(len(keys))
			return
		}
		for _, key := range keys {
			at, is := known[key]
			if !is {
				at = b.groups
				b.groups++
				known[key] = at
			}
			t.groups = append(t.groups, at)
		}
	}
}

// column returns the groups that a cell is the sum of, ascending.
func (b *basis) column(cell int) []entry {
	home := b.union.Homes[cell]
	table, t := b.union.Tables[home.Table], &b.tables[home.Table]
	sum := []entry{{0, modular.One}}
	for d, nodes := range t.nodes {
		of := nodes[table.Node(home.Cell, d)]
		next := make([]entry, 0, len(sum)*len(of))
		for _, x := range sum {
			for _, y := range of {
				next = append(next, entry{x.group*int32(len(t.codes[d])) + y.group, modular.Product(x.factor, y.factor)})
			}
		}
		sum = next
	}
	if t.groups != nil {
		for i := range sum {
			sum[i].group = t.groups[sum[i].group]
		}
		slices.SortFunc(sum, func(x, y entry) int { return int(x.group - y.group) })
	}
	return sum
}
