package rscript_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/rscript"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

func TestMain(m *testing.M) { longtests.Main(m) }

// withoutEquivalent lists the methods that sdcMicro does not have, or has with another algorithm.
var withoutEquivalent = []string{"recode-hierarchy", "recode-grc", "recode-labels", "recode-round", "recode-dates", "recode-split",
	"recode-order", "recode-file", "suppress-within", "suppress-combinations", "mondrian", "local-recoding", "noise-weights",
	"shift-dates", "sample", "subset"}

// more are further parameters of methods, in addition to their samples.
var more = map[string][]string{
	"recode-intervals": {`{"variable":"age","breaks":[0,18,65],"labels":["minor","adult"],"include_lowest":true}`,
		`{"variable":"age","breaks":[0,18,65,99],"right_open":true}`, `{"variable":"income","breaks":[0.5,1500,3000.25],"open":"above"}`,
		`{"variable":"age","breaks":[40],"open":"both"}`, `{"variable":"age","count":8}`, `{"variable":"age","breaks":[15,40,60],"open":"below"}`},
	"recode-group": {`{"variable":"educ","levels":["tertiary","vocational"],"include_missing":true}`,
		`{"variable":"ethnic","levels":["Kesh","Veyra"]}`},
	"recode-topbottom": {`{"variable":"age","top":80,"bottom":5,"replacement":"mean"}`,
		`{"variable":"age","bottom":5,"replacement":"value","bottom_value":2.5}`, `{"variable":"income","top":5000}`,
		`{"variable":"income","top_population":20000}`},
	"suppress-kanonymity": {`{"k":2,"algorithm":"sdcmicro"}`,
		`{"k":3,"algorithm":"sdcmicro","importance":{"region":1,"urbrur":7,"sex":2,"age":6,"marital":3,"educ":4,"ethnic":5}}`,
		`{"k":2,"algorithm":"sdcmicro","strata":["relat"]}`, `{"k":2,"importance":{"sex":1}}`, `{"subsets":[{"size":3,"k":3},{"size":2,"k":5}]}`},
	"pram": {`{"variables":["educ","relat"],"strata":["sex"]}`, `{"variables":["urbrur"],"form":"equal"}`},
	"microaggregate": {`{"variables":["income","expend"],"decimals":"computed"}`,
		`{"variables":["income","savings","expend"],"size":5,"strata":["sex"],"decimals":"computed"}`,
		`{"variables":["income","expend"],"method":"onedims","size":4,"decimals":"computed"}`,
		`{"variables":["income"],"method":"onedims","decimals":"computed"}`,
		`{"variables":["income","expend"],"method":"simple","aggregate":"median","decimals":"computed"}`,
		`{"variables":["income","expend"],"method":"single","sort":"expend","decimals":"computed"}`,
		`{"variables":["income","expend"],"method":"gower"}`, `{"variables":["income"]}`, `{"variables":["income","expend"],"method":"clustpca"}`},
	"noise":         {`{"variables":["income","savings"],"method":"romm","p":0.01}`, `{"variables":["income"],"method":"uniform"}`},
	"rankswap":      {`{"variables":["income"],"p":0.1,"top":0,"bottom":0}`},
	"recordswap":    {`{"hierarchy":["region"],"risk_keys":["educ"],"similar":"sex, age; sex"}`},
	"shuffle":       {`{"responses":["income","savings"],"predictors":["expend","sex"],"correlation":"mcd","regression":"mm"}`},
	"generate":      {`{"variables":["savings","income"],"method":"normal"}`},
	"suppress-risk": {`{"importance":{"age":2,"sex":1}}`},
	"new-ids":       {`{"variables":["hid","pid"]}`},
}

// survey returns the scenario of the tests.
func survey() *microdata.Scenario {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	scenario.Numeric, scenario.Weight, scenario.Household = []string{"savings"}, "weight", "hid"
	scenario.Remove = []string{"pid"}
	return &scenario
}

// written returns the script of steps and the data that they produce; the data are nil if the steps produce none
// or if sdcMicro stops at one of them.
func written(t *testing.T, data *microdata.Dataset, scenario *microdata.Scenario, steps ...string) (string, *microdata.Dataset) {
	t.Helper()
	script := rscript.Script{File: "survey.csv", Format: fileio.NewFormat(), Base: data, Scenario: scenario, Remove: scenario.Remove}
	for _, text := range steps {
		name, params, _ := strings.Cut(text, " ")
		spec, ok := catalog.Methods().Find(name)
		m, values := spec.New(), map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(params), &values); !ok || err != nil {
			t.Fatal(text, err)
		}
		if err := method.Decode(m, values); err != nil {
			t.Fatal(text, err)
		}
		script.Steps = append(script.Steps, rscript.Step{Spec: &spec, Method: m, Scenario: scenario, Before: data})
		out, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: scenario, Seed: 1}, nil)
		if err != nil || slices.ContainsFunc(out.Report.Warnings, func(w string) bool { return strings.HasPrefix(w, "sdcMicro stops here") }) {
			t.Logf("%s: %v %v", text, err, out.Report.Warnings)
			data = nil
			break
		}
		data = out.Data
	}
	var text bytes.Buffer
	if err := script.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String(), data
}

