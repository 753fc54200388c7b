package inference

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// target is what to infer: the suppressed cells of a key variable, or the source categories that a recode merged.
type target struct {
	variable string
	recoded  bool
	known    bool // the original is available to verify claims about suppressed cells
	cells    rowCells
	// categories is the number of categories, which are numbered from 1. A cell is 0 if there is nothing to learn
	// from it, else its category. A suppressed cell is categories + 1 + its true category, which is 0 if it is
	// unknown or is not a category that others have.
	categories uint32
	class      []uint32 // per category: the released category that includes it; nil for suppressed cells
	weights    []int    // records per row; nil: 1
	counts     []int    // records by cell
	modes      []leader // most frequent categories of all records, by class
	gone       []uint32 // rows whose cells are suppressed
}

// classOf returns the class of a category. The class of suppressed cells is 0.
func (t *target) classOf(category uint32) uint32 {
	if t.class == nil {
		return 0
	}
	return t.class[category]
}

// category returns the category of a cell, or the true category of a suppressed cell.
func (t *target) category(cell uint32) (category uint32, suppressed bool) {
	if cell > t.categories {
		return cell - t.categories - 1, true
	}
	return cell, false
}

// mode returns the leader over all records of a category's class.
func (t *target) mode(category uint32, suppressed bool) leader {
	if suppressed {
		return t.modes[0]
	}
	return t.modes[t.classOf(category)]
}

// records returns the number of records of a row.
func (t *target) records(row uint32) int {
	if t.weights == nil {
		return 1
	}
	return t.weights[row]
}

// visibleCells is what the rows show: their cells, and whether each rival is right, in the bits below rivalBits.
type visibleCells struct {
	of    rowCells
	shift uint // shift of the numbers in of; rivalBits if they are cells
}

// at returns what a row shows.
func (s visibleCells) at(row uint32) uint32 { return s.of.at(row) << s.shift }

// plain returns a showing of the cells without bits of rivals.
func (t *target) plain() visibleCells { return visibleCells{t.cells, rivalBits} }

// marked returns a copy of the cells in which bits of rivals can be set.
func (t *target) marked() visibleCells {
	marked := make([]uint32, t.cells.len())
	for row := range marked {
		marked[row] = t.cells.at(uint32(row)) << rivalBits
	}
	return visibleCells{of: rowCells{wide: marked}}
}

// asked returns the number of cells to infer.
func (t *target) asked() (records int) {
	first := int(t.categories) + 1
	if t.recoded {
		first = 1
	}
	for _, n := range t.counts[first:] {
		records += n
	}
	return records
}

// completed computes the counts, modes and suppressed rows from the cells.
func (t *target) completed() *target {
	t.counts, t.gone = make([]int, 2*t.categories+2), nil
	for row := range t.cells.len() {
		cell := t.cells.at(uint32(row))
		t.counts[cell] += t.records(uint32(row))
		if cell > t.categories {
			t.gone = append(t.gone, uint32(row))
		}
	}
	t.modes = make([]leader, 1)
	if t.class != nil {
		t.modes = make([]leader, slices.Max(t.class)+1)
	}
	for category := uint32(1); category <= t.categories; category++ {
		if n := t.counts[category]; n > 0 {
			t.modes[t.classOf(category)].add(category, n)
		}
	}
	return t
}

// categoryPairs has the distinct pairs of original and released category of a record, numbered from 1 in file order.
type categoryPairs struct {
	rows    []uint32 // pair number of each row; 0: a category is missing
	pairs   [][2]uint32
	records []int
}

func joinedOf(ctx context.Context, now, before *microdata.Column) (*categoryPairs, error) {
	was, is := before.Categories(), now.Categories()
	j := &categoryPairs{rows: store.Make[uint32](now.Store(), now.Len()), pairs: make([][2]uint32, 1), records: make([]int, 1)}
	last := make([]uint32, len(was.Levels)+1) // last pair number of each original category
	numbers := map[[2]uint32]uint32{}
	for first, pairs := range microdata.Pairs(was.Codes, is.Codes) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, pair := range pairs {
			if pair[0] == 0 || pair[1] == 0 {
				continue
			}
			number := last[pair[0]]
			if j.pairs[number] != pair {
				known := false
				if number, known = numbers[pair]; !known {
					number = uint32(len(j.pairs))
					numbers[pair] = number
					j.pairs, j.records = append(j.pairs, pair), append(j.records, 0)
				}
				last[pair[0]] = number
			}
			j.rows[first+i] = number
			j.records[number] += now.RecordsAt(first + i)
		}
	}
	return j, nil
}

