package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// noisySteps are steps by which numbers of records become others, between and behind steps by which others do.
const noisySteps = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex"],"k":[3]},"file":{"missing":["","NA"]}}
{"step":"recode-topbottom","params":{"variable":"income","top":9000}}
{"step":"noise","params":{"variables":["income","wealth"],"decimals":"source","percent":40},"seed":5}
{"step":"pram","params":{"variables":["sex"],"form":"equal","pd":0.4},"seed":6}
{"step":"noise","params":{"variables":["wealth"],"method":"multiplicative","percent":30},"seed":5}
{"step":"suppress-kanonymity","params":{"k":3}}
{"step":"noise","params":{"variables":["tax"],"method":"uniform"},"seed":7}
{"step":"reset","params":{"variable":"tax"}}
{"step":"noise","params":{"variables":["tax"],"method":"additive0","percent":10,"decimals":"source"},"seed":7}`

// Records of a file of several blocks and pieces draw by their places among those that draw, in passes as in memory,
// whatever lacks a value and whatever else becomes of their records.
func TestStreamedNoise(t *testing.T) {
	folder := t.TempDir()
	random := rand.New(rand.NewPCG(4, 9))
	var text strings.Builder
	text.WriteString("region,sex,income,wealth,tax,note\n")
	for i := range 20_000 {
		income, tax := fmt.Sprint(random.IntN(12_000)), fmt.Sprintf("%.2f", random.Float64()*500)
		if random.IntN(50) == 0 {
			income = []string{"", "NA", "-0", "1e3"}[random.IntN(4)]
		}
		if random.IntN(3) == 0 {
			tax = "0"
		}
		if i == 9 {
			tax = "1.125"
		}
		fmt.Fprintf(&text, "%d,%s,%s,%.1f,%s,%s\n", random.IntN(40), []string{"f", "m"}[random.IntN(2)], income, random.ExpFloat64()*1e5, tax,
			strings.Repeat("x", random.IntN(300)))
	}
	must(t, os.WriteFile(filepath.Join(folder, "survey.csv"), []byte(text.String()), 0o600))
	for _, ending := range []string{".csv", ".sav", ".parquet"} {
		whole, passed := runStreamed(t, folder, "survey.csv", ending, noisySteps, false), runStreamed(t, folder, "survey.csv", ending, noisySteps, true)
		must(t, errors.Join(whole.err, passed.err))
		if where := differs("", whole.summary, passed.summary); where != "" {
			t.Errorf("%s: in memory and in passes differ at %s", ending, where)
		}
		if whole.out != passed.out {
			t.Errorf("%s: the protected files differ: %s", ending, firstOther(whole.out, passed.out))
		}
	}
}

// A what-if of groups says that records of a source draw otherwise, and not where the groups have none: there the step
// gives what it says.
func TestWhatIfOfDrawsOfGroups(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.csv")
	must(t, os.WriteFile(path, []byte(smallText), 0o600))
	data, err := survey.DrawGroups(1000, []string{"sex", "age"}, 1)
	must(t, err)
	file, err := streams(Identity{Path: InPasses(path)}, fileio.NewFormat()).(passing).counting(groups{by: []string{"sex", "age"}}).Open(t.Context(), nil)
	must(t, err)
	for _, opening := range []Opening{file, {Name: "groups", Source: NewDemonstration("groups", fileio.NewFormat()), Data: data}} {
		opening.Volatile = true
		s, err := New(opening)
		must(t, err)
		scenario := microdata.NewScenario()
		scenario.Keys = []string{"age"}
		must(t, s.SetScenario(scenario))
		for _, try := range []StepSpec{step("pram", `{"variables":["sex"],"pd":0.5}`), step("sample", `{"share":0.5}`)} {
			answer, err := NewAnalyst().For(s).WhatIf(t.Context(), s.Data(), &scenario, try, nil)
			must(t, err)
			_, passes := opening.Source.(passing)
			if slices.Contains(answer.Report.Warnings, warnGroups) != passes {
				t.Errorf("%s of %s: %q", try.Step, opening.Name, answer.Report.Warnings)
			}
		}
	}
}

// Groups that no records stand behind have nobody who draws, however many they are said to be.
func TestNoiseOfBillions(t *testing.T) {
	data, err := survey.DrawGroups(10_000_000_000, []string{"region", "age"}, 1)
	must(t, err)
	s, err := New(Opening{Name: "groups", Source: NewDemonstration("groups", fileio.NewFormat()), Data: data, Volatile: true})
	must(t, err)
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight = []string{"region"}, "weight"
	must(t, s.SetScenario(scenario))
	_, err = s.Prepare(step("noise", `{"variables":["age"]}`)).Run(t.Context(), NewAnalyst(), nil)
	if !errors.Is(err, ErrStream) || !strings.Contains(err.Error(), "these groups have no records") {
		t.Error(err)
	}
}

// firstOther returns the first lines of two texts that are not the same.
func firstOther(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d: %.200q, %.200q", i+1, x[i], y[min(i, len(y)-1)])
		}
	}
	return "one is longer"
}
