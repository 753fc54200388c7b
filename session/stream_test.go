package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// drawStreamed draws a file of several pieces: text and numbers in several spellings, missing
// codes, values in quotes, weights, and numbers that every record has for itself.
func drawStreamed(t *rapid.T) string {
	regions := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"north", "south", `"east, far"`, "NA", "", "=west", `"up"`}), 2, 5,
		rapid.ID[string]).Draw(t, "regions")
	records := rapid.IntRange(1, 200).Draw(t, "records")
	wide := rapid.SampledFrom([]int{0, 0, 20_000}).Draw(t, "width of a text nobody counts by")
	random := rapid.Uint64().Draw(t, "seed")
	next := func(n int) int {
		random = random*6364136223846793005 + 1442695040888963407
		return int(random>>33) % n
	}
	var text strings.Builder
	home := rapid.SampledFrom([]string{"h%d", "%d", "%d.5"}).Draw(t, "households")
	amounts := rapid.SampledFrom([]string{"%d", "%d.50", "%d.125"}).Draw(t, "amounts")
	text.WriteString("id,region,\"sex\",age,income,health,w,note,hid,amount,tax\n")
	for i := range records {
		age := []string{"", "7", "30", "30.0", "31", "44", "60", "61", "80", `"30"`, "-0", "1e2"}[next(12)]
		hid := fmt.Sprintf(home, next(1+records/2))
		if hid[len(hid)-1] == '7' {
			hid = []string{"", "NA", "12", "12.0", "-0", "0"}[next(6)]
		}
		amount := fmt.Sprintf(amounts, next(2000)-300)
		if next(30) == 0 {
			amount = []string{"", "NA", "0", "-0", "1e2", "12.0", "12"}[next(7)]
		}
		fmt.Fprintf(&text, "%d,%s,%s,%s,%d.%d,%s,%d.%d,%s,%s,%s,%s\n", i*7919, regions[next(len(regions))], []string{"f", "m", `"m"`}[next(2)+min(1, 2*i/records)*next(2)],
			age, next(5000), next(10), []string{"ill", "well", ""}[next(3)], 1+next(90), next(100), strings.Repeat("x", next(wide+1)), hid, amount, []string{"", "12", "7.5"}[min(2, next(9))])
	}
	return text.String()
}

