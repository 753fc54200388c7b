package loglinear

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Formula is a model: its variables and terms.
type Formula struct {
	Variables []string
	Terms     []uint64 // sets of variables, bit v for variable v; a set that is part of another is omitted
}

// ParseFormula parses terms separated by +: a variable, or an interaction of several separated by : or *, which
// includes their main effects. A leading ~ is skipped.
func ParseFormula(text string) (f Formula, err error) {
	for term := range strings.SplitSeq(strings.TrimPrefix(strings.TrimSpace(text), "~"), "+") {
		set := uint64(0)
		for _, name := range strings.FieldsFunc(term, func(r rune) bool { return r == ':' || r == '*' }) {
			if name = strings.TrimSpace(name); name == "" {
				continue
			}
			v := slices.Index(f.Variables, name)
			if v < 0 {
				v, f.Variables = len(f.Variables), append(f.Variables, name)
			}
			if v >= keys.MostVariables {
				return f, method.ParamError("\"formula\" has more than %d variables", keys.MostVariables)
			}
			set |= 1 << v
		}
		if set == 0 {
			return f, method.ParamError("\"formula\": a term of %q is empty; write region + sex + age, or region + sex*age",
				text)
		}
		f.Terms = append(f.Terms, set)
	}
	f.Terms = slices.Clip(slices.DeleteFunc(f.Terms, func(set uint64) bool {
		return slices.ContainsFunc(f.Terms, func(other uint64) bool { return other != set && set&other == set })
	}))
	slices.Sort(f.Terms)
	f.Terms = slices.Compact(f.Terms)
	return f, nil
}

// mainEffects returns the formula of variables without interactions.
func mainEffects(names []string) Formula {
	f := Formula{Variables: names}
	for v := range names {
		f.Terms = append(f.Terms, 1<<v)
	}
	return f
}
