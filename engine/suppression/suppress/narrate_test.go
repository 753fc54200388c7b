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
		"1 cell of age was made missing so that at least 3 records cannot be told apart by the key variables.": (&KAnonymity{K: 3}).Narrate(&method.Report{Suppression: one}),
		"1,200 cells of age, sex and 1,199 of variables that follow them were made missing so that enough records cannot be told apart " +
			"by any combination of so many key variables (2:5).": (&KAnonymity{Subsets: Subsets{{2,
			5}}}).Narrate(&method.Report{Suppression: many}),
		"1 cell of age was made missing in records that would be recognised too easily.": NewAboveRisk().Narrate(&method.Report{Suppression: one}),
	} {
		if got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}
