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
	number uint64 // its bits, or the beginning of the digest of a text
	more   uint32 // of the digest: no two of 10^9 texts have the same 96 bits
	row    uint32
}

// Households returns the households that records with equal values of a variable form, by the rows where they
// stand after the steps; those without a value are one each. It reads the file once, and holds 16 bytes for each
// record. Errors are those of fileio.ReadPass, and ErrChanged.
func (r *Release) Households(ctx context.Context, variable string, meter *progress.Meter) (*microdata.Households, error) {
	reading := *r
	reading.Format.Columns = append(slices.Clone(r.By), variable)
	members := make([]member, 0, r.Base.Records())
	err := reading.pass(ctx, nil, meter, func(_ context.Context, data *microdata.Dataset, p *fileio.Piece) (func() error, error) {
		column, _ := data.Column(variable)
		found := membersOf(column, p.Groups)
		return func() error { members = append(members, found...); return nil }, nil
	})
	if err != nil {
		return nil, err
	}
	return householdsOf(members, r.Data.Multiplicity())
}

// membersOf returns the records of a piece that have a household, by the rows where they stand.
func membersOf(column *microdata.Column, rows []uint32) []member {
	members, text := make([]member, 0, len(rows)), []byte(nil)
	for record, row := range rows {
		switch m := (member{row: row}); {
		case column.Missing(record):
		case column.Numeric():
			m.number = math.Float64bits(column.Float(record) + 0) // of two zeros one
			members = append(members, m)
		default:
			text = column.AppendText(text[:0], record)
			digest := md5.Sum(text)
			m.number, m.more = binary.LittleEndian.Uint64(digest[:]), binary.LittleEndian.Uint32(digest[8:])
			members = append(members, m)
		}
	}
	return members
}

// householdsOf gathers members, which it sorts, where rows stand for so many records.
func householdsOf(members []member, multiplicity []uint32) (*microdata.Households, error) {
	slices.SortFunc(members, func(a, b member) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.more, b.more))
	})
	all, rows := &microdata.Compositions{}, []uint32(nil)
	for i, m := range members {
		rows = append(rows, m.row)
		if i+1 == len(members) || members[i+1].number != m.number || members[i+1].more != m.more {
			all.Add(rows, 1)
			rows = rows[:0]
		}
	}
	households, err := all.Households(multiplicity)
	if errors.Is(err, microdata.ErrMultiplicity) {
		err = ErrChanged
	}
	return households, err
}
