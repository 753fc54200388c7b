package dbase

import (
	"bytes"
	"encoding/binary"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Tables of dBase II: a version, the number of records, the date of the last change, the length
// of a record, and from there descriptions of fields; all have the same room for them.
const (
	secondVersion   = 0x02
	secondFields    = 8
	secondFieldSize = 16
	secondData      = 521
)

// isSecond reports whether a file starts as tables of dBase II do.
func isSecond(head []byte) bool {
	return len(head) >= secondData && head[0] == secondVersion && head[3] >= 1 && head[3] <= 12 && head[4] >= 1 &&
		head[4] <= 31 && bytes.IndexByte([]byte("CNL"), head[secondFields+11]) >= 0
}

// readSecond is readHeader for tables of dBase II.
func readSecond(in *statfile.Source) (t *table, claimed int, err error) {
	head := in.Head()
	claimed = int(binary.LittleEndian.Uint16(head[1:]))
	t = &table{in: in, data: secondData, width: int(binary.LittleEndian.Uint16(head[6:]))}
	at := 1 // after the mark of a deleted record
	for place := secondFields; place+secondFieldSize < secondData && head[place] != endOfNames; place += secondFieldSize {
		described := make([]byte, headerSize) // as later versions do
		copy(described, head[place:place+12])
		described[16], described[17] = head[place+12], head[place+15]
		if described[11] == 'C' {
			described[17] = 0
		}
		f, kept := fieldOf(described, at)
		if at += f.width; kept {
			t.fields = append(t.fields, f)
		} else {
			t.memos = append(t.memos, f.name)
		}
	}
	return t.within(claimed, at)
}