// streamedSteps are steps that work on groups; those that name a category take any that is there.
var streamedSteps = []string{
	`{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,29,59,99]}}`,
	`{"step":"recode-rename","params":{"variable":"sex","level":"m","label":"man"}}`,
	`{"step":"suppress-kanonymity","params":{"k":2}}`,
	`{"step":"suppress-kanonymity","params":{"k":3,"rule":"default"}}`,
	`{"step":"suppress-kanonymity","params":{"k":4,"budget":5}}`,
	`{"step":"suppress-kanonymity","params":{"k":3,"strata":["sex"]}}`,
	`{"step":"suppress-kanonymity","params":{"k":3,"strata":["health"]}}`,
	`{"step":"suppress-kanonymity","params":{"subsets":"2:3"}}`,
	`{"step":"suppress-risk","params":{"threshold":0.05}}`,
	`{"step":"suppress-combinations","params":{"combinations":"2:2"}}`,
	`{"step":"recode-group","params":{"variable":"health","levels":["ill","well"],"label":"known"}}`,
	`{"step":"recode-split","params":{"variable":"health","level":"known"}}`,
	`{"step":"recode-order","params":{"variable":"health","levels":["well","ill"]}}`,
	`{"step":"recode-topbottom","params":{"variable":"age","top":60}}`,
	`{"step":"recode-round","params":{"variable":"age","base":10}}`,
	`{"step":"recode-hierarchy","params":{"variable":"health","table":"ill;any\nwell;any"}}`,
	`{"step":"recode-grc","params":{"variable":"age","recode":"1: -30\n2: 31-"}}`,
	`{"step":"recode-labels","params":{"variable":"sex","labels":"f,female\nm,male"}}`,
	`{"step":"recode-file","params":{"recodes":"{\"format\":\"sdcdesk-recodes\",\"version\":1,\"recodes\":[{\"step\":\"recode-round\",\"params\":{\"variable\":\"income\",\"base\":500}}]}"}}`,
	`{"step":"reset","params":{"variable":"age"}}`,
	`{"step":"reset","params":{"variable":"health"}}`,
	`{"step":"recode-round","params":{"variable":"income","base":500}}`,
	`{"step":"recode-topbottom","params":{"variable":"income","top":4000,"bottom":100,"replacement":"mean"}}`,
	`{"step":"recode-topbottom","params":{"variable":"income","top_population":500}}`,
	`{"step":"recode-intervals","params":{"variable":"income","breaks":[-1,999,2999]}}`,
	`{"step":"recode-intervals","params":{"variable":"income","count":3,"method":"quantiles","open":"both"}}`,
	`{"step":"reset","params":{"variable":"income"}}`,
	`{"step":"make-stratum","params":{"variables":["region","sex"],"name":"cell"}}`,
	`{"step":"make-stratum","params":{"variables":["sex","income"],"name":"other"}}`,
	`{"scenario":{"keys":["region","age"],"sensitive":["health"],"weight":"w","remove":["id"],"strata":["sex"],"k":[2,3]}}`,
	`{"scenario":{"keys":["region","sex","age"],"sensitive":["health"],"weight":"w","remove":["id"],"k":[2,5],"rule":"conservative"}}`,
	`{"scenario":{"keys":["region","sex","age"],"weight":"w","household":"hid","remove":["id"],"k":[2,5]}}`,
	`{"scenario":{"keys":["sex","age"],"household":"hid","sensitive":["health"],"remove":["id"],"rule":"conservative"}}`,
	`{"scenario":{"keys":["region","age"],"linked":{"region":["note"],"age":["income"]},"remove":["id"],"k":[3]}}`,
}

// drawnSteps are steps on groups in which every record draws by itself: in a file by its number, in a table by its key.
var drawnSteps = []string{
	`{"step":"pram","params":{"variables":["health"],"pd":0.5,"alpha":1},"seed":5}`,
	`{"step":"pram","params":{"variables":["region","sex"],"form":"equal","pd":0.4,"strata":["health"]},"seed":6}`,
	`{"step":"pram","params":{"variables":["sex"],"condition":"health = ill or age above 30"},"seed":7}`,
	`{"step":"sample","params":{"share":0.7},"seed":8}`,
	`{"step":"sample","params":{"share":0.45},"seed":8}`,
	`{"step":"sample","params":{"count":40},"seed":9}`,
	`{"step":"sample","params":{"share":0.6,"unit":"households"},"seed":8}`,
	`{"step":"noise","params":{"variables":["amount"],"decimals":"source"},"seed":5}`,
	`{"step":"noise","params":{"variables":["amount"],"method":"multiplicative","percent":30},"seed":5}`,
	`{"step":"noise","params":{"variables":["amount"],"method":"additive0","missing":"patterns"},"seed":8}`,
	`{"step":"noise","params":{"variables":["amount","tax"],"method":"uniform","percent":60},"seed":9}`,
	`{"step":"noise","params":{"variables":["tax"],"percent":0},"seed":9}`,
	`{"step":"recode-topbottom","params":{"variable":"amount","top":1500}}`,
	`{"step":"reset","params":{"variable":"amount"}}`,
}

// measuresOfGroups are the measures that tell of rows that stand for several records.
func measuresOfGroups() (names []string) {
	for _, spec := range catalog.Measures() {
		if spec.Groups {
			names = append(names, spec.Name)
		}
	}
	return names
}

