package spss

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Subtypes of extension records.
const (
	extIntegers      = 3
	extFloats        = 4
	extResponseSets  = 7
	extDisplay       = 11
	extLongNames     = 13
	extLongTexts     = 14
	extRows          = 16
	extFileAttrs     = 17
	extAttributes    = 18
	extResponseSets2 = 19
	extEncoding      = 20
	extLongLabels    = 21
	extLongMissing   = 22
)

// Default numbers for missing and for open ends of ranges.
const (
	systemMissing = -math.MaxFloat64
	highest       = math.MaxFloat64
	lowestBits    = 0xffeffffffffffffe
)

// extension is the content of the extension records.
type extension struct {
	codePage    int
	encoding    string
	missing     float64
	display     []uint32          // measurement level, optionally width, and alignment of each variable record
	longNames   map[string]string // by short name in capitals
	longTexts   map[string]int    // widths of texts in several variables
	longLabels  map[string][]textLabel
	longMissing map[string][]string // by short or long name
	manyRows    int64               // number of rows; negative if unknown
	unkept      map[string]bool     // descriptions of content that is not kept
}

type textLabel struct{ value, label string }

func (e *extension) start() {
	e.missing, e.manyRows = systemMissing, -1
	e.longNames, e.longTexts = map[string]string{}, map[string]int{}
	e.longLabels, e.longMissing, e.unkept = map[string][]textLabel{}, map[string][]string{}, map[string]bool{}
}

func (d *dictionary) readExtension(c *statfile.Cursor) {
	subtype, size, count := int(c.Int32()), int64(c.Uint32()), int64(c.Uint32())
	if c.Err() != nil {
		return
	}
	length := size * count // both are less than 2^32
	if length < 0 || length > c.Left() {
		c.Fail(statfile.ErrDamaged,
			"an extension record declares %d times %d bytes, more than the rest of the file can hold", count, size)
		return
	}
	content := c.Take(int(length))
	words := func(n int) []uint32 {
		out := make([]uint32, min(n, len(content)/4))
		for i := range out {
			out[i] = d.order.Uint32(content[4*i:])
		}
		return out
	}
	switch subtype {
	case extIntegers:
		if numbers := words(8); len(numbers) == 8 {
			d.codePage = int(numbers[7])
		}
	case extFloats:
		if len(content) >= 8 {
			d.extension.missing = math.Float64frombits(d.order.Uint64(content))
		}
	case extDisplay:
		d.display = words(len(content) / 4)
	case extLongNames:
		pairs(content, func(short, long string) { d.longNames[strings.ToUpper(short)] = long })
	case extLongTexts:
		pairs(content, func(short, width string) {
			if n, err := strconv.Atoi(strings.TrimSpace(width)); err == nil && n > 255 {
				d.longTexts[strings.ToUpper(short)] = n
			}
		})
	case extRows:
		if len(content) >= 16 {
			d.manyRows = int64(d.order.Uint64(content[8:]))
		}
	case extEncoding:
		d.encoding = trimmed(content)
	case extLongLabels:
		d.readLongLabels(content)
	case extLongMissing:
		d.readLongMissing(content)
	case extFileAttrs:
		d.unkept["file attributes"] = true
	case extAttributes:
		d.unkept["variable attributes"] = true
	case extResponseSets, extResponseSets2:
		d.unkept["multiple response sets"] = true
	}
}

// pairs calls f for "NAME=value" entries separated by tabs.
func pairs(content []byte, f func(name, value string)) {
	for pair := range bytes.SplitSeq(content, []byte{'\t'}) {
		if name, value, ok := strings.Cut(string(pair), "="); ok {
			f(strings.Trim(name, " \x00"), strings.Trim(value, " \x00"))
		}
	}
}

// fields reads the fields of an extension record; fields beyond its end are empty.
type fields struct {
	content []byte
	order   binary.ByteOrder
	ended   bool
}

func (f *fields) take(n int) []byte {
	if n < 0 || n > len(f.content) {
		f.content, f.ended = nil, true
		return nil
	}
	out := f.content[:n]
	f.content = f.content[n:]
	return out
}

func (f *fields) number() int {
	if bytes := f.take(4); bytes != nil {
		return int(f.order.Uint32(bytes))
	}
	return 0
}

func (f *fields) text() string { return string(f.take(f.number())) }

func (d *dictionary) readLongLabels(content []byte) {
	f := fields{content: content, order: d.order}
	for len(f.content) > 0 {
		name := f.text()
		f.number() // width
		for range f.number() {
			value, label := trimmed([]byte(f.text())), trimmed([]byte(f.text()))
			if f.ended {
				return
			}
			d.longLabels[name] = append(d.longLabels[name], textLabel{value, label})
		}
	}
}

func (d *dictionary) readLongMissing(content []byte) {
	f := fields{content: content, order: d.order}
	for len(f.content) > 0 {
		name, count := f.text(), 0
		if bytes := f.take(1); bytes != nil {
			count = int(bytes[0])
		}
		length := f.number()
		for i := range count {
			if i > 0 && len(f.content) >= 4 && length == 8 && int(d.order.Uint32(f.content)) == length {
				f.take(4) // some programs repeat the length
			}
			value := f.take(length)
			if f.ended {
				return
			}
			d.longMissing[name] = append(d.longMissing[name], trimmed(value))
		}
	}
}
