package sas

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// fileHeader is the header of a data file.
type fileHeader struct {
	order      binary.ByteOrder
	little     bool
	long       bool // 64-bit file
	foreign    bool // written by a program other than SAS
	encoding   byte
	length     int64
	pageLength int
	pageCount  int64
	gap        int // bytes of padding that align 64-bit numbers: 4 or 0
}

func readFileHeader(in *statfile.Source) (*fileHeader, error) {
	c := in.Cursor(0, binary.BigEndian)
	start := c.Take(288)
	if start == nil {
		return nil, c.Err()
	}
	h := &fileHeader{order: binary.BigEndian, long: start[32] == '3', encoding: start[70]}
	if h.little = start[37] == 1; h.little {
		h.order = binary.LittleEndian
	}
	c.Order = h.order
	c.At = 196
	if start[35] == '3' {
		h.gap = 4
	}
	c.At += int64(h.gap)
	h.length, h.pageLength, h.pageCount = int64(c.Uint32()), int(c.Uint32()), int64(c.Uint32())
	if h.long {
		c.At -= 4
		h.pageCount = int64(c.Uint64())
	}
	// SAS writes the maintenance level of its release, Stat/Transfer does not
	h.foreign = bytes.HasSuffix(start[c.At+8:][:8], []byte(".0000M0"))
	const longestPage = 1 << 27
	if c.Err() == nil &&
		(h.length < 288 || h.length > in.Size() || h.pageLength < 64 || h.pageLength > longestPage || h.pageCount < 0) {
		c.Fail(statfile.ErrDamaged, "the header has impossible lengths")
	}
	return h, c.Err()
}

// wide returns its second argument for 64-bit files, and otherwise the first.
func (h *fileHeader) wide(narrow, wide int) int {
	if h.long {
		return wide
	}
	return narrow
}

// textAt is the position of a column's text in a block of texts.
type textAt struct{ block, offset, length int }

// sasColumn holds the contents of subheaders about a column.
type sasColumn struct {
	name, label, format         textAt
	formatWidth, formatDecimals int
	offset, width               int
	number                      bool
}

func (c *sasColumn) field(kind statfile.Kind) field {
	return field{offset: c.offset, width: c.width, kind: kind}
}

// pages reads the pages of a data file.
type pages struct {
	*fileHeader
	in *statfile.Source

	rowLength, rows, mixed int64 // bytes of a row, number of rows, and of rows on the mixed page
	count                  int64 // number of columns
	columns                []sasColumn
	named, formatted, set  int // number of columns with a name, a format, a position so far
	texts                  [][]byte
	unpack                 func(dst, packed []byte, size int) ([]byte, bool) // nil if rows are not compressed

	withRows    []rowPage
	found       int64 // number of rows found
	withDeleted bool  // read records marked as deleted
	said        int64 // number of deleted records according to the file
	deleted     int64 // number of records marked as deleted
}

// Page types, as bits.
const (
	pageData    = 0x0100
	pageMixed   = 0x0200
	pageDeleted = 0x0080
	pageKinds   = 0x0f00
	pageIndex   = 0x9000
)

// readAll reads the subheaders of all pages, and finds the rows.
func (p *pages) readAll(ctx context.Context) error {
	for number := int64(0); number < p.pageCount; number++ {
		if number%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		at := p.length + number*int64(p.pageLength)
		if at+int64(p.pageLength) > p.in.Size() {
			break // the number of rows shows what is missing
		}
		if err := p.readPage(at); err != nil {
			return err
		}
	}
	if len(p.columns) == 0 || p.rowLength <= 0 || int64(len(p.columns)) != p.count || p.named < len(p.columns) ||
		p.set < len(p.columns) {
		return p.in.Failure(statfile.ErrDamaged,
			"the variables are not described completely: the file is truncated or damaged")
	}
	for i := range p.columns {
		if c := &p.columns[i]; c.offset < 0 || c.width < 1 || int64(c.offset)+int64(c.width) > p.rowLength ||
			c.number && (c.width < 3 || c.width > 8) {
			return p.in.Failure(statfile.ErrDamaged, "a variable has an impossible length or offset")
		}
	}
	return nil
}

// headSize returns the number of bytes before the pointers or rows of a page.
func (p *pages) headSize() int { return p.wide(24, 40) }

