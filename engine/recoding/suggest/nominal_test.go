package suggest_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
)

// TestCodesOfDigitsAreNominal searches the sample file of mu-Argus: of marital
// status, described as recodable and not as numeric, any two codes are merged,
// and no code list is cut into intervals.
func TestCodesOfDigitsAreNominal(t *testing.T) {
	path := filepath.Join(golden.Root(t), "..", "shared", "data", "muargus", "Demodata.asc")
	if _, err := os.Stat(path); err != nil {
		t.Skip("the sample files of mu-Argus are absent: no ", path)
	}
	format, err := fileio.GuessFile(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := fileio.Read(t.Context(), path, format, nil)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"REGION", "SEX", "AGE", "MARSTAT"}
	all := searched(t, data, &scenario, assess(t, data, &scenario), 3)
	pairs := map[string]float64{}
	for i := range all {
		s := all[i]
		if s.Intervals != nil {
			t.Errorf("%s is cut into intervals", s.Variable)
		}
		if s.Variable == "MARSTAT" {
			pairs[strings.Join(s.Recode.Levels, "+")] = s.Rate()
		}
	}
	best, want := "", []string{"1+2", "1+3", "1+4", "2+3", "2+4", "3+4"}
	for _, pair := range want {
		if _, found := pairs[pair]; !found {
			t.Errorf("%s is not tried", pair)
		}
	}
	for group, rate := range pairs {
		if best == "" || rate > pairs[best] {
			best = group
		}
	}
	if best != "1+4" || math.Abs(pairs[best]-226.1) > 0.05 {
		t.Errorf("the best group is %s with %.1f violators a bit, want 1+4 with 226.1", best, pairs[best])
	}
}

// Numbers that are codes, of which the file says what each means, are not cut into intervals;
// where it says that they have no order any two are grouped. A label for some of them, such
// as a code for missing, makes no codes.
func TestCodesOfAFileOfStatistics(t *testing.T) {
	var cells []string
	labels := map[string]string{}
	for code := range 8 {
		cells = append(cells, slices.Repeat([]string{strconv.Itoa(code + 1)}, code+1)...)
		labels[strconv.Itoa(code+1)] = "label"
	}
	for name, test := range map[string]struct {
		said              microdata.Description
		intervals, ranked bool
	}{
		"numbers":       {microdata.Description{}, true, true},
		"some labelled": {microdata.Description{Labels: map[string]string{"8": "unknown"}}, true, true},
		"scale":         {microdata.Description{Level: microdata.Scale}, true, true},
		"labelled":      {microdata.Description{Level: microdata.Scale, Labels: labels}, false, true},
		"nominal":       {microdata.Description{Level: microdata.Nominal, Labels: labels}, false, false},
		"said to be":    {microdata.Description{Level: microdata.Nominal}, true, true},
	} {
		x := golden.Column(t, "x", cells).WithDescription(&test.said)
		data, err := microdata.NewDataset([]*microdata.Column{x})
		if err != nil {
			t.Fatal(err)
		}
		scenario := microdata.NewScenario()
		scenario.Keys = []string{"x"}
		intervals, ranked := false, true
		all := searched(t, data, &scenario, assess(t, data, &scenario), 3)
		for i := range all {
			if all[i].Intervals != nil {
				intervals = true
			} else if slices.Equal(all[i].Recode.Levels, []string{"1", "8"}) {
				ranked = false // these are no neighbours
			}
		}
		if intervals != test.intervals || ranked != test.ranked || (len(suggest.Ladder(x)) > 0) != test.intervals {
			t.Errorf("%s: intervals %v, neighbours only %v", name, intervals, ranked)
		}
	}
}
