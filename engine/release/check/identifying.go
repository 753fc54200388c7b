package check

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

// finding returns the check that finds the variables of a content.
func finding(what content, one, many string) func(*release, context.Context) ([]Finding, error) {
	return func(r *release, _ context.Context) ([]Finding, error) {
		names := r.having(what)
		if len(names) == 0 {
			return nil, nil
		}
		text := list(names) + " " + many + "."
		if len(names) == 1 {
			text = list(names) + " " + one + "."
		}
		return []Finding{{Text: text, Variables: names, Fixes: []Fix{leaving(names...)}}}, nil
	}
}

// identifiers finds variables that look as if they identified people.
func (r *release) identifiers(context.Context) ([]Finding, error) {
	var sure, doubtful, what, perhaps []string
	for _, name := range r.having(identifier) {
		found := r.identified[name]
		if found.doubtful {
			doubtful, perhaps = append(doubtful, name), append(perhaps, name+" ("+found.title+")")
		} else {
			sure, what = append(sure, name), append(what, name+" ("+found.title+")")
		}
	}
	var found []Finding
	if len(sure) > 0 {
		found = append(found, Finding{Variables: sure,
			Text: "The file has " + wording.CountedAs(len(sure), "variable that looks", "variables that look") +
				" like a direct identifier: " + list(what) + ".",
			Fixes: append([]Fix{leaving(sure...)}, renumbering(sure)...)})
	}
	if len(doubtful) > 0 {
		found = append(found, Finding{Variables: doubtful, warning: true,
			Text: "The file has " + wording.CountedAs(len(doubtful), "variable that may be", "variables that may be") +
				" a direct identifier: " + list(perhaps) + ".",
			Fixes: append([]Fix{leaving(doubtful...)}, renumbering(doubtful)...)})
	}
	return found, nil
}

// households finds household numbers of the source.
func (r *release) households(context.Context) ([]Finding, error) {
	return r.numbered(household, "household"), nil
}

// groups finds numbers of other groups of the source.
func (r *release) clusters(context.Context) ([]Finding, error) {
	return r.numbered(group, "group"), nil
}

// numbered finds variables with the numbers of groups of the source.
func (r *release) numbered(what content, noun string) []Finding {
	var found []Finding
	for _, name := range r.having(what) {
		column, _ := r.data.Column(name)
		count := r.ofSource(column)
		if count == 0 {
			continue
		}
		f := Finding{Variables: []string{name}, Count: count,
			Text:  name + " has the numbers that " + wording.Counted(count, noun) + " have in the source.",
			Fixes: append(renumbering([]string{name}), leaving(name))}
		if r.Unknown {
			f.Text = name + " has numbers of " + wording.Counted(count, noun) + " that may be those of the source."
		}
		found = append(found, f)
	}
	return found
}

// ofSource counts the values of a variable that the source has too, or all where it is not
// known.
func (r *release) ofSource(c *microdata.Column) (count int) {
	categories := c.Categories()
	if r.Source == nil {
		return categories.Occurring()
	}
	was, ok := r.Source.Data().Column(c.Name())
	if !ok {
		return 0
	}
	same := microdata.SameLabels(categories.Levels, was.Categories().Levels)
	for i, records := range categories.Counts()[1:] {
		if records > 0 && same[i+1] > 0 {
			count++
		}
	}
	return count
}

// renumbering are the fixes that give variables random IDs.
func renumbering(names []string) []Fix {
	title := "random IDs for " + list(names)
	return []Fix{{Title: title + " when the file is written", NewIdentifiers: names},
		{Title: title + " as a step", Step: prepare.NewIdentifiersSpec().Name, Method: &prepare.NewIdentifiers{Variables: names}}}
}

// order finds records in the order of the source, or in one that reveals something.
func (r *release) order(context.Context) ([]Finding, error) {
	if r.data.Records() < 2 {
		return nil, nil
	}
	text := "The records are in the order of the source."
	if !r.SourceOrder {
		if text = r.sorted(); text == "" {
			return nil, nil
		}
	}
	shuffle := prepare.ShuffleRecordsSpec()
	return []Finding{{Text: text, Count: r.data.Records(), Of: r.data.Records(),
		Fixes: []Fix{{Title: "random order when the file is written", RandomOrder: true},
			{Title: "random order as a step", Step: shuffle.Name, Method: shuffle.New()}}}}, nil
}

// persons finds labels, and a name of the file, that name persons.
func (r *release) persons(context.Context) ([]Finding, error) {
	var names []string
	for _, column := range r.data.Columns() {
		if r.namesPerson(column) {
			names = append(names, column.Name())
		}
	}
	var found []Finding
	if len(names) > 0 {
		found = append(found, Finding{Variables: names, Fixes: []Fix{leaving(names...)},
			Text: "Names or labels of " + list(names) + " have what looks like an e-mail address or the name of a person."})
	}
	if NamesPerson(r.File, r.Patterns) {
		found = append(found, Finding{Text: "The name of the file has what looks like an e-mail address or the name of a " +
			"person: choose another one."})
	}
	return found, nil
}

// likelyNames is the share of the labels of categories, in percent, that must look like names
// of persons where nothing else says that they are: places are called after persons too.
const likelyNames = 10

// namesPerson reports whether the name of a variable, its label or that of one of its
// categories does.
func (r *release) namesPerson(c *microdata.Column) bool {
	description := c.Described()
	for _, text := range []string{c.Name(), description.Label} {
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
