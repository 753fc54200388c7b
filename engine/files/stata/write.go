package stata

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Lacks implements statfile.Writer.
func (Format) Lacks(f *statfile.File, settings statfile.Settings) []string {
	return newPlan(f, settings).lost.Sentences()
}

// Write writes a file in format 118, in 119 if there are too many variables for 118, or in 114 if the settings
// have a format below 117. The file contains no time stamp. Long texts (strL) are after the records, each once.
func (Format) Write(ctx context.Context, w io.Writer, f *statfile.File, settings statfile.Settings,
	meter *progress.Meter) error {
	p := newPlan(f, settings)
	if !p.tagged() && len(p.columns) > maxVariables {
		return statfile.Failuref(statfile.ErrUnwritable, "Stata format %d has at most %s, but the data have %s",
			p.version, wording.Counted(maxVariables, "variable"), wording.Number(len(p.columns)))
	}
	long, labels := p.longTexts(), p.labelTables()
	if _, err := w.Write(p.head(int64(p.width)*int64(f.Rows), len(long), len(labels))); err != nil {
		return err
	}
	if err := p.records(ctx, w, meter); err != nil {
		return err
	}
	for _, part := range [][]byte{p.tags("</data>"), long, labels, p.tags("</stata_dta>")} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// records writes the records in blocks, variable by variable.
func (p *plan) records(ctx context.Context, w io.Writer, meter *progress.Meter) error {
	meter.Start(int64(p.file.Rows))
	for i := range p.columns {
		c := &p.columns[i]
		if texts := c.Column.Texts; texts != nil {
			c.texts = make([]string, len(texts.Values)+1)
			for code, text := range texts.Values {
				c.texts[code+1], _ = p.charset.Encode(text)
			}
		}
	}
	return statfile.WriteFixedRows(ctx, w, p.file.Rows, p.width, meter, func(block []byte, from, to int) {
		at := 0
		for i := range p.columns {
			p.encode(block[at:], p.width, i, from, to)
			at += p.columns[i].width
		}
	})
}

// tags returns the text in formats with tags, else nothing.
func (p *plan) tags(text string) []byte {
	if p.tagged() {
		return []byte(text)
	}
	return nil
}

// head returns everything before the records.
func (p *plan) head(data int64, long, labels int) []byte {
	var h bytes.Buffer
	if !p.tagged() {
		h.Write([]byte{byte(p.version), 2, 1, 0})
		p.put(&h, uint16(len(p.columns)))
		p.put(&h, uint32(p.file.Rows))
		padded(&h, p.label, p.labelBytes)
		h.Write(make([]byte, p.stamp))
		p.describe(&h)
		return h.Bytes()
	}
	h.WriteString(opening + strconv.Itoa(p.version) + "</release><byteorder>LSF</byteorder><K>")
	if p.version >= newest {
		p.put(&h, uint32(len(p.columns)))
	} else {
		p.put(&h, uint16(len(p.columns)))
	}
	h.WriteString("</K><N>")
	p.put(&h, uint64(p.file.Rows))
	h.WriteString("</N><label>")
	p.put(&h, uint16(len(p.label)))
	h.WriteString(p.label + "</label><timestamp>\x00</timestamp></header>")
	const mapLength = len("<map></map>") + 14*8
	at := int64(h.Len())
	var described bytes.Buffer
	places := append([]int64{0, at}, p.describe(&described)...)
	for i := range places[2:] {
		places[2+i] += at + int64(mapLength)
	}
	strls := places[9] + int64(len("<data></data>")) + data
	values := strls + int64(long)
	end := values + int64(labels)
	places = append(places, strls, values, end, end+int64(len("</stata_dta>")))
	h.WriteString("<map>")
	for _, place := range places {
		p.put(&h, uint64(place))
	}
	h.WriteString("</map>")
	h.Write(described.Bytes())
	return h.Bytes()
}

// describe writes the metadata of the variables, and returns the offsets of the parts: types, names, sort order,
// formats, names of label tables, labels, characteristics and records.
func (p *plan) describe(h *bytes.Buffer) (places []int64) {
	part := func(tag string, write func()) {
		places = append(places, int64(h.Len()))
		h.Write(p.tags("<" + tag + ">"))
		write()
		h.Write(p.tags("</" + tag + ">"))
	}
	each := func(length int, text func(*variablePlan) string) func() {
		return func() {
			for i := range p.columns {
				padded(h, text(&p.columns[i]), length)
			}
		}
	}
	part("variable_types", func() {
		for i := range p.columns {
			p.putType(h, p.columns[i].storage)
		}
	})
	part("varnames", each(p.layout.name, func(w *variablePlan) string { return w.name }))
	part("sortlist", func() { h.Write(make([]byte, p.sort*(len(p.columns)+1))) })
	part("formats", each(p.layout.format, func(w *variablePlan) string { return w.format }))
	part("value_label_names", each(p.layout.name, func(w *variablePlan) string { return w.labels }))
	part("variable_labels", each(p.labelBytes, func(w *variablePlan) string { return w.label }))
	part("characteristics", func() { p.putNotes(h) })
	places = append(places, int64(h.Len()))
	h.Write(p.tags("<data>"))
	return places
}

// putType writes the code of a storage type.
func (p *plan) putType(h *bytes.Buffer, s storage) {
	switch {
	case !p.tagged() && s.kind == textStorage:
		h.WriteByte(byte(s.width))
	case !p.tagged():
		h.WriteByte(byte(firstType + int(s.kind-byteStorage)))
	case s.kind == textStorage:
		p.put(h, uint16(s.width))
	case s.kind == longTextStorage:
		p.put(h, uint16(longTextType))
	default:
		p.put(h, uint16(firstTagged16-int(s.kind-byteStorage)))
	}
}

// putNotes writes the notes of the file: their number, and each with its number.
func (p *plan) putNotes(h *bytes.Buffer) {
	write := func(number int, text string) {
		h.Write(p.tags("<ch>"))
		if !p.tagged() {
			h.WriteByte(1)
		}
		p.put(h, uint32(2*p.layout.name+len(text)+1))
		padded(h, "_dta", p.layout.name)
		padded(h, "note"+strconv.Itoa(number), p.layout.name)
		h.WriteString(text + "\x00")
		h.Write(p.tags("</ch>"))
	}
	if n := len(p.notes); n > 0 {
		write(0, strconv.Itoa(n))
	}
	for i, note := range p.notes {
		write(i+1, note)
	}
	if !p.tagged() {
		h.Write(make([]byte, 5))
	}
}

// put writes a number in the byte order of the file.
func (p *plan) put(h *bytes.Buffer, number any) {
	_ = binary.Write(h, p.order, number) // cannot fail for a buffer and fixed-size numbers
}

// padded writes a text padded with zeros to a length, ending in at least one zero.
func padded(h *bytes.Buffer, text string, length int) {
	text = text[:min(len(text), length-1)]
	h.WriteString(text)
	h.Write(make([]byte, length-len(text)))
}

// labelTables returns the value label tables.
func (p *plan) labelTables() []byte {
	var h bytes.Buffer
	h.Write(p.tags("<value_labels>"))
	for _, t := range p.tables {
		var texts bytes.Buffer
		places := make([]uint32, len(t.labels))
		for i, label := range t.labels {
			places[i] = uint32(texts.Len())
			texts.WriteString(label + "\x00")
		}
		h.Write(p.tags("<lbl>"))
		p.put(&h, uint32(8+8*len(t.values)+texts.Len()))
		padded(&h, t.name, p.layout.name)
		h.Write(make([]byte, 3))
		p.put(&h, []uint32{uint32(len(t.values)), uint32(texts.Len())})
		p.put(&h, places)
		p.put(&h, t.values)
		h.Write(texts.Bytes())
		h.Write(p.tags("</lbl>"))
	}
	h.Write(p.tags("</value_labels>"))
	return h.Bytes()
}

// longTexts returns the texts of strL, each once per variable, in the order of the records.
func (p *plan) longTexts() []byte {
	type long struct {
		record   int64
		variable int
		text     string
	}
	var all []long
	for i := range p.columns {
		c := &p.columns[i]
		if c.kind != longTextStorage {
			continue
		}
		for code, text := range c.Column.Texts.Values {
			if encoded, _ := p.charset.Encode(text); encoded != "" && c.first[code+1] != 0 {
				all = append(all, long{c.first[code+1], i + 1, encoded})
			}
		}
	}
	slices.SortFunc(all, func(a, b long) int {
		return cmp.Or(cmp.Compare(a.record, b.record), cmp.Compare(a.variable, b.variable))
	})
	var h bytes.Buffer
	h.Write(p.tags("<strls>"))
	for _, l := range all {
		h.WriteString("GSO")
		p.put(&h, uint32(l.variable))
		p.put(&h, uint64(l.record))
		kind, end := byte(130), "\x00"
		if bytes.IndexByte([]byte(l.text), 0) >= 0 {
			kind, end = 129, ""
		}
		h.WriteByte(kind)
		p.put(&h, uint32(len(l.text)+len(end)))
		h.WriteString(l.text + end)
	}
	h.Write(p.tags("</strls>"))
	return h.Bytes()
}

// encode writes a variable of a block into records of a width; at begins with its first value.
func (p *plan) encode(at []byte, width, column, from, to int) {
	w := &p.columns[column]
	if w.Column.Texts == nil {
		encodeNumbers(at, width, w, w.Column.Numbers[from:to])
		return
	}
	for i, code := range w.Column.Texts.Codes.Between(from, to) {
		text := w.texts[code]
		if w.kind == textStorage {
			n := copy(at[i*width:i*width+w.width], text)
			clear(at[i*width+n : i*width+w.width])
			continue
		}
		pointer := uint64(0)
		if text != "" {
			pointer = p.pointer(uint64(column+1), uint64(w.first[code]))
		}
		binary.LittleEndian.PutUint64(at[i*width:], pointer)
	}
}

// pointer returns the pointer to a long text in records.
func (p *plan) pointer(variable, record uint64) uint64 {
	if p.version >= newest {
		return variable | record<<24
	}
	return variable | record<<16
}

func encodeNumbers(at []byte, width int, w *variablePlan, numbers []float64) {
	for i, x := range numbers {
		letter, missing := statfile.Tag(x)
		if !missing && w.number != nil {
			x = w.number(x)
		}
		place := tagPlace(letter)
		missing = missing || math.Abs(x) >= math.Float64frombits(missingDoubleBits)
		cell := at[i*width:]
		switch w.kind {
		case byteStorage:
			cell[0] = byte(int8(pick(missing, missingByte+place, x)))
		case intStorage:
			binary.LittleEndian.PutUint16(cell, uint16(int16(pick(missing, missingInt+place, x))))
		case longStorage:
			binary.LittleEndian.PutUint32(cell, uint32(int32(pick(missing, missingLong+place, x))))
		case floatStorage:
			bits := math.Float32bits(float32(x))
			if missing {
				bits = missingFloatBits + uint32(place)*stepFloat
			}
			binary.LittleEndian.PutUint32(cell, bits)
		default:
			bits := math.Float64bits(x)
			if missing {
				bits = missingDoubleBits + uint64(place)*stepDouble
			}
			binary.LittleEndian.PutUint64(cell, bits)
		}
	}
}

// pick returns the code of a missing value, or an integer.
func pick(missing bool, code int, x float64) int64 {
	if missing {
		return int64(code)
	}
	return int64(x)
}
