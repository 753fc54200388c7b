package inference

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// target is what is to be inferred: the suppressed cells of a key variable, or the source
// categories that a recode joined.
type target struct {
	variable string
	recoded  bool
	known    bool // the original reveals whether a claim on a suppressed cell is right
	cells    []uint32
	// categories are numbered from 1. A cell is 0 where there is nothing to learn, else the
	// category, or of a suppressed one categories + 1 + what is true of it, which is 0 where
	// that is not known or is no category that others have.
	categories uint32
	class      []uint32 // of each category the released one of which it is a part; of suppressed cells nil
	weights    []int    // records of each row; nil: 1
	counts     []int    // records by cell
	modes      []leader // of all records, by class
	gone       []uint32 // the rows whose cells are suppressed
}

// classOf returns the class of a category; 0 is that of suppressed cells.
func (t *target) classOf(category uint32) uint32 {
	if t.class == nil {
		return 0
	}
	return t.class[category]
}

// category returns the category of a cell, or of a suppressed one what is true of it.
func (t *target) category(cell uint32) (category uint32, suppressed bool) {
	if cell > t.categories {
		return cell - t.categories - 1, true
	}
	return cell, false
}

// mode returns the leader of all records of the class of a category.
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

// showing says what rows show: their cells, and of each rival whether it is right, by the bits below rivalBits.
type showing struct {
	of    []uint32
	shift uint // of the numbers in of; rivalBits where they are cells
}

// at returns what a row shows.
func (s showing) at(row uint32) uint32 { return s.of[row] << s.shift }

// plain are the cells, with no bit of a rival.
func (t *target) plain() showing { return showing{t.cells, rivalBits} }

// marked are the cells in memory of their own, where bits can be set.
func (t *target) marked() showing {
	s := showing{of: make([]uint32, len(t.cells))}
	for row, cell := range t.cells {
		s.of[row] = cell << rivalBits
	}
	return s
}

// asked returns how many cells are to be inferred.
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

// completed counts the cells.
func (t *target) completed() *target {
	t.counts, t.gone = make([]int, 2*t.categories+2), nil
	for row, cell := range t.cells {
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

// joined are the pairs of an original and a released category of one record that occur,
// numbered from 1 in the order of the file.
type joined struct {
	rows    []uint32 // the pair of each row; 0: one of both is missing
	pairs   [][2]uint32
	records []int
}

func joinedOf(ctx context.Context, now, before *microdata.Column) (*joined, error) {
	was, is := before.Categories(), now.Categories()
	j := &joined{rows: store.Make[uint32](now.Store(), now.Len()), pairs: make([][2]uint32, 1), records: make([]int, 1)}
	last := make([]uint32, len(was.Levels)+1) // the pair that an original category had last
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

// truths returns by original category what it is in the released file: what recodes made of
// it or, if that is not known, what most of its records have become; of one that is not left
// there its name, 0 if that is none.
func (j *joined) truths(is, was *microdata.Column) []uint32 {
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

// recodedFrom returns the source categories that a recode joined as a target, in the order
// of the original; nil where there are none, or the values are not those of the source any
// more.
func (j *joined) recodedFrom(now *microdata.Column) *target {
	parts := make([]int, len(now.Categories().Levels)+1)
	for _, pair := range j.pairs[1:] {
		parts[pair[1]]++
	}
	if slices.Max(parts) < 2 || now.Origin() != 0 {
		return nil
	}
	order := stat.InOrder(len(j.pairs))
	slices.SortFunc(order, func(a, b uint32) int { return slices.Compare(j.pairs[a][:], j.pairs[b][:]) })
	t := &target{variable: now.Name(), recoded: true, known: true, cells: j.rows, weights: now.Multiplicity(),
		categories: uint32(len(j.pairs) - 1), class: make([]uint32, len(j.pairs))}
	cells := make([]uint32, len(j.pairs))
	for cell, number := range order {
		released := j.pairs[number][1]
		if t.class[cell] = released; parts[released] > 1 { // else the category is as it was
			cells[number] = uint32(cell)
		}
	}
	for row, number := range t.cells {
		t.cells[row] = cells[number]
	}
	return t.completed()
}

// suppressedFrom returns the cells that are missing, of those that the original has; nil
// where there is none. before and truths nil: the original is not known.
func suppressedFrom(ctx context.Context, now, before *microdata.Column, truths []uint32) (*target, error) {
	is := now.Categories()
	t := &target{variable: now.Name(), known: before != nil, cells: store.Make[uint32](now.Store(), now.Len()),
		categories: uint32(len(is.Levels)), weights: now.Multiplicity()}
	is.Codes.Read(t.cells, 0)
	was := is.Codes
	if before != nil {
		was = before.Categories().Codes
	}
	lost := false
	for row, cell := range t.cells {
		if parallel.Stopped(ctx, row) {
			return nil, ctx.Err()
		}
		if cell > 0 {
			continue
		}
		if before == nil {
			t.cells[row], lost = t.categories+1, true
		} else if code := was.At(row); code > 0 {
			t.cells[row], lost = t.categories+1+truths[code], true
		}
	}
	if !lost {
		store.Free(now.Store(), t.cells)
		return nil, nil
	}
	return t.completed(), nil
}

// targetsOf returns what is to be inferred of a key variable.
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
