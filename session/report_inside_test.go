package session

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/views/viewtest/nasty"
)

// pageFor returns the report for an audience.
func pageFor(t *testing.T, d Document, o ReportOptions) *report.Page {
	t.Helper()
	page, err := d.report(context.Background(), o, NewAnalyst())
	must(t, err)
	return page
}

// sectionOf returns the section of a heading; nil: there is none.
func sectionOf(page *report.Page, heading string) *report.Section {
	at := slices.IndexFunc(page.Sections, func(s report.Section) bool { return s.Heading == heading })
	if at < 0 {
		return nil
	}
	return &page.Sections[at]
}

// An open measure stands in the report for inside with its parameters, now and before, and
// users learn nothing of it; one whose parameters do not fit says so.
func TestReportHasOpenMeasures(t *testing.T) {
	s := openSurvey(t, 7)
	if !tried(t, s, step("microaggregate", `{"variables":["income","expend"]}`)) {
		t.Fatal("the step does not fit")
	}
	must(t, s.OpenMeasure(MeasureSpec{"loss", json.RawMessage(`{"variables":["income"]}`)}))
	must(t, s.OpenMeasure(MeasureSpec{"suda", nil}))
	must(t, s.OpenMeasure(MeasureSpec{"linkage", json.RawMessage(`{"no":1}`)}))
	inside := pageFor(t, s.Document(), ReportOptions{Audience: Inside})
	found := sectionOf(inside, "Information loss")
	if found == nil || found.Lines[0] != "Parameters: variables: income" ||
		!slices.Equal(found.Table[0], []string{"figure", "now", "original"}) || found.Table[1][2] != "0.0000" {
		t.Errorf("open measure: %+v", found)
	}
	if got := sectionOf(inside, "Parameters").Table[1][2]; got != "variables: income, expend; method: mdav; size: 3; aggregate: mean; transform: usual; households: no; missing: left as they are; decimals: as in the source" {
		t.Errorf("parameters of the step: %s", got)
	}
	if bad := sectionOf(inside, "Measure linkage"); bad == nil || !strings.Contains(bad.Lines[0], `"no" is unknown`) {
		t.Errorf("a measure that cannot be computed: %+v", bad)
	}
	last := strings.Join(sectionOf(inside, "What was not assessed").Lines, "\n")
	if !strings.Contains(last, "Measures that were not asked for: records that stand out, l-diversity") || strings.Contains(last, "SUDA") {
		t.Errorf("not assessed:\n%s", last)
	}
	users := pageFor(t, s.Document(), ReportOptions{Audience: Users})
	for _, heading := range []string{"Information loss", "Measure linkage", "What was not assessed", "Parameters", "Versions"} {
		if sectionOf(users, heading) != nil {
			t.Errorf("users learn of %s", heading)
		}
	}
}

