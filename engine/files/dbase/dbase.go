package dbase

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Format reads dBase tables.
type Format struct{}

// Info describes the file type: not all tables declare their encoding.
func (Format) Info() statfile.Info {
	return statfile.Info{Name: "dbf", Program: "a dBase file (dbf)", Encoded: true,
		Options: func(statfile.Settings) []statfile.Option { return []statfile.Option{statfile.DeletedOption()} }}
}

const (
	headerSize = 32
	endOfNames = '\r'
)

// Recognise reports whether a file begins like a table: a version, the date of the last change, and the length of
// the header.
func (Format) Recognise(_ context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	const versions = "\x02\x03\x04\x05\x30\x31\x32\x43\x63\x83\x8b\x8c\xcb\xf5\xfb"
	head := in.Head()
	if layoutOf(head) != layoutUsual {
		return statfile.Settings{}, true, nil
	}
	if len(head) < headerSize+1 || bytes.IndexByte([]byte(versions), head[0]) < 0 || head[2] == 0 || head[2] > 12 ||
		head[3] == 0 || head[3] > 31 {
		return nil, false, nil
	}
	length := int(binary.LittleEndian.Uint16(head[8:]))
	fields := length - headerSize - 1
	const foxPro = 263 // bytes after the fields in Visual FoxPro
	if head[0]&0xf0 == 0x30 && fields >= foxPro {
		fields -= foxPro
	}
	known := fields >= headerSize &&
		(length > len(head) ||
			bytes.IndexByte(head[headerSize+fields/headerSize*headerSize:min(len(head), length)], endOfNames) >= 0)
	if !known {
		return nil, false, nil
	}
	return statfile.Settings{}, true, nil
}

// table holds the header of a table.
type table struct {
	in          *statfile.Source
	rows        int
	data        int64
	width       int
	charset     string
	fields      []field
	memos       []string
	moments     []string // timestamp fields that are not supported
	flags       field    // null flags of each record; width 0 if there are none
	deleted     int      // number of records marked as deleted
	withDeleted bool     // read records marked as deleted
}

// Read reads a table.
func (Format) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	meter.Start(in.Size())
	t, claimed, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	t.withDeleted = o.Settings[statfile.Deleted] == statfile.DeletedRead
	var wanted []field
	for _, f := range t.fields {
		if o.MayWant(f.name) {
			wanted = append(wanted, f)
		}
	}
	read := int(o.AtMost(int64(t.rows)))
	charset, err := in.Charset(o.Encoding, t.charset)
	if err != nil {
		return nil, err
	}
	f := &statfile.File{Total: -1, Settings: statfile.Settings{}}
	for _, w := range wanted {
		f.Variables = append(f.Variables, statfile.Variable{Name: charset.Decode(w.name), Kind: w.kind, Width: w.width,
			Storage: w.storage()})
	}
	err = f.Gather(ctx, in, &o, charset, read, func(b *statfile.Blocks) error {
		return t.decode(ctx, wanted, read, b, meter)
	})
	if err != nil {
		return nil, err
	}
	if f.Rows = read - t.leftOut(); read == t.rows {
		f.Total = f.Rows
	}
	f.Warnings = append(unreadable(wanted, charset), f.Warnings...)
	t.warn(f, charset, claimed)
	f.Only(&o)
	meter.Set(in.Size(), in.Size())
	return f, nil
}

// leftOut returns the number of records skipped so far.
func (t *table) leftOut() int {
	if t.withDeleted {
		return 0
	}
	return t.deleted
}

// warn adds warnings about irregularities.
func (t *table) warn(f *statfile.File, charset *statfile.Charset, claimed int) {
	if claimed > t.rows {
		f.Truncated = fmt.Sprintf("the file has %s, but its header declares %s: it is truncated",
			wording.Counted(t.rows, "record"), wording.Number(claimed))
	}
	if t.deleted > 0 {
		f.Warnings = append(f.Warnings, statfile.SaidOfDeleted(t.deleted, t.withDeleted))
	}
	for _, memo := range t.memos {
		f.Warnings = append(f.Warnings, fmt.Sprintf("field %q is omitted: its contents are in another file or are not values",
			wording.Excerpt(charset.Decode(memo))))
	}
	for _, moment := range t.moments {
		f.Warnings = append(f.Warnings, fmt.Sprintf("field %q is omitted: timestamps of dBase 7 are not supported; if you need it, convert it to text or a date "+
			"in dBase", wording.Excerpt(charset.Decode(moment))))
	}
}

// unreadable lists the fields with values that are missing because they cannot be read.
func unreadable(fields []field, charset *statfile.Charset) []string {
	var lost statfile.Losses
	for i := range fields {
		count := func(n int, sentence string) {
			if n > 0 {
				lost.Add(sentence, charset.Decode(fields[i].name)+" ("+wording.Number(n)+")")
			}
		}
		count(fields[i].unreadable, "values that do not fit the field or cannot be read become missing")
		count(fields[i].none, "values that are not numbers (NaN) become missing")
	}
	return lost.Sentences()
}

