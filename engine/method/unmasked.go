package method

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Unmasked describes the records that a masking step left unchanged because a value is missing.
type Unmasked struct {
	Records int    `json:"records"`
	Keeping int    `json:"keeping"`           // of those, records that have a value of at least one of the variables
	Values  Counts `json:"values"`            // number of unchanged values by variable
	Partial int    `json:"partial,omitempty"` // records with a missing value, masked in the other variables
}

// String describes the records in a sentence: "1,084 records have a missing value in one of the variables and stay
// as before, with 1,080 values of expend".
func (u *Unmasked) String() string {
	var parts []string
	if u.Partial > 0 {
		parts = append(parts, wording.Does(u.Partial, "record",
			"lack")+" values and "+wording.Verb(u.Partial, "are")+" masked in the other variables")
	}
	if u.Records > 0 {
		parts = append(parts, wording.Does(u.Records, "record",
			"have")+" a missing value in one of the variables and "+wording.Verb(u.Records, "are")+" not masked"+u.keeps())
	}
	return strings.Join(parts, "; ")
}

// Did returns the effect of the step, preceded by the number of records it left unchanged.
func (r *Report) Did() string {
	if r.Unmasked == nil || r.Unmasked.Keeping == 0 {
		return r.Effect
	}
	return wording.Counted(r.Unmasked.Keeping, "record") + " left; " + r.Effect
}

// keeps describes the unchanged values.
func (u *Unmasked) keeps() string {
	var kept []string
	for _, of := range u.Values {
		if of.Count > 0 {
			kept = append(kept, wording.Counted(of.Count, "value")+" of "+of.Name)
		}
	}
	if len(kept) == 0 {
		return " (no value to mask)"
	}
	return " (" + wording.Listed(kept) + " unchanged)"
}
