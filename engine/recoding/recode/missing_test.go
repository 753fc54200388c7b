package recode_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// A step reports how many values become a code that the file declares missing, if that is read as a category, and
// how many declared missing become another code.
func TestValuesThatBecomeDeclaredMissing(t *testing.T) {
	between := [2]float64{90, 120}
	for name, test := range map[string]struct {
		said microdata.Description
		step method.Method
		want string
	}{
		"none declared": {microdata.Description{Numbers: true},
			&recode.Group{Variable: "x", Levels: []string{"1", "10"}, Label: "10"}, ""},
		"joins a code": {microdata.Description{Numbers: true, Missing: []string{"10"}},
			&recode.Group{Variable: "x", Levels: []string{"1", "2", "10"}, Label: "10"}, "3 values become 10"},
		"spelled otherwise": {microdata.Description{Numbers: true, Missing: []string{"10.0"}},
			&recode.Group{Variable: "x", Levels: []string{"2", "10"}, Label: "10"}, "1 value becomes 10"},
		"of texts": {microdata.Description{Missing: []string{"010"}},
			&recode.Group{Variable: "x", Levels: []string{"2", "10"}, Label: "10"}, ""},
		"a word": {microdata.Description{Missing: []string{"no"}},
			&recode.Rename{Variable: "x", Level: "2", Label: "no"}, "1 value becomes no"},
		"extended": {microdata.Description{Numbers: true},
			&recode.Group{Variable: "x", Levels: []string{"1", "2"}, Label: ".a"}, "3 values become .a"},
		"only called so": {microdata.Description{Numbers: true, Missing: []string{"99"},
			Labels: map[string]string{"1": "99"}}, &recode.CodeLabels{Variable: "x"}, ""},
		"another spelling": {microdata.Description{Numbers: true, Missing: []string{"8"}},
			&recode.Rename{Variable: "x", Level: "1", Label: "08"}, ""},
		"in a range": {microdata.Description{Numbers: true, MissingRange: &between},
			&recode.Rename{Variable: "x", Level: "1", Label: "99"}, "2 values become 99"},
		"only missing ones": {microdata.Description{Numbers: true, Missing: []string{"10", "120"}},
			&recode.Group{Variable: "x", Levels: []string{"10", "120"}, Label: "10"}, ""},
		"renamed": {microdata.Description{Numbers: true, Missing: []string{"10"}},
			&recode.Rename{Variable: "x", Level: "10", Label: "no"}, ""},
		"a text renamed": {microdata.Description{Missing: []string{"10"}},
			&recode.Rename{Variable: "x", Level: "10", Label: "no"}, "1 value that"},
		"to another category": {microdata.Description{Numbers: true, Missing: []string{"10", "120"}},
			&recode.Group{Variable: "x", Levels: []string{"1", "10", "120"}, Label: "few"}, "2 values that"},
		"one without records": {microdata.Description{Numbers: true, Missing: []string{"5"}},
			&recode.Rename{Variable: "x", Level: "2", Label: "3"}, ""},
	} {
		data := coded(t, "1", "2", "10", "", "120", "1")
		column, _ := data.Column("x")
		report := apply(t, test.step, data.With(column.WithDescription(&test.said))).Report
		at := slices.IndexFunc(report.Warnings, func(w string) bool { return strings.Contains(w, "declares missing") })
		got := ""
		if at >= 0 {
			got = report.Warnings[at]
		}
		ending := ", which the file declares missing, and will be read as missing"
		if strings.HasSuffix(test.want, "that") {
			ending = " the file declares missing " + map[bool]string{true: "becomes", false: "become"}[test.want[:1] == "1"] +
				" another category, and will not be read as missing"
		}
		if want := test.want; want == "" && at >= 0 || want != "" && got != want+ending {
			t.Errorf("%s: %q, expected %q", name, got, want)
		}
	}
}
