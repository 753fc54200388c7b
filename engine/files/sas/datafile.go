package sas

import (
	"bytes"
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// DataFile is the read-only format of data files, .sas7bdat.
type DataFile struct{}

var _ statfile.CatalogFormat = DataFile{}

// Info describes the file type: its declared encoding can be wrong, and there are extended missing values.
func (DataFile) Info() statfile.Info {
	return statfile.Info{Name: "sas7bdat", Program: "a SAS file (sas7bdat)", Encoded: true, Declares: true,
		Catalogue: ".sas7bcat", // SAS keeps value labels in it
		Options:   func(statfile.Settings) []statfile.Option { return []statfile.Option{statfile.DeletedOption()} }}
}

// magic is the signature of data files.
const magic = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11"

// Recognise checks the signature.
func (DataFile) Recognise(_ context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	return nil, bytes.HasPrefix(in.Head(), []byte(magic)) || bytes.HasPrefix(in.Head(), []byte(catalogueMagic)), nil
}

// Read reads a data file without value labels; see Label.
func (DataFile) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	meter.Start(in.Size())
	if bytes.HasPrefix(in.Head(), []byte(catalogueMagic)) {
		return nil, in.Failure(statfile.ErrUnsupported,
			"it is a SAS catalogue with value labels and has no records; open its data file (sas7bdat)")
	}
	h, err := readFileHeader(in)
	if err != nil {
		return nil, err
	}
	p := &pages{fileHeader: h, in: in, withDeleted: o.Settings[statfile.Deleted] == statfile.DeletedRead}
	if err := p.readAll(ctx); err != nil {
		return nil, err
	}
	charset, err := in.Charset(o.Encoding, encodings[h.encoding], "windows-1252")
	if err != nil {
		return nil, err
	}
	rows := p.rows
	if !p.withDeleted {
		rows = max(0, rows-p.deleted)
	}
	f := &statfile.File{Total: int(rows), Settings: statfile.Settings{}}
	t := &table{stride: int(p.rowLength), number: p.number}
	if encodings[h.encoding] == "" && o.Encoding == "" {
		f.Warnings = append(f.Warnings,
			"the file has an unknown encoding and is read as "+charset.Name()+"; choose the encoding")
	}
	if err := in.Aside(p.asideBytes()); err != nil {
		return nil, err
	}
	for i := range p.columns {
		if v := p.variable(i, charset); o.Wants(v.Name) {
			t.fields, f.Variables = append(t.fields, p.columns[i].field(v.Kind)), append(f.Variables, v)
		}
	}
	limit := o.AtMost(rows)
	blocks := p.blocksOf(limit, mostRows)
	f.Rows = int(min(limit, p.found))
	err = f.Gather(ctx, in, &o, charset, f.Rows, func(b *statfile.Blocks) error {
		return p.decode(ctx, t, b, blocks, meter)
	})
	if err != nil {
		return nil, err
	}
	if int64(f.Rows) < limit {
		f.Total = f.Rows
		f.Truncated = "the header declares " + wording.Counted(int(rows), "record") + ", but the file has " +
			wording.Number(f.Rows) + ": it is truncated"
	}
	if p.deleted > 0 {
		f.Warnings = append(f.Warnings, statfile.SaidOfDeleted(int(p.deleted), p.withDeleted))
	}
	if p.said > p.deleted && f.Truncated == "" {
		f.Warnings = append(f.Warnings, "according to the header, "+wording.Does(int(p.said), "record", "are")+
			" deleted, but "+wording.Number(int(p.deleted))+" are marked as deleted: the others are read")
	}
	return f, nil
}

// asideBytes returns the memory of names and labels, and of an uncompressed row.
func (p *pages) asideBytes() int64 {
	bytes := p.rowLength
	for i := range p.columns {
		c := &p.columns[i]
		bytes += int64(c.name.length + c.label.length + c.format.length)
	}
	return bytes
}

// variable returns the variable of a column, without its data.
func (p *pages) variable(i int, charset *statfile.Charset) statfile.Variable {
	c := &p.columns[i]
	v := statfile.Variable{Name: charset.Decode(p.text(c.name)), Label: charset.Decode(p.text(c.label)),
		Format: charset.Decode(p.text(c.format)), Width: c.width, Kind: statfile.Text}
	v.Format = formatText(v.Format, c.formatWidth, c.formatDecimals)
	if c.number {
		v.Kind = kindOf(v.Format)
	}
	return v
}

// number decodes a number, whose low bytes may be truncated.
func (p *pages) number(cell []byte) float64 {
	var bits uint64
	if len(cell) == 8 {
		bits = p.order.Uint64(cell)
	} else if p.little {
		for i := len(cell) - 1; i >= 0; i-- {
			bits = bits<<8 | uint64(cell[i])
		}
	} else {
		for _, b := range cell {
			bits = bits<<8 | uint64(b)
		}
	}
	return fromBits(bits << (8 * (8 - len(cell))))
}

