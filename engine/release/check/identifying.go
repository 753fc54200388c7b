package check

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

// finding returns a check that finds the variables with a content.
func finding(what content, one, many string) func(*release) []Finding {
	return func(r *release) []Finding {
		names, does := namesOf(r.having(what)), many
		switch len(names) {
		case 0:
			return nil
		case 1:
			does = one
		}
		return []Finding{{Text: list(names) + " " + does + ".", Variables: names, Fixes: []Fix{leaving(names...)}}}
	}
}

// identifiers finds variables that appear to identify people.
func (r *release) identifiers() (found []Finding) {
	for _, kind := range []struct {
		doubtful  bool
		one, many string
	}{{false, "variable that looks like", "variables that look like"}, {true, "variable that may be", "variables that may be"}} {
		var what []string
		some := r.those(func(v *variable) bool { return v.content == identifier && v.doubtful == kind.doubtful })
		for _, v := range some {
			what = append(what, v.Name()+" ("+v.title+")")
		}
		if names := namesOf(some); len(names) > 0 {
			found = append(found, Finding{Variables: names, warning: kind.doubtful,
				Text:  "The file has " + wording.CountedAs(len(names), kind.one, kind.many) + " a direct identifier: " + list(what) + ".",
				Fixes: append([]Fix{leaving(names...)}, renumbering(names)...)})
		}
	}
	return found
}

// numbered returns a check that finds variables with original IDs of groups.
func numbered(what content, noun string) func(*release) []Finding {
	return func(r *release) (found []Finding) {
		for _, v := range r.having(what) {
			count := r.ofSource(v)
			if count == 0 {
				continue
			}
			form := "%s has the original IDs of %s."
			if r.Unknown {
				form = "%s may have the original IDs of %s: there is no original to compare with."
			}
			found = append(found, Finding{Variables: []string{v.Name()}, Count: count, unit: noun,
				Text:  fmt.Sprintf(form, v.Name(), wording.Counted(count, noun)),
				Fixes: append(renumbering([]string{v.Name()}), leaving(v.Name()))})
		}
		return found
	}
}

// ofSource returns the number of values of a variable that also occur in the source, or of all values if the
// source is unknown.
func (r *release) ofSource(v *variable) (count int) {
	switch {
	case r.Source == nil || v.source == v.Column:
		return v.distinct
	case v.source == nil:
		return 0
	}
	same := microdata.SameLabels(v.Categories().Levels, v.source.Categories().Levels)
	for i, records := range v.counts {
		if records > 0 && same[i+1] > 0 {
			count++
		}
	}
	return count
}

// renumbering returns the fixes that replace variables with random IDs.
func renumbering(names []string) []Fix {
	title := "assign random IDs to " + list(names)
	return []Fix{{Title: title + " at export", NewIdentifiers: names},
		{Title: title + " as a step", Step: prepare.NewIdentifiersSpec().Name, Method: &prepare.NewIdentifiers{Variables: names}}}
}

// order finds records in the order of the source, or in another order that reveals something.
func (r *release) order() []Finding {
	if r.data.Records() < 2 {
		return nil
	}
	text := "The records are in their original order."
	if !r.SourceOrder {
		if text = r.sorted(); text == "" {
			return nil
		}
	}
	shuffle := prepare.ShuffleRecordsSpec()
	return []Finding{r.finding(nil, r.data.Records(), text, Fix{Title: "randomise the record order at export", RandomOrder: true},
		Fix{Title: "randomise the record order as a step", Step: shuffle.Name, Method: shuffle.New()})}
}

// persons finds labels, and a file name, with names of persons.
func (r *release) persons() []Finding {
	names := namesOf(r.those(r.namesPerson))
	var found []Finding
	if len(names) > 0 {
		found = append(found, Finding{Variables: names, Fixes: []Fix{leaving(names...)},
			Text: "Names or labels of " + list(names) + " contain what looks like an e-mail address or the name of a person."})
	}
	if NamesPerson(r.File, r.Patterns) {
		found = append(found, Finding{Text: "The file name contains what looks like an e-mail address or the name of a " +
			"person. Rename the file."})
	}
	return found
}

// likelyNames is the percentage of category labels that must look like names of persons if nothing else indicates
// them, because places are also named after persons.
const likelyNames = 10

// namesPerson reports whether the name of a variable, its label or that of a category contains the name of a
// person.
func (r *release) namesPerson(v *variable) bool {
	description := v.Described()
	for _, text := range []string{v.Name(), description.Label} {
		if _, perhaps := r.Patterns.Mentions(text); perhaps {
			return true
		}
	}
	names := 0
	for _, label := range description.Labels {
		surely, perhaps := r.Patterns.Mentions(label)
		if surely {
			return true
		}
		if perhaps {
			names++
		}
	}
	return names > 0 && 100*names >= likelyNames*len(description.Labels)
}
