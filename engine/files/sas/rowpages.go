package sas

import (
	"bytes"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// rowPage is a page with rows.
type rowPage struct {
	at    int64 // offset of the page
	first int   // offset of the first row in the page; 0 if rows are behind pointers
	rows  int64

	deleted []byte // deletion flags of the rows, highest bit first; nil if no rows are left out
}

// isDeleted reports whether a row is left out.
func (r *rowPage) isDeleted(row int64) bool {
	return r.deleted != nil && r.deleted[row/8]&(0x80>>(row%8)) != 0
}

// kept returns the number of rows that are not left out.
func (r *rowPage) kept() (rows int64) {
	if r.deleted == nil {
		return r.rows
	}
	for row := range r.rows {
		if !r.isDeleted(row) {
			rows++
		}
	}
	return rows
}

// firstRow returns the offset of the first row after the pointers of a page. SAS aligns it to eight bytes. Other
// programs do not always; for them, it is the offset that gives fewer implausible numbers or, if equal, the
// aligned offset if only zeros or spaces are skipped.
func (p *pages) firstRow(page []byte, pointersEnd int) int {
	rest := pointersEnd % 8
	if rest == 0 || pointersEnd+rest > len(page) {
		return pointersEnd
	}
	if near, far := p.oddNumbers(page, pointersEnd), p.oddNumbers(page, pointersEnd+rest); p.foreign && near != far {
		return map[bool]int{true: pointersEnd, false: pointersEnd + rest}[near < far]
	}
	filler := page[pointersEnd : pointersEnd+rest]
	if p.foreign && len(bytes.Trim(filler, "\x00")) > 0 && len(bytes.Trim(filler, " ")) > 0 {
		return pointersEnd
	}
	return pointersEnd + rest
}

// oddNumbers counts implausible numbers if the rows of a page began at an offset.
func (p *pages) oddNumbers(page []byte, first int) (odd int) {
	const large = 1e150
	for range min(p.mixed, p.rows, 100) {
		if p.rowLength <= 0 || p.rowLength > int64(len(page)-first) {
			break
		}
		row := page[first : first+int(p.rowLength)]
		for _, c := range p.columns {
			if c.number && c.width >= 3 && c.width <= 8 && c.offset >= 0 && c.offset+c.width <= len(row) {
				value := math.Abs(p.number(row[c.offset:][:c.width]))
				if value > large || value < 1/large && value != 0 {
					odd++
				}
			}
		}
		first += int(p.rowLength)
	}
	return odd
}

// addRows adds a page of consecutive rows. The deletion flags are after the rows, at a distance stored in the
// page.
func (p *pages) addRows(page rowPage, head []byte) error {
	kind, blocks, subheaders := p.pageNumbers(head)
	if kind&pageDeleted != 0 {
		size := int64(blocks-subheaders+7) / 8
		marks := int64(page.first) + int64(blocks-subheaders)*p.rowLength + int64(p.whole(head, 3))
		if size < (page.rows+7)/8 || marks < int64(page.first) || marks+size > int64(p.pageLength) {
			return p.in.Failure(statfile.ErrDamaged, "byte %d: a page lacks its marks of deleted records", page.at)
		}
		var err error
		if page.deleted, err = p.in.Bytes(page.at+marks, size); err != nil {
			return err
		}
		p.deleted += page.rows - page.kept()
		if p.withDeleted {
			page.deleted = nil
		}
	}
	p.withRows = append(p.withRows, page)
	return nil
}
