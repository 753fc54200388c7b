package fileio

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// extent is the position of a field in a record, in characters from 0.
type extent struct{ from, to int }

// with returns the smallest extent that contains both; an empty one does not count.
func (e extent) with(other extent) extent {
	switch {
	case e == extent{}:
		return other
	case other == extent{}:
		return e
	default:
		return extent{min(e.from, other.from), max(e.to, other.to)}
	}
}

// layout specifies how the fields of described records are found.
type layout struct {
	places []extent // positions of fixed fields; nil if there is a delimiter
	gaps   []extent // between and before fixed fields
	length int      // record length in characters
}

// layout returns the layout of a described format, or nil for other formats.
func (f *Format) layout() *layout {
	if !f.described() {
		return nil
	}
	l := &layout{}
	if f.Type == Free {
		return l
	}
	l.places = make([]extent, len(f.Fields))
	for i, field := range f.Fields {
		l.places[i] = extent{field.Start - 1, field.Start - 1 + field.Width}
	}
	ordered := slices.Clone(l.places)
	slices.SortFunc(ordered, func(x, y extent) int { return x.from - y.from })
	for _, p := range ordered {
		if p.from > l.length {
			l.gaps = append(l.gaps, extent{l.length, p.from})
		}
		l.length = max(l.length, p.to)
	}
	return l
}

// Where a fixed field is padded with spaces.
const (
	leadingBlanks = 1 << iota
	trailingBlanks
)

// fixedFindings collects what is found in records of fixed fields.
type fixedFindings struct {
	aligned      []uint8     // by variable: padding found; fields of spaces only do not count
	short, other occurrences // records that end before the last field, and records with text outside the fields
	otherAt      extent      // from the first to the last gap with text
}

// add merges the findings in other records.
func (s *fixedFindings) add(other fixedFindings) {
	if s.aligned == nil {
		s.aligned = slices.Clone(other.aligned)
	}
	for i, aligned := range other.aligned {
		s.aligned[i] |= aligned
	}
	s.short.add(other.short)
	s.other.add(other.other)
	s.otherAt = s.otherAt.with(other.otherAt)
}

// described appends the fields of the next record of a described file without surrounding spaces and, in free
// files, without quotes.
func (l *lines) described(fields []field) []field {
	if l.layout.places != nil {
		return l.fixedFields(fields)
	}
	before := len(fields)
	fields, _ = l.delimited(fields) // without a quote character there cannot be a quote problem
	for i := before; i < len(fields); i++ {
		fields[i] = l.trimmed(fields[i])
	}
	return fields
}

// trimmed returns a field of a free file without surrounding spaces and quotes.
func (l *lines) trimmed(f field) field {
	f = l.withoutBlanks(f)
	if f.end-f.start >= 2 && l.data[f.start] == '"' && l.data[f.end-1] == '"' {
		f = l.withoutBlanks(field{f.start + 1, f.end - 1})
		f.start |= quotedField
	}
	return f
}

func (l *lines) withoutBlanks(f field) field {
	for f.start < f.end && blank(l.data[f.start]) {
		f.start++
	}
	for f.start < f.end && blank(l.data[f.end-1]) {
		f.end--
	}
	return f
}

func blank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// fixedFields appends the fields of the next record with fixed positions. An empty line is one empty field.
func (l *lines) fixedFields(fields []field) []field {
	start := l.pos
	stop := start + bytes.IndexByte(l.data[start:l.end], l.newline)
	l.pos = stop + 1
	l.breaks++
	if stop > start && l.data[stop-1] == '\r' && l.newline == '\n' {
		stop--
		l.crlf++
	}
	if stop == start {
		return append(fields, field{uint32(start), uint32(start)})
	}
	if l.fixed.aligned == nil {
		l.fixed.aligned = make([]uint8, len(l.layout.places))
	}
	r := record{start: start, stop: stop, characters: stop - start}
	if text := l.data[start:stop]; slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf }) {
		for i := range string(text) {
			r.offsets = append(r.offsets, i)
		}
		r.characters = len(r.offsets)
	}
	l.look(r)
	for i, p := range l.layout.places {
		fields = append(fields, l.fixedField(r, i, p))
	}
	return fields
}

// record is the position of a fixed record in the block.
type record struct {
	start, stop int
	characters  int
	offsets     []int // byte offset by character; nil if all characters are single bytes
}

// offset returns the offset of a character in the block.
func (r *record) offset(character int) int {
	switch {
	case character >= r.characters:
		return r.stop
	case r.offsets != nil:
		return r.start + r.offsets[character]
	default:
		return r.start + character
	}
}

// part returns a part of the record as a field of the block.
func (r *record) part(p extent) field {
	return field{uint32(r.offset(p.from)), uint32(r.offset(p.to))}
}

// fixedField returns a field without surrounding spaces, and records its padding.
func (l *lines) fixedField(r record, variable int, p extent) field {
	whole := r.part(p)
	f := l.withoutBlanks(whole)
	if f.start == f.end {
		return field{whole.start, whole.start}
	}
	if f.start > whole.start {
		l.fixed.aligned[variable] |= leadingBlanks
	}
	if f.end < whole.end || p.to > r.characters {
		l.fixed.aligned[variable] |= trailingBlanks
	}
	return f
}

// look records whether the record is too short or has text outside the fields.
func (l *lines) look(r record) {
	if r.characters < l.layout.length {
		l.fixed.short.add(occurrences{1, r.start})
	}
	var other extent
	if beyond := (extent{l.layout.length, r.characters}); l.text(r, beyond) {
		other = beyond
	}
	for _, gap := range l.layout.gaps {
		if l.text(r, gap) {
			other = other.with(gap)
		}
	}
	if other != (extent{}) {
		l.fixed.otherAt = l.fixed.otherAt.with(other)
		l.fixed.other.add(occurrences{1, r.start})
	}
}

// text reports whether a part of a record contains anything but spaces.
func (l *lines) text(r record, p extent) bool {
	part := l.withoutBlanks(r.part(p))
	return part.start < part.end
}
