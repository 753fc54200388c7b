package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// labelled writes a file of interviewers with a label of the variable and of its first value, and returns its
// path.
func labelled(t *testing.T, ending, variable, value string) string {
	t.Helper()
	text := "who,mode\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d\n", 1+i%12, 1+i%3)
	}
	data, format := readText(t, text)
	column, _ := data.Column("who")
	labels := map[string]string{"1": value}
	for code := 2; code <= 12; code++ {
		labels[fmt.Sprint(code)] = fmt.Sprintf("interviewer %d", code)
	}
	data = data.With(column.WithDescription(&microdata.Description{Label: variable, Labels: labels}))
	path := filepath.Join(t.TempDir(), "survey"+ending)
	_, err := fileio.Write(t.Context(), path, data, fileio.FormatFor(path, format), fileio.WriteOptions{}, nil)
	must(t, err)
	return path
}

// A label of a variable, or of one value among many, that names a person is found in a file and in what is written
// from it. Labels that only look like names are not found, and leaving out the variable fixes the finding.
func TestLabelsThatNamePersons(t *testing.T) {
	for _, ending := range []string{".sav", ".dta"} {
		for name, c := range map[string]struct {
			variable, value string
			found           bool
		}{
			"variable":        {"Interviewed by Mrs Anna Miller", "interviewer 1", true},
			"address":         {"questions to a.miller@example.org", "interviewer 1", true},
			"value":           {"Interviewer", "Dr. Anna Miller", true},
			"telephone":       {"Interviewer", "tel. +43 664 1234567", true},
			"a form only":     {"Interviewed by Mrs or Mr", "interviewer 1", false},
			"a place":         {"Interviewer", "St. Anna hospital", false},
			"a question":      {"Who did the interview? (multiple answers)", "Miller or miller's helper", false},
			"a house of 2021": {"Interviewer, wave 2021-2022", "office 01/2021", false},
		} {
			path := labelled(t, ending, c.variable, c.value)
			found, err := CheckFile(t.Context(), CheckOptions{File: path})
			must(t, err)
			named := slices.IndexFunc(found, func(f check.Finding) bool { return f.Name == "named-persons" })
			if (named >= 0) != c.found || c.found && !slices.Equal(found[named].Variables, []string{"who"}) {
				t.Errorf("%s, %s: found %v", ending, name, spelled(found))
			}
			if c.found {
				checkLeftOut(t, path, &found[named])
			}
		}
	}
}

// checkLeftOut checks that the fix of a finding removes it.
func checkLeftOut(t *testing.T, path string, f *check.Finding) {
	t.Helper()
	opening, err := (*MethodSource)(nil).Source(path, fileio.FormatFor(path, fileio.NewFormat())).Open(t.Context(), nil)
	must(t, err)
	opening.Volatile = true
	s, err := New(opening)
	must(t, err)
	must(t, s.SetScenario(microdata.NewScenario()))
	o := ExportOptions{Path: "out" + filepath.Ext(path)}
	if len(findings(t, s.Document(), o, f.Name)) != 1 {
		t.Error("it is not found in what is written")
	}
	if left := findings(t, fixed(t, s, f.Fixes[0]), o, f.Name); len(left) > 0 {
		t.Errorf("%s leaves %+v", f.Fixes[0].Title, left)
	}
}
