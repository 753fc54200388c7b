package streamed

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// member is a record of a household: where it stands, and what its household is told by, so short
// that those of all records can be held.
type member struct {
	id          [3]uint32 // the bits of its number, or the beginning of the digest of a text: no two of 10^9 have the same 96
	row, record uint32
}

// memberOf returns a record by the cell that tells its household.
func memberOf(cell []byte, row, record uint32) member {
	m, digest := member{row: row, record: record}, md5.Sum(cell)
	for part := range m.id {
		m.id[part] = binary.LittleEndian.Uint32(digest[4*part:])
	}
	return m
}

// memberNumbered is memberOf for a number.
func memberNumbered(number float64, row, record uint32) member {
	bits := math.Float64bits(number + 0) // of two zeros one
	return member{[3]uint32{uint32(bits), uint32(bits >> 32)}, row, record}
}

// Households returns the households that records with equal values of a variable form, by the rows where they
// stand after the steps; those without a value are one each. It reads the file once, and holds 20 bytes for each
// record. Errors are those of fileio.ReadPass, and ErrChanged.
func (r *Release) Households(ctx context.Context, variable string, meter *progress.Meter) (*microdata.Households, error) {
	members, _, err := r.members(ctx, variable, meter)
	if err != nil {
		return nil, err
	}
	return householdsOf(members, r.Data.Multiplicity())
}

// members reads the file once and returns the records that have a household, and those that are one each, by the rows
// where they stand after the steps.
func (r *Release) members(ctx context.Context, variable string, meter *progress.Meter) (members, alone []member, err error) {
	reading := *r
	if reading.Format.Columns = slices.Clone(r.By); !slices.Contains(r.By, variable) {
		reading.Format.Columns = append(reading.Format.Columns, variable)
	}
	members = make([]member, 0, r.Base.Records())
	err = reading.pass(ctx, nil, meter, func(_ context.Context, data *microdata.Dataset, p *fileio.Piece) (func() error, error) {
		column, _ := data.Column(variable)
		found, single := membersOf(column, p.Groups, p.First)
		return func() error { members, alone = append(members, found...), append(alone, single...); return nil }, nil
	})
	return members, alone, err
}

// membersOf returns the records of a piece that have a household, and those that have none, by the rows where they
// stand. first is the number of records before.
func membersOf(column *microdata.Column, rows []uint32, first int) (members, alone []member) {
	members = make([]member, 0, len(rows))
	var text []byte
	for i, row := range rows {
		record := uint32(first + i)
		switch {
		case column.Missing(i):
			alone = append(alone, member{row: row, record: record})
		case column.Numeric():
			members = append(members, memberNumbered(column.Float(i), row, record))
		default:
			text = column.AppendText(text[:0], i)
			members = append(members, memberOf(text, row, record))
		}
	}
	return members, alone
}

// eachHousehold sorts members, and calls visit with those of each household, in the order of their records.
func eachHousehold(members []member, visit func(of []member)) {
	slices.SortFunc(members, func(a, b member) int {
		for part := range a.id {
			if a.id[part] != b.id[part] {
				return cmp.Compare(a.id[part], b.id[part])
			}
		}
		return cmp.Compare(a.record, b.record)
	})
	for from, to := 0, 0; from < len(members); from = to {
		for to = from + 1; to < len(members) && members[to].id == members[from].id; to++ {
		}
		visit(members[from:to])
	}
}

// householdsOf gathers members, which it sorts, where rows stand for so many records.
func householdsOf(members []member, multiplicity []int) (*microdata.Households, error) {
	all, rows := &microdata.Compositions{}, []uint32(nil)
	eachHousehold(members, func(of []member) {
		rows = rows[:0]
		for _, m := range of {
			rows = append(rows, m.row)
		}
		all.Add(rows, 1)
	})
	households, err := all.Households(multiplicity)
	if errors.Is(err, microdata.ErrMultiplicity) {
		err = ErrChanged
	}
	return households, err
}
