package sas

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// catalogueMagic is the signature of catalogues, which differs from that of data files in one byte.
var catalogueMagic = strings.Replace(magic, "\x81\x60", "\x81\x63", 1)

// Label adds the value labels in a catalogue for the formats of the variables. Labels of ranges are left out with
// a warning.
func (DataFile) Label(ctx context.Context, in *statfile.Source, f *statfile.File, o statfile.ReadOptions) error {
	if !bytes.HasPrefix(in.Head(), []byte(catalogueMagic)) {
		return in.Failure(statfile.ErrUnsupported, "it is not a SAS catalogue (sas7bcat)")
	}
	h, err := readFileHeader(in)
	if err != nil {
		return err
	}
	own := "" // not declared in catalogues of old or plain sessions
	if h.encoding != 0 {
		own = encodings[h.encoding]
	}
	charset, err := in.Charset(o.Encoding, cmp.Or(own, f.Encoding), "windows-1252")
	if err != nil {
		return err
	}
	c := &catalogue{fileHeader: h, in: in, charset: charset, left: in.Size(), formats: map[string]*valueFormat{}}
	if err := c.readAll(ctx); err != nil {
		return err
	}
	var lost statfile.Losses
	found := false
	for i := range f.Variables {
		v := &f.Variables[i]
		name, _, _ := parseFormat(v.Format)
		format := c.formats[strings.ToUpper(name)]
		if format == nil || strings.HasPrefix(name, "$") != (v.Kind == statfile.Text) {
			continue
		}
		v.Labels, found = format.labels, true
		if format.partly {
			lost.Add("labels of ranges and of \"other\" values are omitted", v.Name)
		}
	}
	if !found && o.Columns == nil {
		return in.Failure(statfile.ErrUnsupported, "the catalogue contains none of the formats of the variables")
	}
	f.Warnings = append(f.Warnings, lost.Sentences()...)
	return nil
}

// catalogue is a catalogue being read.
type catalogue struct {
	*fileHeader
	in      *statfile.Source
	charset *statfile.Charset
	left    int64 // bytes that parts may still have, because valid parts do not overlap
	formats map[string]*valueFormat
}

// valueFormat holds the value labels of a format.
type valueFormat struct {
	labels []statfile.ValueLabel // in order of definition
	partly bool                  // some labels are not for a single value
}

// readAll reads the formats listed in the directories of the catalogue: one on the second page, others on pages of
// their own.
func (c *catalogue) readAll(ctx context.Context) error {
	const listPage, othersFrom, pageHead = 1, 3, 16
	for number := int64(listPage); number < c.pageCount; number++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		at, start := c.length+number*int64(c.pageLength), int64(pageHead)
		switch {
		case at+int64(c.pageLength) > c.in.Size():
			return c.in.Failure(statfile.ErrDamaged, "the catalogue has fewer pages than its header declares: it is truncated")
		case number == listPage:
			start = int64(c.wide(856, 1000) + 2*c.gap)
		case number < othersFrom:
			continue
		}
		list, err := c.in.Bytes(at+start, max(0, int64(c.pageLength)-start))
		if err != nil {
			return err
		}
		if err := c.list(list); err != nil {
			return err
		}
	}
	return nil
}

// list reads the formats in a directory, whose entries may be separated by eight bytes.
func (c *catalogue) list(list []byte) error {
	const ofFormats, between = 'O', 8
	entry := []byte("XLSR")
	size, kindAt := c.wide(212, 284)+c.gap, c.wide(50, 74)+c.gap
	for {
		if !bytes.HasPrefix(list, entry) {
			list = list[min(between, len(list)):]
		}
		if !bytes.HasPrefix(list, entry) || len(list) < size {
			return nil
		}
		if list[kindAt] == ofFormats {
			page, place := uint64(c.order.Uint32(list[4:])), c.order.Uint16(list[8:])
			if c.long {
				page, place = c.order.Uint64(list[8:]), c.order.Uint16(list[16:])
			}
			content, err := c.parts(page, place)
			if err != nil {
				return err
			}
			if !c.format(content) {
				return c.in.Failure(statfile.ErrDamaged, "page %d: a format cannot be read: the catalogue is damaged", page)
			}
		}
		list = list[size:]
	}
}