// samples returns a step for each method, and for further parameters.
func samples() (steps []string) {
	for _, spec := range catalog.Methods() {
		for _, params := range append([]string{spec.Sample}, more[spec.Name]...) {
			steps = append(steps, spec.Name+" "+params)
		}
	}
	return steps
}

func TestEachMethodHasAnEquivalentOrNone(t *testing.T) {
	data := golden.Sample(t, 12)
	for _, spec := range catalog.Methods() {
		equivalent := false
		for _, params := range append([]string{spec.Sample}, more[spec.Name]...) {
			text, _ := written(t, data, survey(), spec.Name+" "+params)
			equivalent = equivalent || !strings.Contains(text, "has no equivalent of this method")
		}
		if equivalent == slices.Contains(withoutEquivalent, spec.Name) {
			t.Errorf("%s has an equivalent in R: %v; the list of methods without one says otherwise", spec.Name, equivalent)
		}
	}
}

// run runs R in a folder with an expression; the test is skipped if R is not installed.
func run(t *testing.T, folder, expression string) {
	t.Helper()
	program, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip(err)
	}
	r := exec.Command(program, "--vanilla", "-e", expression)
	r.Dir = folder
	out, err := r.CombinedOutput()
	if r.ProcessState.ExitCode() == 77 {
		t.Skip("a package of R is missing")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// parses checks that R parses the scripts.
func parses(t *testing.T, scripts []string) {
	t.Helper()
	folder := t.TempDir()
	for i, text := range scripts {
		if strings.ContainsFunc(text, func(r rune) bool { return r > '~' || r < ' ' && r != '\n' }) {
			t.Errorf("%q is not printable ASCII", text)
		}
		write(t, filepath.Join(folder, fmt.Sprintf("%04d.R", i)), text)
	}
	run(t, folder, `for (f in list.files(pattern = "R$")) tryCatch(parse(f), error = function(e) { cat(readLines(f), sep = "\n"); stop(e) })`)
}

// place matches a placeholder of a template that was not filled in.
var place = regexp.MustCompile(`\{[a-z_.]+\}`)

func TestScriptsParse(t *testing.T) {
	data := golden.Sample(t, 12)
	var scripts []string
	for _, step := range samples() {
		text, _ := written(t, data, survey(), step)
		if place := place.FindString(text); place != "" {
			t.Errorf("%s has no value for %s:\n%s", step, place, text)
		}
		scripts = append(scripts, text)
	}
	parses(t, scripts)
}

// deterministic are steps whose equivalents produce the same file, with stand-ins for sdcMicro.
var deterministic = []string{"recode-intervals", "recode-group", "recode-rename", "recode-topbottom", "suppress-kanonymity", "suppress-cells",
	"microaggregate", "set-missing", "reset", "convert"}

// inexact lists, by parts of their parameters, the steps whose script says that the result can differ or that
// there is no equivalent.
var inexact = []string{`"count":`, "top_population", "suppress-kanonymity {}", `{"sex":1}`, "subsets", "gower", `"variables":["income"]}`,
	"clustpca", `"records":[1,312]}`, `["income","expend","savings"]`}

// A script that mentions no difference gives in R the result of the program.
func TestTheResultIsThatOfTheProgram(t *testing.T) {
	data := golden.Sample(t, 12)
	if longtests.Wanted() {
		data = golden.Data(t, "survey")
	}
	standins, err := filepath.Abs(filepath.Join("testdata", "standins.R"))
	if err != nil {
		t.Fatal(err)
	}
	folder, wanted, made := t.TempDir(), map[string]*microdata.Dataset{}, map[string]string{}
	for i, step := range samples() {
		name, _, _ := strings.Cut(step, " ")
		if !slices.Contains(deterministic, name) || !longtests.Some(i, 2) {
			continue
		}
		steps := []string{step, `suppress-kanonymity {"k":2,"algorithm":"sdcmicro"}`}
		switch {
		case !strings.HasPrefix(name, "recode-"):
			steps = steps[:1]
		case name != "recode-intervals":
			steps = slices.Insert(steps, 1, `recode-intervals {"variable":"age","breaks":[-1,17,64,99]}`)
		}
		text, want := written(t, data, survey(), steps...)
		differs := slices.ContainsFunc(inexact, func(part string) bool { return name != "suppress-cells" && strings.Contains(step, part) })
		if differs != strings.Contains(text, "# sdcdesk: ") {
			t.Errorf("%s: the script says that the result can differ: %v, want %v\n%s", step, !differs, differs, text)
		}
		if differs || want == nil {
			continue
		}
		own := filepath.Join(folder, strconv.Itoa(len(wanted)))
		if err := os.Mkdir(own, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(own, "survey.csv"), table(data, nil))
		write(t, filepath.Join(own, "script.R"), text)
		wanted[step] = want
		made[step] = filepath.Join(own, "released.csv")
	}
	run(t, folder, fmt.Sprintf(`source(%q); for (d in dir(full.names = TRUE)) { old <- setwd(d); source("script.R"); setwd(old) }`, standins))
	for step, want := range wanted {
		t.Run(step, func(t *testing.T) { compare(t, made[step], want, survey().Remove) })
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// table returns a dataset as CSV.
func table(data *microdata.Dataset, without []string) string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	kept := data.Without(without).Columns()
	row := make([]string, len(kept))
	for i, c := range kept {
		row[i] = c.Name()
	}
	_ = w.Write(row)
	for record := range data.Len() {
		for i, c := range kept {
			row[i] = c.Text(record)
		}
		_ = w.Write(row)
	}
	w.Flush()
	return out.String()
}

// compare checks a file of R against a dataset, numbers to 1e-9.
func compare(t *testing.T, path string, want *microdata.Dataset, without []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := csv.NewReader(strings.NewReader(table(want, without))).ReadAll()
	if len(got) != len(rows) || !slices.Equal(got[0], rows[0]) {
		t.Fatalf("R has %d rows of %v, the program %d of %v", len(got), got[0], len(rows), rows[0])
	}
	differ := 0
	for i := range rows {
		for j, cell := range rows[i] {
			x, errX := strconv.ParseFloat(cell, 64)
			y, errY := strconv.ParseFloat(got[i][j], 64)
			same := errX == nil && errY == nil && math.Abs(x-y) <= 1e-9*max(1, math.Abs(x))
			if cell != got[i][j] && !same {
				if differ++; differ < 5 {
					t.Errorf("record %d, %s: R has %q, the program %q", i, rows[0][j], got[i][j], cell)
				}
			}
		}
	}
	if differ > 0 {
		t.Errorf("%d cells differ", differ)
	}
}

// Names and labels with any text stay within their literals and comments.
func TestNamesAreQuoted(t *testing.T) {
	nasty := []string{"plain", "my var", `a"b`, "a`b", `a\`, `\\"); quit() #`, "a\nquit()", "a\rb", "\x00", "\x1b[31m", "if", "1st", ".x",
		"Größe", "年齢", "\u2028", "\u202e", "\U0001f600", "\xff\xfe", "'", "{variable}", "%s", "\x7f\u0085", "NULL", "TRUE", "a#b", "TRUE)"}
	parts := strings.Split("\\ \" ` ' \n \r \x00 \x01 # ) ( { } % u U x ü 年 \U0001f600 , 0 a", " ")
	for range 20 {
		drawn := ""
		for range 1 + rand.IntN(8) {
			drawn += parts[rand.IntN(len(parts))]
		}
		nasty = append(nasty, drawn)
	}
	var scripts []string
	for i, name := range nasty {
		label := nasty[(i+1)%len(nasty)]
		data := golden.Data(t, "survey").Select([]uint32{0, 1, 2, 3})
		data, err := data.Append(golden.Column(t, name, []string{"first", "second", "first", ""}))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = data.Append(golden.Column(t, name+name, []string{"1", "2", "3", "4"})); err != nil {
			t.Fatal(err)
		}
		scenario := microdata.NewScenario()
		scenario.Keys, scenario.Numeric, scenario.Household, scenario.Weight = []string{name, "sex"}, []string{name + name}, name, name
		scenario.Linked, scenario.Strata, scenario.Remove = map[string][]string{name: {"age"}}, []string{name + name}, []string{name, "pid"}
		script := rscript.Script{File: name, Base: data, Scenario: &scenario, Remove: []string{name, label},
			Format: fileio.Format{Delimiter: "\t", Decimal: ",", Encoding: name, Missing: []string{label}, Columns: []string{name}, Count: name}}
		for _, step := range []struct{ name, params string }{
			{"recode-group", fmt.Sprintf(`{"variable":%s,"levels":["first","second"],"label":%s}`, text(name), text(label))},
			{"recode-rename", fmt.Sprintf(`{"variable":%s,"level":%s,"label":%s}`, text(name), text(label), text(name))},
			{"recode-hierarchy", fmt.Sprintf(`{"variable":%s,"levels":[[%s,%s]]}`, text(name), text(label), text(name))},
			{"shuffle", fmt.Sprintf(`{"responses":[%[1]s],"predictors":[%[1]s]}`, text(name+name))},
			{"microaggregate", fmt.Sprintf(`{"variables":[%s],"sort":%s,"strata":[%s]}`, text(name+name), text(label), text(name))},
			{"suppress-kanonymity", fmt.Sprintf(`{"importance":{%s:1}}`, text(name))},
		} {
			spec, _ := catalog.Methods().Find(step.name)
			m, values := spec.New(), map[string]json.RawMessage{}
			if err := json.Unmarshal([]byte(step.params), &values); err != nil {
				t.Fatal(err)
			}
			if err := method.Decode(m, values); err != nil {
				t.Fatal(err)
			}
			script.Steps = append(script.Steps, rscript.Step{Spec: &spec, Method: m, Scenario: &scenario, Before: data})
		}
		var out bytes.Buffer
		if err := script.Write(&out); err != nil {
			t.Fatal(err)
		}
		scripts = append(scripts, out.String())
	}
	parses(t, scripts)
}

func text(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}
