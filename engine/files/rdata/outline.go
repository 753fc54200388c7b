package rdata

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// sink receives elements of a vector in order.
type sink interface {
	integers([]int32)
	reals([]uint64)
	// text receives a text in UTF-8 or the encoding of the file, or nil if it is missing
	text([]byte)
	done() bool // no more elements are needed
}

// parser parses the objects of a file.
type parser struct {
	wire
	references []string // names of symbols, for references; "" for other objects
	serial     int      // number of the next vector
	depth      int
	heads      int64 // number of elements kept of vectors other than attributes
	nodes      int   // nodes that may still be kept
	budget     *statfile.Budget
	room       int64 // bytes of elements that may still be kept
	sinks      map[int]sink
	ints       []int32
	bits       []uint64
}

const (
	deepest   = 2000     // maximum nesting depth
	mostNodes = 500_000  // maximum in the outline
	mostKept  = 64 << 20 // maximum bytes of elements in the outline
)

var (
	errDeep  = statfile.Failuref(statfile.ErrUnsupported, "objects are nested more than %d levels deep", deepest)
	errKind  = errors.New("an object has an unknown type")
	errBack  = errors.New("an object refers to one that does not exist")
	errNames = statfile.Failuref(statfile.ErrUnsupported, "its names, labels and levels exceed %d MB",
		mostKept>>20)
	errLength  = errors.New("a length is negative")
	errVersion = statfile.Failuref(statfile.ErrUnsupported,
		"only versions 2 and 3 of the R file format are supported: save the file with a newer R")
)

// Beginnings of files with named objects, and of all files.
const (
	namedStart = "RD" // followed by the format, the version and a line end, as in "X3\n"
	startSize  = 5
)

// startOf returns the serialisation format from the beginning of a file, and whether the objects are named.
func startOf(head []byte) (format byte, named, ok bool) {
	if len(head) >= startSize && string(head[:2]) == namedStart && (head[3] == '2' || head[3] == '3') && head[4] == '\n' {
		head, named = head[startSize:], true
	}
	const formats = "XAB"
	if len(head) < 2 || head[1] != '\n' || !slices.Contains([]byte(formats), head[0]) {
		return 0, false, false
	}
	version := head[2:]
	switch {
	case named:
		ok = true
	case head[0] == 'A':
		ok = len(version) > 1 && (version[0] == '2' || version[0] == '3') && version[1] == '\n'
	default:
		ok = len(version) >= 4 && (string(version[:4]) == "\x00\x00\x00\x02" || string(version[:4]) == "\x00\x00\x00\x03" ||
			head[0] == 'B' && (string(version[:4]) == "\x02\x00\x00\x00" || string(version[:4]) == "\x03\x00\x00\x00"))
	}
	return head[0], named, ok
}

// newParser opens a file after its header. The caller closes its stream.
func newParser(ctx context.Context, in *statfile.Source, meter *progress.Meter) (p *parser, named bool, err error) {
	s, err := unpacked(ctx, in, meter)
	if err != nil {
		return nil, false, err
	}
	p = &parser{wire: wire{stream: s, order: binary.BigEndian}, budget: in.Budget, nodes: mostNodes, room: mostKept}
	const longest = 32
	if !s.next() {
		s.close()
		return nil, false, s.ended
	}
	format, named, ok := startOf(s.window[:min(longest, len(s.window))])
	if !ok {
		s.close()
		return nil, false, errVersion
	}
	if named {
		s.skip(startSize)
	}
	s.skip(2)
	switch format {
	case 'A':
		p.wire.text = true
	case 'B':
		p.order = binary.LittleEndian
	}
	version := p.integer()
	p.integer()
	if p.integer(); version == 3 {
		p.chars(int(max(0, p.integer()))) // name of the native encoding
	} else if version != 2 {
		p.fail(errVersion)
	}
	return p, named, nil
}

// vectorLength reads the length of a vector.
func (p *parser) vectorLength() int64 {
	const long = -1
	length := int64(p.integer())
	if length == long {
		length = int64(p.integer())<<32 | int64(uint32(p.integer()))
	}
	if length < 0 {
		p.fail(errLength)
	}
	return length
}

// The flags of an object.
const (
	flagObject     = 1 << 8
	flagAttributes = 1 << 9
	flagTag        = 1 << 10
	levelShift     = 12
)

// object parses an object; whole keeps all its elements. It returns nil if keep is false or there is no room.
func (p *parser) object(keep, whole bool) *node { return p.flagged(p.integer(), keep, whole) }

// flagged parses an object after its flags.
func (p *parser) flagged(flags int32, keep, whole bool) *node {
	if p.depth++; p.depth > deepest {
		p.fail(errDeep)
	}
	defer func() { p.depth-- }()
	if p.err != nil {
		return nil
	}
	of := kind(flags & 0xff)
	n := &node{kind: of, object: flags&flagObject != 0}
	const nodeBytes = 200
	if keep = keep && p.nodes > 0; keep {
		p.nodes--
		p.fail(p.budget.Take(nodeBytes))
	}
	switch {
	case of == pairs || of == language || of == closure || of == promise || of == dots ||
		of == pairsWith || of == languageWith:
		p.chain(n, flags, keep, whole)
		return kept1(n, keep)
	case of == inFew:
		return kept1(p.inFew(keep, whole), keep)
	case of == reference:
		p.refer(n, flags)
		return kept1(n, keep)
	case of == symbol:
		name := p.charText()
		p.references = append(p.references, string(name))
		n.parts = []attribute{{name: string(name)}}
		return kept1(n, keep)
	case of == logical || of == integer || of == real || of == text:
		p.vector(n, keep, whole)
	default:
		p.other(n, keep, whole)
	}
	if flags&flagAttributes != 0 {
		p.attributes(n, keep)
	}
	return kept1(n, keep)
}

