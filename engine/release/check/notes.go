package check

import (
	"regexp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// notes finds notes of the file that name persons, or records by an identifier.
func (r *release) notes() []Finding {
	sure, doubtful := 0, 0
	for _, text := range r.Notes {
		surely, perhaps := r.Patterns.Mentions(text)
		switch {
		case surely || r.namesRecord(text):
			sure++
		case perhaps || r.Patterns.MentionsPlace(text):
			doubtful++
		}
	}
	var found []Finding
	for _, kind := range []struct {
		count   int
		warning bool
		has     string
	}{{sure, false, "identify a person or a record"}, {doubtful, true, "may identify a person"}} {
		if kind.count > 0 {
			found = append(found, Finding{warning: kind.warning, Count: kind.count, Of: len(r.Notes), unit: "line",
				Text:  wording.Counted(kind.count, "line") + " of the notes, documents or dataset label " + kind.has + ".",
				Fixes: []Fix{{Title: "remove the notes", DropNotes: true}}})
		}
	}
	return found
}

// namesRecord reports whether a text contains the name of an identifier of the file followed by a number: "hid
// 17".
func (r *release) namesRecord(text string) bool {
	return slices.ContainsFunc(r.variables, func(v *variable) bool {
		return slices.Contains([]content{identifier, household, group}, v.content) &&
			regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(v.Name())+`\W{0,3}\d`).MatchString(text)
	})
}