// What is not assessed is said: variables in no role, no weight, no households, no check.
func TestReportSaysWhatWasNotAssessed(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Remove = []string{"sex"}, []string{"hid"}
	d := volatile(t, smallText, scenario).Document()
	text := strings.Join(sectionOf(pageFor(t, d, ReportOptions{Audience: Inside}), "What was not assessed").Lines, "\n")
	for _, want := range []string{"There is no weight: the risks are those of a population that is the sample.",
		"There is no household identifier", "In no role, and released: 3 of 4 variables: age, region, weight.",
		"The check before release was not made."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
	found := []check.Finding{{Name: "ids", Title: "Identifiers", Text: "hid is one.", Critical: true, Why: "it tells"},
		{Name: "order", Title: "Order", Text: "As before."}, {Name: "other", Title: "Other", Critical: true},
		{Name: "third", Title: "Third", Critical: true}}
	page := pageFor(t, d, ReportOptions{Audience: Inside, Findings: found,
		Accepted: check.Accept(found[:3], "agreed", "A. B.", "2026-05-17")})
	want := [][]string{{"finding", "what was found", "weight", "accepted", "why it matters"},
		{"Identifiers", "hid is one.", "critical", "ids accepted by A. B. on 2026-05-17: agreed", "it tells"}, {"Order", "As before.", "remark", "–", ""},
		{"Other", "", "critical", "other accepted by A. B. on 2026-05-17: agreed", ""}, {"Third", "", "critical", "no", ""}}
	if s := sectionOf(page, "What the check found"); s == nil || fmt.Sprint(s.Table) != fmt.Sprint(want) {
		t.Errorf("findings %v", s)
	}
	page = pageFor(t, d, ReportOptions{Audience: Inside, Findings: []check.Finding{}})
	if s := sectionOf(page, "What the check found"); s == nil || s.Lines[0] != "Nothing." {
		t.Errorf("no findings: %v", s)
	}
}

// Recodes are told by their categories: inside with counts, users which ones of the source
// a category stands for, without those that few records had.
func TestReportHasRecodes(t *testing.T) {
	s := openSurvey(t, 7)
	do(t, s, step("recode-group", `{"variable":"ethnic","levels":["Kesh","other","Veyra"],"label":"rest"}`))
	original, _ := s.Document().Base.Column("ethnic")
	counts := map[string]int{}
	for i, level := range original.Categories().Levels {
		counts[level.Label] = original.Categories().Counts()[i+1]
	}
	inside := sectionOf(pageFor(t, s.Document(), ReportOptions{Audience: Inside}), "Recode of ethnic")
	for _, label := range []string{"Kesh", "Meri"} {
		released := map[string]string{"Kesh": "rest", "Meri": "Meri"}[label]
		row := []string{released, label, fmt.Sprint(counts[label])}
		if counts[label] == 0 || !slices.ContainsFunc(inside.Table, func(r []string) bool { return slices.Equal(r, row) }) {
			t.Errorf("no row %q in %q", row, inside.Table)
		}
	}
	users := sectionOf(pageFor(t, s.Document(), ReportOptions{Audience: Users, Least: counts["Kesh"] + 1}), "Categories")
	if row := users.Table[1:]; !slices.ContainsFunc(row, func(r []string) bool {
		return r[1] == "rest" && !strings.Contains(r[2], "Kesh") && strings.HasSuffix(r[2], "others")
	}) {
		t.Errorf("users read %q", users.Table)
	}
}

// Pictures have the numbers of their tables: shares of categories, records by interval,
// risk and loss of every state.
func TestReportHasPictures(t *testing.T) {
	s := openSurvey(t, 7)
	do(t, s, step("recode-intervals", `{"variable":"age","breaks":[-1,17,29,44,64,99]}`))
	do(t, s, step("recode-round", `{"variable":"income","base":500}`))
	page := pageFor(t, s.Document(), ReportOptions{Audience: Inside})
	for heading, rows := range map[string]int{"Frequencies of age": 5, "Risk and loss": 3} {
		drawn := sectionOf(page, heading)
		if drawn == nil || drawn.Picture == nil || len(drawn.Picture.Values) != rows || len(drawn.Table) != rows+1 ||
			drawn.Picture.Description == "" {
			t.Errorf("%s: %+v", heading, drawn)
		}
	}
	numbers := sectionOf(page, "Distribution of income")
	sums := [2]float64{}
	for _, values := range numbers.Picture.Values {
		sums[0], sums[1] = sums[0]+values[0], sums[1]+values[1]
	}
	column, _ := s.Data().Column("income")
	if want := float64(column.Records() - column.MissingCount()); sums != [2]float64{want, want} {
		t.Errorf("the intervals hold %v records, want %v", sums, want)
	}
	risk := sectionOf(page, "Risk and loss")
	if first := risk.Picture.Values[0]; first[0] != 0 || !(first[1] > risk.Picture.Values[1][1]) ||
		!(risk.Picture.Values[2][0] > risk.Picture.Values[1][0]) {
		t.Errorf("risk and loss %v", risk.Picture.Values)
	}
}

// A run writes both reports with its other files, or nothing.
func TestRunWritesReports(t *testing.T) {
	folder := t.TempDir()
	o := RunOptions{Script: filepath.Join(folder, "s.jsonl"), File: filepath.Join(folder, "in.csv"),
		Out: filepath.Join(folder, "out.csv"), Report: filepath.Join(folder, "inside.json"),
		ReportUsers: filepath.Join(folder, "outside.md"), Measures: []string{"ldiversity"}}
	must(t, os.WriteFile(o.File, []byte(smallText), 0o600))
	must(t, os.WriteFile(o.Script, []byte(`{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["sex"],"sensitive":["region"]}}
{"measure":"suda"}`), 0o600))
	must(t, Run(context.Background(), o))
	inside, err := os.ReadFile(o.Report)
	must(t, err)
	var page struct{ Sections map[string]any }
	must(t, json.Unmarshal(inside, &page))
	for _, name := range []string{"the-file", "l-diversity", "suda2", "what-the-check-found", "versions"} {
		if page.Sections[name] == nil {
			t.Errorf("the report lacks %s: %.300s", name, inside)
		}
	}
	outside, err := os.ReadFile(o.ReportUsers)
	must(t, err)
	if !strings.HasPrefix(string(outside), "# Protection of in.csv\n") || strings.Contains(string(outside), folder) {
		t.Errorf("%s", outside)
	}
	for _, path := range []string{o.Out, o.Report, o.ReportUsers} {
		must(t, os.Remove(path))
	}
	must(t, os.WriteFile(o.ReportUsers, []byte("there"), 0o600))
	if err := Run(context.Background(), o); err == nil {
		t.Error("a report that exists was replaced")
	}
	for _, path := range []string{o.Out, o.Report} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was written", filepath.Base(path))
		}
	}
	o.ReportUsers = o.Report
	if err := Run(context.Background(), o); !errors.Is(err, ErrPaths) {
		t.Errorf("two reports in one file: %v", err)
	}
}