func kept1(n *node, keep bool) *node {
	if !keep {
		return nil
	}
	return n
}

// other parses objects that are not pairs or vectors of numbers and texts.
func (p *parser) other(n *node, keep, whole bool) {
	switch of := n.kind; {
	case of == null || of > emptyFirst-1 && (of < backTo || of > namespaces) && of != 246:
		n.kind = null
	case of == persistent || of == packages || of == namespaces:
		p.integer()
		for range p.integer() {
			if p.object(false, false); p.err != nil {
				return
			}
		}
		p.references = append(p.references, "")
	case of == environment:
		p.integer()
		p.references = append(p.references, "")
		for range 4 {
			p.object(false, false)
		}
	case of == external:
		p.references = append(p.references, "")
		p.object(false, false)
		p.object(false, false)
	case of == weak:
		p.references = append(p.references, "")
	case of == special || of == builtin:
		p.skipChars(int(max(0, p.integer())))
	case of == char:
		p.skipChars(int(max(0, p.integer())))
	case of == complexes:
		n.length = p.vectorLength()
		p.skipNumbers(2*n.length, 8)
	case of == raw:
		n.length = p.vectorLength()
		p.skipNumbers(n.length, 1)
	case of == list || of == expression:
		n.length = p.vectorLength()
		keep = keep && n.length <= statfile.MostVariables
		for i := int64(0); i < n.length && p.err == nil; i++ {
			if element := p.object(keep, whole); element != nil && int64(len(n.elements)) == i {
				n.elements = append(n.elements, element)
			}
		}
	case of == bytecode:
		p.integer()
		p.code()
	case of == s4:
	default:
		p.fail(errKind)
	}
}

// refer parses a reference to an earlier object.
func (p *parser) refer(n *node, flags int32) {
	const shift = 8
	index := flags >> shift
	if index == 0 {
		index = p.integer()
	}
	if index < 1 || int(index) > len(p.references) {
		p.fail(errBack)
		return
	}
	if name := p.references[index-1]; name != "" {
		n.kind, n.parts = symbol, []attribute{{name: name}}
	} else {
		n.kind = environment
	}
}

// chain parses a pairlist, which may end with another object.
func (p *parser) chain(n *node, flags int32, keep, whole bool) {
	for first := true; p.err == nil; first = false {
		if flags&flagAttributes != 0 {
			var of node
			if p.attributes(&of, keep && first); first {
				n.attributes = of.attributes
			}
		}
		part := attribute{}
		if flags&flagTag != 0 {
			part.name = p.object(true, false).symbol()
		}
		if part.value = p.object(keep, whole && (part.name == "" || keepsAll(part.name))); keep && p.nodes > 0 {
			n.parts = append(n.parts, part)
		}
		flags = p.integer()
		switch of := kind(flags & 0xff); of {
		case pairs, language, dots, closure, promise:
		case nothing:
			return
		default:
			if end := p.flagged(flags, keep, whole); end != nil {
				n.parts = append(n.parts, attribute{value: end})
			}
			return
		}
	}
}

// symbol returns the name of a symbol.
func (n *node) symbol() string {
	if n == nil || n.kind != symbol || len(n.parts) == 0 {
		return ""
	}
	return n.parts[0].name
}

// attributes parses the attributes of an object.
func (p *parser) attributes(n *node, keep bool) {
	if all := p.object(keep, true); all != nil {
		n.attributes = all.parts
	}
}

// keepsAll reports whether all elements of an attribute are needed: metadata of variables, their values and roles.
func keepsAll(attribute string) bool {
	switch attribute {
	case "names", "class", "levels", "labels", "label", "na_values", "na_range", "units", "tzone", "dim", "notes",
		"format.spss", "format.stata", "format.sas", "variable.labels", "value.labels":
		return true
	}
	return slices.ContainsFunc(sdcRoles, func(r sdcRole) bool { return r.slot == attribute })
}

// code skips a compiled function.
func (p *parser) code() {
	p.object(false, false)
	if p.depth++; p.depth > deepest {
		p.fail(errDeep)
	}
	defer func() { p.depth-- }()
	for n := p.integer(); n > 0 && p.err == nil; n-- {
		switch of := kind(p.integer()); of {
		case bytecode:
			p.code()
		case language, pairs, defined, backTo, languageWith, pairsWith:
			p.codeChain(of)
		default:
			p.object(false, false)
		}
	}
}

// codeChain parses the calls in a compiled function.
func (p *parser) codeChain(of kind) {
	if p.depth++; p.depth > deepest {
		p.fail(errDeep)
	}
	defer func() { p.depth-- }()
	for p.err == nil {
		if of == backTo {
			p.integer()
			return
		}
		if of == defined {
			p.integer()
			of = kind(p.integer())
		}
		switch of {
		case languageWith, pairsWith:
			p.object(false, false)
		case language, pairs:
		default:
			p.object(false, false)
			return
		}
		p.object(false, false)
		p.codeChain(kind(p.integer()))
		of = kind(p.integer())
	}
}