// readHeader reads everything before the records, and their claimed number.
func readHeader(in *statfile.Source) (t *table, claimed int, err error) {
	c := in.Cursor(0, binary.LittleEndian)
	if c.Take(headerSize); c.Err() != nil {
		return nil, 0, c.Err()
	}
	c.At = 0
	head := bytes.Clone(c.Take(int(min(mostHead, in.Size()))))
	if c.Err() != nil {
		return nil, 0, c.Err()
	}
	l := layoutOf(head)
	t = &table{in: in}
	t.data, claimed, t.width, t.charset = l.header(head)
	c.At = int64(l.fields)
	at, bit := 1, 0 // after the deletion flag
	for c.At+int64(l.description) <= t.data {
		described := c.Peek(l.description)
		if described == nil || described[0] == endOfNames {
			break
		}
		c.Skip(int64(l.description))
		f, kept := l.field(described, at)
		if l == layoutUsual {
			bit = f.mark(described[18], bit)
		}
		switch at += f.width; {
		case kept:
			t.fields = append(t.fields, f)
		case f.name == "_NullFlags":
			t.flags = f
		case f.code == '@':
			t.moments = append(t.moments, f.name)
		default:
			t.memos = append(t.memos, f.name)
		}
	}
	if c.Err() != nil {
		return nil, 0, c.Err()
	}
	// some programs do not count the deletion flag
	if all := t.data + int64(claimed)*int64(at); at == t.width+1 && in.Size()-all >= 0 && in.Size()-all <= 1 {
		t.width = at
	}
	if at > t.width || t.data > in.Size() || len(t.fields) == 0 {
		return nil, 0, in.Failure(statfile.ErrDamaged,
			"the fields of the header have %d bytes, but a record has %d: the file is damaged", at, t.width)
	}
	t.rows = int(min(int64(claimed), (in.Size()-t.data)/int64(t.width)))
	return t, claimed, nil
}

// language returns the encoding for a language driver, or "".
func language(driver byte) string {
	switch driver {
	case 0x01:
		return "ibm437"
	case 0x02:
		return "ibm850"
	case 0x03, 0x57, 0x58, 0x59:
		return "windows-1252"
	case 0x64:
		return "ibm852"
	case 0x65:
		return "ibm866"
	case 0xc8:
		return "windows-1250"
	case 0xc9:
		return "windows-1251"
	case 0xca:
		return "windows-1254"
	case 0xcb:
		return "windows-1253"
	default:
		return ""
	}
}

// decode decodes records in blocks, with fields in parallel.
func (t *table) decode(ctx context.Context, wanted []field, rows int, out *statfile.Blocks,
	meter *progress.Meter) error {
	each := statfile.RowsPerBlock(t.width)
	var memory []byte
	var records [][]byte
	for from := 0; from < rows; from += each {
		size := int64(min(each, rows-from)) * int64(t.width)
		content, err := t.in.BytesIn(memory, t.data+int64(from)*int64(t.width), size)
		if err != nil {
			return err
		}
		memory = content
		const mark = '*'
		first := from - t.leftOut()
		for records = records[:0]; len(content) > 0; content = content[t.width:] {
			if content[0] == mark {
				t.deleted++
			}
			if content[0] != mark || t.withDeleted {
				records = append(records, content[:t.width])
			}
		}
		err = parallel.Each(ctx, len(wanted), func(i int) error {
			out.Put(first, i, t.column(&wanted[i], records))
			return nil
		})
		if err != nil {
			return err
		}
		meter.Add(size)
	}
	return ctx.Err()
}

// cell returns the bytes of a field, or nil if it is missing.
func (t *table) cell(f *field, record []byte) []byte {
	flagged := func(bit int) bool {
		return bit >= 0 && bit/8 < t.flags.width && record[t.flags.at+bit/8]&(1<<(bit%8)) != 0
	}
	if flagged(f.null) {
		return nil
	}
	cell := record[f.at : f.at+f.width]
	if last := len(cell) - 1; flagged(f.varying) {
		cell = cell[:min(last, int(cell[last]))]
	}
	return cell
}

// column decodes a field of records.
func (t *table) column(f *field, records [][]byte) statfile.Column {
	if f.kind != statfile.Text {
		numbers := make([]float64, len(records))
		for i, record := range records {
			cell, ok := t.cell(f, record), true
			if numbers[i] = statfile.Missing(); cell != nil {
				numbers[i], ok = f.number(cell)
			}
			if !ok {
				f.unreadable++
			}
		}
		return statfile.Column{Numbers: numbers}
	}
	d := statfile.NewDictionary(len(records))
	for _, record := range records {
		if text := bytes.TrimRight(t.cell(f, record), " \x00"); len(text) > 0 {
			d.Add(text)
		} else {
			d.AddMissing()
		}
	}
	return statfile.Column{Texts: d.Texts()}
}
