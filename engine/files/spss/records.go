package spss

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Types of records.
const (
	recordVariable   = 2
	recordLabels     = 3
	recordLabelsOf   = 4
	recordDocument   = 6
	recordExtension  = 7
	recordEnd        = 999
	continuation     = -1
	longestDocument  = 1 << 20 // number of lines
	documentLineSize = 80
	variableSize     = 32 // minimum bytes of a variable record
)

// variable is a variable record; a text of more than 255 bytes has several.
type variable struct {
	name     string // up to eight bytes
	label    string
	width    int // 0 for a number
	print    displayFormat
	missing  [][]byte // at most three, of eight bytes each
	ranged   bool     // the first two are the ends of a range
	element  int      // index of its first element in a row
	elements int
}

// valueLabels is a set of value labels shared by variables.
type valueLabels struct {
	values    [][]byte // of eight bytes each
	labels    []string
	variables []int // numbers of their first elements
}

// dictionary is everything before the data, with texts in the encoding of the file.
type dictionary struct {
	header
	variables []variable
	elements  int // number in a row
	labels    []valueLabels
	documents []string
	extension
	dataStart int64
}

func readDictionary(in *statfile.Source) (*dictionary, error) {
	c := in.Cursor(0, nil)
	d := &dictionary{header: readHeader(c)}
	d.extension.start()
	// avoids growth; the claimed number is limited to a few times what the file can contain
	if room := min(int64(d.header.elements), c.Left()/variableSize, statfile.MostVariables+1); room > 0 {
		d.variables = make([]variable, 0, room)
	}
	for c.Err() == nil {
		at := c.At
		switch kind := c.Int32(); {
		case c.Err() != nil:
		case kind == recordVariable:
			if d.readVariable(c); len(d.variables) > statfile.MostVariables {
				return nil, in.CheckVariables(int64(len(d.variables)))
			}
		case kind == recordLabels:
			d.readLabels(c)
		case kind == recordDocument:
			d.readDocument(c)
		case kind == recordExtension:
			d.readExtension(c)
		case kind == recordEnd:
			c.Skip(4)
			d.dataStart = c.At
			d.checkRow(c)
			return d, c.Err()
		default:
			c.At = at
			c.Fail(statfile.ErrDamaged, "unknown record type %d: the dictionary is damaged", kind)
		}
	}
	return nil, c.Err()
}

// checkRow checks that the row is long enough for its variables: continuation records define the space of texts,
// and widths how much is read.
func (d *dictionary) checkRow(c *statfile.Cursor) {
	if len(d.variables) == 0 {
		c.Fail(statfile.ErrDamaged, "the file has no variables")
		return
	}
	end := d.elements
	for i := len(d.variables) - 1; i >= 0; i-- {
		if v := &d.variables[i]; v.element+v.elements > end {
			c.Fail(statfile.ErrDamaged, "a text variable of width %d has space for only %d bytes", v.width, 8*(end-v.element))
			return
		}
		end = d.variables[i].element
	}
}

func (d *dictionary) readVariable(c *statfile.Cursor) {
	width, labelled, missing, print, write := c.Int32(), c.Int32(), c.Int32(), c.Uint32(), c.Uint32()
	name := trimmed(c.Take(8))
	if width == continuation {
		d.elements++
		return
	}
	if width < 0 || width > 255 || missing < -3 || missing > 3 || labelled < 0 || labelled > 1 {
		c.Fail(statfile.ErrDamaged, "a variable record has impossible values")
	}
	if c.Err() != nil {
		return
	}
	if write != 0 && write != print {
		d.unkept["write formats that differ from the print formats"] = true
	}
	v := variable{name: name, width: int(width), print: unpackFormat(print), element: d.elements,
		elements: max(1, (int(width)+7)/8), ranged: missing < 0}
	if labelled == 1 {
		length := int64(c.Uint32())
		v.label = trimmed(c.Take(int(min(length, math.MaxInt32))))
		c.Skip((4 - length%4) % 4)
	}
	for range max(missing, -missing) {
		v.missing = append(v.missing, append([]byte(nil), c.Take(8)...))
	}
	d.variables = append(d.variables, v)
	d.elements++
}

func (d *dictionary) readLabels(c *statfile.Cursor) {
	var set valueLabels
	count := int64(c.Uint32())
	if count*9 > c.Left() {
		c.Fail(statfile.ErrDamaged, "the dictionary declares %d value labels, more than the rest of the file can hold", count)
		return
	}
	for range count {
		value := append([]byte(nil), c.Take(8)...)
		length := int64(c.Uint8())
		label := trimmed(c.Take(int(length)))
		c.Skip((8 - (length+1)%8) % 8)
		if c.Err() != nil {
			return
		}
		set.values, set.labels = append(set.values, value), append(set.labels, label)
	}
	if kind := c.Int32(); c.Err() == nil && kind != recordLabelsOf {
		c.Fail(statfile.ErrDamaged, "value labels lack their variables")
		return
	}
	count = int64(c.Uint32())
	if count*4 > c.Left() {
		c.Fail(statfile.ErrDamaged, "the dictionary declares value labels of %d variables, more than the rest of the file can hold",
			count)
		return
	}
	for range count {
		set.variables = append(set.variables, int(c.Int32())-1)
	}
	d.labels = append(d.labels, set)
}

func (d *dictionary) readDocument(c *statfile.Cursor) {
	lines := int64(c.Uint32())
	if lines > longestDocument || lines*documentLineSize > c.Left() {
		c.Fail(statfile.ErrDamaged, "the dictionary declares a document of %d lines, more than the rest of the file can hold", lines)
		return
	}
	for range lines {
		d.documents = append(d.documents, trimmed(c.Take(documentLineSize)))
	}
}
