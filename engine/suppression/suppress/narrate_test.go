package suppress

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

func TestNarrate(t *testing.T) {
	one := &method.Suppression{Total: 1, Cells: method.Counts{{Name: "age", Count: 1}, {Name: "sex"}}}
	many := &method.Suppression{Total: 1200, Cells: method.Counts{{Name: "age", Count: 1199}, {Name: "sex", Count: 1}},
		Linked: method.Counts{{Name: "birth", Count: 1199}}}
	for want, got := range map[string]string{
		"Cells were suppressed so that each combination of values of the key variables occurs at least k times; k is not published.": (&KAnonymity{K: 3}).Narrate(&method.Report{Suppression: one}),
		"Cells were suppressed so that each combination of values of some of the key variables occurs at least k times; k is not published.": (&KAnonymity{Subsets: Subsets{{2,
			5}}}).Narrate(&method.Report{Suppression: many}),
		"Cells were suppressed in records with a high risk of re-identification.": NewAboveRisk().Narrate(&method.Report{Suppression: one}),
	} {
		if got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}
