package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// surveyScenario is that of the survey of the project.
func surveyScenario() microdata.Scenario {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	scenario.Numeric = []string{"income", "expend", "savings"}
	scenario.Weight, scenario.Household = "weight", "hid"
	scenario.Sensitive, scenario.Remove = []string{"health"}, []string{"pid"}
	return scenario
}

// openSurvey returns a session on every so-manieth record of the survey.
func openSurvey(t *testing.T, every int) *Session {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "survey.csv"))
	must(t, err)
	lines := strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
	kept := lines[:1:1]
	for i := 1; i < len(lines); i += every {
		kept = append(kept, lines[i])
	}
	return volatile(t, strings.Join(kept, ""), surveyScenario())
}

// tried does a step; where it does not fit the data it is left out.
func tried(t *testing.T, s *Session, spec StepSpec) bool {
	t.Helper()
	result, err := s.Prepare(spec).Run(context.Background(), nil, nil)
	if err == nil {
		must(t, s.Commit(result))
	}
	return err == nil
}

// The report for users has neither a seed nor a parameter, the source's path or a count
// below the limit, and what it hides does not follow from what it shows. Its sessions
// have a step of each method, alone and after recodes and suppressions, in the survey and
// in small parts of it.
func TestUsersLearnNothingThatIsHidden(t *testing.T) {
	hidden, shown := 0, 0
	left := map[string]bool{}
	for _, name := range catalog.Methods().Names() {
		left[name] = true
	}
	for i, every := range []int{1, 40, 7} {
		if !longtests.Some(i/2, 2) {
			continue
		}
		for _, spec := range catalog.Methods() {
			for _, before := range [][]StepSpec{nil, {
				step("recode-intervals", `{"variable":"age","breaks":[-1,17,29,44,64,99]}`),
				step("recode-group", `{"variable":"ethnic","levels":["Kesh","other","Veyra"],"label":"rest"}`),
				step("set-missing", `{"variable":"educ","records":[1,2,3]}`),
				step("suppress-kanonymity", `{"k":2}`),
				step("recode-group", `{"variable":"walls","levels":["brick","earth"],"label":"mineral"}`)}} {
				s := openSurvey(t, every)
				for _, one := range before {
					tried(t, s, one)
				}
				one := step(spec.Name, spec.Sample)
				one.Seed = 4085716239
				if !tried(t, s, one) {
					continue
				}
				delete(left, spec.Name)
				d := s.Document()
				page, err := d.report(t.Context(), ReportOptions{Audience: Users}, NewAnalyst())
				must(t, err)
				h, v := checkUsersPage(t, &d, page)
				hidden, shown = hidden+h, shown+v
			}
		}
	}
	if len(left) > 0 {
		t.Errorf("no session has a step of %v", left)
	}
	if hidden < 50 || shown < 50 {
		t.Errorf("%d counts were hidden and %d shown: the sessions say too little", hidden, shown)
	}
}

var (
	innocent = regexp.MustCompile(`^Step \d+|^Records( of the source)?: [\d,]+$|fewer than \d+ records`)
	digits   = regexp.MustCompile(`\d+`)
)

// checkUsersPage returns how many counts the page hides and shows.
func checkUsersPage(t *testing.T, d *Document, page *report.Page) (hidden, shown int) {
	t.Helper()
	var text strings.Builder
	must(t, report.Plain().Write(&text, page))
	for i := range d.Steps {
		if seed := strconv.FormatUint(d.Steps[i].Spec.Seed, 10); strings.Contains(text.String(), seed) && seed != "0" {
			t.Errorf("the report has the seed of %s", d.Steps[i].Spec.Step)
		}
	}
	if strings.Contains(text.String(), d.Source.Identity().Path) {
		t.Error("the report has the path of the source")
	}
	for _, section := range page.Sections {
		for _, line := range section.Lines {
			if digits.MatchString(innocent.ReplaceAllString(line, "")) {
				t.Errorf("a line has a number: %q", line)
			}
		}
		if len(section.Table) == 0 || !strings.HasPrefix(section.Table[0][len(section.Table[0])-1], "cells") &&
			section.Heading != "Cells that became missing" {
			continue
		}
		for _, row := range section.Table[1:] {
			for _, cell := range row[1:] {
				switch n, err := strconv.Atoi(strings.ReplaceAll(cell, ",", "")); {
				case err == nil && n > 0 && n < DefaultLeast:
					t.Errorf("%s: %q is below the limit", section.Heading, row)
				case err == nil && n > 0:
					shown++
				case strings.Contains(cell, "fewer than"):
					hidden++
				}
			}
		}
	}
	checkHidden(t, d, page)
	return hidden, shown
}

