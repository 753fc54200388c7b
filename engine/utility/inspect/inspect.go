// Package inspect reports what is in a file before variables have roles: variables by kind, variables that are
// constant or unique in every record, direct identifiers, possible weights and households, duplicate records, and,
// for the suggested key variables, the risk and the combinations with most sample uniques.
//
//	found, err := inspect.New(ctx, data, nil, catalog.Measures())
//	report.Plain().Write(os.Stdout, found.Page("survey.csv"))
//
// Roles are suggested from names, types and the first microdata.ProfileRecords records; all figures are for all records.
// The report has names of variables and counts, and the sum and range of weights, but no other values of cells.
package inspect

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// Report is the result of inspecting a file.
type Report struct {
	Records    int
	Grouped    bool                   // the file is a frequency table
	Examined   int                    // number of first rows that roles are suggested from; 0: unknown
	Variables  []Variable             // in file order
	Possible   []microdata.Suggestion // roles that variables may have, including at least weights and household IDs
	Duplicates Duplicates
	Scenario   microdata.Scenario // with the suggested roles
	Guessed    bool               // no name indicates key variables, so those of the scenario are variables with few categories
	Problem    string             // why the risk cannot be computed, or ""
	Households *Households        // nil: none suggested
	Weights    *Weights           // nil: none suggested

	Risk         *risk.Assessment // nil without key variables
	Measured     measure.Set      // results of other measures for the scenario
	Combinations []Combination    // of up to three key variables, those that isolate most records first
	Sizes        int              // number of variables of the largest combinations examined
}

// Variable has the results for a variable.
type Variable struct {
	Name     string
	Label    string // its label in the file, or ""
	Kind     microdata.Kind
	Form     profile.Form
	Why      string // reason for its kind, in plain words
	Distinct int
	Missing  int
	Alone    int // records with a unique value
	Alike    int // categories that differ from others only in case, spaces or the composition of accents
	Role     microdata.Role
	Reason   string // reason for the role, or "" if none is suggested
}

// Households has the results for the suggested household ID.
type Households struct{ Number, Largest, OfOne int }

// Weights has the results for the suggested weight.
type Weights struct{ Sum, Least, Most float64 }

// Combination is a combination of key variables.
type Combination struct {
	Variables []string
	crosstable.Rarity
}

// below is the k below which a combination isolates records.
const below = 3

// New inspects a file. suggested has roles that are already known; if it is nil, they are suggested from the
// variables. It computes only the measures shown where space is limited. It makes several passes over the cells,
// on all processors, and returns the error of ctx, if any.
func New(ctx context.Context, data *microdata.Dataset, suggested []microdata.Suggestion,
	measures measure.Catalog) (*Report, error) {
	if suggested == nil {
		suggested = microdata.Suggest(data)
	}
	r := &Report{Records: data.Records(), Possible: microdata.Possible(data), Scenario: microdata.NewScenario(),
		Grouped: data.Grouped(), Examined: min(data.Len(), microdata.ProfileRecords)}
	err := r.suggest(ctx, data, suggested)
	if err != nil {
		return nil, err
	}
	if r.Duplicates, err = duplicates(ctx, data, r.identifying); err != nil {
		return nil, err
	}
	r.group(data)
	return r, r.assess(ctx, data, measures)
}

// suggest describes the variables and assigns the suggested or guessed roles.
func (r *Report) suggest(ctx context.Context, data *microdata.Dataset, suggested []microdata.Suggestion) error {
	for _, s := range suggested {
		if len(r.Scenario.Keys) < microdata.MostKeys || s.Role != microdata.RoleKey {
			r.Scenario.Assign(s.Variable, s.Role)
		}
	}
	if err := r.describe(ctx, data, suggested); err != nil {
		return err
	}
	r.guess()
	return nil
}

// describe describes each variable.
func (r *Report) describe(ctx context.Context, data *microdata.Dataset, suggested []microdata.Suggestion) error {
	columns := data.Columns()
	r.Variables = make([]Variable, len(columns))
	return parallel.Each(ctx, len(columns), func(i int) error {
		column, v := columns[i], &r.Variables[i]
		s := profile.Summarise(column, 2)
		*v = Variable{Name: column.Name(), Label: column.Described().Label, Kind: column.Kind(), Distinct: s.Distinct,
			Missing: s.Missing, Alone: s.Rare}
		content, err := (&profile.Profile{Column: column, Records: r.Records, Missing: s.Missing}).Content(ctx)
		if err != nil {
			return err
		}
		v.Form, v.Why = content.Form, content.Why
		v.Alike = alike(column)
		if at := slices.IndexFunc(suggested, func(s microdata.Suggestion) bool { return s.Variable == v.Name }); at >= 0 {
			v.Role, v.Reason = suggested[at].Role, suggested[at].Reason
		}
		return nil
	})
}

