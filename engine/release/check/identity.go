package check

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// identity is what a variable is, as far as it may identify.
type identity struct {
	content
	title    string // of an identifier: "e-mail addresses"
	doubtful bool   // it may be something else
}

// contents of findings that patterns name.
var contentOfFinding = map[string]content{"direct-identifiers": identifier, "precise-places": spot, "cluster-ids": group, "dates": date}

// identify keeps what a variable is.
func (r *release) identify(name string, found identity) {
	r.contents[name], r.identified[name] = found.content, found
}

const (
	householdNames = "hid hhid hhno hhnr hhnum idhh idhog -size -type -head -weight -weights -income"
	idNames        = "id ids idnr"
	// Groups that are called by numbers, and those that numbers may describe as well.
	groupNames  = "cluster psu ea enumeration -size -type"
	memberNames = "school* class classroom firm company enterprise* establishment hospital doctor physician interviewer village " +
		"employer arbeitgeber arbgeber employeur -size -type -visit -visits"
	numberNames = "id ids idnr no nr num number code nummer"
)

// leastNames is the number of different texts above which they may be names of persons.
const leastNames = 20

// identityOf says what the values of a variable are. What a recode or suppression made of
// them is looked at, not what they were.
func (r *release) identityOf(c *microdata.Column) identity {
	name := c.Name()
	if slices.Contains(r.Replaced, name) || r.drawn(c) {
		return identity{}
	}
	l := levelsOf(c)
	if l.distinct == 0 {
		return identity{}
	}
	role := r.suggested[name].Role
	switch {
	case r.isHousehold(c, l):
		return identity{content: household}
	case name == r.scenario.Weight || r.Patterns.Harmless(name):
		return identity{}
	}
	if found := r.identifying(c, l, role); found.content != other {
		return found
	}
	switch {
	case l.freeText(c):
		return identity{content: freeText}
	case c.Numeric() && l.distinct > rareLevels && role != microdata.RoleWeight && !r.named(c, microdata.RoleNumericKey) &&
		2*len(c.Described().Labels) < l.distinct:
		return identity{content: amount}
	}
	return identity{}
}

func (r *release) isHousehold(c *microdata.Column, l levels) bool {
	name := c.Name()
	return name == r.scenario.Household || namedHousehold(c) || r.suggested[name].Role == microdata.RoleHousehold &&
		r.numbersHouseholds(c, l) && !identify.NamedLike(name, groupNames+" "+memberNames)
}

// identifying looks for identifiers, surest first.
func (r *release) identifying(c *microdata.Column, l levels, role microdata.Role) identity {
	kind, named := r.Patterns.Named(c.Name())
	if l.distinct > rareLevels && (l.dates(c, r.Patterns) || named && kind.Finding == "dates" && l.serialDates(c)) {
		return identity{content: date}
	}
	if c.Origin() != 0 && c.Numeric() || r.named(c) {
		return identity{}
	}
	timed := c.Kind() == microdata.Category && l.most(80, timeOfDay)
	if c.Kind() != microdata.Number && !timed {
		if found := r.recognised(l); found.content != other {
			return found
		}
	}
	if named {
		if found := r.byName(c, l, kind); found.content != other {
			return found
		}
	}
	if found := r.hidden(c, l, timed); found.content != other || timed {
		return found
	}
	return r.likely(c, l, role)
}

// recognised says what the values look like.
func (r *release) recognised(l levels) identity {
	if kind, ok := r.Patterns.Recognise(l.texts(), r.units.spread(l.distinct)); ok {
		return identity{content: contentOfFinding[kind.Finding], title: kind.Title}
	}
	return identity{}
}