// Names and labels of data act in no form: not on a terminal, not in a browser.
func TestLabelsDoNotActInReports(t *testing.T) {
	labels := append(slices.Clone(nasty.Labels), "<script>alert(1)</script>", "</table>", `"onload="a`, "[a](javascript:b)",
		"=cmd|' /C calc'!A0", "a|b", "1. a", "> a")
	text := "<b>sex,=1+1,\u202enumber\n"
	for i, label := range labels {
		label = `"` + strings.ReplaceAll(strings.ToValidUTF8(label, "?"), `"`, `""`) + `"`
		for range 2 {
			text += fmt.Sprintf("%s,%s,%d\n", label, []string{"f", "<i>m"}[i%2], i)
		}
	}
	scenario := microdata.NewScenario()
	data, _ := readText(t, text)
	names := data.Columns()
	scenario.Keys, scenario.Numeric = []string{names[0].Name(), names[1].Name()}, []string{names[2].Name()}
	s := volatile(t, text, scenario)
	params, err := json.Marshal(map[string]any{"variable": names[1].Name(), "levels": []string{"<i>m", "f"}, "label": "</td><h1>`a`|"})
	must(t, err)
	do(t, s, step("recode-group", string(params)))
	do(t, s, step("pram", fmt.Sprintf(`{"variables":[%q]}`, names[0].Name())))
	allowed := strings.Fields("html head meta title style body h1 nav h2 ol li a main section p figure svg desc rect text path " +
		"circle div table caption thead tbody tr th td")
	for _, audience := range []Audience{Inside, Users} {
		for _, ending := range []string{".txt", ".md", ".html", ".json"} {
			var out strings.Builder
			o := ReportOptions{Path: "r" + ending, Audience: audience, Least: 1}
			must(t, s.Document().WriteReport(t.Context(), &out, o, NewAnalyst()))
			for _, r := range out.String() {
				if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) {
					t.Fatalf("%s %s has the character %U", audience, ending, r)
				}
			}
			if ending == ".json" && !json.Valid([]byte(out.String())) {
				t.Errorf("%s: no JSON", audience)
			}
			decoder := xml.NewDecoder(strings.NewReader(out.String()))
			for ending == ".html" {
				token, err := decoder.Token()
				if err == io.EOF {
					break
				}
				must(t, err)
				if element, ok := token.(xml.StartElement); ok && !slices.Contains(allowed, element.Name.Local) {
					t.Errorf("%s: an element %s", audience, element.Name.Local)
				}
			}
		}
	}
}

// Missing cells are told by step and variable, with those that a recode left out.
func TestReportSaysWhyCellsAreMissing(t *testing.T) {
	s := openSurvey(t, 7)
	do(t, s, step("recode-intervals", `{"variable":"age","breaks":[9,29,64,99]}`))
	do(t, s, step("suppress-cells", `{"variables":["age","educ"],"records":[20,21,22]}`))
	d := s.Document()
	page := pageFor(t, d, ReportOptions{Audience: Inside})
	want := [][]string{{"step", "what", "variable", "cells"},
		{"1", d.Steps[0].Title, "–", wording.Number(d.Steps[0].Report.Outside)}}
	for _, count := range d.Steps[1].Report.Cells {
		if count.Count > 0 {
			want = append(want, []string{"2", d.Steps[1].Title, count.Name, fmt.Sprint(count.Count)})
		}
	}
	if found := sectionOf(page, "Why cells became missing"); found == nil || fmt.Sprint(found.Table) != fmt.Sprint(want) ||
		len(want) < 3 {
		t.Errorf("%v, want %v", found, want)
	}
}
