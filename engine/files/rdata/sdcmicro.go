package rdata

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// sdcClass is the class of objects of the R package sdcMicro: the original data, the roles of variables, and the
// changed variables (Templ, Kowarik, Meindl: Statistical Disclosure Control for Micro-Data Using the R Package
// sdcMicro, 2015).
const sdcClass = "sdcMicroObj"

// sdcRole is a slot of an sdcMicro object with the variables of a role, and the slot with their changed values.
type sdcRole struct {
	slot   string
	role   microdata.Role
	became string // "" if they do not change
}

var sdcRoles = []sdcRole{
	{"keyVars", microdata.RoleKey, "manipKeyVars"},
	{"numVars", microdata.RoleNumericKey, "manipNumVars"},
	{"weightVar", microdata.RoleWeight, ""},
	{"hhId", microdata.RoleHousehold, ""},
	{"strataVar", microdata.RoleStrata, ""},
	{"pramVars", microdata.RolePRAM, "manipPramVars"},
	{"sensibleVar", microdata.RoleSensitive, ""},
}

// Slots of variables that are suppressed with key variables.
const (
	ghosts       = "ghostVars"
	ghostsBecame = "manipGhostVars"
)

// manipulated is the path of the changed data in settings; their name is "manipulated".
const manipulated = "as it has become"

// nameOf returns the name of a data frame with a path.
func nameOf(path string) string {
	if object, ok := strings.CutSuffix(path, manipulated); ok {
		return object + "manipulated"
	}
	return path
}

// role holds the roles that the file declares for a variable.
type role struct {
	roles   []microdata.Role
	related []string
}

// sdcFrames returns two data frames of an sdcMicro object: the original data with the roles of its variables, and
// the changed data.
func sdcFrames(path string, n *node) []frame {
	original := n.attribute("origData")
	if original == nil {
		return nil
	}
	name := func(part string) string {
		if path == "" {
			return part
		}
		return path + "$" + part
	}
	f, ok := frameOf(name("origData"), original)
	if !ok {
		return nil
	}
	for _, r := range sdcRoles {
		for _, at := range f.places(n, r.slot) {
			f.columns[at].roles.roles = append(f.columns[at].roles.roles, r.role)
		}
	}
	f.link(n)
	became := frame{path: name(manipulated), node: original, columns: slices.Clone(f.columns)}
	for _, r := range sdcRoles {
		became.replace(n.attribute(r.became))
	}
	became.replace(n.attribute(ghostsBecame))
	return []frame{f, became}
}

// places returns the indices of the variables that an attribute lists by number or name.
func (f *frame) places(n *node, attribute string) (places []int) {
	for _, number := range n.numbers(attribute) {
		if number >= 1 && number <= float64(len(f.columns)) {
			places = append(places, int(number)-1)
		}
	}
	for _, name := range n.words(attribute) {
		if at := f.place(name); at >= 0 {
			places = append(places, at)
		}
	}
	return places
}

func (f *frame) place(name string) int {
	return slices.IndexFunc(f.columns, func(c column) bool { return c.name == name })
}

// link records the linked variables: pairs of key variables and others.
func (f *frame) link(n *node) {
	pairs := n.attribute(ghosts)
	if pairs == nil {
		return
	}
	for _, pair := range pairs.elements {
		if pair == nil || len(pair.elements) != 2 {
			continue
		}
		both := node{attributes: []attribute{{"keys", pair.elements[0]}, {"others", pair.elements[1]}}}
		for _, at := range f.places(&both, "keys") {
			for _, other := range f.places(&both, "others") {
				f.columns[at].roles.related = append(f.columns[at].roles.related, f.columns[other].name)
			}
		}
	}
}

// replace replaces the columns of a frame with those of a data frame with the same names.
func (f *frame) replace(n *node) {
	if n == nil {
		return
	}
	became, _ := frameOf("", n)
	for _, c := range became.columns {
		if at := f.place(c.name); at >= 0 && c.readable() {
			was := f.columns[at]
			if c.roles = was.roles; was.readable() && was.length == c.length {
				c.was = &was
			}
			f.columns[at] = c
		}
	}
}

// laterThan returns the path of the changed version of a frame, or "".
func (o *outline) laterThan(f *frame) string {
	for i := range o.frames {
		if later := &o.frames[i]; later.node == f.node && later.path != f.path && !f.changed() && later.changed() {
			return later.path
		}
	}
	return ""
}

// changed reports whether any column differs from the original.
func (f *frame) changed() bool {
	return slices.ContainsFunc(f.columns, func(c column) bool { return c.was != nil })
}
