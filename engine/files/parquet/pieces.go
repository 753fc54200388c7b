package parquet

import "github.com/sdcdesk/sdcdesk/engine/files/statfile"

// stretch is some rows of a row group.
type stretch struct {
	group, start int // the row group, and its first row
	from, to     int // in it
}

func (s stretch) first() int { return s.start + s.from }

// mostOfGroup is the size in bytes up to which the rows of a row group are decoded together: those
// of one page have to be unpacked together.
const mostOfGroup = 32 << 20

// pieces returns the rows as they are gathered: all of them, or as many as are a piece.
func (r *reading) pieces(o *statfile.ReadOptions) [][]stretch {
	pieces := [][]stretch{nil}
	width := 8 * max(1, len(r.columns))
	each, gathered := o.PieceRows(width), 0
	for group, start := range r.starts {
		rows := min(int(r.groups[group].NumRows), r.rows-start)
		part := max(1, rows)
		if o.Each != nil && (rows*width > mostOfGroup || o.Piece > 0) {
			part = each
		}
		for from := 0; from == 0 || from < rows; from += part {
			s := stretch{group, start, from, min(from+part, rows)}
			if o.Each != nil && gathered > 0 && gathered+s.to-from > each {
				pieces, gathered = append(pieces, nil), 0
			}
			last := len(pieces) - 1
			pieces[last], gathered = append(pieces[last], s), gathered+s.to-from
		}
	}
	return pieces
}

func rowsOf(some []stretch) (rows int) {
	for _, s := range some {
		rows += s.to - s.from
	}
	return rows
}