// byName says what a variable with the name of an identifier is, if its values could be one.
func (r *release) byName(c *microdata.Column, l levels, kind identify.Kind) identity {
	found := identity{content: contentOfFinding[kind.Finding], title: kind.Title}
	spread, texts := r.units.spread(l.distinct), c.Kind() == microdata.Category
	could := false
	switch {
	case kind.Title == identify.RecordNumbers || kind.Title == identify.PersonNumbers:
		could = l.numbersRecords(c)
		if found.doubtful = !could && c.Kind() != microdata.Number && kind.Title == identify.PersonNumbers; found.doubtful {
			return found
		}
	case kind.Title == identify.Persons:
		like, _ := r.Patterns.Names(titled(l.texts()))
		could = texts && like && (spread || l.distinct > leastNames)
	case found.content == spot:
		could = l.distinct > rareLevels && (c.Kind() == microdata.Number && l.precise(leastDecimals) ||
			c.Kind() != microdata.Number && l.long(c, 4))
	case found.content == group:
		could = l.identifyGroups(c)
	case found.content == date: // see serialDates
	default:
		could = spread && c.Kind() != microdata.Number && l.long(c, 5)
	}
	if !could {
		return identity{}
	}
	return found
}

// titled returns texts with their words capitalised, as names that a file has in lower or
// upper case are.
func titled(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		words := strings.Fields(strings.ToLower(text))
		for j, word := range words {
			words[j] = identify.Capitalised(word)
		}
		out[i] = strings.Join(words, " ")
	}
	return out
}

// hidden finds numbers of records and households in what looks like something else: in
// values that ascend from record to record of the source, and in decimals.
func (r *release) hidden(c *microdata.Column, l levels, timed bool) identity {
	if r.data.Grouped() || 10*l.distinct < 9*r.units.fewest() {
		return identity{}
	}
	codes := c.Categories().Codes
	if c.Kind() != microdata.Number {
		if timed || !l.sentences() {
			return r.sequence(codes, ranksOf(l.Levels, c.Numeric()), l.distinct, "in the order of the source")
		}
		return identity{}
	}
	fractions, distinct, ok := l.fractions(r.units.fewest())
	if !ok || r.units.constant(codes, nil) {
		return identity{}
	}
	if r.units.constant(codes, fractions) {
		return identity{content: identifier, title: "decimals that number the households"}
	}
	return r.sequence(codes, fractions, distinct, "decimals in the order of the source")
}

// sequence says whether codes number the records or households of the source.
func (r *release) sequence(codes microdata.Codes, ranks []uint32, distinct int, title string) identity {
	switch {
	case !r.units.ordered(codes, ranks, distinct):
		return identity{}
	case 10*distinct >= 9*r.units.records:
		return identity{content: identifier, title: title}
	case r.units.constant(codes, nil):
		return identity{content: household}
	}
	return identity{}
}

// likely goes by how many values there are, and by what they look like.
func (r *release) likely(c *microdata.Column, l levels, role microdata.Role) identity {
	texts := c.Kind() == microdata.Category
	perHousehold := r.units.count > 0 && 20*l.distinct >= 19*r.units.count && r.units.constant(c.Categories().Codes, nil)
	like, known := false, false
	if texts && l.distinct > leastNames && 2*len(c.Described().Labels) < l.distinct {
		like, known = r.Patterns.Names(l.texts())
	}
	switch {
	case known && (role == "" || role == microdata.RoleRemoved):
		return identity{content: identifier, title: identify.Persons}
	case r.groups(c, l):
		return identity{content: group}
	case role != "" && role != microdata.RoleHousehold && role != microdata.RoleRemoved:
	case l.single(c):
		return identity{content: identifier, title: "a value of its own for nearly every record"}
	case perHousehold && (texts && l.lettered() && !l.sentences() || c.Kind() == microdata.Whole && l.numbering() && l.long(c, 5)):
		return identity{content: identifier, title: "a value of its own for nearly every household"}
	case like && r.units.spread(l.distinct):
		return identity{content: identifier, title: "perhaps " + identify.Persons, doubtful: true}
	}
	return identity{}
}

// groups reports whether values may number groups: by a name that says so, by one of
// groups whose numbers members of a household share or are long, or by texts.
func (r *release) groups(c *microdata.Column, l levels) bool {
	name := c.Name()
	switch {
	case !l.identifyGroups(c):
		return false
	case identify.NamedLike(name, idNames+" "+groupNames) || strings.HasSuffix(name, "ID"):
		return true
	case !identify.NamedLike(name, memberNames):
		return false
	}
	return l.long(c, 3) || identify.NamedLike(name, numberNames) || strings.HasSuffix(strings.ToLower(name), "id") || r.units.constant(c.Categories().Codes, nil)
}
