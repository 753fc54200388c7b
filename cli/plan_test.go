package cli

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// plans returns the output of "sdcdesk plan --json".
func plans(t *testing.T, args ...string) []planPoint {
	t.Helper()
	text, _, err := execute(t, "plan", append(args, "--json")...)
	if err != nil {
		t.Fatal(err)
	}
	var out struct{ Points []planPoint }
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return out.Points
}

// The steps of a plan, run as a script, give its figures.
func TestPlansAsScripts(t *testing.T) {
	folder, file := t.TempDir(), filepath.Join("..", "testdata", "survey.csv")
	points := plans(t, file, "--keys", "region,sex,educ", "--keep", "region", "--k", "30", "--weight", "weight")
	if len(points) < 8 || points[0].Loss != 0 || len(points[0].Steps) != 1 || points[len(points)-1].Cells != 0 {
		t.Fatalf("%d points: %+v", len(points), points)
	}
	for i, p := range points {
		if i > 0 && p.Cells >= points[i-1].Cells {
			t.Errorf("point %d is out of order", i)
		}
		if i%5 != 0 && i < len(points)-1 {
			continue
		}
		lines := []string{`{"format":"sdcdesk-script","version":1}`,
			`{"scenario":{"keys":["region","sex","educ"],"weight":"weight"}}`}
		for _, step := range p.Steps {
			var line strings.Builder
			if err := json.NewEncoder(&line).Encode(step); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, strings.TrimSpace(line.String()))
		}
		script, summary := filepath.Join(folder, "script.jsonl"), filepath.Join(folder, "summary.json")
		if err := os.WriteFile(script, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := execute(t, "run", script, file, "-o", filepath.Join(folder, "out.csv"), "--summary", summary,
			"--force"); err != nil {
			t.Fatalf("point %d: %v", i, err)
		}
		checkPlanSummary(t, summary, p)
	}
}

// checkPlanSummary compares a plan with the summary of its run.
func checkPlanSummary(t *testing.T, path string, p planPoint) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var summary struct {
		Current struct {
			Conservative map[string]int `json:"conservative_violators"`
		}
		Suppressions map[string]int
		Steps        []struct {
			Report struct{ Bound *int }
		}
	}
	if err := json.Unmarshal(text, &summary); err != nil {
		t.Fatal(err)
	}
	cells := 0
	for _, count := range summary.Suppressions {
		cells += count
	}
	if bound := summary.Steps[len(summary.Steps)-1].Report.Bound; cells != p.Cells || p.Cells > 0 && *bound != *p.Bound {
		t.Errorf("a run blanks %d cells, the plan says %d", cells, p.Cells)
	}
	if summary.Current.Conservative["3"] != 0 {
		t.Errorf("a run leaves %d violators", summary.Current.Conservative["3"])
	}
}

func TestPlanAsATable(t *testing.T) {
	levels := filepath.Join(t.TempDir(), "sex.csv")
	if err := os.WriteFile(levels, []byte("male;any\nfemale;any\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	page, _, err := execute(t, "plan", filepath.Join("..", "testdata", "survey.csv"), "--keys", "sex,ethnic",
		"--hierarchy", "sex="+levels, "--k", "30", "--stop-after", "1h")
	if err != nil ||
		!strings.HasPrefix(page,
			"        bits   violators       cells  lower bound  recodes\n        0.00 ") ||
		!strings.Contains(page, "  none\n") || !strings.Contains(page, "\n1 round, ") {
		t.Errorf("%v\n%s", err, page)
	}
}

func TestPlanCommandLine(t *testing.T) {
	file := filepath.Join("..", "testdata", "survey.csv")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "plan takes a file, not 0 arguments"},
		{[]string{file}, 2, "no key variables: name them, for example --keys region,sex,age"},
		{[]string{file, "--keys", "sex,nonsense"}, 2, `"nonsense"`},
		{[]string{file, "--keys", "sex", "--k", "1"}, 2, "k is 1; it must be at least 2"},
		{[]string{file, "--keys", "sex", "--weight", "nonsense"}, 2, `"nonsense"`},
		{[]string{file, "--keys", "sex", "--keep", "age"}, 2, `"age" is not a key variable; key variables are sex`},
		{[]string{file, "--keys", "sex", "--method", "magic"}, 2, "it must be one of minimal, thorough, sdcmicro"},
		{[]string{file, "--keys", "sex", "--hierarchy", "sex"}, 2, "--hierarchy sex: write VARIABLE=FILE"},
		{[]string{file, "--keys", "sex", "--hierarchy", "sex=none.csv"}, 1, "none.csv"},
		{[]string{file, "--keys", "sex", "--hierarchy", "sex=" + filepath.Join("..", "testdata", "guide10.csv")}, 1,
			`the hierarchy of "sex": row 4 puts "Female" into "Primary incomplete", an earlier row into "Secondary incomplete"`},
		{[]string{file, "--keys", "sex", "--stop-after", "-1s"}, 2, "it must be above 0"},
		{[]string{file, "--keys", "sex", "--k", "6000"}, 1,
			"k = 6000 cannot be reached for any record: there are 5,000 records"},
		{[]string{file + "x", "--keys", "sex"}, 1, "no such file"},
	} {
		_, _, err := execute(t, "plan", c.args...)
		if err == nil || exitStatus(err) != c.code || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("plan %v: %v, exit status %d\nwant %s", c.args, err, exitStatus(err), c.want)
		}
	}
}

