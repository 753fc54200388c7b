package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// argusFile returns the path of a sample file of mu-Argus, and skips the test if there are none.
func argusFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "data", "muargus", name)
	if _, err := os.Stat(path); err != nil {
		t.Skip("the sample files of mu-Argus are absent: no ", path)
	}
	return path
}

// openArgus reads a sample file with its description.
func openArgus(t *testing.T, name string) (*microdata.Dataset, fileio.Format) {
	t.Helper()
	path, err := fileio.DataFile(argusFile(t, name))
	must(t, err)
	format, err := fileio.GuessFile(context.Background(), path, nil)
	must(t, err)
	data, report, err := fileio.Read(context.Background(), path, format, nil)
	must(t, err)
	return data, report.Format
}

// grcStep returns the step of a recode file of mu-Argus.
func grcStep(t *testing.T, variable, recode, labels string) StepSpec {
	t.Helper()
	text := func(name string) string {
		if name == "" {
			return ""
		}
		content, err := os.ReadFile(argusFile(t, name))
		must(t, err)
		return string(content)
	}
	params, err := json.Marshal(map[string]string{"variable": variable, "recode": text(recode), "labels": text(labels)})
	must(t, err)
	return StepSpec{Step: "recode-grc", Params: params}
}

// demodata returns a session on Demodata with the recodes of the reference.
func demodata(t *testing.T, name string) *Session {
	t.Helper()
	data, format := openArgus(t, name)
	s, err := New(Opening{Source: NewDemonstration(name, format), Data: data, Volatile: true})
	must(t, err)
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight = []string{"REGION", "SEX", "AGE", "MARSTAT"}, "WEIGHT"
	must(t, s.SetScenario(scenario))
	for _, spec := range []StepSpec{grcStep(t, "REGION", "Region.grc", "Region.cdl"),
		grcStep(t, "AGE", "Age.grc", "Age.cdl")} {
		result, err := s.Prepare(spec).Run(context.Background(), nil, nil)
		must(t, err)
		must(t, s.Commit(result))
	}
	return s
}

// TestArgusIndividualRisk compares with the engine of mu-Argus on Demodata,
// with missing keys as wildcards.
func TestArgusIndividualRisk(t *testing.T) {
	for _, name := range []string{"Demodata.rda", "Demofree.asc"} {
		s := demodata(t, name)
		d := s.Document()
		for _, want := range []struct {
			data           *microdata.Dataset
			rate, expected float64
			highest        float64 // 0: unknown
			atLeast        int     // records with risk at least 0.00125
			unsafe         int     // records with f = 1
		}{
			{d.Base, 0.019564, 78.25, 0.04230, 3968, 3014},
			{d.Data, 0.001248, 4.99, 0, 393, 114},
		} {
			a, err := NewAnalyst().Assess(context.Background(), want.data, &d.Scenario)
			must(t, err)
			atLeast := 0
			for record := range a.Records {
				if shortenedRisk(a.Frequency(record)) >= 0.00125 {
					atLeast++
				}
			}
			if math.Abs(a.Global-want.rate) > 1.1e-6 || math.Abs(a.Expected-want.expected) > 0.0101 || atLeast != want.atLeast ||
				want.highest > 0 && math.Abs(a.HighestRisk()-want.highest) > 5e-6 || a.Violators[0].Count != want.unsafe {
				t.Errorf("%s: rate %v, expected %v, highest %v, at least 0.00125 %d, unsafe %d; want %+v", name, a.Global,
					a.Expected, a.HighestRisk(), atLeast, a.Violators[0].Count, want)
			}
		}
	}
}

// shortenedRisk is the individual risk as computed by mu-Argus, which for f > 3 truncates the series of the
// hypergeometric function, so that the risk is slightly too low. Four records with 0.00125186 therefore fall below
// 0.00125.
func shortenedRisk(f, F float64) float64 {
	if f <= 3 || F <= f {
		return risk.Individual(f, F, true)
	}
	p := f / F
	sum, term := 0.0, p/f
	for i := range 7 {
		sum += term
		term *= float64(i+1) * (1 - p) / (f + float64(i+1))
	}
	return sum
}