func (p *pages) readPage(at int64) error {
	head, err := p.in.Bytes(at, int64(p.headSize()))
	if err != nil {
		return err
	}
	kind, blocks, subheaders := p.pageNumbers(head)
	if kind == pageIndex {
		return nil
	}
	if kind&pageKinds == pageData {
		if p.rowLength <= 0 || int64(blocks)*p.rowLength > int64(p.pageLength-p.headSize()) {
			return p.in.Failure(statfile.ErrDamaged, "byte %d: a page declares more rows than it can hold", at)
		}
		return p.addRows(rowPage{at: at, first: p.headSize(), rows: int64(blocks)}, head)
	}
	page, err := p.in.Bytes(at, int64(p.pageLength))
	if err != nil {
		return err
	}
	rows := int64(0)
	err = p.pointers(page, at, func(pointer pointer) error {
		if pointer.compression == packedDeleted {
			p.deleted++
		}
		if p.leavesOut(pointer) {
			return nil
		}
		if p.isRow(page, pointer) {
			rows++
			return nil
		}
		return p.subheader(page[pointer.offset:pointer.offset+pointer.length], at+int64(pointer.offset))
	})
	if err != nil {
		return err
	}
	if kind&pageKinds == pageMixed {
		first := p.firstRow(page, p.headSize()+subheaders*p.pointerSize())
		fit := int64(0)
		if p.rowLength > 0 {
			fit = max(0, int64(p.pageLength-first)/p.rowLength)
		}
		return p.addRows(rowPage{at: at, first: first, rows: min(p.mixed, p.rows, fit)}, head)
	}
	if rows > 0 {
		p.withRows = append(p.withRows, rowPage{at: at, rows: rows})
	}
	return nil
}

// pageNumbers returns the type of a page and its numbers of blocks and subheaders.
func (p *pages) pageNumbers(page []byte) (kind, blocks, subheaders int) {
	numbers := page[p.headSize()-8:]
	two := func(at int) int { return int(p.order.Uint16(numbers[at:])) }
	return two(0), two(2), two(4)
}

func (p *pages) pointerSize() int { return p.wide(12, 24) }

// pointer is the position of a subheader, or a row, in a page.
type pointer struct {
	offset, length    int
	compression, kind byte
}

// Compression flags of pointers.
const (
	truncated     = 1
	packed        = 4 // compressed row
	packedDeleted = 5 // compressed row marked as deleted
)

// leavesOut reports whether a pointer is to a row that is not read.
func (p *pages) leavesOut(s pointer) bool { return s.compression == packedDeleted && !p.withDeleted }

// isRow reports whether a pointer is to a row of a compressed file: a compressed row, or one that compression
// would not shorten, which does not begin like a subheader.
func (p *pages) isRow(page []byte, s pointer) bool {
	switch {
	case p.unpack == nil:
		return false
	case s.compression == packed, s.compression == packedDeleted:
		return true
	case s.compression != 0:
		return false
	}
	if s.kind != 1 || int64(s.length) != p.rowLength || s.length < p.wordSize() {
		return false
	}
	signature := p.signature(page[s.offset:])
	return signature != subRowSize && signature != subColumnSize && signature < subCounts
}

// pointers calls f for the subheaders and the compressed rows of a page.
func (p *pages) pointers(page []byte, at int64, f func(pointer) error) error {
	_, _, count := p.pageNumbers(page)
	size := p.pointerSize()
	if p.headSize()+count*size > len(page) {
		return p.in.Failure(statfile.ErrDamaged, "byte %d: a page declares more subheaders than it can hold", at)
	}
	claimed := 0
	for i := range count {
		bytes := page[p.headSize()+i*size:]
		s := pointer{offset: p.whole(bytes, 0), length: p.whole(bytes, 1), compression: bytes[2*p.wordSize()],
			kind: bytes[2*p.wordSize()+1]}
		if s.length == 0 || s.compression == truncated {
			continue
		}
		if s.offset < 0 || s.length < 0 || s.offset > len(page) || s.length > len(page)-s.offset {
			return p.in.Failure(statfile.ErrDamaged, "byte %d: a subheader lies beyond the end of its page", at)
		}
		if claimed += s.length; claimed > len(page) { // overlapping pointers
			return p.in.Failure(statfile.ErrDamaged, "byte %d: the subheaders of a page are longer than the page", at)
		}
		if err := f(s); err != nil {
			return err
		}
	}
	return nil
}

func (p *pages) wordSize() int { return p.wide(4, 8) }

