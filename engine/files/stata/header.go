package stata

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// header is the metadata of a file, in its own encoding.
type header struct {
	layout
	rows      int64
	label     string
	notes     []string
	variables []variable
	width     int   // bytes of a record
	data      int64 // offset of the records
}

// variable is the metadata of a variable.
type variable struct {
	storage
	at                          int // offset in a record
	name, label, format, labels string
}

// readHeader reads everything before the records.
func readHeader(in *statfile.Source) (*header, error) {
	c := in.Cursor(0, binary.LittleEndian)
	h := &header{}
	var count int64
	if bytes.HasPrefix(in.Head(), []byte("<stata_dta>")) {
		count = h.startTagged(c)
	} else {
		count = h.startPlain(c)
	}
	each := int64(h.typ + 2*h.name + h.format + h.labelBytes + h.sort)
	if c.Err() == nil && count > c.Left()/max(1, each) {
		c.Fail(statfile.ErrDamaged, "the header declares %s, more than the file can hold",
			wording.Counted(int(count), "variable"))
	}
	if err := cmp.Or(c.Err(), in.CheckVariables(count)); err != nil {
		return nil, err
	}
	h.variables = make([]variable, count)
	h.describe(c)
	h.characteristics(c)
	h.tag(c, "<data>")
	h.data = c.At
	if c.Err() == nil && h.rows > 0 && (h.width == 0 || h.rows > c.Left()/int64(h.width)) {
		c.Fail(statfile.ErrDamaged,
			"the header declares %s of %s, but %s follow: the file is truncated or damaged",
			wording.Counted(int(h.rows), "record"), wording.Counted(h.width, "byte"), wording.Counted(int(c.Left()), "byte"))
	}
	return h, c.Err()
}

// tag skips a tag of a tagged file.
func (h *header) tag(c *statfile.Cursor, tag string) {
	if !h.tagged() || c.Err() != nil {
		return
	}
	if int64(len(tag)) > c.Left() || string(c.Peek(len(tag))) != tag {
		c.Fail(statfile.ErrDamaged, "%s is expected: the file is truncated or damaged", tag)
		return
	}
	c.Skip(int64(len(tag)))
}

// startPlain reads the beginning of a file up to format 115 and returns the number of variables.
func (h *header) startPlain(c *statfile.Cursor) int64 {
	version, order := int(c.Uint8()), binary.ByteOrder(binary.LittleEndian)
	if c.Uint8() == 1 {
		order = binary.BigEndian
	}
	if !slices.Contains([]int{104, 105, 108, 110, 111, 113, 114, 115}, version) {
		c.Fail(statfile.ErrUnsupported, "unknown Stata format %d", version)
	}
	c.Skip(2)
	h.layout, c.Order = layoutOf(version, order), order
	count := int64(c.Uint16())
	h.rows = int64(c.Uint32())
	h.label = textOf(c.Take(h.labelBytes))
	c.Skip(int64(h.stamp))
	return count
}

// startTagged reads the beginning of a file from format 117 on and returns the number of variables.
func (h *header) startTagged(c *statfile.Cursor) int64 {
	h.version = firstTagged
	h.tag(c, opening)
	version, _ := strconv.Atoi(string(c.Take(3)))
	if c.Err() == nil && (version < firstTagged || version > newest) {
		c.Fail(statfile.ErrUnsupported, "Stata format %d is not supported; save the file in the format of Stata 14 to 18",
			version)
	}
	h.tag(c, "</release><byteorder>")
	order := binary.ByteOrder(binary.LittleEndian)
	if string(c.Take(3)) == "MSF" {
		order = binary.BigEndian
	}
	h.layout, c.Order = layoutOf(version, order), order
	h.tag(c, "</byteorder><K>")
	var count int64
	if version >= newest {
		count = int64(c.Uint32())
	} else {
		count = int64(c.Uint16())
	}
	h.tag(c, "</K><N>")
	length := 0
	if version >= unicodeFrom {
		h.rows = int64(min(c.Uint64(), 1<<62))
		h.tag(c, "</N><label>")
		length = int(c.Uint16())
	} else {
		h.rows = int64(c.Uint32())
		h.tag(c, "</N><label>")
		length = int(c.Uint8())
	}

	h.label = textOf(c.Take(length))
	h.tag(c, "</label><timestamp>")
	c.Skip(int64(c.Uint8()))
	h.tag(c, "</timestamp></header>")
	h.checkPlaces(c)
	return count
}

