package lesson

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// departure returns what has changed in the set-up of the lesson at a part, counted from 0, and what to do, or "".
// The scenario must be that of the lesson, except a rule that an exercise sets. Before the first exercise the data
// must be changed only by the steps of the lesson, later also by the methods that exercises name. So no step
// removes records.
func (l *Lesson) departure(at int, s *State) string {
	want, methods, made := l.Scenario.Clone(), []string(nil), 0
	for i := range l.Parts[:at+1] {
		p := &l.Parts[i]
		if p.Step != "" {
			made++
			methods = append(methods, p.Step)
		}
		if methods = append(methods, p.With...); p.Try != "" {
			for _, w := range p.Want {
				want.Rule = ruleOf(w, want.Rule)
			}
		}
	}
	if other := otherScenario(&want, s.Scenario, ruleTried(&l.Parts[at])); other != "" {
		return other
	}
	for _, step := range s.Steps {
		if !slices.ContainsFunc(methods, func(name string) bool { return ofMethod(step.Step, name) }) {
			return fmt.Sprintf("%s changed the data, which this lesson does not ask for. u undoes it.", step.Step)
		}
	}
	tried := slices.ContainsFunc(l.Parts[:at+1], func(p Part) bool { return p.Try != "" })
	if !tried && len(s.Steps) != made {
		return "the data are no longer those of the lesson. Go back with u and ctrl+r."
	}
	return ""
}

// ruleOf returns the rule that a condition asks for, or the one before.
func ruleOf(w Requirement, before microdata.Rule) microdata.Rule {
	if w.Rule != "" {
		return w.Rule
	}
	return before
}

// ruleTried reports whether the exercise of a part is to set the rule.
func ruleTried(p *Part) bool {
	return p.Try != "" && slices.ContainsFunc(p.Want, func(w Requirement) bool { return w.Rule != "" })
}

// otherScenario returns how a scenario differs from the wanted one, or "". The order of variables does not matter,
// and neither does the rule if ruleFree is set.
func otherScenario(want, is *microdata.Scenario, ruleFree bool) string {
	const back = " u undoes the change of the scenario."
	for _, of := range []struct {
		what     string
		want, is []string
	}{
		{"key variables", want.Keys, is.Keys}, {"numeric variables", want.Numeric, is.Numeric},
		{"sensitive variables", want.Sensitive, is.Sensitive}, {"variables of strata", want.Strata, is.Strata},
		{"weight", []string{want.Weight}, []string{is.Weight}},
		{"household identifier", []string{want.Household}, []string{is.Household}},
		{"removed variables", want.Remove, is.Remove},
	} {
		if slices.Compare(slices.Sorted(slices.Values(of.want)), slices.Sorted(slices.Values(of.is))) != 0 {
			named := strings.Join(of.want, ", ")
			if named == "" {
				named = "none"
			}
			return fmt.Sprintf("the %s of the lesson are %s; the scenario differs.", of.what, named) + back
		}
	}
	switch {
	case !ruleFree && is.Rule != want.Rule:
		return fmt.Sprintf("the rule of the lesson is %s, that of the scenario %s.", want.Rule, is.Rule) + back
	case is.Alpha != want.Alpha:
		return fmt.Sprintf("alpha is %g in the lesson, and %g in the scenario.", want.Alpha, is.Alpha) + back
	case slices.Compare(slices.Sorted(slices.Values(want.K)), slices.Sorted(slices.Values(is.K))) != 0:
		return "the scenario has other values of k than the lesson." + back
	}
	return ""
}

// Order returns the order in which the answers of a part, counted from 0, are listed for a learner, as indices of
// Answers. It is always the same for a learner.
func (l *Lesson) Order(at int, learner uint64) []int {
	part := fnv.New64a()
	fmt.Fprint(part, l.Name, at)
	return rand.New(rand.NewPCG(learner, part.Sum64())).Perm(len(l.Parts[at].Answers))
}