// Every method that says that it works where rows stand for several records is among the steps.
func TestStreamedStepsHaveEveryMethod(t *testing.T) {
	all := strings.Join(slices.Concat(streamedSteps, drawnSteps), "\n")
	for _, spec := range catalog.Methods() {
		if method.OnGroups(spec.New(), &microdata.Scenario{}) == "" && !strings.Contains(all, `{"step":"`+spec.Name+`"`) {
			t.Errorf("%s is not among the steps on files in passes and tables", spec.Name)
		}
	}
}

// ran is what a script gives.
type ran struct {
	out     string
	summary map[string]any
	warned  string
	err     error
}

func runStreamed(t fataler, folder, file, ending, script string, stream bool) (r ran) {
	t.Helper()
	out, summary := filepath.Join(folder, fmt.Sprint(stream, ending)), filepath.Join(folder, "summary.json")
	must(t, os.WriteFile(filepath.Join(folder, "steps.jsonl"), []byte(script), 0o600))
	r.err = Run(context.Background(), RunOptions{Script: filepath.Join(folder, "steps.jsonl"),
		File: filepath.Join(folder, file), Out: out, Summary: summary, Force: true, Stream: stream, GuardFormulas: true,
		Report: filepath.Join(folder, "inside.md"), ReportUsers: filepath.Join(folder, "users.md"), Measures: measuresOfGroups()})
	if r.err != nil {
		return r
	}
	text, err := os.ReadFile(out)
	must(t, err)
	r.out = string(text)
	text, err = os.ReadFile(summary)
	must(t, err)
	must(t, json.Unmarshal(text, &r.summary))
	for _, name := range []string{"inside.md", "users.md"} {
		text, err = os.ReadFile(filepath.Join(folder, name))
		must(t, err)
		for _, section := range strings.Split(strings.ReplaceAll(string(text), "\n### ", "\n## "), "\n## ")[1:] {
			heading, rest, _ := strings.Cut(section, "\n")
			_, heading, _ = strings.Cut(heading, " ") // behind its number
			if slices.Contains([]string{"Decision", "The file", "Guarantees", "Critical findings", "Changed variables", "Warnings", "How to use the data", "Effect of masking",
				"Correlations of masked variables"}, heading) {
				continue // what follows from single records, which are not held, and the hash of the file
			}
			var rows []any
			for _, line := range strings.Split(rest, "\n") {
				var cells []any
				for _, cell := range strings.Split(line, "|") {
					cells = append(cells, strings.TrimSpace(cell))
				}
				rows = append(rows, cells)
			}
			r.summary[name+": "+heading] = rows
		}
	}
	return r
}

// differs says where two figures are not the same but for how weights are added up, or the second is not told; ""
// nowhere. Times are no figures, and of cells that several steps changed the second tells at most how many.
func differs(at string, a, b any) string {
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		if effect, _ := y["effect"].(string); strings.HasPrefix(effect, "at most ") {
			if n, _ := x["changed"].(float64); n > y["changed"].(float64) {
				return fmt.Sprint(at, ": ", n, " for ", effect)
			}
			x = maps.Clone(x)
			x["changed"], x["effect"] = y["changed"], effect
		}
		if len(x) != len(y) {
			return at
		}
		for name := range x {
			if where := differs(at+"/"+name, x[name], y[name]); where != "" && !strings.HasSuffix(name, "seconds") {
				return where
			}
		}
		return ""
	case []any:
		y, _ := b.([]any)
		if len(x) != len(y) {
			return at
		}
		for i := range x {
			if where := differs(fmt.Sprint(at, "/", i), x[i], y[i]); where != "" {
				return where
			}
		}
		return ""
	case float64:
		if y, ok := b.(float64); ok && math.Abs(x-y) <= 1e-9*max(1, math.Abs(x)) {
			return ""
		}
	default:
		if reflect.DeepEqual(a, b) || b == "–" || atMost(a, b) || drawnAmong(a, b) { // the report says that it is not told
			return ""
		}
	}
	return fmt.Sprint(at, ": ", a, " and ", b)
}

