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
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// surveyScenario returns the scenario of the project's survey.
func surveyScenario() microdata.Scenario {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	scenario.Numeric = []string{"income", "expend", "savings"}
	scenario.Weight, scenario.Household = "weight", "hid"
	scenario.Sensitive, scenario.Remove = []string{"health"}, []string{"pid"}
	return scenario
}

// openSurvey returns a session on every every-th record of the survey, with a date of birth that follows from the
// age.
func openSurvey(t *testing.T, every int) *Session {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "survey.csv"))
	must(t, err)
	lines := strings.SplitAfter(strings.TrimSpace(string(text)), "\n")
	birth := func(line, cell string) string { return strings.TrimSuffix(line, "\n") + "," + cell + "\n" }
	kept := []string{birth(lines[0], "birth")}
	age := slices.Index(strings.Split(lines[0], ","), "age")
	for i := 1; i < len(lines); i += every {
		years, err := strconv.Atoi(strings.Split(lines[i], ",")[age])
		must(t, err)
		kept = append(kept, birth(lines[i], fmt.Sprintf("%d-%02d-01", 2023-years, 1+i%12)))
	}
	return volatile(t, strings.Join(kept, ""), surveyScenario())
}

// tried applies a step unless it does not fit the data.
func tried(t *testing.T, s *Session, spec StepSpec) bool {
	t.Helper()
	result, err := s.Prepare(spec).Run(context.Background(), nil, nil)
	if err == nil {
		must(t, s.Commit(result))
	}
	return err == nil
}

