package rdata

import "slices"

// kind is the type code of an object in R.
type kind uint8

// The object types, and the pseudo-types used only in files.
const (
	null         kind = 0
	symbol       kind = 1
	pairs        kind = 2
	closure      kind = 3
	environment  kind = 4
	promise      kind = 5
	language     kind = 6
	special      kind = 7
	builtin      kind = 8
	char         kind = 9
	logical      kind = 10
	integer      kind = 13
	real         kind = 14
	complexes    kind = 15
	text         kind = 16
	dots         kind = 17
	list         kind = 19
	expression   kind = 20
	bytecode     kind = 21
	external     kind = 22
	weak         kind = 23
	raw          kind = 24
	s4           kind = 25
	inFew        kind = 238 // ALTREP: a compact form of a vector
	pairsWith    kind = 239 // ATTRLIST, in bytecode
	languageWith kind = 240
	emptyFirst   kind = 241 // to 254, except those below: system environments and values
	backTo       kind = 243 // BCREPREF, in bytecode
	defined      kind = 244
	persistent   kind = 247
	packages     kind = 248
	namespaces   kind = 249
	nothing      kind = 254
	reference    kind = 255
)

// node is an object in the outline of a file. It keeps the elements of attributes, and the first elements of other
// vectors.
type node struct {
	kind       kind
	object     bool  // has a class
	length     int64 // of a vector
	serial     int   // number of the vector among the nonempty vectors of the file
	attributes []attribute
	elements   []*node // of a list; not all if there are too many
	parts      []attribute
	keptElements
	sequence *sequence
	spelled  *node // numbers that the texts of a deferred string are formatted from; nil for stored texts
}

// attribute is a named object.
type attribute struct {
	name  string
	value *node
}

// sequence is an arithmetic progression.
type sequence struct{ first, step float64 }

// keptElements holds the kept elements of a vector in one of three forms.
type keptElements struct {
	integers []int32
	reals    []uint64 // bits of doubles
	texts    []string // in UTF-8 or the encoding of the file; see absent
	absent   []bool
}

func (k *keptElements) len() int64 { return int64(max(len(k.integers), len(k.reals), len(k.texts))) }

// whole reports whether the first wanted elements of a vector, or all if it has fewer, are kept.
func (n *node) whole(wanted int64) bool {
	return n.sequence != nil || n.keptElements.len() >= min(n.length, wanted)
}

func (n *node) attribute(name string) *node {
	if n != nil {
		for i := range n.attributes {
			if n.attributes[i].name == name {
				return n.attributes[i].value
			}
		}
	}
	return nil
}

// words returns the texts of an attribute; missing ones are empty.
func (n *node) words(name string) []string {
	a := n.attribute(name)
	if a == nil || a.kind != text {
		return nil
	}
	if a.spelled != nil && a.length <= mostNodes {
		a.feed(a.length, &keeper{keptElements: &a.keptElements, parser: &parser{room: mostKept}})
		a.spelled = nil
	}
	return a.texts
}

// levels returns the levels of a factor without a missing level, which addNA creates, and whether each level is
// missing.
func (n *node) levels() (texts []string, absent []bool) {
	all := n.words("levels")
	if len(all) == 0 {
		return []string{}, nil
	}
	absent = n.attribute("levels").absent
	for i, text := range all {
		if !absent[i] {
			texts = append(texts, text)
		}
	}
	return texts, absent
}

// word returns the first text of an attribute, or "".
func (n *node) word(name string) string {
	if words := n.words(name); len(words) > 0 {
		return words[0]
	}
	return ""
}

// is reports whether an object has a class.
func (n *node) is(class string) bool { return n != nil && slices.Contains(n.words("class"), class) }

// atomic reports whether an object is a vector of numbers or texts.
func (n *node) atomic() bool {
	switch n.kind {
	case logical, integer, real, text:
		return true
	}
	return false
}