// atMost reports whether the second says of an effect that it is at most so many cells, and the first no more.
func atMost(a, b any) bool {
	var n, most int
	x, _ := a.(string)
	y, told := strings.CutPrefix(fmt.Sprint(b), "at most ")
	fmt.Sscan(strings.ReplaceAll(x, ",", ""), &n)
	fmt.Sscan(strings.ReplaceAll(y, ",", ""), &most)
	return told && n > 0 && n <= most
}

// drawnAmong reports whether the second says that PRAM has been applied to the variables of the first and others, none of
// whose cells changed: only the records show that.
func drawnAmong(a, b any) bool {
	const applied = "PRAM has been applied to "
	x, drawn := strings.CutPrefix(fmt.Sprint(a), applied)
	y, also := strings.CutPrefix(fmt.Sprint(b), applied)
	names := strings.Split(y, ", ")
	return drawn && also && !slices.ContainsFunc(strings.Split(x, ", "), func(name string) bool { return !slices.Contains(names, name) })
}

// convertStreamed writes the drawn file as one of another kind.
func convertStreamed(t fataler, folder, name string) {
	t.Helper()
	format := fileio.NewFormat()
	format.Missing = []string{"", "NA"}
	data, report, err := fileio.Read(context.Background(), filepath.Join(folder, "survey.csv"), format, nil)
	must(t, err)
	_, err = fileio.Write(context.Background(), filepath.Join(folder, name), data, report.Format, fileio.WriteOptions{Force: true}, nil)
	must(t, err)
}

// refusedWithoutRecords reports whether something was refused because the records are not in memory: what needs their
// numbers, and PRAM of a variable without any value, which changes nothing in memory.
func refusedWithoutRecords(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "changed record by record") || strings.Contains(err.Error(), "has no values"))
}

// A session on a file that is read in passes has, after every step, the figures that it has where the
// file is in memory, and the protected file is the same, byte for byte.
func TestStreamedIsAsInMemory(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom([]string{".csv", ".csv", ".dta", ".sav", ".zsav", ".parquet", ".xpt"}).Draw(t, "from")
		to := rapid.SampledFrom([]string{from, from, ".csv", ".dta", ".sav", ".zsav", ".parquet", ".xpt"}).Draw(t, "to")
		must(t, os.WriteFile(filepath.Join(folder, "survey.csv"), []byte(drawStreamed(t)), 0o600))
		if from != ".csv" {
			convertStreamed(t, folder, "survey"+from)
		}
		first := `{"scenario":{"keys":["region","sex","age"],"sensitive":["health"],"weight":"w","remove":["id"]}`
		if from == ".csv" {
			first += `,"file":{"missing":["","NA"]}`
		}
		lines := []string{`{"format":"sdcdesk-script","version":1}`, first + "}"}
		for _, step := range rapid.SliceOfN(rapid.SampledFrom(slices.Concat(streamedSteps, drawnSteps)), 0, 5).Draw(t, "steps") {
			lines = append(lines, step)
			script := strings.Join(lines, "\n")
			whole, passed := runStreamed(t, folder, "survey"+from, to, script, false), runStreamed(t, folder, "survey"+from, to, script, true)
			if whole.err != nil || passed.err != nil {
				if (whole.err == nil || passed.err == nil) && !refusedWithoutRecords(passed.err) {
					t.Fatalf("in memory: %v, streamed: %v", whole.err, passed.err)
				}
				lines = lines[:len(lines)-1]
				continue
			}
			if where := differs("", whole.summary, passed.summary); where != "" {
				t.Fatalf("in memory and streamed differ at %s", where)
			}
			if whole.out != passed.out {
				t.Fatalf("in memory:\n%q\nstreamed:\n%q", whole.out, passed.out)
			}
		}
	})
}

