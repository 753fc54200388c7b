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
		"Cells of age were made missing so that several records cannot be told apart by the key variables.": (&KAnonymity{K: 3}).Narrate(&method.Report{Suppression: one}),
		"Cells of age, sex and of variables that follow them were made missing so that several records cannot be told apart " +
			"by combinations of some key variables.": (&KAnonymity{Subsets: Subsets{{2,
			5}}}).Narrate(&method.Report{Suppression: many}),
		"Cells of age were made missing in records that would be recognised too easily.": NewAboveRisk().Narrate(&method.Report{Suppression: one}),
	} {
		if got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	}
}
