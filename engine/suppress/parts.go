package suppress

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// part is a number of records of one distinct key of a stratum that lose the
// same cells.
type part struct {
	key   uint32
	set   uint64 // the variables blanked, bit v for variable v
	count uint32
}

// parts says what a suppression does to the distinct keys of a stratum: keys
// ascend; records that no part names stay as they are.
type parts []part

// partsOf groups single cells by key and set of variables. The cells' records
// are numbered within the stratum.
func partsOf(s *stratum, cells []blankedCell) parts {
	sets := make(map[int]uint64)
	for _, cell := range cells {
		sets[cell.record] |= 1 << cell.variable
	}
	counts := make(map[part]uint32)
	for record, set := range sets {
		counts[part{key: s.keys[record], set: set}]++
	}
	grouped := make(parts, 0, len(counts))
	for p, count := range counts {
		p.count = count
		grouped = append(grouped, p)
	}
	slices.SortFunc(grouped, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.set, b.set))
	})
	return grouped
}

// blank hands the parts of each key to that key's records in file order. n is
// the number of records of the file.
func (p parts) blank(s *stratum, cells blanks, n int) {
	next := make([]int32, len(s.counts)) // place of the key's next part, plus one; 0 for none
	remaining := make([]uint32, len(p))
	for i := len(p) - 1; i >= 0; i-- {
		next[p[i].key] = int32(i + 1)
		remaining[i] = p[i].count
	}
	for record, key := range s.keys {
		i := int(next[key]) - 1
		if i < 0 {
			continue
		}
		for set := p[i].set; set != 0; set &= set - 1 {
			cells.set(s.record(record), bits.TrailingZeros64(set), n)
		}
		if remaining[i]--; remaining[i] > 0 {
			continue
		}
		next[key] = 0
		if i+1 < len(p) && p[i+1].key == key {
			next[key] = int32(i + 2)
		}
	}
}

// emptyAccount returns the account of a suppression of nothing.
func emptyAccount(names []string) *method.Suppression {
	s := &method.Suppression{Cells: make(method.Cells, len(names))}
	for v, name := range names {
		s.Cells[v].Variable = name
	}
	return s
}

// count adds the cells, their price and the records of the parts to an account.
func (p parts) count(to *method.Suppression, price []int) {
	for _, part := range p {
		to.Touched += int(part.count)
		for set := part.set; set != 0; set &= set - 1 {
			v := bits.TrailingZeros64(set)
			to.Cells[v].Count += int(part.count)
			to.Total += int(part.count)
			to.Price += price[v] * int(part.count)
		}
	}
}

// left counts the violators of k in the stratum after the suppression, under
// three rules, without touching a record: the table of the keys that come about
// is built from their numbers of records.
func (p parts) left(ctx context.Context, s *stratum, k int, alpha float64) (method.Left, error) {
	after, counts, err := p.table(ctx, s)
	if err != nil {
		return method.Left{}, err
	}
	var violators [3]int
	for i, rule := range []microdata.Rule{microdata.RuleDefault, microdata.RuleConservative, microdata.RuleOwnCategory} {
		frequencies, err := after.Frequencies(ctx, rule, alpha)
		if err != nil {
			return method.Left{}, err
		}
		for row, key := range after.RecordKeys() {
			if frequencies.Population[key] < float64(k)-tolerance {
				violators[i] += counts[row]
			}
		}
	}
	return method.Left{Default: violators[0], Conservative: violators[1], OwnCategory: violators[2]}, nil
}

// withUntouched returns the parts and behind them the records of the stratum
// that none names.
func (p parts) withUntouched(s *stratum) parts {
	untouched := slices.Clone(s.counts)
	for _, part := range p {
		untouched[part.key] -= part.count
	}
	rows := slices.Clone(p)
	for key, count := range untouched {
		if count > 0 {
			rows = append(rows, part{key: uint32(key), count: count})
		}
	}
	return rows
}

// table returns a key table with one record per part, the untouched remainders
// of keys among them, whose weight is the number of records it stands for. So
// what the table calls population is the stratum.
func (p parts) table(ctx context.Context, s *stratum) (after *keys.Table, counts []int, err error) {
	rows := p.withUntouched(s)
	columns := make([]*microdata.Column, len(s.codes))
	for v := range columns {
		columns[v] = rows.column(v, s.codes[v], s.levels[v])
	}
	weights := make([]float64, len(rows))
	counts = make([]int, len(rows))
	for row := range rows {
		counts[row] = int(rows[row].count)
		weights[row] = float64(counts[row])
	}
	after, err = keys.New(ctx, columns, weights)
	return after, counts, err
}

// column returns the codes of one variable after the suppression, one cell per
// part, with numbers for labels.
func (p parts) column(variable int, codes []uint32, levels int) *microdata.Column {
	categories := &microdata.Categories{Levels: make([]microdata.Level, levels), Codes: microdata.NewCodes(len(p), levels)}
	for i := range categories.Levels {
		categories.Levels[i].Label = strconv.Itoa(i + 1)
	}
	for row, part := range p {
		if part.set>>variable&1 == 0 {
			categories.Codes.Set(row, codes[part.key])
		}
	}
	return microdata.NewCategorical(strconv.Itoa(variable), microdata.Category, categories)
}