// Roles that groups do not tell are refused, with what to do.
func TestStreamedRefusesWhatGroupsDoNotTell(t *testing.T) {
	folder := t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "survey.csv"), []byte(smallText), 0o600))
	for _, c := range []struct{ line, want string }{
		{`{"scenario":{"keys":["sex"],"household":"hid","same_for_household":["sex"]}}
{"step":"pram","params":{"variables":["sex"]}}`, "groups do not tell who they are"},
		{`{"scenario":{"keys":["sex"],"numeric":["weight"]}}`, "weight as numeric key"},
		{`{"scenario":{"weight":"wt"}}`, `no variable "wt", which is to be the weight`},
		{`{"scenario":{"keys":["sex"],"weight":"weight"}}
{"step":"recode-topbottom","params":{"variable":"weight","top":20}}`, "the weight weight is added up"},
		{`{"scenario":{"keys":["sex"]}}
{"step":"suppress-kanonymity","params":{"algorithm":"sdcmicro"}}`, "order of the file"},
		{`{"scenario":{"keys":["sex"]}}
{"step":"noise","params":{"variables":["age"],"method":"romm"}}`, "goes by all numbers of all records together"},
		{`{"scenario":{"keys":["sex","age"]}}
{"step":"noise","params":{"variables":["age"],"strata":["sex"]}}`, "leave strata out"},
		{`{"scenario":{"keys":["sex"]}}
{"step":"noise","params":{"variables":["age"]}}
{"step":"recode-round","params":{"variable":"age","base":5}}`, "changed record by record"},
		{`{"scenario":{"keys":["sex"]}}
{"step":"noise","params":{"variables":["age"]}}
{"scenario":{"keys":["age"]}}
{"step":"suppress-kanonymity","params":{}}`, "changed record by record"},
		{`{"scenario":{"keys":["sex"]}}
{"step":"noise","params":{"variables":["age"]}}
{"step":"sample","params":{"share":0.5}}`, "changed record by record"},
		{`{"scenario":{"keys":["sex","age"]}}
{"step":"noise","params":{"variables":["age"]}}`, "groups are counted by \"age\" for its role"},
	} {
		r := runStreamed(t, folder, "survey.csv", ".csv", "{\"format\":\"sdcdesk-script\",\"version\":1}\n"+c.line, true)
		if r.err == nil || !strings.Contains(r.err.Error(), c.want) {
			t.Errorf("%s: %v", c.line, r.err)
		}
	}
}

// A file that changes between two passes is noticed, and nothing is released.
func TestStreamedFileThatChanges(t *testing.T) {
	for _, c := range []struct{ from, to string }{{"north", "south"}, {"hid", "hib"}} { // that groups go by, and not
		exportChanged(t, strings.Replace(smallText, c.from, c.to, 1))
	}
}

func exportChanged(t *testing.T, text string) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.csv")
	must(t, os.WriteFile(path, []byte(smallText), 0o600))
	must(t, os.Chtimes(path, time.Unix(1e9, 0), time.Unix(1e9, 0)))
	scenario := smallScenario()
	scenario.Household = ""
	source := streams(Identity{Path: InPasses(path)}, fileio.NewFormat()).(passing)
	opening, err := source.counting(groups{by: scenario.Keys, weight: scenario.Weight}).Open(t.Context(), nil)
	must(t, err)
	opening.Volatile = true
	s, err := New(opening)
	must(t, err)
	must(t, s.SetScenario(scenario))
	must(t, os.WriteFile(path, []byte(text), 0o600))
	_, err = s.Document().Export(t.Context(), ExportOptions{Path: filepath.Join(folder, "out.csv")}, nil)
	if !errors.Is(err, streamed.ErrChanged) {
		t.Errorf("exported from a file that has changed: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "out.csv")); err == nil {
		t.Error("something was released")
	}
}

