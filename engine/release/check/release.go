package check

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
)

// content is what the values of a variable are, as far as checks go by it.
type content uint8

const (
	other content = iota
	identifier
	household
	group
	date
	spot // a precise place
	freeText
	amount
)

// release is what is checked, with what several checks go by.
type release struct {
	Input
	data      *microdata.Dataset
	scenario  *microdata.Scenario
	contents  map[string]content
	suggested map[string]microdata.Suggestion
	broken    bool              // a guarantee of k-anonymity
	revealed  *inference.Result // see found; nil: not computed
}

const (
	address    = `[^\s@,;:]+@[^\s@,;:]+\.[a-zA-Z]{2,}`
	personName = `\b(Mr|Mrs|Ms|Dr|Mme|Herr|Frau)\b\.? \p{Lu}\p{Ll}+`
	// An account number, then person numbers as in the United States, Scandinavia, the Czech
	// Republic, the United Kingdom and Italy.
	numbers = `^([A-Z]{2}\d{2}( ?[A-Z0-9]{4}){3,7}( ?[A-Z0-9]{1,3})?|\d{3}-\d{2}-\d{4}|\d{6}[-+]\d{4}|\d{6}/\d{3,4}` +
		`|[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]|[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z])$`
)

// Numbers of persons and accounts, and what has an e-mail address or a name.
var (
	number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^" + address + "$|" + numbers) })
	person = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(address + "|" + personName) })
)

// NamesPerson reports whether the name of a file has what looks like an e-mail address or the name of a person.
func NamesPerson(file string) bool { return person().MatchString(filepath.Base(file)) }

func newRelease(ctx context.Context, in Input) (*release, error) {
	if in.Source == nil {
		in.Source = in.Original
	}
	r := &release{Input: in, data: in.Released.Data(), scenario: in.Released.Scenario, contents: map[string]content{},
		suggested: map[string]microdata.Suggestion{}}
	for _, suggestion := range microdata.Suggest(r.data) {
		r.suggested[suggestion.Variable] = suggestion
	}
	columns := r.data.Columns()
	contents := make([]content, len(columns))
	err := parallel.Each(ctx, len(columns), func(i int) error {
		contents[i] = r.contentOf(columns[i])
		return nil
	})
	for i, column := range columns {
		r.contents[column.Name()] = contents[i]
	}
	return r, err
}

// having returns the variables of a content.
func (r *release) having(what content) (names []string) {
	for _, column := range r.data.Columns() {
		if r.contents[column.Name()] == what {
			names = append(names, column.Name())
		}
	}
	return names
}

// rareLevels is the number of different values above which a variable can tell persons,
// days and places apart.
const rareLevels = 10

// contentOf says what the values of a variable are. What a recode or suppression made of
// them is looked at, not what they were.
func (r *release) contentOf(c *microdata.Column) content {
	name, s := c.Name(), r.scenario
	if slices.Contains(r.Replaced, name) || r.drawn(c) {
		return other
	}
	if c.ManyValued() {
		return r.unlisted(c)
	}
	role, l := r.suggested[name].Role, levelsOf(c)
	if role == microdata.RoleRemoved && r.suggested[name].Guessed() {
		role = "" // what its texts are is looked at below
	}
	switch {
	case l.distinct == 0:
	case name == s.Household || c.Kind() != microdata.Number && l.distinct > rareLevels &&
		microdata.NamedLike(name, householdNames) || role == microdata.RoleHousehold && r.numbersHouseholds(c, l) &&
		!microdata.NamedLike(name, groupNames):
		return household
	case name == s.Weight:
		return other
	case l.distinct > rareLevels && l.dates(c):
		return date
	case c.Kind() == microdata.Category && l.most(80, timeOfDay):
		return other
	case role == microdata.RoleRemoved:
		return identifier
	case r.named(c):
	case l.identifyGroups(c) && (microdata.NamedLike(name, idNames+" "+groupNames) || strings.HasSuffix(name, "ID")):
		return group
	case role != "" && role != microdata.RoleHousehold:
	case l.identify(c, number()), l.numbersRecords(c) && microdata.NamedLike(name, recordNames):
		return identifier
	case l.distinct > rareLevels && microdata.NamedLike(name, places):
		return spot
	case l.freeText(c):
		return freeText
	}
	if c.Numeric() && l.distinct > rareLevels && role != microdata.RoleWeight && !r.named(c, microdata.RoleNumericKey) &&
		2*len(c.Described().Labels) < l.distinct {
		return amount
	}
	return other
}

const (
	householdNames = "hid hhid hhno hhnr hhnum idhh idhog -size -type -head -weight -weights -income"

	places  = "zip zipcode postcode postal* postleitzahl plz eircode geohash easting northing coord* xcoord ycoord -bill -cost"
	idNames = "id ids idnr"
	// Numbers of cases, patients, respondents and subjects.
	recordNames = "caseid caseno casenum patno patid patientid respid respno respnum subjid subjectid usubjid"
	groupNames  = "cluster psu ea enumeration school* class classroom firm company enterprise* establishment " +
		"hospital doctor physician interviewer village -size -type"
)

// drawn reports whether the values of an identifier seem to be random numbers: those from
// 1 on in random order, and others than in the source where that is known.
func (r *release) drawn(c *microdata.Column) bool {
	if !r.Unknown && r.Original == nil || !Renumbered(c) {
		return false
	}
	if r.Unknown {
		return true
	}
	was, ok := r.Original.Data().Column(c.Name())
	return ok && was != c && 2*pair{c, was}.kept(nil) < c.Records()
}

// numbersHouseholds reports whether a variable that is suggested as the household
// identifier is one: by its name, or by many small groups.
func (r *release) numbersHouseholds(c *microdata.Column, l levels) bool {
	return !r.suggested[c.Name()].Guessed() ||
		!r.named(c) && l.distinct >= 3*rareLevels && rareLevels*l.distinct >= l.present
}

// named reports whether the scenario gives a variable a role that says what it is, other
// than some.
func (r *release) named(c *microdata.Column, except ...microdata.Role) bool {
	return slices.ContainsFunc([]microdata.Role{microdata.RoleKey, microdata.RoleNumericKey, microdata.RoleStrata,
		microdata.RolePRAM, microdata.RoleSensitive}, func(role microdata.Role) bool {
		return !slices.Contains(except, role) && r.scenario.Has(c.Name(), role)
	})
}