// fromBits returns a number, or a missing value, from its bits.
func fromBits(bits uint64) float64 {
	value := math.Float64frombits(bits)
	if value == value {
		return value
	}
	switch tag := ^byte(bits >> 40); {
	case tag == 0 || tag == '_':
		return statfile.Extended('_')
	case tag >= 2 && tag < 28:
		return statfile.Extended('a' + tag - 2)
	case tag >= 'A' && tag <= 'Z':
		return statfile.Extended(tag | 0x20)
	default:
		return statfile.Missing()
	}
}

// block is a range of pages whose rows are decoded together.
type block struct {
	first, rows int64
	pages       []rowPage
}

// Approximate bytes of rows in a block.
const (
	mostRows  = 1 << 14
	mostBytes = 4 << 20
)

// blocksOf returns blocks, each with about most bytes, for at most limit rows, and counts the rows.
func (p *pages) blocksOf(limit int64, most int) (blocks []block) {
	var now block
	for _, page := range p.withRows {
		kept := page.kept()
		for ; p.found+kept > limit; kept = page.kept() {
			page.rows -= p.found + kept - limit
		}
		if kept <= 0 {
			continue
		}
		now.pages = append(now.pages, page)
		p.found += kept
		if now.rows += kept; now.rows >= int64(most) || now.rows*p.rowLength >= mostBytes {
			blocks, now = append(blocks, now), block{first: p.found}
		}
	}
	if len(now.pages) > 0 {
		blocks = append(blocks, now)
	}
	return blocks
}

// decode decodes the rows of blocks in parallel.
func (p *pages) decode(ctx context.Context, t *table, to *statfile.Blocks, blocks []block, meter *progress.Meter) error {
	each := mostBytes + p.rowLength + int64(p.pageLength)
	return parallel.EachLarge(ctx, len(blocks), each, func(m *memory, i int) error {
		first := int(blocks[i].first)
		put := func() {
			t.put(to, first, &m.RowMemory)
			first, m.Rows = first+len(m.Rows)/t.stride, m.Rows[:0]
		}
		m.Rows = m.Rows[:0]
		for _, page := range blocks[i].pages {
			err := p.appendRows(m, page, func() {
				if len(m.Rows) >= mostBytes { // a page with more rows than others
					put()
				}
			})
			if err != nil {
				return err
			}
			meter.Add(int64(p.pageLength))
		}
		put()
		return nil
	})
}

// appendRows appends the rows of a page, and calls added after each compressed one.
func (p *pages) appendRows(m *memory, at rowPage, added func()) error {
	page, err := p.in.BytesIn(m.page, at.at, int64(p.pageLength))
	if err != nil {
		return err
	}
	m.page = page
	if length := int(p.rowLength); at.first > 0 && at.deleted == nil {
		m.Rows = append(m.Rows, page[at.first:at.first+int(at.rows)*length]...)
		return nil
	} else if at.first > 0 {
		for row := range at.rows {
			if !at.isDeleted(row) {
				m.Rows = append(m.Rows, page[at.first+int(row)*length:][:length]...)
			}
		}
		return nil
	}
	left := at.rows
	err = p.pointers(page, at.at, func(pointer pointer) error {
		if left == 0 || p.leavesOut(pointer) || !p.isRow(page, pointer) {
			return nil
		}
		left--
		packed := page[pointer.offset : pointer.offset+pointer.length]
		if pointer.length == int(p.rowLength) {
			m.Rows = append(m.Rows, packed...)
			return nil
		}
		var whole bool
		if m.Rows, whole = p.unpack(m.Rows, packed, int(p.rowLength)); !whole {
			return p.in.Failure(statfile.ErrDamaged, "byte %d: a compressed row is damaged", at.at+int64(pointer.offset))
		}
		added()
		return nil
	})
	if err == nil && left > 0 {
		err = p.in.Failure(statfile.ErrDamaged, "byte %d: a page has fewer rows than its header declares", at.at)
	}
	return err
}

// encodings maps encoding numbers of SAS to names. Some have only numbers.
var encodings = map[byte]string{
	0: "windows-1252", 20: "utf-8", 28: "us-ascii", 29: "iso-8859-1", 30: "iso-8859-2", 31: "iso-8859-3", 32: "iso-8859-4",
	33: "iso-8859-5", 34: "iso-8859-6",
	35: "iso-8859-7", 36: "iso-8859-8", 37: "iso-8859-9", 39: "windows-874", 40: "iso-8859-15", 41: "ibm437", 42: "ibm850",
	43: "ibm852", 45: "ibm00858", 46: "ibm862",
	48: "ibm865", 49: "ibm866", 51: "windows-874", 58: "ibm860", 59: "ibm863", 60: "windows-1250", 61: "windows-1251",
	62: "windows-1252", 63: "windows-1253",
	64: "windows-1254", 65: "windows-1255", 66: "windows-1256", 67: "windows-1257", 68: "windows-1258", 69: "macintosh",
	76: "x-mac-ukrainian", 118: "big5", 123: "big5",
	125: "gb18030", 126: "gbk", 134: "euc-jp", 138: "shift_jis", 140: "euc-kr", 141: "euc-kr", 142: "euc-kr",
	167: "iso-2022-jp", 204: "windows-1252", 205: "gb18030",
	227: "iso-8859-14", 242: "iso-8859-13", 246: "x-mac-cyrillic",
}