// A number that stands in several spellings has the first of them after a recode of the variable by itself, and top
// coding by a population goes by the weights, as in memory.
func TestStreamedRecodesOfAVariableByItself(t *testing.T) {
	folder := t.TempDir()
	text := "sex,age,w\nf,30.0,2\nm,\"30\",5.5\nf,30,1\nm,61,1\nf,30.00,3\nf,44,2\nm,61.5,1\nf,80,2\n"
	must(t, os.WriteFile(filepath.Join(folder, "survey.csv"), []byte(text), 0o600))
	const code, reset = `{"step":"recode-topbottom","params":{"variable":"age","top":60}}`, `{"step":"reset","params":{"variable":"age"}}`
	for _, step := range []string{code, code + "\n" + reset, `{"step":"recode-round","params":{"variable":"age","base":0.1}}`,
		`{"step":"recode-topbottom","params":{"variable":"age","top_population":3}}`} {
		script := "{\"format\":\"sdcdesk-script\",\"version\":1}\n{\"scenario\":{\"keys\":[\"sex\"],\"weight\":\"w\"}}\n" + step
		whole, passed := runStreamed(t, folder, "survey.csv", ".csv", script, false), runStreamed(t, folder, "survey.csv", ".csv", script, true)
		must(t, whole.err)
		must(t, passed.err)
		if where := differs("", whole.summary, passed.summary); where != "" || whole.out != passed.out {
			t.Errorf("%s: in memory\n%s\nin passes\n%s\n%s", step, whole.out, passed.out, where)
		}
		if quoted := strings.Contains(whole.out, `"`); quoted != strings.Contains(step, "reset") {
			t.Errorf("%s: a cell in quotes tells that its value is what it was:\n%s", step, whole.out)
		}
	}
}

// A negative zero that stands elsewhere in a long file than another zero is none in files of other programs, in
// memory and in passes.
func TestStreamedNegativeZeros(t *testing.T) {
	folder := t.TempDir()
	for _, zeros := range [][2]string{{"0", "-0"}, {"-0", "0"}} {
		var text strings.Builder
		text.WriteString("id,hid,amount,note\n")
		for i := range 900 {
			hid, amount := fmt.Sprint(i%7+1), fmt.Sprint(float64(i)*1.37+1)
			if i == 0 || i == 800 {
				hid, amount = zeros[i/800], zeros[i/800]
			}
			fmt.Fprintf(&text, "%d,%s,%s,%s\n", i, hid, amount, strings.Repeat("x", 2000))
		}
		must(t, os.WriteFile(filepath.Join(folder, "zeros.csv"), []byte(text.String()), 0o600))
		script := `{"format":"sdcdesk-script","version":1}` + "\n" + `{"scenario":{"keys":["note"]}}`
		for _, ending := range []string{".parquet", ".sav", ".dta", ".csv"} {
			whole, passed := runStreamed(t, folder, "zeros.csv", ending, script, false), runStreamed(t, folder, "zeros.csv", ending, script, true)
			must(t, errors.Join(whole.err, passed.err))
			if whole.out != passed.out {
				t.Errorf("%s of %v: %d bytes in memory, %d in passes", ending, zeros, len(whole.out), len(passed.out))
			}
		}
	}
}

// Samples of a file are as in memory where the last line has no end, cells of some pieces are quoted and of others not,
// and groups go by no variable at all; also one sample of another.
func TestStreamedSamplesAreAsInMemory(t *testing.T) {
	folder := t.TempDir()
	var text strings.Builder
	text.WriteString("sex,age,w,id,note") // notes are few: what they are is asked of every one that differs
	for i := range 300 {
		sex := []string{"f", "m"}[i%3%2]
		if i > 150 {
			sex = `"` + sex + `"`
		}
		fmt.Fprintf(&text, "\n%s,%d,%d.25,%d,%s%d", sex, i%7, 1+i%11, i, strings.Repeat("x", 9_000), i%3)
	}
	must(t, os.WriteFile(filepath.Join(folder, "survey.csv"), []byte(text.String()), 0o600))
	const rename = `{"step":"recode-rename","params":{"variable":"sex","level":"m","label":"man"}}`
	const sample, again = `{"step":"sample","params":{"share":0.5},"seed":3}`, `{"step":"sample","params":{"count":1},"seed":3}`
	for _, lines := range [][]string{{`{"scenario":{"keys":["sex"],"weight":"w"}}`, rename, sample, again}, {`{"scenario":{"keys":["sex"]}}`, sample, rename},
		{`{"scenario":{"weight":"w"}}`, sample, again}, {`{"scenario":{}}`, sample, again}} {
		for steps := len(lines) - 1; steps <= len(lines); steps++ {
			script := `{"format":"sdcdesk-script","version":1}` + "\n" + strings.Join(lines[:steps], "\n")
			whole, passed := runStreamed(t, folder, "survey.csv", ".csv", script, false), runStreamed(t, folder, "survey.csv", ".csv", script, true)
			must(t, whole.err)
			must(t, passed.err)
			if where := differs("", whole.summary, passed.summary); where != "" {
				t.Errorf("%s\nin memory and streamed differ at %s", script, where)
			}
			short := func(text string) string { return strings.ReplaceAll(text, "xxxxxxxxxx", "") }
			if whole.out != passed.out {
				t.Errorf("%s\nin memory:\n%s\nstreamed:\n%s", script, short(whole.out), short(passed.out))
			}
		}
	}
}