// With --at-most each plan has the global risk after it, equal to that of the measure after "run", and whether it
// is within the target.
func TestPlansWithATargetRisk(t *testing.T) {
	file := filepath.Join("..", "testdata", "survey.csv")
	args := []string{file, "--keys", "region,sex,age", "--weight", "weight", "--points", "5", "--at-most", "0.015"}
	all, within := plans(t, args...), 0
	for i, p := range all {
		if p.Risk == nil || *p.Within != (100**p.Risk <= 0.015) || *p.Risk <= 0 {
			t.Fatalf("plan %d: %+v", i, p)
		}
		if *p.Within {
			within++
		}
	}
	if within == 0 || within == len(all) {
		t.Errorf("%d of %d plans are within the target", within, len(all))
	}
	script := filepath.Join(t.TempDir(), "plan.jsonl")
	lines := []string{`{"format":"sdcdesk-script","version":1}`, `{"scenario":{"keys":["region","sex","age"],"weight":"weight"}}`}
	for _, step := range all[2].Steps {
		line, err := json.Marshal(step)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	if err := os.WriteFile(script, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "figures.json")
	_, _, err := execute(t, "run", script, file, "-o", filepath.Join(t.TempDir(), "safe.csv"), "--summary", out)
	var summary struct {
		Current struct {
			Risk float64 `json:"global_risk"`
		}
	}
	text, failed := os.ReadFile(out)
	if err = cmp.Or(err, failed); err == nil {
		err = json.Unmarshal(text, &summary)
	}
	if got := summary.Current.Risk; err != nil || math.Abs(got-*all[2].Risk) > 1e-12 {
		t.Errorf("global risk %v after the steps, %v in the plan; %v", got, *all[2].Risk, err)
	}
	page, _, err := execute(t, "plan", args...)
	if err != nil || strings.Count(page, " % *") != within || !strings.Contains(page, "at most 0.015 %") {
		t.Errorf("%v:\n%s", err, page)
	}
}

// With --inference each plan has the number of its suppressed cells that can be inferred; without it that is not
// mentioned.
func TestPlansSayWhatCanBeInferred(t *testing.T) {
	file := filepath.Join("..", "testdata", "survey.csv")
	args := []string{file, "--keys", "region,urbrur", "--k", "150", "--household", "hid"}
	most := 0
	for i, p := range plans(t, append(args, "--inference")...) {
		if p.Inferable == nil || *p.Inferable > p.Cells || p.Risk != nil {
			t.Fatalf("plan %d: %+v", i, p)
		}
		most = max(most, *p.Inferable)
	}
	if most < 5 {
		t.Errorf("at most %d cells are told", most)
	}
	if plans(t, args...)[0].Inferable != nil {
		t.Error("cells are told without being asked for")
	}
	text, _, err := execute(t, "plan", append(args, "--told")...)
	if err != nil || !strings.Contains(text, " lower bound   inferable  recodes") {
		t.Errorf("%v:\n%s", err, text)
	}
}

// The masking plans are in order of loss, each with less risk than the one before; with the same seed they are the
// same, and the step of one gives its figures.
func TestPlansForNumbers(t *testing.T) {
	file := filepath.Join("..", "testdata", "survey.csv")
	args := []string{sampleFile(t), "--numeric", "income,savings", "--seed", "7"}
	text, _, err := execute(t, "plan", append(args, "--json")...)
	var out struct{ Points []numberPoint }
	if err == nil {
		err = json.Unmarshal([]byte(text), &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	within := 0
	for i, p := range out.Points {
		if i > 0 && (p.Loss <= out.Points[i-1].Loss || p.Linkage >= out.Points[i-1].Linkage) {
			t.Errorf("%s is out of order", p.Plan)
		}
		if p.Within != (p.Linkage <= 0.05) || len(p.Steps) != min(i, 1) {
			t.Errorf("%+v", p)
		}
		if p.Within {
			within++
		}
	}
	if len(out.Points) < 8 || within == 0 || out.Points[0].Plan != "no masking" {
		t.Errorf("%d plans, %d within the limit: %+v", len(out.Points), within, out.Points)
	}
	if again, _, err := execute(t, "plan", append(args, "--json")...); again != text || err != nil {
		t.Errorf("with the same seed the plans differ: %v", err)
	}
	page, _, err := execute(t, "plan", file, "--numeric", "income,savings", "--seed", "7", "--risk", "interval", "--at-most", "10")
	if err != nil || strings.Count(page, "%  *") == 0 ||
		!strings.Contains(page, "the 3,916 records without missing values; 1,084 have a missing value") {
		t.Errorf("%v:\n%s", err, page)
	}
	for _, wrong := range [][]string{{"--numeric", "region"}, {"--numeric", "nobody"}, {"--numeric", "income", "--keys", "sex"},
		{"--numeric", "income", "--risk", "much"}, {"--numeric", "income", "--at-most", "101"}} {
		if _, _, err := execute(t, "plan", append([]string{file}, wrong...)...); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}
