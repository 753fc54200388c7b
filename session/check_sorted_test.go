package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// Without the original, the order of the records is a finding if it reveals ranks or missing cells.
func TestOrdersThatReveal(t *testing.T) {
	income := func(i int) string { return fmt.Sprint(1000 + i*i%7919) }
	rising := func(i int) string { return fmt.Sprint(1000 + 37*(i/2)) }
	region := func(i int) string { return "region " + string(rune('a'+i/50)) }
	for name, c := range map[string]struct {
		cells func(i int) []string // income, region, ill, hid
		want  string
	}{
		"rising":     {func(i int) []string { return []string{rising(i), "r", "no", ""} }, "sorted by income."},
		"falling":    {func(i int) []string { return []string{rising(199 - i), "r", "no", ""} }, "sorted by income."},
		"with gaps":  {func(i int) []string { return []string{pick(i%9 == 0, "", rising(i)), "r", "no", ""} }, "sorted by income."},
		"nearly":     {func(i int) []string { return []string{rising(pick(i == 99, 3, i)), "r", "no", ""} }, ""},
		"no order":   {func(i int) []string { return []string{income(i), "r", "no", ""} }, ""},
		"sensitive":  {func(i int) []string { return []string{income(i), "r", pick(i < 150, "no", "yes"), ""} }, "sorted by ill."},
		"by codes":   {func(i int) []string { return []string{income(i), "r", pick(i < 150, "1", "2"), ""} }, "sorted by ill."},
		"by region":  {func(i int) []string { return []string{income(i), region(i), "no", ""} }, ""},
		"households": {func(i int) []string { return []string{income(i), "r", "no", fmt.Sprint(i*7919%200/3 + 1)} }, ""},
		"a gap": {func(i int) []string { return []string{income(i), pick(i == 70, "", region(i)), "no", ""} },
			"sorted by region, and 1 missing cell of it lies between equal values."},
		"mixed": {func(i int) []string {
			return []string{income(i), pick(i == 70, "", region(i*7919%200)), pick(i%3 > 0, "no", "yes"), ""}
		}, ""},
		"gaps at the end": {func(i int) []string { return []string{income(i), pick(i > 170, "", region(i)), "no", ""} }, ""},
	} {
		var text strings.Builder
		text.WriteString("income,region,ill,hid,x\n")
		for i := range 200 {
			text.WriteString(strings.Join(append(c.cells(i), fmt.Sprint(i*31%7)), ",") + "\n")
		}
		file := filepath.Join(t.TempDir(), "out.csv")
		must(t, os.WriteFile(file, []byte(text.String()), 0o600))
		scenario := microdata.NewScenario()
		scenario.Keys, scenario.Numeric, scenario.Sensitive, scenario.Household = []string{"region"}, []string{"income"}, []string{"ill"}, "hid"
		all, err := CheckFile(t.Context(), CheckOptions{File: file, Scenario: &scenario})
		must(t, err)
		at := slices.IndexFunc(all, func(f check.Finding) bool { return f.Name == "record-order" })
		switch {
		case at < 0 && c.want != "":
			t.Errorf("%s: nothing is found", name)
		case at >= 0 && (c.want == "" || !strings.Contains(all[at].Text, c.want) || all[at].Critical || !all[at].Fixes[0].RandomOrder):
			t.Errorf("%s: found %+v", name, all[at])
		}
	}
}