// Texts that differ in blanks at their ends alone are one in files that cut these, which are counted again as such.
func TestStreamedTextsWithBlanks(t *testing.T) {
	folder := t.TempDir()
	text := "a,b\n" + strings.Repeat("x,1\nx ,1\n y,2\ny,2\n  ,2\n,3\n", 3) + "z ,4\n"
	must(t, os.WriteFile(filepath.Join(folder, "survey.csv"), []byte(text), 0o600))
	for _, keys := range []string{`"a"`, `"b"`} {
		script := `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":[` + keys + `]}}
{"step":"recode-rename","params":{"variable":"a","level":"y","label":" y  "}}
{"step":"suppress-kanonymity","params":{"k":2}}`
		for _, ending := range []string{".sav", ".zsav", ".xpt", ".dta", ".parquet", ".csv"} {
			whole, passed := runStreamed(t, folder, "survey.csv", ending, script, false), runStreamed(t, folder, "survey.csv", ending, script, true)
			must(t, errors.Join(whole.err, passed.err))
			if whole.out != passed.out {
				t.Errorf("%s: %d bytes in memory, %d in passes", ending, len(whole.out), len(passed.out))
			}
		}
	}
}

// Any number of variables follow a key variable where some records of a combination lose cells, but of those that are the
// same for households as many as can be told apart.
func TestStreamedManyVariablesFollow(t *testing.T) {
	folder, names := t.TempDir(), []string{"k", "j"}
	for i := range 70 {
		names = append(names, fmt.Sprint("v", i))
	}
	text := strings.Join(names, ",") + ",h"
	for home, keys := range []string{"a,x", "b,x", "b,x", "a,x", "a,x"} {
		text += "\n" + keys + strings.Repeat(",z", 70) + "," + fmt.Sprint(home)
	}
	must(t, os.WriteFile(filepath.Join(folder, "wide.csv"), []byte(text), 0o600))
	follow := strings.Join(names[2:], `","`)
	scenario := `{"keys":["k","j"],"linked":{"k":["` + follow + `"]}`
	for _, same := range []string{"", `,"household":"h","same_for_household":["` + follow + `"]`} {
		script := `{"format":"sdcdesk-script","version":1}
{"scenario":` + scenario + same + `}}
{"step":"suppress-kanonymity","params":{"k":3,"budget":1}}`
		whole, passed := runStreamed(t, folder, "wide.csv", ".csv", script, false), runStreamed(t, folder, "wide.csv", ".csv", script, true)
		must(t, whole.err)
		if same != "" {
			if passed.err == nil || !strings.Contains(passed.err.Error(), "from 71 variables") {
				t.Errorf("too many: %v", passed.err)
			}
			continue
		}
		must(t, passed.err)
		if lost := ",x" + strings.Repeat(",", 70); whole.out != passed.out || strings.Count(passed.out, lost) != 1 {
			t.Errorf("in memory\n%s\nand in passes\n%s", whole.out, passed.out)
		}
	}
}
