package fileio

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// extent is where a field stands in a record, in characters from 0.
type extent struct{ from, to int }

// with returns the extent from the first character of either to the last; an
// extent of nothing is none.
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

// layout is how the fields of described records are found.
type layout struct {
	places []extent // of fixed fields; nil: a delimiter stands between fields
	gaps   []extent // between and before fixed fields
	length int      // characters that the fields take
}

// layout returns how the fields of a described format are found; nil for other
// formats.
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

// Where blanks stand beside the values of a fixed field.
const (
	leadingBlanks = 1 << iota
	trailingBlanks
)

// fixedSeen is what records of fixed fields showed.
type fixedSeen struct {
	aligned      []uint8 // by variable: where blanks stand; a field of nothing but blanks says nothing
	short, other met     // records that end before the last field; records with text outside the fields
	otherAt      extent  // from the first to the last gap that has text
}

// add adds what other records showed.
func (s *fixedSeen) add(other fixedSeen) {
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

// described appends the fields of the next record of a described file: without
// the blanks around them, and in free files without quotes around them.
func (l *lines) described(fields []field) []field {
	if l.layout.places != nil {
		return l.fixedFields(fields)
	}
	before := len(fields)
	fields, _ = l.delimited(fields) // there is no quote that could be a problem
	for i := before; i < len(fields); i++ {
		fields[i] = l.trimmed(fields[i])
	}
	return fields
}

// trimmed returns a field of a free file without blanks and quotes around it.
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

// fixedFields appends the fields of the next record of fixed positions. A line
// with nothing in it is one empty field.
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

// record is where one record of fixed fields stands.
type record struct {
	start, stop int
	characters  int
	offsets     []int // of each character, where not all have one byte
}

// offset returns where a character of the record stands in the block.
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

// part returns a part of the record as it stands in the block.
func (r *record) part(p extent) field {
	return field{uint32(r.offset(p.from)), uint32(r.offset(p.to))}
}

// fixedField returns one field without the blanks around it, and notes where
// they stand.
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

// look notes records that are too short or have text outside the fields.
func (l *lines) look(r record) {
	if r.characters < l.layout.length {
		l.fixed.short.add(met{1, r.start})
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
		l.fixed.other.add(met{1, r.start})
	}
}

// text reports whether there is something but blanks in a part of a record.
func (l *lines) text(r record, p extent) bool {
	part := l.withoutBlanks(r.part(p))
	return part.start < part.end
}
