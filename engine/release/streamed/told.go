package streamed

import (
	"encoding/binary"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Losing is how many of the records of a group lose a cell that the others keep, and how many have another value than
// most of these: the one that each drew. Each: every record has a number of its own, which is not looked for.
type Losing struct {
	Some, Others, Of int
	Each             bool
}

// Undecided says by variable of which of some records the group does not have one cell alike, by their places.
type Undecided map[string]map[int]Losing

// rowsOf returns the rows after some deals where the records of a group are: from the first to before the last.
func rowsOf(deals []*Deal, group uint32) (from, to uint32) {
	from, to = group, group+1
	for _, d := range deals {
		if d != nil {
			from, to = d.first[from], d.first[to]
		}
	}
	return from, to
}

// FirstRow returns the first row after the steps where records of a group are; Left: samples left all of them out.
func (r *Release) FirstRow(group uint32) uint32 {
	from, to := rowsOf(r.Deals, group)
	if from == to {
		return Left
	}
	return from
}

// Sampled is how many of the records of a group samples keep.
type Sampled struct{ Kept, Of int }

// Sampled returns it for some groups; nil where there is no sample.
func (r *Release) Sampled(groups []uint32) (out []Sampled) {
	if !slices.ContainsFunc(r.Deals, func(d *Deal) bool { return d.Sample() != nil }) {
		return nil
	}
	for _, group := range groups {
		one := Sampled{Of: int(r.Base.Multiplicity()[group])}
		from, to := rowsOf(r.Deals, group)
		for row := from; row < to; row++ {
			one.Kept += int(r.Data.Multiplicity()[row])
		}
		out = append(out, one)
	}
	return out
}

// Told returns records of some groups as they are released, as far as it is known of all records of a group alike, with
// what only some of them lose or draw: of these the cell is as it is in most where it stays. The records have the
// variables of the source; of groups that samples left out the cells that steps changed are missing.
func (r *Release) Told(data *microdata.Dataset, groups []uint32) (_ *microdata.Dataset, undecided Undecided, err error) {
	undecided = Undecided{}
	for _, c := range r.changes() {
		if c.masked != nil {
			of := map[int]Losing{}
			for record := range groups {
				of[record] = Losing{Each: true}
			}
			undecided[c.column.Name()] = of
		}
		if c.uncounted != nil || c.same {
			rows, _ := c.rows(data, nil)
			if data, err = c.make(data, rows); err != nil {
				return nil, nil, err
			}
			continue
		}
		rows, lost := make([]uint32, len(groups)), map[int]Losing{}
		for record, group := range groups {
			from, to := rowsOf(r.Deals, group)
			if from == to {
				rows[record] = Left
				continue
			}
			var part Losing
			if rows[record], part = losing(c.column, from, to); part.Some+part.Others > 0 && part.Some < part.Of {
				lost[record] = part
			}
		}
		if len(lost) > 0 {
			undecided[c.column.Name()] = lost
		}
		if data, err = c.make(data, rows); err != nil {
			return nil, nil, err
		}
	}
	data, err = Weighed(r.Deals, data)
	return data, undecided, err
}

// losing counts the cells of rows from one to before another, and returns the first of those that keep theirs with
// the value that most have.
func losing(column *microdata.Column, from, to uint32) (shown uint32, part Losing) {
	kept, codes := map[uint32]int{}, column.Categories().Codes
	for row := from; row < to; row++ {
		records := column.RecordsAt(int(row))
		if part.Of += records; column.Suppressed().Has(int(row)) {
			part.Some += records
			continue
		}
		kept[codes.At(int(row))] += records
	}
	shown, most := from, 0
	for row := from; row < to; row++ {
		if of := kept[codes.At(int(row))]; of > most && !column.Suppressed().Has(int(row)) {
			shown, most = row, of
		}
	}
	part.Others = part.Of - part.Some - most
	return shown, part
}

// GroupsOf returns the groups of records by the variables that groups go by, in data in which each variable is
// spelled as in the groups; the error is ErrChanged where there is no such group.
func (r *Release) GroupsOf(data *microdata.Dataset) ([]uint32, error) {
	wanted, of, codes := map[string][]int{}, make([][]uint32, len(r.By)), make([]microdata.Codes, len(r.By))
	groups, left := make([]uint32, data.Len()), data.Len()
	for i, name := range r.By {
		column, _ := data.Column(name)
		base, _ := r.Base.Column(name)
		levels := base.Categories()
		of[i], codes[i] = make([]uint32, data.Len()), levels.Codes
		for record := range of[i] {
			if !column.Missing(record) {
				var known bool
				if of[i][record], known = levels.CodeOf(column.Text(record)); !known {
					return nil, ErrChanged
				}
			}
		}
	}
	buffer := make([]byte, 4*len(r.By))
	key := func(code func(i int) uint32) []byte {
		for i := range r.By {
			binary.LittleEndian.PutUint32(buffer[4*i:], code(i))
		}
		return buffer
	}
	for record := range groups {
		k := string(key(func(i int) uint32 { return of[i][record] }))
		wanted[k] = append(wanted[k], record)
	}
	for group := 0; group < r.Base.Len() && left > 0; group++ {
		for _, record := range wanted[string(key(func(i int) uint32 { return codes[i].At(group) }))] {
			groups[record] = uint32(group)
			left--
		}
	}
	if left > 0 {
		return nil, ErrChanged
	}
	return groups, nil
}
