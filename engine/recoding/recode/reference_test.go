package recode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// violators returns the numbers of violators of k = 2, 3 and 5 under the default rule.
func violators(data *microdata.Dataset, alpha float64, keys ...string) [3]int {
	var counts [3]int
	columns := golden.Columns(data, keys...)
	for _, f := range golden.Frequencies(columns, microdata.RuleDefault, alpha) {
		for i, k := range []float64{2, 3, 5} {
			if f < k-1e-9 {
				counts[i]++
			}
		}
	}
	return counts
}

// Figures are those of Templ (2017), the FU Berlin slides (2019) and sdcMicro 5.8.1.
func TestTeachingFile(t *testing.T) {
	if testing.Short() {
		t.Skip("frequencies by comparing all pairs of records take long")
	}
	data := golden.Data(t, "testdata")
	keys := []string{"urbrur", "water", "sex", "age", "relat"}
	check := func(state string, data *microdata.Dataset, alpha float64, want [3]int) {
		t.Helper()
		if got := violators(data, alpha, keys...); got != want {
			t.Errorf("%s, alpha %v: violators %v, want %v", state, alpha, got, want)
		}
	}
	check("as read", data, 1, [3]int{653, 1087, 1781})
	cut := apply(t, &recode.Intervals{Variable: "age", Breaks: []float64{0, 9, 19, 29, 39, 49, 59, 69, 79, 130}}, data)
	check("ages cut", cut.Data, 1, [3]int{111, 184, 345})
	check("ages cut", cut.Data, 0.7, [3]int{113, 188, 362})
	age, _ := cut.Data.Column("age")
	want := map[string]int{"1-9": 1128, "10-19": 1110, "20-29": 635, "30-39": 629, "40-49": 447, "50-59": 250,
		"60-69": 200, "70-79": 70, "80-130": 13}
	if diff := cmp.Diff(want, levelsOf(age)); diff != "" {
		t.Errorf("ages (-want +got):\n%s", diff)
	}
	old := apply(t, &recode.Group{Variable: "age", Levels: []string{"60-69", "70-79", "80-130"}}, cut.Data)
	check("oldest joined", old.Data, 1, [3]int{85, 162, 294})
	age, _ = old.Data.Column("age")
	if got := levelsOf(age)["60-130"]; got != 283 {
		t.Errorf("%d records of the age 60-130, want 283", got)
	}
	water := apply(t, &recode.Group{Variable: "water", Levels: []string{"6", "7", "9"}}, cut.Data)
	relat := apply(t, &recode.Group{Variable: "relat", Levels: []string{"8", "9"}}, water.Data)
	check("water and relat joined", relat.Data, 0.7, [3]int{106, 171, 316})
}

// Figures are those of sdcMicro 5.8.1.
func TestSurvey(t *testing.T) {
	data := golden.Data(t, "survey")
	keys := []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	cut := apply(t, &recode.Intervals{Variable: "age", Breaks: []float64{-1, 4, 14, 24, 34, 44, 54, 64, 99}}, data)
	if got, want := violators(cut.Data, 1, keys...), [3]int{1693, 2498, 3528}; got != want {
		t.Errorf("ages cut: violators %v, want %v", got, want)
	}
	if got, want := cut.Report.Title, "intervals age: 0-4, 5-14, 15-24, …"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	var counts []int
	for _, level := range cut.Report.Table {
		counts = append(counts, level.Count)
	}
	if diff := cmp.Diff([]int{512, 484, 950, 922, 703, 693, 427, 309}, counts); diff != "" {
		t.Errorf("ages (-want +got):\n%s", diff)
	}
	grouped := apply(t, &recode.Group{Variable: "ethnic", Levels: []string{"Kesh", "other", "Veyra"}, Label: "other"},
		cut.Data)
	if got, want := violators(grouped.Data, 1, keys...), [3]int{1640, 2467, 3523}; got != want {
		t.Errorf("ethnic grouped: violators %v, want %v", got, want)
	}
	ethnic, _ := grouped.Data.Column("ethnic")
	if diff := cmp.Diff(map[string]int{"other": 315, "Meri": 3499, "Ossik": 533, "Tolan": 653},
		levelsOf(ethnic)); diff != "" {
		t.Errorf("ethnic (-want +got):\n%s", diff)
	}
	if got, want := grouped.Report.Title, "group ethnic: Kesh, other, Veyra → other"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
}
