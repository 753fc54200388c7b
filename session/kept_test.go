package session

import (
	"os"
	"reflect"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Counts of single categories, strata and records in a report are not in the session file, and are restored when
// the session is resumed.
func TestJournalHoldsNoCountOfACategory(t *testing.T) {
	stateHere(t)
	for _, c := range []struct {
		spec   StepSpec
		counts func(*method.Report) int // the part of the report that must not be stored
	}{
		{ages, func(r *method.Report) int { return len(r.Table) }},
		{step("suppress-kanonymity", `{"k":2,"strata":["region"]}`), func(r *method.Report) int { return len(r.Strata) }},
		{step("suppress-combinations", `{}`), func(r *method.Report) int { return len(r.Unsafe[0].Categories) }},
		{step("pram", `{"variables":["sex"]}`), func(r *method.Report) int { return len(r.PRAM[0].Strata) }},
		{step("recordswap", `{"hierarchy":["region"],"risk_keys":["age","sex"]}`),
			func(r *method.Report) int { return len(r.Swaps.Records) }},
	} {
		s := openSmall(t)
		do(t, s, step("recode-group", `{"variable":"region","levels":["east","west"],"label":"other","include_missing":true}`))
		do(t, s, c.spec)
		made := s.Steps()[1].Report
		must(t, s.Close())
		text, err := os.ReadFile(s.JournalPath())
		must(t, err)
		info, err := ReadJournal(s.JournalPath(), nil)
		must(t, err)
		if n, kept := c.counts(&made), c.counts(&info.Steps[1].Report); n == 0 || kept != 0 {
			t.Errorf("%s: %d counts of %d are in the session file:\n%s", c.spec.Step, kept, n, text)
		}
		again, err := continueAt(t, s.JournalPath())
		must(t, err)
		if got := again.Steps()[1].Report; !reflect.DeepEqual(got, made) {
			t.Errorf("%s: continued with the report\n%+v\nwant\n%+v", c.spec.Step, got, made)
		}
		must(t, again.Close())
	}
}
