package check

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// identity describes how a variable may identify records.
type identity struct {
	content
	title    string // kind of identifier: "e-mail addresses"
	doubtful bool   // uncertain
}

// contentOfFinding maps the findings of patterns to contents.
var contentOfFinding = map[string]content{"direct-identifiers": identifier, "precise-places": spot, "cluster-ids": group, "dates": date}

const (
	householdNames = "hid hhid hhno hhnr hhnum idhh idhog -size -type -head -weight -weights -income"
	idNames        = "id ids idnr"
	// Names of groups that have IDs, and names that other numbers may also have.
	groupNames  = "cluster psu ea enumeration -size -type"
	memberNames = "school* class classroom firm company enterprise* establishment hospital doctor physician interviewer village " +
		"employer arbeitgeber arbgeber employeur -size -type -visit -visits"
	numberNames = "id ids idnr no nr num number code nummer"
)

// leastNames is the minimum number of distinct texts that can be names of persons.
const leastNames = 20

// identityOf determines the content of a variable from its current values, after recodes and suppression.
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

// drawn reports whether the values of an identifier appear to be random IDs: the numbers from 1 in random order,
// different from those in the source if that is known.
func (r *release) drawn(v *variable) bool {
	if !r.Unknown && r.Original == nil || !v.renumbered() {
		return false
	}
	return r.Unknown || v.was != nil && v.was != v.Column && 2*v.kept(nil) < v.Records()
}

// Renumbered reports whether the values are many numbers from 1 in an order unrelated to that of the records.
func Renumbered(c *microdata.Column) bool { return variableOf(c).renumbered() }

func (v *variable) renumbered() bool {
	if v.Kind() != microdata.Whole || v.distinct < 3*rareLevels || v.least != 1 || v.largest != float64(v.distinct) {
		return false
	}
	up, down, last := 0, 0, uint32(0) // records whose value is above, below that of the previous record
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

// isHousehold reports whether a variable is the household ID. A variable that is only suggested as one qualifies
// by its name, or by having many small groups.
func (r *release) isHousehold(v *variable) bool {
	name := v.Name()
	if name == r.scenario.Household || namedHousehold(v.Column) {
		return true
	}
	return v.suggested.Role == microdata.RoleHousehold && !identify.NamedLike(name, groupNames+" "+memberNames) &&
		(!v.suggested.Guessed() || !r.named(v) && v.distinct >= 3*rareLevels && rareLevels*v.distinct >= v.present)
}

// identifying looks for identifiers, starting with the most certain kinds.
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
	if v.Kind() != microdata.Number && !timed { // patterns of the values
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

// byName returns what a variable with the name of an identifier is, if its values are consistent with that.
func (r *release) byName(v *variable, kind identify.Kind) identity {
	found, number := identityLike(kind), v.Kind() == microdata.Number
	spread, could := r.units.spread(v.distinct), false
	switch {
	case kind.Title == identify.RecordNumbers || kind.Title == identify.PersonNumbers:
		could = v.numbersRecords()
		if found.doubtful = !could && !number && kind.Title == identify.PersonNumbers; found.doubtful {
			found.title += " shared by several records"
		}
	case kind.Title == identify.Persons:
		like, _ := r.Patterns.Names(titled(v.texts()))
		could = v.Kind() == microdata.Category && like && (spread || v.distinct > leastNames)
	case found.content == spot:
		could = v.distinct > rareLevels && (number && v.precise(leastDecimals) || !number && v.long(4))
	case found.content == group:
		could = v.identifyGroups()
	case found.content == date: // handled with serialDates
	default:
		could = spread && !number && v.long(5)
	}
	if !could && !found.doubtful {
		return identity{}
	}
	return found
}

// titled capitalises the words of texts, for names that a file has in lower or upper case.
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

// hidden finds disguised IDs of records and households: values in ascending order of the source records, and
// decimals.
func (r *release) hidden(v *variable, timed bool) identity {
	codes := v.levels.Codes
	switch {
	case r.data.Grouped() || 10*v.distinct < 9*r.units.fewest() || v.Kind() != microdata.Number && !timed && v.sentences():
		return identity{}
	case v.Kind() != microdata.Number:
		return r.sequence(codes, ranksOf(v.Categories().Levels, v.Numeric()), v.distinct, "in the original order")
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

// sequence determines whether codes number the records or households of the source.
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

// likely judges by the number of values and their form.
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

// groups reports whether values may be IDs of groups: by the name, by long IDs or IDs shared by members of a
// household, or by texts.
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
