package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Households of a file in passes have the figures of the file in memory: when the role is given, after steps that take
// cells from some records of a group or draw households, undone and done again, and in a session that is continued. A
// recode asks no pass.
func TestHouseholdsInPasses(t *testing.T) {
	stateHere(t)
	folder := t.TempDir()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "survey.csv"))
	must(t, err)
	path := filepath.Join(folder, "survey.csv")
	must(t, os.WriteFile(path, []byte(strings.Join(strings.SplitAfter(string(text), "\n")[:801], "")), 0o600))
	whole, passed := openedFor(t, Identity{Path: path}, fileio.NewFormat()), openedFor(t, Identity{Path: InPasses(path)}, fileio.NewFormat())
	counts, last := 0, 0.0
	for _, line := range []string{`{"scenario":{"keys":["region","sex","age"],"weight":"weight"}}`,
		`{"scenario":{"keys":["region","sex","age"],"weight":"weight","household":"hid"}}`,
		`{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,29,59,99]}}`,
		`{"step":"suppress-kanonymity","params":{"k":12}}`, `{"scenario":{"keys":["region","sex","age","educ"],"household":"hid"}}`,
		`{"step":"suppress-kanonymity","params":{"k":4,"strata":["sex"]}}`,
		`{"step":"sample","params":{"share":0.5,"unit":"households"},"seed":4}`, "undo", "undo", "redo", "redo"} {
		_, err := actOn(whole, line)
		must(t, err)
		more, err := actOn(passed, line)
		must(t, err)
		counts += more
		summary, _ := summaryOf(t, whole, folder)
		summaryPassed, _ := summaryOf(t, passed, folder)
		if where := differs("", summary, summaryPassed); where != "" {
			t.Fatalf("%s: in memory and in passes differ at %s", line, where)
		}
		if counts > 1 {
			last = summaryPassed["current"].(map[string]any)["households"].(map[string]any)["expected_reidentifications"].(float64)
		}
	}
	if counts != 3 || !(last > 0) {
		t.Errorf("%d counts, %v expected re-identifications", counts, last)
	}
	want, _ := summaryOf(t, passed, folder)
	must(t, passed.Close())
	found, err := FindJournals(InPasses(path), nil)
	must(t, err)
	again, err := Continue(context.Background(), found[0], nil, 0, nil)
	must(t, err)
	if got, _ := summaryOf(t, again, folder); differs("", want, got) != "" {
		t.Errorf("continued, it differs at %s", differs("", want, got))
	}
}

// Of a suppression that is tried, whose records nobody has counted, households tell nothing, and why.
func TestHouseholdsOfWhatIsTried(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.csv")
	must(t, os.WriteFile(path, []byte("sex,hid\nf,1\nf,2\nf,2\nm,1\n"), 0o600))
	opening, err := (*Known)(nil).Source(InPasses(path), fileio.NewFormat()).Open(t.Context(), nil)
	must(t, err)
	opening.Volatile = true
	s, err := New(opening)
	must(t, err)
	_, err = actOn(s, `{"scenario":{"keys":["sex"],"household":"hid"}}`)
	must(t, err)
	scenario := s.Scenario()
	figures, err := NewAnalyst().For(s).Figures(t.Context(), s.Data().Split([]uint32{0, 0, 1}, []int{1, 2, 1}), &scenario, measure.WhatIf)
	must(t, err)
	if e := figures.Find("household"); e == nil || !strings.Contains(e.NotApplicable, "not before the step is made") {
		t.Errorf("told of groups that were cut: %+v", e)
	}
}

// Households of more records than are held are refused before anything is read.
func TestHouseholdsOfVeryManyRecords(t *testing.T) {
	data, err := microdata.NewGrouped([]*microdata.Column{microdata.NewUncounted("hid", microdata.Whole, nil, nil, []int{0}, 1)},
		[]int{microdata.MostInHouseholds + 1})
	must(t, err)
	g := groups{households: []string{"hid"}}
	_, err = g.told(data, func(string) (*microdata.Households, error) {
		t.Error("they are asked for")
		return nil, nil
	})
	if err == nil || !strings.Contains(err.Error(), "100,000,000 records") {
		t.Errorf("%v", err)
	}
	byItself := microdata.NewCategorical("hid", microdata.Category, &microdata.Categories{Levels: []microdata.Level{{Label: "1"}}, Codes: microdata.CodesOf([]uint32{1})})
	data, err = microdata.NewGrouped([]*microdata.Column{byItself}, data.Multiplicity())
	must(t, err)
	if microdata.NewHouseholds(data.Columns()[0]) != nil {
		t.Error("of a variable that groups go by they are told")
	}
}