// checkHidden restores the cells that became missing of every variable from whatever else
// stands in the report and the released file.
func checkHidden(t *testing.T, d *Document, page *report.Page) {
	t.Helper()
	columns := map[string]map[string]int{}
	for _, section := range page.Sections {
		at, ok := map[string]int{"Cells that became missing": 1, "What became of the variables": 2}[section.Heading]
		if !ok {
			continue
		}
		columns[section.Heading] = map[string]int{}
		for _, row := range section.Table {
			if n, err := strconv.Atoi(strings.ReplaceAll(row[at], ",", "")); err == nil {
				columns[section.Heading][row[0]] = n
			}
		}
	}
	missing, differing := columns["Cells that became missing"], columns["What became of the variables"]
	sum, concealed, truth := 0, 0, 0
	for _, now := range d.Data.Without(d.dropped()).Columns() {
		name := now.Name()
		was, known := d.original().Column(name)
		if !known {
			continue
		}
		lost := 0
		for record := range now.Len() {
			if now.Missing(record) && !was.Missing(record) {
				lost++
			}
		}
		told, isTold := missing[name]
		sum += told
		if isTold && told != lost {
			t.Errorf("%s lost %d cells, the report says %d", name, lost, told)
		}
		if isTold || lost == 0 {
			continue
		}
		concealed, truth = concealed+1, lost
		if n, ok := differing[name]; ok && now.MissingCount()-(d.Data.Records()-n) == lost {
			t.Errorf("%s: that %d cells became missing follows from the %s that differ", name, lost,
				wording.Counted(n, "cell"))
		}
	}
	if all, ok := missing["all"]; ok && concealed == 1 && all-sum == truth {
		t.Errorf("the sum %d tells the one count that is hidden, %d", all, truth)
	}
}

// A count is hidden where it, or what it leaves of the whole, is small.
func TestLimit(t *testing.T) {
	for _, c := range []struct {
		count, of int
		want      string
	}{{0, 100, "0"}, {1, 100, "fewer than 10"}, {9, 100, "fewer than 10"}, {10, 100, "10"}, {90, 100, "90"},
		{91, 100, "all but fewer than 10"}, {99, 100, "all but fewer than 10"}, {100, 100, "100"}} {
		if got := limit(10).text(c.count, c.of); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.count, c.of, got, c.want)
		}
	}
	if got := limit(0).text(1, 2); got != "1" {
		t.Errorf("inside: %q", got)
	}
}

// Users get the matrix of a released variable with enough records in each category.
func TestUsersGetMatricesToCorrectTables(t *testing.T) {
	s := openSurvey(t, 1)
	do(t, s, step("pram", `{"variables":["roof"],"strata":["urbrur"]}`))
	matrix := func(o ReportOptions) *report.Section {
		return sectionOf(pageFor(t, s.Document(), o), "PRAM of roof, step 1, rural")
	}
	if m := matrix(ReportOptions{Audience: Users}); m == nil || len(m.Table) < 4 || digits.MatchString(m.Lines[0]) {
		t.Errorf("the matrix is %v", m)
	}
	if m := matrix(ReportOptions{Audience: Users, Least: 2500}); m == nil || m.Table != nil ||
		m.Lines[0] != "The matrix is not told: a category has fewer than 2500 records." {
		t.Errorf("of few records the matrix is %v", m)
	}
	scenario := s.Scenario()
	scenario.Remove = append(scenario.Remove, "roof")
	must(t, s.SetScenario(scenario))
	if m := matrix(ReportOptions{Audience: Users}); m != nil || matrix(ReportOptions{Audience: Inside}) == nil {
		t.Errorf("of a removed variable the matrix is %v", m)
	}
}

// Means, deviations and correlations are told as masking changed them, but not where one
// record makes most of the difference, or few records differ.
func TestUsersLearnHowMeansChanged(t *testing.T) {
	s := openSurvey(t, 1)
	do(t, s, step("noise", `{"variables":["income","expend"]}`))
	page := pageFor(t, s.Document(), ReportOptions{Audience: Users})
	masked := sectionOf(page, "What became of the variables")
	if row := masked.Table[2]; !slices.Equal(row, []string{"expend", "masked", "3,916"}) ||
		!strings.HasSuffix(masked.Lines[0], "and so are the cells of the others that do not differ.") {
		t.Errorf("records with a missing income keep what they spend: %v", masked)
	}
	means, correlations := sectionOf(page, "Means and deviations"), sectionOf(page, "Correlations")
	if means == nil || len(means.Table) != 3 || means.Table[1][4] == "–" || correlations == nil || len(correlations.Table) != 2 {
		t.Fatalf("means %v, correlations %v", means, correlations)
	}
	if page = pageFor(t, s.Document(), ReportOptions{Audience: Users, Least: 4000}); sectionOf(page, "Correlations") != nil ||
		sectionOf(page, "Means and deviations").Table[1][1] != "–" {
		t.Error("of values of which few differ the means are told")
	}
	was, now := make([]float64, 100), make([]float64, 100)
	for i := range now {
		now[i] = 1
	}
	if !widespread(was, now, 10) || widespread(was, now, 101) {
		t.Error("a hundred equal differences")
	}
	if now[0] = 98; !widespread(was, now, 10) {
		t.Error("one of a little less than half of the difference")
	}
	if now[0] = 99; widespread(was, now, 10) {
		t.Error("one that makes half of the difference")
	}
}

// How many records had the source category whose name a group keeps does not follow from
// the cells that differ.
func TestUsersLearnNoCountFromANameThatIsKept(t *testing.T) {
	s := volatile(t, "g,x\n"+strings.Repeat("A,1\n", 5)+strings.Repeat("B,2\n", 300), microdata.NewScenario())
	do(t, s, step("recode-group", `{"variable":"g","levels":["A","B"],"label":"A"}`))
	if text := fmt.Sprint(pageFor(t, s.Document(), ReportOptions{Audience: Users}).Sections); strings.Contains(text, "300") {
		t.Error(text)
	}
}
