package plan

import (
	"cmp"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Recode is a publishable recode of one variable.
type Recode struct {
	Variable      string
	Text          string  // short description: "bands of 10, 80+"
	Steps         []Step  // steps of the recode; none: the variable stays as it is
	Before, After int     // number of categories that occur
	Records       int     // records whose category changes
	Lost          float64 // information loss in bits
	Detail        float64 // entropy of the variable in bits
	Removes       bool    // leaves one category, which has no information

	levels  int
	mapping []uint32 // per code; 0: missing
}

// Name returns a description of the recode with its variable: "age bands of 10, 80+", "remove sex".
func (r *Recode) Name() string {
	if r.Removes {
		return r.Text
	}
	return r.Variable + ": " + r.Text
}

// Step is a step of a plan: a method of the catalog with its parameters set.
type Step struct {
	Name   string // name in the catalog
	Method method.Method
	Title  string // one line: "group educ: none, primary → none+primary"
}

// variable is a key variable with its publishable recodes by information loss. The first recode leaves it as it
// is.
type variable struct {
	column  *microdata.Column
	counts  []int // records per code, including missing at 0
	codes   []uint32
	detail  float64 // entropy in bits
	recodes []*Recode
}

// newVariable returns a variable without recodes.
func newVariable(column *microdata.Column) *variable {
	categories := column.Categories()
	v := &variable{column: column, counts: categories.Counts(), detail: categories.Entropy()}
	as := &Recode{Variable: column.Name(), Detail: v.detail, levels: len(categories.Levels)}
	for code, count := range v.counts {
		if as.mapping = append(as.mapping, uint32(code)); code > 0 && count > 0 {
			v.codes = append(v.codes, uint32(code))
		}
	}
	as.Before, as.After = len(v.codes), len(v.codes)
	v.recodes = []*Recode{as}
	return v
}

// add adds the recode made by steps. It ignores recodes that fail, make values missing or change nothing, and all
// but the first with the same groups.
func (v *variable) add(text string, steps ...Step) {
	r, err := v.made(steps)
	if err != nil {
		return
	}
	groups, after := make([]uint32, len(v.codes)), make([]int, r.levels+1)
	for i, code := range v.codes {
		groups[i] = r.mapping[code]
		after[groups[i]] += v.counts[code]
	}
	for _, count := range after {
		if count > 0 {
			r.After++
		}
	}
	same := func(other *Recode) bool { return other.After == r.After && v.alike(other, groups) }
	if after[0] > 0 || r.After == r.Before || slices.ContainsFunc(v.recodes, same) {
		return
	}
	for i, code := range v.codes {
		if after[groups[i]] > v.counts[code] {
			r.Records += v.counts[code]
		}
	}
	r.Text, r.Removes, r.Lost = text, r.After == 1, max(0, v.detail-entropy(after[1:]))
	if r.Removes {
		r.Text = "remove " + r.Variable
	}
	v.recodes = append(v.recodes, r)
}

// alike reports whether a recode has the same groups.
func (v *variable) alike(r *Recode, groups []uint32) bool {
	into := map[uint32]uint32{}
	for i, code := range v.codes {
		to, known := into[r.mapping[code]]
		if known && to != groups[i] {
			return false
		}
		into[r.mapping[code]] = groups[i]
	}
	return true
}

// made applies steps to one row per category.
func (v *variable) made(steps []Step) (*Recode, error) {
	data, err := v.sample()
	if err != nil {
		return nil, err
	}
	scenario := microdata.NewScenario()
	for i, step := range steps {
		r, err := method.Regroup(step.Method, method.Input{Data: data, Scenario: &scenario})
		if err != nil {
			return nil, err
		}
		steps[i].Title = r.Title
		data = data.With(r.Column())
	}
	column, _ := data.Column(v.column.Name())
	now := column.Categories()
	r := &Recode{Variable: column.Name(), Steps: steps, Before: len(v.codes), Detail: v.detail, levels: len(now.Levels)}
	for row := range v.counts {
		r.mapping = append(r.mapping, now.Codes.At(row))
	}
	return r, nil
}

// sample returns the variable with one row per category that represents its records.
func (v *variable) sample() (*microdata.Dataset, error) {
	categories := v.column.Categories()
	codes := make([]uint32, len(v.counts))
	multiplicity := make([]int, len(v.counts))
	for code, count := range v.counts {
		codes[code], multiplicity[code] = uint32(code), max(1, count)
	}
	described := v.column.Described()
	column := microdata.NewCategorical(v.column.Name(), v.column.Kind(), &microdata.Categories{Levels: categories.Levels,
		Codes: microdata.CodesOf(codes), Ordered: categories.Ordered}).WithDescription(&described)
	return microdata.NewGrouped([]*microdata.Column{column}, multiplicity)
}

// sort orders the recodes by information loss.
func (v *variable) sort() {
	slices.SortStableFunc(v.recodes, func(a, b *Recode) int { return cmp.Or(cmp.Compare(a.Lost, b.Lost), len(a.Steps)-len(b.Steps)) })
}

// entropy returns the entropy in bits of categories with the given numbers of records.
func entropy(counts []int) float64 {
	total, sum := 0, 0.0
	for _, count := range counts {
		if total += count; count > 0 {
			sum += float64(float64(count) * math.Log2(float64(count)))
		}
	}
	if total == 0 {
		return 0
	}
	return math.Log2(float64(total)) - sum/float64(total)
}
