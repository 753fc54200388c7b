package rdata

import (
	"math"
	"slices"

	"golang.org/x/text/encoding/charmap"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// fewest is the number of elements kept of each vector in the outline, which are those of a compact sequence.
const fewest = 4

// vector parses a vector of numbers or texts.
func (p *parser) vector(n *node, keep, whole bool) {
	n.length, n.serial = p.vectorLength(), p.serial
	p.serial++
	if p.err != nil {
		return
	}
	if to := p.sinks[n.serial]; to != nil {
		p.feed(n.kind, n.length, to)
		if delete(p.sinks, n.serial); len(p.sinks) == 0 {
			p.fail(errEnough)
		}
		return
	}
	wanted := int64(0)
	switch {
	case keep && whole:
		wanted = n.length
	case keep:
		wanted = min(max(p.heads, fewest), n.length)
	}
	p.feed(n.kind, wanted, &keeper{keptElements: &n.keptElements, parser: p})
	if whole && p.room < 0 {
		p.fail(errNames)
	}
	p.skipElements(n.kind, n.length-wanted)
}

// feed passes the elements to a sink.
func (p *parser) feed(of kind, length int64, to sink) {
	for length > 0 && p.err == nil {
		part := int(min(length, parallel.Block))
		if to.done() {
			p.skipElements(of, length)
			return
		}
		if p.err = p.ctx.Err(); p.err != nil {
			return
		}
		switch of {
		case text:
			for range part {
				to.text(p.charText())
			}
		case real:
			p.bits = slices.Grow(p.bits[:0], part)[:part]
			if p.reals(p.bits); p.err == nil {
				to.reals(p.bits)
			}
		default:
			p.ints = slices.Grow(p.ints[:0], part)[:part]
			if p.integers(p.ints); p.err == nil {
				to.integers(p.ints)
			}
		}
		if p.budget != nil {
			p.fail(p.budget.Err())
		}
		length -= int64(part)
	}
}

func (p *parser) skipElements(of kind, length int64) {
	switch of {
	case text:
		for ; length > 0 && p.err == nil; length-- {
			if p.integer(); p.err == nil {
				p.skipChars(int(max(0, p.integer())))
			}
		}
	case real:
		p.skipNumbers(length, 8)
	default:
		p.skipNumbers(length, 4)
	}
}

// Encoding flags of a text.
const (
	markLatin1 = 1 << 2
	markUTF8   = 1 << 3
	markASCII  = 1 << 6
)

// charText reads a text of a vector in UTF-8, or in the encoding of the file if it is not marked; nil if it is
// missing. It is valid until the next call.
func (p *parser) charText() []byte {
	flags := p.integer()
	if of := kind(flags & 0xff); of != char {
		if p.err == nil && of != nothing && of != null {
			p.fail(errKind)
		}
		return nil
	}
	length := p.integer()
	if length < 0 || p.err != nil {
		return nil
	}
	text := p.chars(int(length))
	switch {
	case p.err != nil:
		return nil
	case text == nil:
		return []byte{}
	case flags>>levelShift&markLatin1 != 0:
		decoded, err := charmap.Windows1252.NewDecoder().Bytes(text) // the meaning of latin1 in R on Windows
		if err != nil {
			p.fail(err)
		}
		return decoded
	}
	return text
}

// keeper keeps elements of a vector in its node as long as there is room.
type keeper struct {
	*keptElements
	parser *parser
	full   bool
}

// room takes bytes from the limit, and reports whether they were available.
func (k *keeper) room(bytes int) bool {
	if k.parser.room -= int64(bytes); k.parser.room < 0 {
		k.full = true
	} else if k.parser.budget != nil {
		k.parser.fail(k.parser.budget.Take(int64(bytes)))
	}
	return !k.full
}

func (k *keeper) integers(part []int32) {
	if k.room(4 * len(part)) {
		k.keptElements.integers = append(k.keptElements.integers, part...)
	}
}

func (k *keeper) reals(part []uint64) {
	if k.room(8 * len(part)) {
		k.keptElements.reals = append(k.keptElements.reals, part...)
	}
}

func (k *keeper) text(text []byte) {
	const header = 17
	if k.room(header + len(text)) {
		k.texts, k.absent = append(k.texts, string(text)), append(k.absent, text == nil)
	}
}

func (k *keeper) done() bool { return k.full }

// inFew parses an ALTREP vector: a compact sequence, a deferred string, or a vector with a wrapper. Of other
// classes, it keeps only the existence.
func (p *parser) inFew(keep, whole bool) *node {
	said, from := p.object(true, false), p.serial
	state := p.object(keep, whole)
	var of node
	attributes := p.object(keep, false)
	if !keep || state == nil || said == nil || len(said.parts) == 0 || p.err != nil {
		return &of
	}
	switch class := said.parts[0].value.symbol(); class {
	case "compact_intseq", "compact_realseq":
		of = sequenceOf(state, class == "compact_realseq", from)
	case "deferred_string":
		if len(state.parts) > 0 && state.parts[0].value != nil {
			numbers := state.parts[0].value
			of = node{kind: text, length: numbers.length, serial: numbers.serial, spelled: numbers}
		}
	default: // wrap_real and others, including those of packages
		switch {
		case state.kind == list && len(state.elements) > 0:
			state = state.elements[0]
		case state.kind == pairs && len(state.parts) > 0:
			state = state.parts[0].value
		}
		if state != nil && state.atomic() {
			of = *state
		}
	}
	of.attributes = nil
	if attributes != nil {
		of.attributes = attributes.parts
	}
	return &of
}

// sequenceOf returns the sequence with a length, a first number and a step.
func sequenceOf(state *node, isReal bool, serial int) node {
	const parts = 3
	values := make([]float64, parts)
	for i := range values {
		switch {
		case len(state.reals) == parts:
			values[i] = math.Float64frombits(state.reals[i])
		case len(state.integers) == parts:
			values[i] = float64(state.integers[i])
		}
	}
	const longest = 1 << 52
	if !(values[0] >= 0 && values[0] <= longest) {
		return node{}
	}
	of := node{kind: integer, length: int64(values[0]), serial: serial, sequence: &sequence{values[1], values[2]}}
	if isReal {
		of.kind = real
	}
	return of
}