// truths returns, for each original category, what it is in the released file: what recodes made of it or, if that
// is unknown, the most frequent released category of its records. For a category that is not left it is the
// released category with the same name, or 0 if there is none.
func (j *categoryPairs) truths(is, was *microdata.Column) []uint32 {
	now, before := is.Categories(), was.Categories()
	if codes, ok := now.MadeOf(before); ok {
		return codes
	}
	became, same := make([]uint32, len(before.Levels)+1), microdata.SameLabels(before.Levels, now.Levels)
	most := make([]int, len(became))
	for number, pair := range j.pairs {
		if number > 0 && j.records[number] > most[pair[0]] {
			most[pair[0]], became[pair[0]] = j.records[number], pair[1]
		}
	}
	for code := range became {
		if became[code] == 0 {
			became[code] = same[code]
		}
	}
	return became
}

// recodedFrom returns the source categories that a recode merged as a target, in the order of the original. It
// returns nil if there are none, or if the values were perturbed.
func (j *categoryPairs) recodedFrom(now *microdata.Column) *target {
	parts := make([]int, len(now.Categories().Levels)+1)
	for _, pair := range j.pairs[1:] {
		parts[pair[1]]++
	}
	if slices.Max(parts) < 2 || now.Origin() != 0 {
		return nil
	}
	order := stat.InOrder(len(j.pairs))
	slices.SortFunc(order, func(a, b uint32) int { return slices.Compare(j.pairs[a][:], j.pairs[b][:]) })
	t := &target{variable: now.Name(), recoded: true, known: true, cells: rowCells{wide: j.rows}, weights: now.Multiplicity(),
		categories: uint32(len(j.pairs) - 1), class: make([]uint32, len(j.pairs))}
	cells := make([]uint32, len(j.pairs))
	for cell, number := range order {
		released := j.pairs[number][1]
		if t.class[cell] = released; parts[released] > 1 { // otherwise the category is unchanged
			cells[number] = uint32(cell)
		}
	}
	for row, number := range j.rows {
		j.rows[row] = cells[number]
	}
	return t.completed()
}

// suppressedFrom returns the missing cells that have a value in the original as a target, or nil if there are
// none. before and truths are nil if the original is unknown.
func suppressedFrom(ctx context.Context, now, before *microdata.Column, truths []uint32) (*target, error) {
	is := now.Categories()
	t := &target{variable: now.Name(), known: before != nil, categories: uint32(len(is.Levels)), weights: now.Multiplicity()}
	t.cells = newRowCells(now.Store(), now.Len(), 2*t.categories+1)
	was := is.Codes
	if before != nil {
		was = before.Categories().Codes
	}
	lost := false
	for first, cells := range is.Codes.Blocks() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, cell := range cells {
			row := first + i
			if cell == 0 && before == nil {
				cell, lost = t.categories+1, true
			} else if cell == 0 {
				if code := was.At(row); code > 0 {
					cell, lost = t.categories+1+truths[code], true
				}
			}
			t.cells.set(row, cell)
		}
	}
	if !lost {
		t.cells.free(now.Store())
		return nil, nil
	}
	return t.completed(), nil
}

// targetsOf returns the targets of a key variable.
func targetsOf(ctx context.Context, now, before *microdata.Column) (targets []*target, err error) {
	if before == now {
		return nil, nil
	}
	var truths []uint32
	var recoded *target
	if before != nil && now.OnlySuppressed() && now.Source() == before {
		truths, _ = now.Categories().MadeOf(before.Categories())
	}
	if before != nil && truths == nil {
		j, err := joinedOf(ctx, now, before)
		if err != nil {
			return nil, err
		}
		truths = j.truths(now, before)
		if recoded = j.recodedFrom(now); recoded == nil {
			store.Free(now.Store(), j.rows)
		}
	}
	suppressed, err := suppressedFrom(ctx, now, before, truths)
	for _, t := range []*target{suppressed, recoded} {
		if t != nil {
			targets = append(targets, t)
		}
	}
	return targets, err
}