// TestArgusEntropy compares the recoded frequencies with the engine of mu-Argus by the entropy of the variables,
// in bits.
func TestArgusEntropy(t *testing.T) {
	d := demodata(t, "Demodata.asc").Document()
	for name, want := range map[string]float64{"REGION": 4.0654, "AGE": 2.5202, "MARSTAT": 1.3106, "SEX": 0.9997} {
		column, _ := d.Data.Column(name)
		counts := column.Categories().Counts()[1:]
		total, entropy := 0, 0.0
		for _, count := range counts {
			total += count
		}
		for _, count := range counts {
			if count > 0 {
				p := float64(count) / float64(total)
				entropy -= p * math.Log2(p)
			}
		}
		if math.Abs(entropy-want) > 5e-5 {
			t.Errorf("entropy of %s is %.5f, want %v", name, entropy, want)
		}
	}
}

// TestArgusHouseholdRisk compares with the engine of mu-Argus on Samhh, with the roles of its description.
func TestArgusHouseholdRisk(t *testing.T) {
	data, _ := openArgus(t, "Samhh.rda")
	scenario := microdata.NewScenario()
	for _, role := range microdata.Suggest(data) {
		if role.Role != microdata.RoleSame { // applies only with households
			scenario.Assign(role.Variable, role.Role)
		}
	}
	scenario.Complete(data)
	if scenario.Household != "hhnum" || scenario.Weight != "weight" ||
		!slices.Equal(scenario.SameForHousehold, []string{"agehh"}) {
		t.Errorf("the description suggests %+v", scenario)
	}
	must(t, scenario.Check(data))
	scenario.Keys = []string{"province", "MarStat", "sex", "age"}
	a, err := NewAnalyst().Assess(context.Background(), data, &scenario)
	must(t, err)
	const threshold = 0.13431
	households := a.HouseholdIndex()
	above, records := 0, 0
	for household := range households.Len() {
		if a.HouseholdRiskOf(households.Member(household, 0)) >= threshold {
			above++
			records += households.Members(household)
		}
	}
	if data.Len() != 1000 || households.Len() != 379 || above != 71 || records != 191 {
		t.Errorf("%d persons, %d households; %d at or above %v, with %d records", data.Len(), households.Len(), above,
			threshold, records)
	}
}

// TestArgusRiskOfFrequencies compares the risk of a record with f and F.
func TestArgusRiskOfFrequencies(t *testing.T) {
	for _, want := range []struct{ f, F, risk float64 }{{1, 100, 0.0465168706}, {1, 10, 0.2558427881},
		{2, 100, 0.0187788326}, {3, 100, 0.0146111226}} {
		if got := risk.Individual(want.f, want.F, true); math.Abs(got-want.risk) > 5e-11 {
			t.Errorf("risk of (%v, %v) is %.10f, want %.10f", want.f, want.F, got, want.risk)
		}
	}
}

