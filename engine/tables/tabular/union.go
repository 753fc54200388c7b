package tabular

import (
	"fmt"
	"math/rand/v2"
)

// Union has the cells of several tables of the same data, each once: tables share the cells whose codes are the same,
// apart from totals.
type Union struct {
	Tables []*Table
	Places [][]int32 // per table and cell: the cell of the union
	Homes  []Home    // per cell of the union
	Codes  []Codes   // per table
}

// Home is the first table that has a cell of a union, and the cell there.
type Home struct{ Table, Cell int }

// Unite returns the union of tables.
func Unite(tables ...*Table) *Union {
	u := &Union{Tables: tables, Codes: codesOf(tables)}
	keys, numbers := keyring{map[string]uint64{}, rand.New(rand.NewPCG(7, 8))}, map[uint64]int32{}
	for number, t := range tables {
		of := keys.of(t, u.Codes[number])
		places := make([]int32, len(t.Cells))
		for cell := range places {
			key := uint64(0)
			for d := range t.Trees {
				key += of[d][t.Node(cell, d)]
			}
			at, known := numbers[key]
			if !known {
				at = int32(len(u.Homes))
				u.Homes = append(u.Homes, Home{number, cell})
				if len(tables) > 1 {
					numbers[key] = at
				}
			}
			places[cell] = at
		}
		u.Places = append(u.Places, places)
	}
	return u
}

// keyring gives each sum of codes a random number.
type keyring struct {
	numbers map[string]uint64
	random  *rand.Rand
}

// of returns a number for each tree and node of a table, 0 for the total: nodes that are the same sum of codes have the same one,
// but not a node and its only child.
func (k *keyring) of(t *Table, codes Codes) [][]uint64 {
	keys := make([][]uint64, len(t.Trees))
	for d, tree := range t.Trees {
		keys[d] = make([]uint64, len(tree.Nodes))
		only := make([]string, len(tree.Nodes)) // of which node it is the only child, and so on
		for node := 1; node < len(tree.Nodes); node++ {
			if parent := tree.Nodes[node].Parent; len(tree.Nodes[parent].Children) == 1 {
				only[node] = only[parent] + tree.Variable
			}
			name := fmt.Sprint(codes[d][node], only[node])
			if _, known := k.numbers[name]; !known {
				k.numbers[name] = k.random.Uint64()
			}
			keys[d][node] = k.numbers[name]
		}
	}
	return keys
}

// Len returns the number of cells.
func (u *Union) Len() int { return len(u.Homes) }

// At returns a cell as its first table has it.
func (u *Union) At(cell int) *Cell {
	home := u.Homes[cell]
	return &u.Tables[home.Table].Cells[home.Cell]
}

// Equations returns those of all tables, one table after the other, and the number of them up to each table.
func (u *Union) Equations() (all *Equations, ends []int) {
	all = &Equations{}
	var equation []int32
	for number, t := range u.Tables {
		own := t.Equations()
		for i := range own.Len() {
			equation = equation[:0]
			for _, cell := range own.At(i) {
				equation = append(equation, u.Places[number][cell])
			}
			all.Append(equation...)
		}
		ends = append(ends, all.Len())
	}
	return all, ends
}

// Contributors returns for each cell a number that it shares with the cells that are the sum of the same inner cells; 0
// for a cell that is the sum of none. Only inner cells for which counts reports true are considered.
func (u *Union) Contributors(counts func(cell int) bool) []int32 {
	same := make([]int32, u.Len()) // a cell with the same contributors, itself at the end of a chain
	for cell := range same {
		same[cell] = int32(cell)
	}
	find := func(cell int32) int32 {
		for same[cell] != cell {
			same[cell] = same[same[cell]]
			cell = same[cell]
		}
		return cell
	}
	some := make([]bool, u.Len())
	for number, t := range u.Tables {
		first := map[uint64]int32{}
		for cell, sum := range t.sums(func(inner int) bool { return counts(int(u.Places[number][inner])) }) {
			if sum == 0 {
				continue
			}
			at := u.Places[number][cell]
			some[at] = true
			if other, known := first[sum]; known {
				a, b := find(at), find(other)
				same[max(a, b)] = min(a, b)
			} else {
				first[sum] = at
			}
		}
	}
	for cell := range same {
		if root := find(int32(cell)); some[cell] {
			same[cell] = root
		}
	}
	for cell := range same {
		if same[cell]++; !some[cell] {
			same[cell] = 0
		}
	}
	return same
}

// sums adds up a random number of each inner cell for which counts reports true: cells that are the sum of the same ones
// have the same number, and those of none have 0.
func (t *Table) sums(counts func(inner int) bool) []uint64 {
	random, sums := rand.New(rand.NewPCG(5, 6)), make([]uint64, len(t.Cells))
	for at := range t.Cells {
		if t.Inner(at) && counts(at) {
			number := random.Uint64()
			t.above(at, 0, func(cell int) { sums[cell] += number })
		}
	}
	return sums
}

// Nonempty returns of how many inner cells with contributors each cell is the sum, at least, by the tables that are known.
func (u *Union) Nonempty(known func(table int) bool) []float64 {
	most := make([]float64, u.Len())
	for number, t := range u.Tables {
		if !known(number) {
			continue
		}
		sums := make([]float64, len(t.Cells))
		for at := range t.Cells {
			if t.Inner(at) && t.Cells[at].N > 0 {
				t.above(at, 0, func(cell int) { sums[cell]++ })
			}
		}
		for cell, at := range u.Places[number] {
			most[at] = max(most[at], sums[cell])
		}
	}
	return most
}
