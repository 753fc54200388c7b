package stata

import (
	"encoding/binary"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// readLabels reads the value label tables, by name.
func (h *header) readLabels(c *statfile.Cursor) (map[string][]statfile.ValueLabel, error) {
	tables := map[string][]statfile.ValueLabel{}
	h.tag(c, "<value_labels>")
	for c.Err() == nil && c.Left() > 0 {
		if h.tagged() && string(c.Peek(min(5, int(c.Left())))) != "<lbl>" {
			break
		}
		h.tag(c, "<lbl>")
		var name string
		var table []statfile.ValueLabel
		if h.version < 108 {
			name, table = h.oldTable(c)
		} else {
			name, table = h.table(c)
		}
		if c.Err() == nil {
			tables[name] = table
		}
		h.tag(c, "</lbl>")
	}
	h.tag(c, "</value_labels></stata_dta>")
	return tables, c.Err()
}

// oldTable reads a table of formats below 108: codes, then labels of 8 bytes.
func (h *header) oldTable(c *statfile.Cursor) (string, []statfile.ValueLabel) {
	const width = 8
	n := int(c.Uint16())
	name := textOf(c.Take(h.name))
	c.Skip(1)
	codes := c.Take(2 * n)
	codes = append([]byte(nil), codes...)
	texts := c.Take(width * n)
	if c.Err() != nil {
		return "", nil
	}
	table := make([]statfile.ValueLabel, n)
	for i := range table {
		table[i].Value.Number = float64(int16(h.order.Uint16(codes[2*i:])))
		table[i].Label = textOf(texts[width*i : width*i+width])
	}
	return name, table
}

// table reads a table: offsets of texts, codes, texts.
func (h *header) table(c *statfile.Cursor) (string, []statfile.ValueLabel) {
	length := int64(c.Uint32())
	name := textOf(c.Take(h.name))
	c.Skip(3)
	if c.Err() == nil && (length > c.Left() || length < 8) {
		c.Fail(statfile.ErrDamaged,
			"a value label table declares %s, but %s follow: the file is truncated or damaged",
			wording.Counted(int(length), "byte"), wording.Counted(int(c.Left()), "byte"))
	}
	if c.Err() != nil {
		return "", nil
	}
	content := c.Take(int(length))
	if c.Err() != nil {
		return "", nil
	}
	n, texts := int64(h.order.Uint32(content)), int64(h.order.Uint32(content[4:]))
	if 8+8*n+texts > length {
		c.Fail(statfile.ErrDamaged, "a value label table declares %s in fewer bytes than they need",
			wording.Counted(int(n), "label"))
		return "", nil
	}
	content = content[8:]
	places, codes, text := content[:4*n], content[4*n:8*n], content[8*n:8*n+texts]
	table, all := make([]statfile.ValueLabel, n), string(text) // many labels may have the same offset
	for i := range table {
		place := int64(h.order.Uint32(places[4*i:]))
		if place > texts {
			c.Fail(statfile.ErrDamaged, "a value label lies beyond the end of its table")
			return "", nil
		}
		table[i] = statfile.ValueLabel{Value: h.labelled(codes[4*i:]), Label: upToZero(all[place:])}
	}
	return name, table
}

// labelled returns the value for a code of a table.
func (h *header) labelled(code []byte) statfile.Value {
	return statfile.Value{Number: h.whole(int32(h.order.Uint32(code)), missingLong, 1<<31-1)}
}

// longTexts maps the pointers in records to the texts of strL.
type longTexts map[uint64][]byte

// readLongTexts reads the texts of strL. The cursor is after the records.
func (h *header) readLongTexts(c *statfile.Cursor, wanted bool) longTexts {
	texts := longTexts{}
	if !h.tagged() {
		return texts
	}
	h.tag(c, "<strls>")
	for c.Err() == nil && c.Left() >= 3 && string(c.Peek(3)) == "GSO" {
		c.Skip(3)
		variable, observation := uint64(c.Uint32()), uint64(0)
		if h.version >= unicodeFrom {
			observation = c.Uint64()
		} else {
			observation = uint64(c.Uint32())
		}
		kind, length := c.Uint8(), int64(c.Uint32())
		if c.Err() == nil && length > c.Left() {
			c.Fail(statfile.ErrDamaged, "a text declares %s, but %s follow: the file is truncated or damaged",
				wording.Counted(int(length), "byte"), wording.Counted(int(c.Left()), "byte"))
		}
		if !wanted || c.Err() != nil {
			c.Skip(length)
			continue
		}
		content := append([]byte(nil), c.Take(int(length))...)
		const zeroAtEnd = 130
		if kind == zeroAtEnd && len(content) > 0 && content[len(content)-1] == 0 {
			content = content[:len(content)-1]
		}
		for _, pointer := range h.pointers(variable, observation) {
			texts[pointer] = content
		}
	}
	h.tag(c, "</strls>")
	return texts
}

// pointers returns the possible pointers to a text in records, as numbers in the byte order of the file. Format
// 119 has more bits for the variable, but some programs write it like 118.
func (h *header) pointers(variable, observation uint64) []uint64 {
	join := func(bits int) uint64 {
		if h.order == binary.BigEndian {
			return variable<<(64-bits) | observation
		}
		return variable | observation<<bits
	}
	switch {
	case h.version >= newest:
		return []uint64{join(24), join(16)}
	case h.version >= unicodeFrom:
		return []uint64{join(16)}
	default:
		return []uint64{join(32)}
	}
}
