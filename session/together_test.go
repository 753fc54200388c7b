package session

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// togetherScenarios are scenarios in which members of households lose cells together.
var togetherScenarios = []string{
	`{"scenario":{"keys":["region","sex","age"],"weight":"w","household":"hid","same_for_household":["region","note"],"linked":{"sex":["health"]},"remove":["id"],"k":[2,5]}}`,
	`{"scenario":{"keys":["sex","age","region"],"household":"hid","same_for_household":["age","health"],"linked":{"age":["health"],"sex":["income"]},"remove":["id"]}}`,
	`{"scenario":{"keys":["sex","health"],"household":"hid","same_for_household":["health"],"remove":["id"]}}`,
	`{"scenario":{"keys":["region","sex"],"household":"hid","same_for_household":["region"],"linked":{"sex":["note"]},"remove":["id"]}}`,
	`{"scenario":{"keys":["sex","age"],"household":"hid","same_for_household":["health"],"linked":{"age":["health"]},"strata":["region"],"remove":["id"]}}`,
	`{"scenario":{"keys":["region","sex","health"],"household":"hid","same_for_household":["region","health"],"strata":["age"],"remove":["id"],"rule":"conservative"}}`,
}

// togetherSteps take cells from households.
var togetherSteps = []string{
	`{"step":"suppress-kanonymity","params":{"k":2}}`,
	`{"step":"suppress-kanonymity","params":{"k":6,"strata":[]}}`,
	`{"step":"suppress-kanonymity","params":{"k":9,"strata":[]}}`,
	`{"step":"suppress-kanonymity","params":{"k":14,"strata":[],"rule":"own-category"}}`,
	`{"step":"suppress-kanonymity","params":{"k":3,"rule":"default","strata":[]}}`,
	`{"step":"suppress-kanonymity","params":{"k":3,"algorithm":"thorough","iterations":16,"strata":[]}}`,
	`{"step":"suppress-kanonymity","params":{"subsets":"2:3","strata":[]}}`,
	`{"step":"suppress-risk","params":{"threshold":0.05,"variable":"age"}}`,
	`{"step":"suppress-combinations","params":{"combinations":"2:2"}}`,
	`{"step":"pram","params":{"variables":["sex"],"pd":0.3,"alpha":1},"seed":5}`,
	`{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,29,59,99]}}`,
}

// drawHomes draws a file of small households of few kinds, whose members do not stand together and some of whom
// have no number.
func drawHomes(t *rapid.T) string {
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "homes"), 1))
	some := func(of ...string) string { return of[min(random.IntN(len(of)), random.IntN(len(of)))] }
	var lines []string
	for home := range rapid.IntRange(5, 90).Draw(t, "households") {
		region, hid := some("north", "south", "east", ""), fmt.Sprint(home)
		for range 1 + min(random.IntN(3), random.IntN(3)) {
			lines = append(lines, fmt.Sprintf("%s,%s,%s,%d,%s,%d,%s,%s\n", region, some("f", "m"), some("30", "44", "61"), random.IntN(3),
				some("well", "ill", ""), 1+random.IntN(9), some("x", "y", ""), some(hid, hid, hid, hid, "")))
		}
	}
	random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	for i := range lines {
		lines[i] = fmt.Sprint(i, ",", lines[i])
	}
	return "id,region,sex,age,income,health,w,note,hid\n" + strings.Join(lines, "")
}

// Members of households lose cells together in a file in passes as in memory: the same figures after every step, and
// the same protected file.
func TestHouseholdsLoseTogetherInPasses(t *testing.T) {
	folder, steps := t.TempDir(), append(slices.Clone(togetherSteps), `{"step":"sample","params":{"share":0.8},"seed":9}`,
		`{"step":"sample","params":{"share":0.6,"unit":"households"},"seed":8}`, `{"step":"sample","params":{"count":4,"unit":"households"},"seed":7}`)
	rapid.Check(t, func(t *rapid.T) {
		must(t, os.WriteFile(filepath.Join(folder, "survey.csv"), []byte(rapid.SampledFrom([]func(*rapid.T) string{drawHomes, drawHomes, drawStreamed}).Draw(t, "file")(t)), 0o600))
		scenario := rapid.SampledFrom(togetherScenarios).Draw(t, "scenario")
		lines := []string{`{"format":"sdcdesk-script","version":1}`, scenario[:len(scenario)-1] + `,"file":{"missing":["","NA"]}}`}
		for _, step := range rapid.SliceOfN(rapid.SampledFrom(steps), 1, 4).Draw(t, "steps") {
			lines = append(lines, step)
			script := strings.Join(lines, "\n")
			whole, passed := runStreamed(t, folder, "survey.csv", ".csv", script, false), runStreamed(t, folder, "survey.csv", ".csv", script, true)
			if whole.err != nil || passed.err != nil {
				if whole.err == nil || passed.err == nil {
					t.Fatalf("in memory: %v, in passes: %v", whole.err, passed.err)
				}
				lines = lines[:len(lines)-1]
				continue
			}
			if where := differs("", whole.summary, passed.summary); where != "" {
				t.Fatalf("%s\nin memory and in passes differ at %s", script, where)
			}
			if whole.out != passed.out {
				t.Fatalf("%s\nin memory:\n%s\nin passes:\n%s", script, whole.out, passed.out)
			}
		}
	})
}

// In the protected file of a survey, no member of a household keeps a value that another has lost, and at least k
// records agree with each in what it has left.
func TestHouseholdsOfAProtectedFile(t *testing.T) {
	folder := t.TempDir()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "survey.csv"))
	must(t, err)
	lines := strings.SplitAfter(string(text), "\n")[:801]
	must(t, os.WriteFile(filepath.Join(folder, "survey.csv"), []byte(strings.Join(lines, "")), 0o600))
	script := `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","urbrur","sex","age"],"household":"hid","same_for_household":["region","urbrur"]}}
{"step":"suppress-kanonymity","params":{"k":5,"importance":{"age":1,"sex":2,"urbrur":3,"region":4}}}`
	passed := runStreamed(t, folder, "survey.csv", ".csv", script, true)
	must(t, passed.err)
	table := func(text string) [][]string {
		cells, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		must(t, err)
		return cells
	}
	before, after := table(strings.Join(lines, "")), table(passed.out)
	column := map[string]int{}
	for i, name := range before[0] {
		column[name] = i
	}
	lost, keys := map[string]bool{}, []string{"region", "urbrur", "sex", "age"}
	for i, record := range after[1:] {
		for _, name := range keys[:2] {
			if before[i+1][column[name]] != record[column[name]] {
				lost[name+" of "+record[column["hid"]]] = true
			}
		}
	}
	if len(lost) < 5 {
		t.Fatalf("households lose %v", lost)
	}
	for i, record := range after[1:] {
		for _, name := range keys[:2] {
			if lost[name+" of "+record[column["hid"]]] && record[column[name]] != "" {
				t.Errorf("record %d keeps %s, which others of its household lost", i+1, name)
			}
		}
		agree, alike := 0, 0
		for _, other := range after[1:] {
			agrees, whole, same := true, true, true
			for _, name := range keys {
				own, its := record[column[name]], other[column[name]]
				agrees = agrees && (own == "" || own == its)
				same = same && own == its
				whole = whole && its != ""
			}
			if agrees && whole {
				agree++
			}
			if same {
				alike++
			}
		}
		if max(agree, alike) < 5 {
			t.Errorf("record %d: %d complete records agree with it, %d are alike", i+1, agree, alike)
		}
	}
}
