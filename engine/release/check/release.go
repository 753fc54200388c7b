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

// content is the kind of a variable's values, as far as checks distinguish it.
type content uint8

const (
	other content = iota
	identifier
	household
	group
	date
	spot // a precise location
	freeText
	amount
)

// release is the released data with results shared by several checks.
type release struct {
	Input
	data       *microdata.Dataset
	scenario   *microdata.Scenario
	variables  []*variable // in file order
	units      units
	broken     bool              // whether a guarantee of k-anonymity is violated
	revealed   *inference.Result // cached result of found; nil: not computed
	replicated func() []string   // see replicatesOf
}

// NamesPerson reports whether the name of a file contains what looks like an e-mail address, a telephone number or
// the name of a person.
func NamesPerson(file string, patterns *identify.Patterns) bool {
	name, all := filepath.Base(file), orDefault(patterns)
	_, named := all.Mentions(strings.TrimSuffix(name, filepath.Ext(name)))
	surely, _ := all.Mentions(name)
	return named || surely
}

// orDefault returns patterns, or the built-in ones if it is nil.
func orDefault(patterns *identify.Patterns) *identify.Patterns {
	if patterns == nil {
		return identify.Default()
	}
	return patterns
}

// releaseOf returns a release whose variables are not examined yet.
func releaseOf(in Input) *release {
	return &release{Input: in, data: in.Released.Data(), scenario: in.Released.Scenario}
}

// newRelease examines the variables for the checks.
func newRelease(ctx context.Context, in Input) (*release, error) {
	if in.Source == nil {
		in.Source = in.Original
	}
	r := releaseOf(in)
	r.Patterns = orDefault(r.Patterns)
	r.replicated = sync.OnceValue(r.replicatesOf)
	suggested := map[string]microdata.Suggestion{}
	for _, suggestion := range microdata.SuggestBy(r.data, r.Patterns) {
		suggested[suggestion.Variable] = suggestion
	}
	r.units = r.unitsOf()
	columns := r.data.Columns()
	r.variables = make([]*variable, len(columns))
	err := parallel.Each(ctx, len(columns), func(i int) error {
		v := variableOf(columns[i])
		v.suggested = suggested[v.Name()]
		r.trace(v)
		v.identity = r.identityOf(v)
		r.variables[i] = v
		return nil
	})
	if err == nil {
		r.points()
		r.splitDates()
	}
	return r, err
}

// trace determines the origin of a variable.
func (r *release) trace(v *variable) {
	name := v.Name()
	if r.Source != nil {
		v.source, _ = r.Source.Data().Column(name)
	}
	if r.Original != nil {
		if was, ok := r.Original.Data().Column(name); ok && was.Len() == v.Len() {
			v.was = was
		}
	}
	v.masking = r.lastMasking(name)
	made := slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Report.Made == name })
	v.masked = v.was != nil && !made && (v.Origin() != 0 || v.masking != nil)
}

// variable returns the released variable with a name, or nil.
func (r *release) variable(name string) *variable {
	if i := slices.IndexFunc(r.variables, func(v *variable) bool { return v.Name() == name }); i >= 0 {
		return r.variables[i]
	}
	return nil
}

// lacks reports whether the file has no such variable.
func (r *release) lacks(name string) bool {
	_, ok := r.data.Column(name)
	return !ok
}

// those returns the variables that satisfy a condition.
func (r *release) those(satisfy func(v *variable) bool) (found []*variable) {
	for _, v := range r.variables {
		if satisfy(v) {
			found = append(found, v)
		}
	}
	return found
}

// having returns the variables with a content.
func (r *release) having(what content) []*variable {
	return r.those(func(v *variable) bool { return v.content == what })
}

// finding returns a finding about some records of the file.
func (r *release) finding(variables []string, count int, text string, fixes ...Fix) Finding {
	return Finding{Variables: variables, Count: count, Of: r.data.Records(), unit: "record", Text: text, Fixes: fixes}
}

func namesOf(variables []*variable) (names []string) {
	for _, v := range variables {
		names = append(names, v.Name())
	}
	return names
}

// has reports whether the scenario gives a variable a role.
func (r *release) has(v *variable, role microdata.Role) bool { return r.scenario.Has(v.Name(), role) }

// named reports whether the scenario gives a variable a role that describes its content, other than the given
// ones.
func (r *release) named(v *variable, except ...microdata.Role) bool {
	return slices.ContainsFunc([]microdata.Role{microdata.RoleKey, microdata.RoleNumericKey, microdata.RoleStrata,
		microdata.RolePRAM, microdata.RoleSensitive}, func(role microdata.Role) bool {
		return !slices.Contains(except, role) && r.has(v, role)
	})
}