// The user report contains no seed, parameter, path of the source or count below the limit, and what it hides
// cannot be inferred from what it shows. Its sessions have a step of each method, alone and after recodes and
// suppressions, on the survey and small parts of it.
func TestUsersLearnNothingThatIsHidden(t *testing.T) {
	hidden, shown := 0, 0
	left := map[string]bool{}
	for _, name := range catalog.Methods().Names() {
		left[name] = true
	}
	for _, every := range []int{40, 7, 1} {
		for _, spec := range catalog.Methods() {
			if every == 1 && !left[spec.Name] && !longtests.Wanted() {
				continue // it has had its step
			}
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
	innocent = regexp.MustCompile(`^Step \d+|fewer than 10 changed cells|is below 10\.$|below 0|below 10\.$|values (above|below) .* became .*\.$`)
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
	page.Each(func(section *report.Section, _ int, _, _ string) {
		for _, line := range section.Lines {
			if digits.MatchString(innocent.ReplaceAllString(line, "")) {
				t.Errorf("a line has a number: %q", line)
			}
		}
		if section.Heading != "Changed variables" || len(section.Table) == 0 {
			return
		}
		for _, row := range section.Table[1:] {
			switch n, err := strconv.Atoi(strings.ReplaceAll(row[min(2, len(row)-1)], ",", "")); {
			case len(row) < 3 || row[2] == "–":
				hidden++
			case err != nil || n < DefaultLeast:
				t.Errorf("%s: %q is below the limit", section.Heading, row)
			default:
				shown++
			}
		}
	})
	checkHidden(t, d, page)
	return hidden, shown
}

// checkHidden compares the missing cells in the report with the records, and searches counts below the limit that
// follow from the report and the released file.
func checkHidden(t *testing.T, d *Document, page *report.Page) {
	t.Helper()
	listed := map[string][]string{}
	if changed := sectionOf(page, "Changed variables"); changed != nil && len(changed.Table) > 0 {
		for _, row := range changed.Table[1:] {
			listed[row[0]] = row
		}
	}
	for _, now := range d.released().Columns() {
		was, known := d.original().Column(now.Name())
		row, isListed := listed[now.Name()]
		if !known {
			continue
		}
		lost, differing := 0, 0
		for record := range now.Len() {
			if now.Missing(record) && !was.Missing(record) {
				lost++
			}
			if now.Differs(was, record) {
				differing++
			}
		}
		if isListed != (differing >= DefaultLeast || now.Recoded() && differing > 0) {
			t.Errorf("%s differs in %d cells and is listed: %v", now.Name(), differing, isListed)
		}
		if len(row) < 3 || row[2] == "–" {
			continue
		}
		reported, err := strconv.Atoi(strings.ReplaceAll(row[2], ",", ""))
		if err != nil || reported != lost {
			t.Errorf("%s lost %d cells, the report says %s", now.Name(), lost, row[2])
		}
		for _, known := range []int{now.MissingCount(), d.Data.Records()} {
			if left := known - reported; left > 0 && left < DefaultLeast {
				t.Errorf("%s: %d follows from %d and the file", now.Name(), left, reported)
			}
		}
	}
}

// 866 suppressed cells with 869 missing in the file would reveal that 3 were missing before.
func TestNoSmallCountFollowsFromTheFile(t *testing.T) {
	for missing, want := range map[int]string{0: "300", 3: "–", 9: "–", 10: "300"} {
		text := "g,x\n" + strings.Repeat("a,1\n", 300) + strings.Repeat(",1\n", missing) + strings.Repeat("b,2\n", 200)
		s := volatile(t, text, microdata.NewScenario())
		do(t, s, step("set-missing", `{"variable":"g","levels":["a"]}`))
		changed := sectionOf(pageFor(t, s.Document(), ReportOptions{Audience: Users}), "Changed variables")
		row := append(changed.Table[1], "–") // a column of dashes is left out
		if row[0] != "g" || row[2] != want {
			t.Errorf("%d were missing before: %q, want %s", missing, row, want)
		}
	}
}

// A count is shown if neither it nor its difference from a known one is small.
func TestLimit(t *testing.T) {
	for _, c := range []struct {
		count int
		known []int
		want  bool
	}{{0, nil, false}, {1, nil, false}, {9, nil, false}, {10, nil, true}, {90, []int{100}, true}, {91, []int{100}, false},
		{99, []int{100}, false}, {100, []int{100}, true}, {866, []int{5000, 869}, false}, {869, []int{5000, 866}, false},
		{866, []int{5000, 876}, true}} {
		if got := limit(10).tells(c.count, c.known...); got != c.want {
			t.Errorf("%d of %d: %v, want %v", c.count, c.known, got, c.want)
		}
	}
	if !limit(0).tells(1, 2) || !limit(0).tells(0) {
		t.Error("the internal report hides a count")
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
		m.Lines[0] != "The matrix is not shown, because it would reveal a count below 2500." {
		t.Errorf("of few records the matrix is %v", m)
	}
	scenario := s.Scenario()
	scenario.Remove = append(scenario.Remove, "roof")
	must(t, s.SetScenario(scenario))
	if m := matrix(ReportOptions{Audience: Users}); m != nil || matrix(ReportOptions{Audience: Internal}) == nil {
		t.Errorf("of a removed variable the matrix is %v", m)
	}
}

// Users learn which one-way tables PRAM leaves unbiased: those of variables with invariant matrices only.
func TestUsersLearnWhatPRAMLeavesUnbiased(t *testing.T) {
	s := openSurvey(t, 1)
	do(t, s, step("pram", `{"variables":["roof","walls"]}`))
	do(t, s, step("pram", `{"variables":["walls"],"form":"equal"}`))
	page := pageFor(t, s.Document(), ReportOptions{Audience: Users})
	if want := "Randomised variables (roof, walls): tables of them are biased, except unweighted one-way tables of roof. "; !strings.Contains(report.Plain()(page), want) {
		t.Errorf("the report lacks %q", want)
	}
}

// Changes of means, deviations and correlations are shown, except if one record makes most of the difference, or
// if few records differ. Users learn that amounts can be negative.
func TestUsersLearnHowMeansChanged(t *testing.T) {
	s := openSurvey(t, 1)
	do(t, s, step("noise", `{"variables":["income","expend"]}`))
	page := pageFor(t, s.Document(), ReportOptions{Audience: Users})
	means, correlations := sectionOf(page, "Effect of masking"), sectionOf(page, "Correlations of masked variables")
	if means == nil || len(means.Table) != 3 || means.Table[1][2] == "–" || correlations == nil || len(correlations.Table) != 2 {
		t.Fatalf("means %v, correlations %v", means, correlations)
	}
	if use := sectionOf(page, "How to use the data"); !strings.Contains(strings.Join(use.Lines, "\n"),
		"Negative amounts: masked values of income, expend can be below 0.") {
		t.Errorf("users read %q", use.Lines)
	}
	page = pageFor(t, s.Document(), ReportOptions{Audience: Users, Least: 4000})
	if means = sectionOf(page, "Effect of masking"); sectionOf(page, "Correlations of masked variables") != nil ||
		len(means.Table) > 0 && len(means.Table[1]) > 1 {
		t.Error("changes are told of values of which few differ")
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

// The number of original records of the category whose name a group keeps does not follow from the cells that
// differ.
func TestUsersLearnNoCountFromANameThatIsKept(t *testing.T) {
	s := volatile(t, "g,x\n"+strings.Repeat("A,1\n", 5)+strings.Repeat("B,2\n", 300), microdata.NewScenario())
	do(t, s, step("recode-group", `{"variable":"g","levels":["A","B"],"label":"A"}`))
	if text := fmt.Sprint(pageFor(t, s.Document(), ReportOptions{Audience: Users}).Sections); strings.Contains(text, "300") {
		t.Error(text)
	}
}