// whole returns the number in a word.
func (p *pages) whole(bytes []byte, word int) int {
	if p.long {
		return int(p.order.Uint64(bytes[8*word:]))
	}
	return int(p.order.Uint32(bytes[4*word:]))
}

// Signatures of subheaders.
const (
	subRowSize    = 0xf7f7f7f7
	subColumnSize = 0xf6f6f6f6
	subText       = 0xfffffffd
	subNames      = 0xffffffff
	subAttributes = 0xfffffffc
	subCounts     = 0xfffffb00 // and above: not needed
	subFormats    = 0xfffffbfe
)

// signature returns the signature of a subheader.
func (p *pages) signature(bytes []byte) uint32 {
	first := p.order.Uint32(bytes)
	if p.long && !p.little && (first == 0 || first == 0xffffffff) {
		return p.order.Uint32(bytes[4:])
	}
	return first
}

// subheader parses a subheader.
func (p *pages) subheader(content []byte, at int64) error {
	word := p.wordSize()
	damaged := func() error {
		return p.in.Failure(statfile.ErrDamaged, "byte %d: a subheader is too short or has impossible values", at)
	}
	if len(content) < 2*word {
		return damaged()
	}
	switch p.signature(content) {
	case subRowSize:
		if len(content) < 16*word {
			return damaged()
		}
		p.rowLength, p.rows, p.mixed = int64(p.whole(content, 5)), int64(p.whole(content, 6)), int64(p.whole(content, 15))
		p.said = int64(p.whole(content, 7))
		if p.rowLength < 0 || p.rowLength > 1<<27 || p.rows < 0 || p.mixed < 0 {
			return damaged()
		}
	case subColumnSize:
		if p.count = int64(p.whole(content, 1)); p.count < 0 || p.count > p.in.Size() {
			return damaged()
		}
		return p.in.CheckVariables(p.count)
	case subText:
		p.addTexts(content[word:])
	case subNames:
		if !p.addNames(content) {
			return damaged()
		}
	case subAttributes:
		p.addAttributes(content)
	case subFormats:
		if len(content) < 3*word+34 {
			return damaged()
		}
		p.addFormat(content)
	}
	return nil
}

// addTexts adds a block of texts. The first one contains the compression method.
func (p *pages) addTexts(content []byte) {
	if len(p.texts) == 0 {
		if bytes.Contains(content, []byte("SASYZCRL")) {
			p.unpack = unpackRuns
		} else if bytes.Contains(content, []byte("SASYZCR2")) {
			p.unpack = unpackRoss
		}
	}
	p.texts = append(p.texts, bytes.Clone(content))
}

// text returns a text of a column, or "" if it does not exist.
func (p *pages) text(at textAt) string {
	if at.block >= len(p.texts) {
		return ""
	}
	block := p.texts[at.block]
	if at.offset > len(block) || at.length > len(block)-at.offset {
		return ""
	}
	return trimmed(block[at.offset : at.offset+at.length])
}

// reference reads the position of a text.
func (p *pages) reference(content []byte) textAt {
	return textAt{int(p.order.Uint16(content)), int(p.order.Uint16(content[2:])), int(p.order.Uint16(content[4:]))}
}

// column returns a column by number, up to the number of columns in the file.
func (p *pages) column(i int) *sasColumn {
	for len(p.columns) <= i {
		p.columns = append(p.columns, sasColumn{})
	}
	return &p.columns[i]
}

func (p *pages) addNames(content []byte) bool {
	word := p.wordSize()
	for i := range (len(content) - 2*word - 12) / 8 {
		if int64(p.named) >= p.count {
			return false
		}
		p.column(p.named).name = p.reference(content[word+8*(i+1):])
		p.named++
	}
	return true
}

func (p *pages) addAttributes(content []byte) {
	word := p.wordSize()
	for i := range (len(content) - 2*word - 12) / (word + 8) {
		at := content[word+8+i*(word+8):]
		c := p.column(p.set)
		c.offset, c.width, c.number = p.whole(at, 0), int(p.order.Uint32(at[word:])), at[word+6] == 1
		p.set++
	}
}

func (p *pages) addFormat(content []byte) {
	word := p.wordSize()
	c := p.column(p.formatted)
	widths := content[3*word:] // offset in 64-bit files
	c.formatWidth, c.formatDecimals = int(p.order.Uint16(widths)), int(p.order.Uint16(widths[2:]))
	c.format, c.label = p.reference(content[3*word+22:]), p.reference(content[3*word+28:])
	p.formatted++
}
