package check

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
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
	units     units
	broken    bool              // a guarantee of k-anonymity
	revealed  *inference.Result // see found; nil: not computed

	identified map[string]identity
	replicated func() []string // see replicatesOf
}

// NamesPerson reports whether the name of a file has what looks like an e-mail address, a
// telephone number or the name of a person.
func NamesPerson(file string, patterns *identify.Patterns) bool {
	name, all := filepath.Base(file), orDefault(patterns)
	_, named := all.Mentions(strings.TrimSuffix(name, filepath.Ext(name)))
	surely, _ := all.Mentions(name)
	return named || surely
}

// orDefault returns the patterns that the program knows where there are no others.
func orDefault(patterns *identify.Patterns) *identify.Patterns {
	if patterns == nil {
		return identify.Default()
	}
	return patterns
}

func newRelease(ctx context.Context, in Input) (*release, error) {
	if in.Source == nil {
		in.Source = in.Original
	}
	r := &release{Input: in, data: in.Released.Data(), scenario: in.Released.Scenario, contents: map[string]content{},
		suggested: map[string]microdata.Suggestion{}, identified: map[string]identity{}}
	r.Patterns = orDefault(r.Patterns)
	r.replicated = sync.OnceValue(r.replicatesOf)
	for _, suggestion := range microdata.SuggestBy(r.data, r.Patterns) {
		r.suggested[suggestion.Variable] = suggestion
	}
	columns := r.data.Columns()
	r.units = r.unitsOf()
	found := make([]identity, len(columns))
	err := parallel.Each(ctx, len(columns), func(i int) error {
		found[i] = r.identityOf(columns[i])
		return nil
	})
	for i, column := range columns {
		r.identify(column.Name(), found[i])
	}
	r.points()
	r.splitDates()
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