// A run on a file of mu-Argus writes the protected file with its description, in new codes and narrower fields,
// which can be read again.
func TestRunArgus(t *testing.T) {
	source := argusFile(t, "Demodata.rda")
	folder := t.TempDir()
	script := filepath.Join(folder, "steps.jsonl")
	d := demodata(t, "Demodata.asc").Document()
	must(t, writeScript(d, script, false, false))
	o := RunOptions{Script: script, File: source, Out: filepath.Join(folder, "out.asc"),
		Summary: filepath.Join(folder, "summary.json")}
	must(t, Run(context.Background(), o))
	for _, name := range []string{"out.asc", "out.rda", "out_REGION.cdl", "out_AGE.cdl", "out_ETNI.cdl", "out_SEX.cdl",
		"summary.json"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	description, err := os.ReadFile(filepath.Join(folder, "out.rda"))
	must(t, err)
	for _, line := range []string{`REGION 1 2 "98" "99"`, `SEX 3 1 "9"`, `AGE 4 1 "8" "9"`, `MARSTAT 5 1 "9"`} {
		if !strings.Contains(string(description), line+"\r\n") {
			t.Errorf("the description lacks %s:\n%s", line, description[:min(len(description), 400)])
		}
	}
	format, err := fileio.GuessFile(context.Background(), o.Out, nil)
	must(t, err)
	back, _, err := fileio.Read(context.Background(), o.Out, format, nil)
	must(t, err)
	for _, column := range back.Columns() {
		want, _ := d.Data.Column(column.Name())
		for record := range column.Len() {
			if column.Text(record) != want.Text(record) {
				t.Fatalf("record %d of %s is %q, want %q", record, column.Name(), column.Text(record), want.Text(record))
			}
		}
	}
	region, _ := back.Column("REGION")
	if region.Description().Labels["18"] != "regio 18" {
		t.Errorf("labels %v", region.Description().Labels)
	}
	if err := Run(context.Background(), o); !errors.Is(err, fileio.ErrExists) {
		t.Errorf("a second run: %v", err)
	}
}

// townsScript recodes the towns, of which two are missing, and suppresses.
const townsScript = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["TOWN","SEX"],"weight":"WEIGHT","household":"HH","linked":{"TOWN":["PROVINCE"]},"remove":["INCOME"]}}
{"step":"recode-grc","params":{"variable":"TOWN","recode":"%s","labels":"1,small\n2,large"}}
{"step":"suppress-kanonymity","params":{"k":2,"importance":{"TOWN":2,"SEX":1}}}
`

// TestRunTowns checks that missing codes of the source become those of the recode, that suppressed cells get the
// first of them, and that other variables keep theirs.
func TestRunTowns(t *testing.T) {
	folder := t.TempDir()
	script := filepath.Join(folder, "steps.jsonl")
	must(t, os.WriteFile(script, fmt.Appendf(nil, townsScript, `a: -99\nbig: 100-\n<MISSING> 8 9`), 0o600))
	source := filepath.Join("..", "engine", "files", "muargus", "testdata", "towns.rda")
	o := RunOptions{Script: script, File: source, Out: filepath.Join(folder, "safe.asc")}
	must(t, Run(context.Background(), o))
	text, err := os.ReadFile(o.Out)
	must(t, err)
	lines := strings.Split(string(text), "\r\n")
	towns := make([]string, 0, len(lines))
	for _, line := range lines[:len(lines)-1] {
		if len(line) != len("  1   a 1 1Y 10.50") {
			t.Errorf("line %q", line)
		}
		towns = append(towns, strings.TrimSpace(line[4:7]))
	}
	if towns[3] != "8" || towns[6] != "9" || towns[0] != "a" {
		t.Errorf("towns %q: the missing codes must be 8 for 999 and 9 for 998", towns)
	}
	description, err := os.ReadFile(filepath.Join(folder, "safe.rda"))
	must(t, err)
	if got := string(description); !strings.Contains(got, "TOWN 5 3 \"8\" \"9\"\r\n") || strings.Contains(got, "INCOME") ||
		strings.Contains(got, "TRUNCABLE") {
		t.Errorf("description\n%s", got)
	}
	// If the recode file has an error, nothing is written and the error names its place.
	must(t, os.WriteFile(script, fmt.Appendf(nil, townsScript, `a: -99\nbig 100-`), 0o600))
	o.Out = filepath.Join(folder, "none.asc")
	if err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "steps.jsonl, line 3") ||
		!strings.Contains(err.Error(), "line 2, position 5") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(o.Out); !errors.Is(err, fs.ErrNotExist) {
		t.Error("something was written")
	}
	// The description of the source is never replaced.
	must(t, os.WriteFile(script, fmt.Appendf(nil, townsScript, `a: -99\nbig: 100-`), 0o600))
	copied := filepath.Join(folder, "copy")
	for _, ending := range []string{".asc", ".rda"} {
		content, err := os.ReadFile(strings.TrimSuffix(source, ".rda") + ending)
		must(t, err)
		must(t, os.WriteFile(copied+ending, content, 0o600))
	}
	o.File, o.Out, o.Force = copied+".rda", copied+".txt", true
	if err := Run(context.Background(), o); !errors.Is(err, fileio.ErrSource) {
		t.Errorf("error %v", err)
	}
}
