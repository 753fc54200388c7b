package measure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// SummaryNumber describes a number that is included in summaries by default.
type SummaryNumber struct {
	Name  string // name of the number
	Title string // name in a sentence: "expected re-identifications"
	ByK   bool   // one number for each k
	Whole bool   // an integer, 0 if not defined
	First bool   // shown even if there is little space: in inspections and comparisons of scenarios
}

// ByK returns what the measure counts for each k: "violators".
func (s *Spec) ByK() string {
	for _, n := range s.Summary {
		if n.ByK && n.Title != "" {
			return n.Title
		}
	}
	return s.Title
}

// Firsts returns the measures with numbers marked First, except the named ones.
func (c Catalog) Firsts(without ...string) Catalog {
	return slices.DeleteFunc(slices.Clone(c), func(s Spec) bool {
		return slices.Contains(without, s.Name) || !slices.ContainsFunc(s.Summary, func(n SummaryNumber) bool { return n.First })
	})
}

// Summary returns the numbers of summaries, first those at the top level, then those of measures with a member of
// their own.
func (s Set) Summary() method.Members {
	alone, within := method.Members{}, method.Members{}
	for i := range s {
		e := &s[i]
		numbers := e.summary()
		switch {
		case e.Spec.SummaryIn == "":
			alone = append(alone, numbers...)
		case len(e.Values.Numbers) == 0:
			within = append(within, method.Member{Name: e.Spec.SummaryIn})
		default:
			within = append(within, method.Member{Name: e.Spec.SummaryIn, Value: numbers})
		}
	}
	return append(alone, within...)
}

// summary returns the numbers of one measure.
func (e *Entry) summary() method.Members {
	var members method.Members
	for _, n := range e.Spec.Summary {
		var value any
		switch v := e.Value(n.Name, 0); {
		case n.ByK:
			value = e.byK(n.Name)
		case n.Whole && v == nil:
			value = 0
		case n.Whole:
			value = int(v.Number)
		case v != nil && !math.IsNaN(v.Number) && !math.IsInf(v.Number, 0):
			value = v.Number
		}
		members = append(members, method.Member{Name: n.Name, Value: value})
	}
	return members
}

// byK returns the numbers with a name by k; null if the measure does not apply.
func (e *Entry) byK(name string) method.Members {
	if e.NotApplicable != "" {
		return nil
	}
	members := method.Members{}
	for i := range e.Values.Numbers {
		if v := &e.Values.Numbers[i]; v.Name == name {
			members = append(members, method.Member{Name: strconv.Itoa(v.K), Value: int(v.Number)})
		}
	}
	return members
}

// Firsts calls f for each number marked First.
func (s Set) Firsts(f func(e *Entry, n *SummaryNumber)) {
	for i := range s {
		for j := range s[i].Spec.Summary {
			if n := &s[i].Spec.Summary[j]; n.First {
				f(&s[i], n)
			}
		}
	}
}

// Spoken formats a number of summaries with spell; it returns "none" if there is no number, and "not applicable"
// if the measure does not apply.
func (e *Entry) Spoken(n *SummaryNumber, spell func(*Value) string) string {
	var parts []string
	for i := range e.Values.Numbers {
		switch v := &e.Values.Numbers[i]; {
		case v.Name != n.Name:
		case n.ByK:
			parts = append(parts, fmt.Sprintf("k = %d: %s", v.K, spell(v)))
		case !math.IsNaN(v.Number):
			parts = append(parts, spell(v))
		}
	}
	switch {
	case e.NotApplicable != "":
		return "not applicable"
	case len(parts) == 0:
		return "none"
	}
	return strings.Join(parts, ", ")
}
