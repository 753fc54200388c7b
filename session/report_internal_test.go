package session

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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

// sectionOf returns the section or part with a heading, or nil.
func sectionOf(page *report.Page, heading string) (found *report.Section) {
	page.Each(func(s *report.Section, _ int, _, _ string) {
		if found == nil && s.Heading == heading {
			found = s
		}
	})
	return found
}

// The internal report has an active measure with its parameters, now and before, and the user report does not;
// parameters that do not fit are reported.
func TestReportHasOpenMeasures(t *testing.T) {
	s := openSurvey(t, 7)
	if !tried(t, s, step("microaggregate", `{"variables":["income","expend"]}`)) {
		t.Fatal("the step does not fit")
	}
	must(t, s.OpenMeasure(MeasureSpec{"loss", json.RawMessage(`{"variables":["income"]}`)}))
	must(t, s.OpenMeasure(MeasureSpec{"suda", nil}))
	must(t, s.OpenMeasure(MeasureSpec{"linkage", json.RawMessage(`{"no":1}`)}))
	inside := pageFor(t, s.Document(), ReportOptions{Audience: Internal})
	found := sectionOf(inside, "Information loss")
	if found == nil || found.Lines[0] != "Parameters: variables: income" ||
		!slices.Equal(found.Table[0], []string{"figure", "now", "original"}) || found.Table[1][2] != "0.0000" {
		t.Errorf("open measure: %+v", found)
	}
	if got := sectionOf(inside, "Steps").Table[1][4]; got != "variables: income, expend; method: mdav; size: 3; aggregate: mean; transform: default; households: no; missing: unchanged; decimals: as in the original" {
		t.Errorf("parameters of the step: %s", got)
	}
	if bad := sectionOf(inside, "Measure linkage"); bad == nil || !strings.Contains(bad.Lines[0], `"no" is unknown`) {
		t.Errorf("a measure that cannot be computed: %+v", bad)
	}
	last := strings.Join(sectionOf(inside, "What was not assessed").Lines, "\n")
	if !strings.Contains(last, "Measures that were not active: outlying risks, l-diversity") || strings.Contains(last, "SUDA") {
		t.Errorf("not assessed:\n%s", last)
	}
	users := pageFor(t, s.Document(), ReportOptions{Audience: Users})
	for _, heading := range []string{"Information loss", "Measure linkage", "What was not assessed", "Steps", "Decision"} {
		if sectionOf(users, heading) != nil {
			t.Errorf("users learn of %s", heading)
		}
	}
}

