package method

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Unmasked tells which records a step left as they were because they lack a value, and
// what they keep.
type Unmasked struct {
	Records int    `json:"records"`
	Keeping int    `json:"keeping"`           // those of them that have a value of one of the variables
	Values  Counts `json:"values"`            // that they keep, by variable
	Partial int    `json:"partial,omitempty"` // records that lack a value and were masked by what they have
}

// String says it in a sentence: "1,084 records have a missing value in one of the
// variables and stay as before, with 1,080 values of expend".
func (u *Unmasked) String() string {
	var parts []string
	if u.Partial > 0 {
		parts = append(parts, wording.Does(u.Partial, "record",
			"lack")+" values and "+wording.Verb(u.Partial, "are")+" masked in the other variables")
	}
	if u.Records > 0 {
		parts = append(parts, wording.Does(u.Records, "record",
			"have")+" a missing value in one of the variables, and "+wording.Verb(u.Records, "stay")+" as before"+u.keeps())
	}
	return strings.Join(parts, "; ")
}

// Did says what the step did, that it left records as they were first.
func (r *Report) Did() string {
	if r.Unmasked == nil || r.Unmasked.Keeping == 0 {
		return r.Effect
	}
	return wording.Counted(r.Unmasked.Keeping, "record") + " left; " + r.Effect
}

// keeps says which values the records keep.
func (u *Unmasked) keeps() string {
	var kept []string
	for _, of := range u.Values {
		if of.Count > 0 {
			kept = append(kept, wording.Counted(of.Count, "value")+" of "+of.Name)
		}
	}
	if len(kept) == 0 {
		return ", with no value of these variables"
	}
	return ", with " + wording.Listed(kept)
}
