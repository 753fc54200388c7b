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
func (r *release) identityOf(v *variable) identity {
	name := v.Name()
	switch {
	case slices.Contains(r.Replaced, name) || v.distinct == 0 || r.drawn(v):
		return identity{}
	case r.isHousehold(v):
		return identity{content: household}
	case name == r.scenario.Weight || r.Patterns.Harmless(name):
		return identity{}
	}
	found := r.identifying(v)
	switch {
	case found.content != other:
		return found
	case v.freeText():
		return identity{content: freeText}
	case v.Numeric() && v.distinct > rareLevels && v.suggested.Role != microdata.RoleWeight &&
		!r.named(v, microdata.RoleNumericKey) && 2*len(v.Described().Labels) < v.distinct:
		return identity{content: amount}
	}
	return identity{}
}

// drawn reports whether the values of an identifier seem to be random numbers: those from
// 1 on in random order, and others than in the source where that is known.
func (r *release) drawn(v *variable) bool {
	if !r.Unknown && r.Original == nil || !v.renumbered() {
		return false
	}
	return r.Unknown || v.was != nil && v.was != v.Column && 2*v.kept(nil) < v.Records()
}

// Renumbered reports whether the values are many numbers from 1 on in an order that has
// nothing to do with that of the records.
func Renumbered(c *microdata.Column) bool { return variableOf(c).renumbered() }

func (v *variable) renumbered() bool {
	if v.Kind() != microdata.Whole || v.distinct < 3*rareLevels || v.least != 1 || v.largest != float64(v.distinct) {
		return false
	}
	up, down, last := 0, 0, uint32(0) // records whose value comes after, before that of the record before
	for _, codes := range v.levels.Codes.Blocks() {
		for _, code := range codes {
			if code > last {
				up++
			} else if code < last {
				down++
			}
			last = code
		}
	}
	return 4*down > up+down
}

// isHousehold reports whether a variable is the household identifier. One that is only suggested
// as that is one by its name, or by many small groups.
func (r *release) isHousehold(v *variable) bool {
	name := v.Name()
	if name == r.scenario.Household || namedHousehold(v.Column) {
		return true
	}
	return v.suggested.Role == microdata.RoleHousehold && !identify.NamedLike(name, groupNames+" "+memberNames) &&
		(!v.suggested.Guessed() || !r.named(v) && v.distinct >= 3*rareLevels && rareLevels*v.distinct >= v.present)
}

// identifying looks for identifiers, surest first.
func (r *release) identifying(v *variable) identity {
	kind, named := r.Patterns.Named(v.Name())
	if v.distinct > rareLevels && (v.dates(r.Patterns) || named && kind.Finding == "dates" && v.serialDates()) {
		return identity{content: date}
	}
	if v.Origin() != 0 && v.Numeric() || r.named(v) {
		return identity{}
	}
	timed := v.Kind() == microdata.Category && v.most(80, timeOfDay)
	found := identity{}
	if v.Kind() != microdata.Number && !timed { // what the values look like
		if kind, ok := r.Patterns.Recognise(v.texts(), r.units.spread(v.distinct)); ok {
			found = identityLike(kind)
		}
	}
	if found.content == other && named {
		found = r.byName(v, kind)
	}
	if found.content == other {
		found = r.hidden(v, timed)
	}
	if found.content == other && !timed {
		found = r.likely(v)
	}
	return found
}

func identityLike(kind identify.Kind) identity {
	return identity{content: contentOfFinding[kind.Finding], title: kind.Title}
}

// byName says what a variable with the name of an identifier is, if its values could be one.
func (r *release) byName(v *variable, kind identify.Kind) identity {
	found, number := identityLike(kind), v.Kind() == microdata.Number
	spread, could := r.units.spread(v.distinct), false
	switch {
	case kind.Title == identify.RecordNumbers || kind.Title == identify.PersonNumbers:
		could = v.numbersRecords()
		found.doubtful = !could && !number && kind.Title == identify.PersonNumbers
	case kind.Title == identify.Persons:
		like, _ := r.Patterns.Names(titled(v.texts()))
		could = v.Kind() == microdata.Category && like && (spread || v.distinct > leastNames)
	case found.content == spot:
		could = v.distinct > rareLevels && (number && v.precise(leastDecimals) || !number && v.long(4))
	case found.content == group:
		could = v.identifyGroups()
	case found.content == date: // see serialDates
	default:
		could = spread && !number && v.long(5)
	}
	if !could && !found.doubtful {
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
func (r *release) hidden(v *variable, timed bool) identity {
	codes := v.levels.Codes
	switch {
	case r.data.Grouped() || 10*v.distinct < 9*r.units.fewest() || v.Kind() != microdata.Number && !timed && v.sentences():
		return identity{}
	case v.Kind() != microdata.Number:
		return r.sequence(codes, ranksOf(v.levels.Levels, v.Numeric()), v.distinct, "in the original order")
	}
	fractions, distinct, ok := v.fractions(r.units.fewest())
	switch {
	case !ok || r.units.constant(codes, nil):
		return identity{}
	case r.units.constant(codes, fractions):
		return identity{content: identifier, title: "decimals that number the households"}
	}
	return r.sequence(codes, fractions, distinct, "decimals in the original order")
}

// sequence says whether codes number the records or households of the source.
func (r *release) sequence(codes microdata.Codes, ranks []uint32, distinct int, title string) identity {
	switch {
	case !r.units.ordered(codes, ranks, distinct):
	case 10*distinct >= 9*r.units.records:
		return identity{content: identifier, title: title}
	case r.units.constant(codes, nil):
		return identity{content: household}
	}
	return identity{}
}

// likely goes by how many values there are, and by what they look like.
func (r *release) likely(v *variable) identity {
	texts, role := v.Kind() == microdata.Category, v.suggested.Role
	like, known := false, false
	if texts && v.distinct > leastNames && 2*len(v.Described().Labels) < v.distinct {
		like, known = r.Patterns.Names(v.texts())
	}
	switch {
	case known && (role == "" || role == microdata.RoleRemoved):
		return identity{content: identifier, title: identify.Persons}
	case r.groups(v):
		return identity{content: group}
	case role != "" && role != microdata.RoleHousehold && role != microdata.RoleRemoved:
	case v.single():
		return identity{content: identifier, title: "unique for nearly every record"}
	case r.units.count > 0 && 20*v.distinct >= 19*r.units.count && r.units.constant(v.levels.Codes, nil) &&
		(texts && v.lettered() && !v.sentences() || v.Kind() == microdata.Whole && v.numbering() && v.long(5)):
		return identity{content: identifier, title: "unique for nearly every household"}
	case like && r.units.spread(v.distinct):
		return identity{content: identifier, title: "perhaps " + identify.Persons, doubtful: true}
	}
	return identity{}
}

// groups reports whether values may number groups: by a name that says so, by one of
// groups whose numbers members of a household share or are long, or by texts.
func (r *release) groups(v *variable) bool {
	name := v.Name()
	switch {
	case !v.identifyGroups():
		return false
	case identify.NamedLike(name, idNames+" "+groupNames) || strings.HasSuffix(name, "ID"):
		return true
	}
	return identify.NamedLike(name, memberNames) && (v.long(3) || identify.NamedLike(name, numberNames) ||
		strings.HasSuffix(strings.ToLower(name), "id") || r.units.constant(v.levels.Codes, nil))
}