// The report lists what is not assessed: variables without a role, no weight, no households, no checks.
func TestReportSaysWhatWasNotAssessed(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Remove = []string{"sex"}, []string{"hid"}
	d := volatile(t, smallText, scenario).Document()
	text := strings.Join(sectionOf(pageFor(t, d, ReportOptions{Audience: Internal}), "What was not assessed").Lines, "\n")
	for _, want := range []string{"No weight variable: the sample counts as the whole population.",
		"There is no household ID", "3 of 4 variables are released without a role: age, region, weight.",
		"The pre-release checks did not run."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
}

// The report begins with the decision about the file: its identity, what was guaranteed and measured, and each
// critical finding with who accepted it, why and when.
func TestReportBeginsWithTheDecision(t *testing.T) {
	s := openSurvey(t, 7)
	do(t, s, step("suppress-kanonymity", `{"k":4,"rule":"conservative"}`))
	d := s.Document()
	found := []check.Finding{{Name: "ids", Title: "Identifiers", Text: "hid is one.", Critical: true, Why: "it reveals",
		Variables: []string{"hid", "pid", "tel"}}, {Name: "order", Title: "Order", Text: "As before.", Why: "W"},
		{Name: "order", Title: "Order", Text: "And again.", Why: "W"}, {Name: "third", Title: "Third", Critical: true, Whole: true}}
	o := ReportOptions{Audience: Internal, Findings: found, Protected: "/a/b/out.csv", Hash: "12ab", Responsible: "C. D.",
		Date: time.Date(2026, 5, 18, 0, 0, 0, 0, time.UTC), Accepted: check.Accept(found[:1], "agreed", "A. B.", "2026-05-17")[:2]}
	page := pageFor(t, d, o)
	first := page.Sections[0]
	if page.Title != "Disclosure control report for out.csv" || first.Heading != "Decision" ||
		first.Lines[0] != "Not ready for release: 2 critical findings (not accepted) and 2 warnings." {
		t.Errorf("%s begins with %+v", page.Title, first)
	}
	for item, want := range map[string]string{"File": "out.csv", "SHA-256 of the file": "12ab",
		"SHA-256 of the original": d.Hash, "Date": "2026-05-18", "Person responsible": "C. D.", "Weight": "weight"} {
		if !slices.ContainsFunc(first.Table, func(row []string) bool { return slices.Equal(row, []string{item, want}) }) {
			t.Errorf("%s is not %s: %v", item, want, first.Table)
		}
	}
	kept, was := sectionOf(page, "Guarantees"), sectionOf(page, "Violators of k-anonymity")
	if row := kept.Table[1]; row[0] != "k-anonymity, k = 4, rule conservative (step 1)" || row[1] != "0 records below 4" ||
		row[3] != "0 (0.000\u00a0%)" || row[4] != "yes" {
		t.Errorf("guarantees %v", kept.Table)
	}
	if fours := slices.IndexFunc(was.Table, func(row []string) bool { return row[0] == "4" }); fours < 0 ||
		was.Table[fours][4] != kept.Table[1][2] {
		t.Errorf("the table of violators lacks the k of the guarantee: %v", was.Table)
	}
	undone := o
	undone.Findings = append(slices.Clone(found), check.Finding{Name: "k-anonymity", Critical: true, Whole: true})
	if row := sectionOf(pageFor(t, d, undone), "Guarantees").Table[1]; row[4] != "no, see the critical finding" {
		t.Errorf("a guarantee that the checks refute: %q", row)
	}
	want := [][]string{{"finding", "accepted by", "reason", "date"}, {"Identifiers: hid, pid", "A. B.", "agreed", "2026-05-17"},
		{"Identifiers: tel", "not accepted", "–", "–"}, {"Third", "not accepted", "–", "–"}}
	if s := sectionOf(page, "Critical findings"); s == nil || fmt.Sprint(s.Table) != fmt.Sprint(want) {
		t.Errorf("findings of the first page %v", s)
	}
	want = [][]string{{"finding", "what was found", "why it matters", "accepted by", "reason", "date"},
		{"Identifiers: hid, pid", "hid is one.", "it reveals", "A. B.", "agreed", "2026-05-17"},
		{"Identifiers: tel", "hid is one.", "it reveals", "not accepted", "–", "–"}, {"Third", "", "", "not accepted", "–", "–"}}
	if s := page.Sections[1].Parts[0]; s.Heading != "Critical findings" || fmt.Sprint(s.Table) != fmt.Sprint(want) {
		t.Errorf("findings %v", s)
	}
	want = [][]string{{"warning", "what was found", "why it matters"}, {"Order", "As before. And again.", "W"}}
	if s := page.Sections[1].Parts[1]; s.Heading != "Warnings" || fmt.Sprint(s.Table) != fmt.Sprint(want) {
		t.Errorf("warnings %v", s)
	}
	for _, c := range []struct {
		accepted []check.Acceptance
		found    []check.Finding
		want     string
	}{{check.Accept(found, "agreed", "A. B.", ""), found, "Ready for release: 2 critical findings (accepted) and 2 warnings."},
		{nil, []check.Finding{}, "Ready for release: no critical finding and 0 warnings."},
		{nil, nil, "Not checked: the pre-release checks did not run."}} {
		o.Findings, o.Accepted = c.found, c.accepted
		if got := pageFor(t, d, o).Sections[0].Lines[0]; got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Recoded categories are listed with their original ones: with counts in the internal report, and for users
// without the names of those that few records had. Numbers are ranges, and a top code is shown as such.
func TestReportHasRecodes(t *testing.T) {
	s := openSurvey(t, 7)
	do(t, s, step("recode-group", `{"variable":"ethnic","levels":["Kesh","other","Veyra"],"label":"rest"}`))
	do(t, s, step("recode-intervals", `{"variable":"age","breaks":[-1,14,64,99]}`))
	do(t, s, step("recode-topbottom", `{"variable":"hsize","top":6,"bottom":2}`))
	original, _ := s.Document().Base.Column("ethnic")
	counts := map[string]int{}
	sum := 0
	for i, level := range original.Categories().Levels {
		counts[level.Label] = original.Categories().Counts()[i+1]
	}
	for _, label := range []string{"Kesh", "other", "Veyra"} {
		sum += counts[label]
	}
	inside := sectionOf(pageFor(t, s.Document(), ReportOptions{Audience: Internal}), "Recoded categories")
	users := sectionOf(pageFor(t, s.Document(), ReportOptions{Audience: Users, Least: counts["Kesh"] + 1}), "Recoded categories")
	for _, c := range []struct {
		of   *report.Section
		want []string
	}{{inside, []string{"ethnic", "rest", "Kesh, Veyra, other", fmt.Sprint(sum)}}, {users, []string{"ethnic", "rest", "Veyra, others"}},
		{users, []string{"age", "0-14", "0 to 14"}}, {users, []string{"hsize", "6", "6 or more"}},
		{users, []string{"hsize", "2", "2 or less"}}} {
		if !slices.ContainsFunc(c.of.Table, func(row []string) bool { return slices.Equal(row, c.want) }) {
			t.Errorf("no row %q in %q", c.want, c.of.Table)
		}
	}
	for _, section := range []*report.Section{inside, users} {
		if len(section.Table) != 7 || strings.Contains(fmt.Sprint(section.Table), "Meri") {
			t.Errorf("%d rows, or categories that stand for themselves: %q", len(section.Table), section.Table)
		}
	}
}

// The original categories of a category are those of the recode, even if every record of one of them was
// suppressed later.
func TestReportHasRecodesOfSuppressedCategories(t *testing.T) {
	s := openSurvey(t, 7)
	do(t, s, step("recode-group", `{"variable":"ethnic","levels":["Kesh","other","Veyra"],"label":"rest"}`))
	original, _ := s.Document().Base.Column("ethnic")
	var records []string
	for record := range original.Len() {
		if original.Text(record) == "Kesh" {
			records = append(records, fmt.Sprint(record+1))
		}
	}
	do(t, s, step("suppress-cells", `{"variables":["ethnic"],"records":[`+strings.Join(records, ",")+`]}`))
	rows := sectionOf(pageFor(t, s.Document(), ReportOptions{Audience: Internal}), "Recoded categories").Table
	if len(rows) != 2 || !slices.Equal(rows[1][:3], []string{"ethnic", "rest", "Kesh, Veyra, other"}) {
		t.Errorf("rows %q", rows)
	}
}

// Pictures have the numbers of their tables: shares of categories, records by interval, risk and information loss
// of every state.
func TestReportHasPictures(t *testing.T) {
	s := openSurvey(t, 7)
	do(t, s, step("recode-intervals", `{"variable":"age","breaks":[-1,17,29,44,64,99]}`))
	do(t, s, step("recode-round", `{"variable":"income","base":500}`))
	page := pageFor(t, s.Document(), ReportOptions{Audience: Internal})
	for heading, rows := range map[string]int{"Frequencies of age": 5, "Risk and information loss": 3} {
		drawn := sectionOf(page, heading)
		if drawn == nil || drawn.Picture == nil || len(drawn.Picture.Values) != rows || len(drawn.Table) != rows+1 ||
			drawn.Picture.Description == "" {
			t.Errorf("%s: %+v", heading, drawn)
		}
	}
	numbers := sectionOf(page, "Distribution of income")
	if rows := len(numbers.Table); rows < 8 || rows > 17 || !strings.HasPrefix(numbers.Table[rows-1][0], "200,000 to <") {
		t.Errorf("intervals of a skewed variable: %q", numbers.Table)
	}
	sums := [2]float64{}
	for _, values := range numbers.Picture.Values {
		sums[0], sums[1] = sums[0]+values[0], sums[1]+values[1]
	}
	column, _ := s.Data().Column("income")
	if want := float64(column.Records() - column.MissingCount()); sums != [2]float64{want, want} {
		t.Errorf("the intervals hold %v records, want %v", sums, want)
	}
	if ages := sectionOf(page, "Frequencies of age").Picture; !math.IsNaN(ages.Values[0][1]) {
		t.Errorf("the original of a recoded category is drawn: %v", ages.Values)
	}
	risk := sectionOf(page, "Risk and information loss")
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
		ReportUsers: filepath.Join(folder, "outside.md"), Measures: []string{"ldiversity"},
		Reporting: ReportOptions{Responsible: "R.", Contact: "C."}}
	must(t, os.WriteFile(o.File, []byte(smallText), 0o600))
	must(t, os.WriteFile(o.Script, []byte(`{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["sex"],"sensitive":["region"]}}
{"measure":"suda"}`), 0o600))
	must(t, Run(context.Background(), o))
	inside, err := os.ReadFile(o.Report)
	must(t, err)
	var page struct {
		Sections map[string]struct {
			Table    struct{ Rows [][]any }
			Sections map[string]any
		}
	}
	must(t, json.Unmarshal(inside, &page))
	for _, name := range []string{"decision/critical-findings", "findings/warnings", "disclosure-risk/l-diversity", "disclosure-risk/suda2",
		"what-was-not-assessed/"} {
		chapter, part, _ := strings.Cut(name, "/")
		if found, ok := page.Sections[chapter]; !ok || part != "" && found.Sections[part] == nil {
			t.Errorf("the report lacks %s: %.300s", name, inside)
		}
	}
	released, err := os.ReadFile(o.Out)
	must(t, err)
	hash := fmt.Sprintf("%x", sha256.Sum256(released))
	if rows := fmt.Sprint(page.Sections["decision"].Table.Rows); !strings.Contains(rows, hash) || !strings.Contains(rows, "[Person responsible R.]") {
		t.Errorf("%s lacks the hash of the protected file, %s, or who is responsible", rows, hash)
	}
	outside, err := os.ReadFile(o.ReportUsers)
	must(t, err)
	if text := string(outside); !strings.HasPrefix(text, "# Notes for users of out.csv\n") || strings.Contains(text, folder) ||
		strings.Contains(text, "in.csv") || !strings.Contains(text, "| Contact | C. |") {
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

// Names and labels of data act in no format: neither on a terminal nor in a browser.
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
	allowed := strings.Fields("html head meta title style body h1 nav h2 h3 ol li a main section p figure svg desc rect text path " +
		"circle div table caption thead tbody tr th td")
	for _, audience := range []Audience{Internal, Users} {
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

// Suppressed cells are listed by step and variable, with those that a recode left out.
func TestReportSaysWhyCellsAreMissing(t *testing.T) {
	s := openSurvey(t, 7)
	do(t, s, step("recode-intervals", `{"variable":"age","breaks":[9,29,64,99]}`))
	do(t, s, step("suppress-cells", `{"variables":["age","educ"],"records":[20,21,22]}`))
	d := s.Document()
	page := pageFor(t, d, ReportOptions{Audience: Internal})
	want := [][]string{{"step", "what", "variable", "cells"},
		{"1", d.Steps[0].Title, "–", wording.Number(d.Steps[0].Report.Outside)}}
	for _, count := range d.Steps[1].Report.Cells {
		if count.Count > 0 {
			want = append(want, []string{"2", d.Steps[1].Title, count.Name, fmt.Sprint(count.Count)})
		}
	}
	if found := sectionOf(page, "Suppressed cells"); found == nil || fmt.Sprint(found.Table) != fmt.Sprint(want) ||
		len(want) < 3 {
		t.Errorf("%v, want %v", found, want)
	}
}
