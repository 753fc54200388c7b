package plan

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// Step is a step of a plan: a method of the catalog with its parameters set.
type Step struct {
	Name   string // in the catalog
	Method method.Method
	Title  string // in one line: "group educ: none, primary → none+primary"
}

// longestLabel is the length of the longest label that is made of those of the
// categories grouped.
const longestLabel = 40

// recodes are the steps that make a grouping, and what they make of the codes.
type recodes struct {
	steps   []Step
	levels  int
	mapping []uint32
}

// recodes returns the steps that make a grouping of the variable.
func (v *variable) recodes(id int) (recodes, error) {
	if id == v.none {
		return recodes{}, nil
	}
	g := v.list[id]
	for _, steps := range [][]Step{v.byHierarchy(g), v.byIntervals(g), v.byGroups(g)} {
		if len(steps) == 0 {
			continue
		}
		made, err := v.carriedOut(steps)
		if err != nil {
			return recodes{}, err
		}
		if v.intern(made.mapping) == id {
			return made, nil
		}
	}
	return recodes{}, fmt.Errorf("recode %q %w: its categories cannot be grouped", v.column.Name(), method.ErrInput)
}

// sample returns the variable with one row per category that stands for its
// records: what steps make of it they make of the variable.
func (v *variable) sample() (*microdata.Dataset, error) {
	categories := v.column.Categories()
	codes := make([]uint32, 0, len(v.counts))
	var multiplicity []int
	for code, count := range v.counts {
		codes, multiplicity = append(codes, uint32(code)), append(multiplicity, max(1, count))
	}
	column := microdata.NewCategorical(v.column.Name(), v.column.Kind(),
		&microdata.Categories{Levels: categories.Levels, Codes: microdata.CodesOf(codes), Ordered: categories.Ordered})
	return microdata.NewGrouped([]*microdata.Column{column}, multiplicity)
}

// carriedOut returns what steps make of the codes of the variable.
func (v *variable) carriedOut(steps []Step) (recodes, error) {
	data, err := v.sample()
	if err != nil {
		return recodes{}, err
	}
	scenario := microdata.NewScenario()
	for i, step := range steps {
		r, err := method.Regroup(step.Method, method.Input{Data: data, Scenario: &scenario})
		if err != nil {
			return recodes{}, err
		}
		steps[i].Title = r.Title
		data = data.With(r.Column())
	}
	made, _ := data.Column(v.column.Name())
	now := made.Categories() // row by row what has become of the codes
	out := recodes{steps: steps, levels: len(now.Levels)}
	for row := range v.counts {
		out.mapping = append(out.mapping, now.Codes.At(row))
	}
	return out, nil
}

// byHierarchy returns the recode by the hierarchy that was given for the variable;
// none where the grouping is not one of its levels.
func (v *variable) byHierarchy(g *grouping) []Step {
	if v.hierarchy == nil || g.depth == 0 {
		return nil
	}
	m := *v.hierarchy
	m.Depth, m.Unlisted = g.depth, recode.UnlistedKeep
	return []Step{{Name: recode.HierarchySpec().Name, Method: &m}}
}

// byIntervals returns a recode by intervals that makes a grouping of a variable of
// numbers that was not recoded and are no codes; none where a step or two that group categories
// say the same in fewer words.
func (v *variable) byIntervals(g *grouping) []Step {
	if !v.ordered || !v.column.Numeric() || v.column.Recoded() || v.column.Coded() || len(v.largest(v.members(g), 2)) < 2 {
		return nil
	}
	levels := v.column.Categories().Levels
	whole := v.column.Kind() == microdata.Whole
	breaks := []float64{0}
	last := -1 // the code before, of those with records
	for code, group := range g.of {
		if group == 0 {
			continue
		}
		value := levels[code-1].Value
		switch {
		case last < 0:
			breaks[0] = min(value-1, math.Nextafter(value, math.Inf(-1)))
		case group != g.of[last]:
			breaks = append(breaks, border(levels[last-1].Value, value, whole))
		}
		last = code
	}
	breaks = append(breaks, levels[last-1].Value)
	return []Step{{Name: recode.IntervalsSpec().Name, Method: &recode.Intervals{Variable: v.column.Name(), Breaks: breaks,
		By: recode.ByEqualWidths, Open: recode.OpenBoth}}}
}

// border returns where an interval ends that holds one value and not the next: of
// whole numbers where the next interval begins with as round a number as can be.
func border(low, high float64, whole bool) float64 {
	const exact = 1 << 53 // up to here every whole number is one of its own
	if !whole || high-low > 1000 || max(high, -low) > exact {
		return low
	}
	for _, unit := range []float64{1000, 500, 100, 50, 10, 5, 2} {
		for next := low + 1; next <= high; next++ {
			if q := next / unit; q == float64(int64(q)) {
				return next - 1
			}
		}
	}
	return low
}

// byGroups returns the recodes that make one group after the other.
func (v *variable) byGroups(g *grouping) []Step {
	levels := v.column.Categories().Levels
	var taken []string
	for _, level := range levels {
		taken = append(taken, level.Label)
	}
	var steps []Step
	for _, codes := range v.members(g) {
		if len(codes) < 2 {
			continue
		}
		first, last := codes[0], codes[len(codes)-1]
		m := &recode.Group{Variable: v.column.Name()}
		for code := first; code <= last; code++ {
			// Categories without records that lie between go along, so that neighbours remain neighbours.
			if slices.Contains(codes, code) || v.ordered && v.counts[code] == 0 {
				m.Levels = append(m.Levels, levels[code-1].Label)
			}
		}
		m.Label = v.labelOf(m, taken, g.groups == 1)
		if m.Label != "" {
			taken = append(taken, m.Label)
		}
		steps = append(steps, Step{Name: recode.GroupSpec().Name, Method: m})
	}
	return steps
}

// labelOf returns the label of a group where the default is long or taken; "" for
// the default.
func (v *variable) labelOf(m *recode.Group, taken []string, all bool) string {
	label, given := m.DefaultLabel(v.column), ""
	if len(label) > longestLabel {
		given = "other"
		if all {
			given = "all"
		}
		label = given
	}
	free := func(label string) bool { return !slices.Contains(taken, label) || slices.Contains(m.Levels, label) }
	for n := 2; !free(label); n++ {
		label = fmt.Sprintf("group %d", n)
		given = label
	}
	return given
}