// checkPlaces checks that the parts in the map of a tagged file exist.
func (h *header) checkPlaces(c *statfile.Cursor) {
	h.tag(c, "<map>")
	const parts = 14
	size := c.At + c.Left()
	for range parts {
		place := int64(min(c.Uint64(), 1<<62))
		if c.Err() == nil && place > size {
			c.Fail(statfile.ErrDamaged,
				"the map of the file points to byte %d, but the file ends at byte %d: it is truncated or damaged", place, size)
		}
	}
	h.tag(c, "</map>")
}

// describe reads the metadata of the variables.
func (h *header) describe(c *statfile.Cursor) {
	h.tag(c, "<variable_types>")
	for i := range h.variables {
		code := 0
		if h.typ == 2 {
			code = int(c.Uint16())
		} else {
			code = int(c.Uint8())
		}
		stored, ok := h.storageOf(code)
		if c.Err() == nil && !ok {
			c.Fail(statfile.ErrDamaged, "variable %d has an unknown storage type", i+1)
		}
		h.variables[i].storage, h.variables[i].at = stored, h.width
		h.width += stored.width
	}
	h.tag(c, "</variable_types><varnames>")
	h.each(c, h.name, func(v *variable, text string) { v.name = text })
	h.tag(c, "</varnames><sortlist>")
	c.Skip(int64(h.sort) * int64(len(h.variables)+1))
	h.tag(c, "</sortlist><formats>")
	h.each(c, h.format, func(v *variable, text string) { v.format = text })
	h.tag(c, "</formats><value_label_names>")
	h.each(c, h.name, func(v *variable, text string) { v.labels = text })
	h.tag(c, "</value_label_names><variable_labels>")
	h.each(c, h.labelBytes, func(v *variable, text string) { v.label = text })
	h.tag(c, "</variable_labels>")
}

func (h *header) each(c *statfile.Cursor, length int, set func(v *variable, text string)) {
	for i := range h.variables {
		set(&h.variables[i], textOf(c.Take(length)))
	}
}

// characteristics reads the notes of the file and skips other characteristics.
func (h *header) characteristics(c *statfile.Cursor) {
	h.tag(c, "<characteristics>")
	for h.expansion > 0 && c.Err() == nil {
		if h.tagged() && string(c.Peek(4)) != "<ch>" {
			break
		}
		h.tag(c, "<ch>")
		kind, length := uint8(1), int64(0)
		if !h.tagged() {
			kind = c.Uint8()
		}
		if h.expansion == 2 {
			length = int64(c.Uint16())
		} else {
			length = int64(c.Uint32())
		}
		if kind == 0 && length == 0 && !h.tagged() {
			break
		}
		if length > c.Left() {
			c.Skip(length)
		} else if kind == 1 && length >= int64(2*h.name) {
			h.note(c.Take(int(length)))
		} else {
			c.Skip(length)
		}
		h.tag(c, "</ch>")
	}
	h.tag(c, "</characteristics>")
}

// note keeps a characteristic that is a note on the file: _dta, note and its number.
func (h *header) note(content []byte) {
	if content == nil || textOf(content[:h.name]) != "_dta" {
		return
	}
	digits, ok := strings.CutPrefix(textOf(content[h.name:2*h.name]), "note")
	if number, err := strconv.Atoi(digits); ok && err == nil && number > 0 {
		h.notes = append(h.notes, textOf(content[2*h.name:]))
	}
}

// textOf returns a text up to its first zero.
func textOf(content []byte) string {
	if end := bytes.IndexByte(content, 0); end >= 0 {
		content = content[:end]
	}
	return string(content)
}

// upToZero returns a text up to a zero byte.
func upToZero(text string) string {
	before, _, _ := strings.Cut(text, "\x00")
	return before
}