// parts returns the content that starts at a position, from 1, of a page, and continues where each part specifies.
func (c *catalogue) parts(page uint64, place uint16) (content []byte, err error) {
	head := int64(c.wide(16, 32))
	for page > 0 && place > 0 {
		if page > uint64(c.pageCount) {
			return nil, c.in.Failure(statfile.ErrDamaged, "a format continues on page %d, which does not exist", page)
		}
		at := c.length + int64(page-1)*int64(c.pageLength) + int64(place)
		part, err := c.in.Bytes(at, head)
		if err != nil {
			return nil, err
		}
		rest := part[c.wide(4, 8):]
		page, place = uint64(c.order.Uint32(part)), c.order.Uint16(rest)
		length := int64(c.order.Uint16(rest[2:]))
		if c.left -= head + length; c.left < 0 {
			return nil, c.in.Failure(statfile.ErrDamaged, "byte %d: several formats share this part: the catalogue is damaged",
				at)
		}
		part, err = c.in.Bytes(at+head, length)
		if err != nil {
			return nil, err
		}
		content = append(content, part...)
	}
	return content, nil
}

// format parses a format: its name, the values, and the labels after them; whole is false if the content is
// incomplete.
func (c *catalogue) format(content []byte) (whole bool) {
	const longName, longNameWide, withGap, nameSize = 0x80, 0x20, 0x08, 32
	skipped := c.wide(106, 138)
	if len(content) < skipped {
		return len(content) == 0
	}
	flags, gap := int(c.order.Uint16(content[2:])), 0
	if flags&withGap != 0 {
		gap, skipped = 4, skipped+20
	}
	room, used := uint64(c.order.Uint32(content[38+gap:])), uint64(c.order.Uint32(content[42+gap:]))
	if c.long {
		room, used = c.order.Uint64(content[42+gap:]), c.order.Uint64(content[50+gap:])
	}
	if len(content) < skipped {
		return false
	}
	name := content[8:16]
	content = content[skipped:]
	if flags&c.wide(longName, longNameWide) != 0 {
		if len(content) < nameSize {
			return false
		}
		name, content = content[:nameSize], content[nameSize:]
	}
	key := strings.ToUpper(c.charset.Decode(trimmed(name)))
	c.formats[key], whole = c.labels(content, room, used, strings.HasPrefix(key, "$"))
	return whole
}

// labels pairs values with labels. There is space for more values than are used; each contains the index of its
// label.
func (c *catalogue) labels(content []byte, room, used uint64, texts bool) (f *valueFormat, whole bool) {
	const entryHead, shortest, labelHead = 6, 30, 10
	if used > room || used > uint64(len(content))/entryHead {
		return nil, false
	}
	entries := make([][]byte, used)
	for i := range room {
		if len(content) < entryHead {
			return nil, false
		}
		size := entryHead + int(c.order.Uint16(content[2:]))
		if size > len(content) || i < used && size < shortest {
			return nil, false
		}
		if i < used {
			place := uint64(c.order.Uint32(content[10+c.gap:]))
			if place >= used {
				return nil, false
			}
			entries[place] = content[:size]
		}
		content = content[size:]
	}
	f = &valueFormat{}
	for _, entry := range entries {
		if len(content) < labelHead {
			return nil, false
		}
		size := labelHead + int(c.order.Uint16(content[8:]))
		if size > len(content) {
			return nil, false
		}
		if value, single := c.value(entry, texts); single {
			f.labels = append(f.labels, statfile.ValueLabel{Value: value,
				Label: c.charset.Decode(trimmed(content[labelHead:size]))})
		} else {
			f.partly = true
		}
		content = content[min(size+1, len(content)):]
	}
	return f, true
}

// value returns the value of an entry; single is false for ranges, for "other", and for the system missing value.
func (c *catalogue) value(entry []byte, texts bool) (v statfile.Value, single bool) {
	const first, last, other, text = 22, 30, "**OTHER**", 16
	switch {
	case len(entry) == 0: // two have the same index
		return v, false
	case texts:
		v = statfile.Value{IsText: true, Text: c.charset.Decode(trimmed(entry[len(entry)-text:]))}
		return v, len(entry) <= 34+c.gap && v.Text != other
	case len(entry) >= last+8 && !bytes.Equal(entry[first:last], entry[last:last+8]):
		return v, false
	}
	v.Number = fromSortable(binary.BigEndian.Uint64(entry[first:]))
	letter, missing := statfile.Tag(v.Number)
	return v, !missing || letter != 0
}

// fromSortable decodes a number whose bytes sort correctly: the sign bit of nonnegative numbers is set, and all
// bits of negative ones are inverted.
func fromSortable(bits uint64) float64 {
	const sign = 1 << 63
	if bits&sign != 0 {
		return fromBits(bits &^ sign)
	}
	return fromBits(^bits)
}