// alike counts the categories that are similar to others.
func alike(column *microdata.Column) (count int) {
	if column.Kind() != microdata.Category || column.Categories().Occurring() > identify.MostAlike {
		return 0
	}
	var occurring []string
	counts := column.Categories().Counts()
	for i, level := range column.Categories().Levels {
		if counts[i+1] > 0 {
			occurring = append(occurring, level.Label)
		}
	}
	for _, group := range identify.Alike(occurring) {
		count += len(group)
	}
	return count
}

// Maximum number of categories of a guessed key variable, and maximum number of such variables.
const (
	knownCategories = 100
	knownVariables  = 10
)

// guess makes variables with few categories key variables if no name indicates any.
func (r *Report) guess() {
	if len(r.Scenario.Keys) > 0 {
		return
	}
	for i := range r.Variables {
		v := &r.Variables[i]
		if v.Role == "" && v.Distinct > 1 && v.Distinct <= knownCategories && 2*v.Distinct <= r.Records &&
			len(r.Scenario.Keys) < knownVariables {
			r.Scenario.Keys = append(r.Scenario.Keys, v.Name)
			r.Guessed = true
		}
	}
}

// identifying reports whether a variable can distinguish records that are otherwise equal: a direct identifier, or
// a variable that is unique in each record.
func (r *Report) identifying(variable int) bool {
	v := &r.Variables[variable]
	return v.Role == microdata.RoleRemoved || v.Alone > 0 && v.Alone == r.Records
}

// group examines households and weights. Invalid weights are reported as a problem and ignored.
func (r *Report) group(data *microdata.Dataset) {
	s := &r.Scenario
	if weights, err := s.Weights(data); err != nil {
		r.Problem, s.Weight = err.Error(), ""
	} else if len(weights) > 0 {
		r.Weights = &Weights{Least: slices.Min(weights), Most: slices.Max(weights)}
		for _, weight := range weights {
			r.Weights.Sum += weight
		}
	}
	r.gather(data)
}

// gather examines households if they are known.
func (r *Report) gather(data *microdata.Dataset) {
	all := r.households(data)
	if all == nil {
		return
	}
	r.Households = &Households{}
	for h := range all.Len() {
		members := all.Members(h)
		r.Households.Number++
		if r.Households.Largest = max(r.Households.Largest, members); members == 1 {
			r.Households.OfOne++
		}
	}
}

// households returns the households, or nil if they are unknown.
func (r *Report) households(data *microdata.Dataset) *microdata.Households {
	column, there := data.Column(r.Scenario.Household)
	if !there {
		return nil
	}
	return microdata.NewHouseholds(column)
}

// assess computes the risk for the suggested key variables.
func (r *Report) assess(ctx context.Context, data *microdata.Dataset, measures measure.Catalog) error {
	s := &r.Scenario
	if len(s.Keys) == 0 || r.Records == 0 {
		return nil
	}
	columns := make([]*microdata.Column, len(s.Keys))
	for i, name := range s.Keys {
		columns[i], _ = data.Column(name)
	}
	weights, err := s.Weights(data)
	if err != nil {
		return err // the column was examined
	}
	table, err := keys.New(ctx, columns, weights)
	if err != nil {
		return err
	}
	if r.Risk, err = risk.Assess(ctx, table, r.households(data), risk.OptionsOf(s)); err != nil {
		return err
	}
	v := measure.NewVersion(data, s, nil)
	r.Measured, err = measures.Firsts("kanonymity", "risk").Compute(ctx, measure.Input{Original: v, Current: v},
		measure.Everywhere, nil)
	if err != nil {
		return err
	}
	return r.combine(ctx, table)
}

// mostLooks is the maximum number of key patterns times combinations examined.
const mostLooks = 400_000_000

// combine finds the combinations that isolate most records: of three variables if there are not too many,
// otherwise of two or of one.
func (r *Report) combine(ctx context.Context, table *keys.Table) error {
	var sets []uint64
	for size := 1; size <= min(3, table.Variables()); size++ {
		some, ok := crosstable.Choices(table.Variables(), size)
		if !ok || size > 1 && (len(sets)+len(some))*table.Keys() > mostLooks {
			break
		}
		sets, r.Sizes = append(sets, some...), size
	}
	found, err := crosstable.Rare(ctx, table.Groups(), sets, below)
	if err != nil {
		return err
	}
	crosstable.RarestFirst(found)
	for _, rarity := range found {
		c := Combination{Rarity: rarity}
		for _, v := range crosstable.Variables(rarity.Set) {
			c.Variables = append(c.Variables, r.Scenario.Keys[v])
		}
		r.Combinations = append(r.Combinations, c)
	}
	return nil
}

// Identifiers returns the direct identifiers.
func (r *Report) Identifiers() []Variable {
	return slices.DeleteFunc(slices.Clone(r.Variables), func(v Variable) bool { return v.Role != microdata.RoleRemoved })
}

// Top returns the first combinations with a number of variables, at most most of them.
func (r *Report) Top(size, most int) []Combination {
	var top []Combination
	for _, c := range r.Combinations {
		if len(c.Variables) == size && len(top) < most {
			top = append(top, c)
		}
	}
	return top
}
