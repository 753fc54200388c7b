package session

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// reported runs a script on a file of a reconstructed report.
func reported(t *testing.T, file, script, measures string) *caseRun {
	t.Helper()
	c := runCase(t, script, "reported/"+file, measures, "")
	if c.err != nil {
		t.Errorf("%s: %v", file, c.err)
		c.out, c.records = [][]string{{""}}, [][]string{{""}}
	}
	return c
}

// Figures of reconstructed reports, as published or computed in R.
func TestSharedReportsHaveTheirFigures(t *testing.T) {
	const survey = `{"scenario":{"keys":["urb","roof","wall","sex"],"weight":"w","alpha":%s}}`
	const shares = `{"scenario":{"keys":["key"],"sensitive":["s"]}}` + "\n\n" + `{"ldiversity":{"l":%d}}`
	for alpha, want := range map[string]float64{"1": 2.3560, "0.5": 2.6666, "0": 3.7665} {
		c := reported(t, "alpha-report/input.csv", fmt.Sprintf(survey, alpha), "risk")
		if got := c.figure("risk", "expected_reidentifications"); !(math.Abs(got-want) <= 5e-5) {
			t.Errorf("alpha %s: %v expected re-identifications, want %v", alpha, got, want)
		}
	}
	for l := 2; l <= 12; l++ {
		c, want := reported(t, "ldiv-entropy-edge/input.csv", fmt.Sprintf(shares, l), "ldiversity"), 0
		for below := 2; below < l; below++ {
			want += 6 * below // of each number, equal shares of keys have every value once, twice and three times
		}
		if got := c.figure("ldiversity", "entropy_below_l"); got != float64(want) {
			t.Errorf("%v records have an entropy below %d, want %d", got, l, want)
		}
	}
	tenRecords := `{"scenario":{"keys":["Residence","Gender","Educ","Lstat"],"weight":"Weight","sensitive":["Health"]}}`
	for _, want := range []struct{ score, name, figures string }{
		{"elliot", "suda_score", "0 0 6 0 12 0 6 10 0 0"}, {"ihsn", "suda_score", "0 0 1.75 0 3.25 0 1.75 2.75 0 0"},
		{"ihsn", "suda_dis_score", "0 0 .005120313 0 .010702061 0 .005120313 .008775093 0 0"},
		{"ihsn", "Health_distinct_ldiversity", "1 1 1 2 1 2 1 1 2 2"}} {
		c := reported(t, "guide-suda45/input.csv", tenRecords+"\n\n"+`{"suda":{"score":"`+want.score+`"}}`, "suda,ldiversity")
		near(t, want.name, cellsOf(c.records, want.name), want.figures, 5e-9)
	}
	for _, name := range []string{"suda-contrib", "suda-contrib7"} {
		c := reported(t, name+"/input.csv", "reported/"+name+"/script.jsonl", "suda")
		scores := map[string]string{"suda-contrib": "2 4 2", "suda-contrib7": "0 2 3 3 3 0 2"}[name]
		near(t, name, cellsOf(c.records, "suda_score"), scores, 1e-12)
		var shares []string
		rows, _ := c.measured["suda"].Current["contribution_percent"].(map[string]any)["rows"].([]any)
		for _, row := range rows {
			shares = append(shares, fmt.Sprint(row.([]any)[1]))
		}
		near(t, name, shares, map[string]string{"suda-contrib": "50 37.5 37.5", "suda-contrib7": "61.538 69.231 53.846"}[name], 5e-4)
	}
	c := reported(t, "tclose-li2007/input.csv", "reported/tclose-li2007/script.jsonl", "tcloseness")
	near(t, "t-closeness", cellsOf(c.records, "salary_tcloseness"), ".375 .375 .375 .167 .167 .167 .236 .236 .236", 5e-4)
	c = reported(t, "household-odd/input.csv", "reported/household-odd/script.jsonl", "household")
	if !slices.ContainsFunc(cellsOf(c.records, "household_risk"), func(r string) bool { return strings.HasPrefix(r, "0.19991") }) {
		t.Errorf("household risks %v", cellsOf(c.records, "household_risk"))
	}
	c = reported(t, "numrisk-update/input.csv", `{"scenario":{"keys":["k"],"numeric":["inc","exp"]}}`+"\n"+
		`{"step":"microaggregate","params":{"variables":["inc","exp"],"size":5,"decimals":"computed"}}`, "numericrisk,loss")
	inside, _ := c.measured["numericrisk"].Current["interval_risk"].(map[string]any)
	if got, ok := inside["k0.05"].(float64); !ok || math.Abs(got-0.4567) > 5e-5 {
		t.Errorf("interval risk %v, want 0.4567 for k 0.05", inside)
	}
	if got := c.figure("loss", "il_correl"); got != 0 {
		t.Errorf("correlation loss of two variables %v", got)
	}
}

// near compares cells with figures.
func near(t *testing.T, name string, cells []string, figures string, tolerance float64) {
	t.Helper()
	want := strings.Fields(figures)
	for i := range want {
		var x, y float64
		if _, err := fmt.Sscan(want[i], &y); err != nil {
			t.Fatal(err)
		}
		if i >= len(cells) {
			t.Errorf("%s: %v, want %v", name, cells, want)
			return
		}
		if _, err := fmt.Sscan(cells[i], &x); err != nil || math.Abs(x-y) > tolerance {
			t.Errorf("%s: %v, want %v", name, cells, want)
			return
		}
	}
}

// The cells that steps of reconstructed reports produce.
func TestSharedReportsHaveTheirCells(t *testing.T) {
	const guide = `{"scenario":{"keys":["gender","region","educ"],"remove":["id"]}}` + "\n" +
		`{"step":"suppress-kanonymity","params":{"k":%d,"algorithm":"%s","importance":%s}}`
	for importance, want := range map[string]string{"null": "female,rural,\n", `{"gender":1,"region":2,"educ":3}`: "female,rural,\n",
		`{"gender":3,"region":2,"educ":1}`: ",rural,higher\n"} {
		for _, algorithm := range []string{"minimal", "thorough"} {
			for k := 2; k <= 3; k++ {
				c := reported(t, "guide-localsupp54/input.csv", fmt.Sprintf(guide, k, algorithm, importance), "")
				first, rest, _ := strings.Cut(strings.TrimPrefix(c.text, "gender,region,educ\n"), "\n")
				if first+"\n" != want || strings.Contains(rest, ",,") || strings.Contains(rest, "\n,") {
					t.Errorf("k = %d, importance %s, %s:\n%s", k, importance, algorithm, c.text)
				}
			}
		}
	}
	for _, want := range []struct{ params, variable, cells string }{
		{`{"variables":["income"],"size":3}`, "income", "2245 3608 2245 2245 3608 3608"},
		{`{"variables":["income"],"size":3,"aggregate":"median"}`, "income", "2300 2434 2300 2300 2434 2434"},
		{`{"variables":["income","exp","wealth"],"size":3}`, "income", "2285.67 2285.67 2285.67 3567.33 3567.33 3567.33"},
		{`{"variables":["income","exp","wealth"],"size":3}`, "exp", "1846.33 1846.33 1846.33 2814 2814 2814"},
		{`{"variables":["income","exp","wealth"],"size":3}`, "wealth", "6.33 6.33 6.33 8.33 8.33 8.33"},
	} {
		c := reported(t, "micro-guide511/input.csv", `{"scenario":{"numeric":["income","exp","wealth"]}}`+"\n"+
			`{"step":"microaggregate","params":`+strings.TrimSuffix(want.params, "}")+`,"decimals":"computed"}}`, "")
		near(t, want.params, c.column(want.variable), want.cells, 0.0051)
	}
	c := reported(t, "csv-codes/input.csv", `{"scenario":{}}`, "")
	source, err := os.ReadFile(filepath.Join("..", "..", "shared", "cases", "reported", "csv-codes", "input.csv"))
	must(t, err)
	if c.text != string(source) {
		t.Errorf("csv-codes: not as it was:\n%s", c.text)
	}
	if c := reported(t, "csv-codes/uni.csv", `{"scenario":{"keys":["name"]}}`, ""); !c.says("look-alikes") {
		t.Errorf("csv-codes: nothing says that categories look alike: %q", c.warnings)
	}
	c = reported(t, "linked-ghost/input.csv", `{"scenario":{"keys":["region","sex","edu"],`+
		`"linked":{"region":["rururb"],"edu":["edu_years"]}}}`+"\n"+`{"step":"suppress-kanonymity","params":{"k":5}}`, "")
	suppressed := 0
	for _, pair := range [][2]string{{"region", "rururb"}, {"edu", "edu_years"}} {
		for i, cell := range c.column(pair[1]) {
			if cell == "" {
				suppressed++
			}
			if (cell == "") != (c.column(pair[0])[i] == "") {
				t.Errorf("linked-ghost: record %d has %s without %s", i+1, pair[0], pair[1])
			}
		}
	}
	if suppressed == 0 {
		t.Error("linked-ghost: no cell was suppressed")
	}
}

// Violators, moves, draws and strata of reconstructed reports.
func TestSharedReportsKeepTheirRules(t *testing.T) {
	for _, k := range []int{2, 3, 5} {
		for _, algorithm := range []string{`"minimal"`, `"sdcmicro","rule":"default"`} {
			script := `{"scenario":{"keys":["v1","v2","v3","v4","v5","v6","v7","v8","v9","v10","v11","v12"],"k":[%d]}}` + "\n" +
				`{"step":"suppress-kanonymity","params":{"k":%d,"algorithm":%s}}`
			c := reported(t, "kanon-many-twos/input.csv", fmt.Sprintf(script, k, k, algorithm), "kanonymity")
			of, _ := c.measured["kanonymity"].Current["violators"].(map[string]any)
			if left, ok := of[fmt.Sprint(k)].(float64); !ok || left > 0 {
				t.Errorf("kanon-many-twos: k = %d, %s: violators %v", k, algorithm, of)
			}
		}
	}
	for p, most := range map[string]int{"0": 0, "0.001": 1, "0.02": 20, "0.5": 500} {
		c := reported(t, "rankswap-window/input.csv", `{"scenario":{"numeric":["a"]}}`+"\n"+
			`{"step":"rankswap","params":{"variables":["a"],"p":`+p+`,"top":0,"bottom":0}}`, "")
		was := sharedColumn(t, "rankswap-window/input.csv", "a")
		if got := furthest(t, was, c.column("a")); got > most || most > 0 && got == 0 {
			t.Errorf("rankswap-window: p = %s moves a value by %d ranks, want at most %d", p, got, most)
		}
	}
	if c := runCase(t, `{"scenario":{"numeric":["a"]}}`+"\n"+`{"step":"rankswap","params":{"variables":["a"],"p":10}}`,
		"reported/rankswap-window/input.csv", "", ""); c.err == nil {
		t.Error("rankswap-window: a share of 10 is taken")
	}
	c := reported(t, "pram-guide58/input.csv", `{"scenario":{"keys":["sex"],"pram":["region"]}}`+"\n"+
		`{"step":"pram","params":{"variables":["region"],"form":"matrix","matrix":"1 0 0; 0.05 0.8 0.15; 0.05 0.15 0.8"}}`, "")
	counts, now := map[string]float64{}, c.column("region")
	for i, region := range sharedColumn(t, "pram-guide58/input.csv", "region") {
		if counts[now[i]]++; region == "capital" && now[i] != region {
			t.Errorf("pram-guide58: record %d became %s", i+1, now[i])
		}
	}
	for region, want := range map[string]float64{"capital": 5045, "rural1": 460, "rural2": 395} {
		if math.Abs(counts[region]-want) > 60 { // six standard errors
			t.Errorf("pram-guide58: %v records of %s, %v are expected", counts[region], region, want)
		}
	}
	for strata, moves := range map[string]bool{`,"strata":["st"]`: false, "": true, `,"strata":[]`: true} {
		c := reported(t, "micro-strata/in2.csv", `{"scenario":{"keys":["v1"],"numeric":["v2"],"strata":["st"]}}`+"\n"+
			`{"step":"rankswap","params":{"variables":["v2"],"p":0.9,"top":0,"bottom":0`+strata+`}}`, "")
		if warned := c.says("strata of the scenario (st)"); warned != (strata == "") {
			t.Errorf("micro-strata: %q warned: %v, %q", strata, warned, c.warnings)
		}
		if !moves && slices.Contains(c.column("v2")[:8], "100") { // which only the second stratum has
			t.Errorf("micro-strata: values left their stratum: %v", c.column("v2"))
		}
	}
}

// furthest returns the largest change of rank of a value. The values are distinct.
func furthest(t *testing.T, was, now []string) (most int) {
	t.Helper()
	number := func(text string) (x int) { _, err := fmt.Sscan(text, &x); must(t, err); return x }
	order := slices.Clone(was)
	slices.SortFunc(order, func(a, b string) int { return number(a) - number(b) })
	ranks := map[string]int{}
	for rank, value := range order {
		ranks[value] = rank
	}
	for i := range was {
		most = max(most, ranks[was[i]]-ranks[now[i]], ranks[now[i]]-ranks[was[i]])
	}
	return most
}

// sharedColumn returns a column of a file of the reconstructed reports.
func sharedColumn(t *testing.T, file, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "shared", "cases", "reported", file))
	must(t, err)
	table, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	must(t, err)
	return cellsOf(table, name)
}

// Files of reconstructed reports are read correctly, with a warning about the rest.
func TestSharedReportsAreRead(t *testing.T) {
	for _, want := range []struct{ file, cells, warning string }{
		{"xlsx-odd/a.xlsx", "02494,10912345670,2013-01-13T04:29:49,2013-01-13,04:29:49,0,true,,340.00,1", "7 cells with formulas have no stored result"},
		{"xlsx-odd/a.xlsx", "02515,10912345700,1900-01-01T00:00:00,1900-01-01,00:00:00,,false,, lead 3 ,x", "2 cells with an error"},
		{"xlsx-odd/b1904.xlsx", "1904-01-01T00:00:00,5\n1904-01-02T00:00:00,5\n2000-02-29", ""},
		{"xlsx-odd/dur.xlsx", "1,30:00:00,\n2,-12:00:00,", "4 cells with formulas have no stored result"},
		{"haven-files/times.sav", "-00:00:01,1582-10-14T00:00:00,1582-10-14\n-00:01:00,", ""},
		{"haven-files/times.sav", "-25:01:01,", ""}, {"haven-files/times.sav", "2777:46:40,,", ""},
		{"stata-pandas/v114.dta", "-127,-32767,-2147483647,127,0,0,,,,0,", "d (%tm)"},
		{"stata-pandas/p_tm.dta", "p\n0\n\n769\n-3120\n1691\n-1\n", "p (%tm)"},
		{"rds-odd/addna.rds", "m,A\nf,A\nm,B\nf,B\nm,\nf,\nm,A\n,B", ""},
	} {
		c := reported(t, want.file, `{"scenario":{}}`, "")
		if !strings.Contains(c.text, want.cells) || !c.says(want.warning) {
			t.Errorf("%s: %q is not in\n%s\nor %q not in %q", want.file, want.cells, c.text, want.warning, c.warnings)
		}
	}
	path := filepath.Join("..", "..", "shared", "cases", "reported", "rds-odd", "emptylev.rds")
	format, err := fileio.GuessFile(t.Context(), path, nil)
	must(t, err)
	data, _, err := fileio.Read(t.Context(), path, format, nil)
	must(t, err)
	column, _ := data.Column("o")
	var levels []string
	for _, level := range column.Categories().Levels {
		levels = append(levels, level.Label)
	}
	if said := column.Description(); !slices.Equal(levels, []string{"lo", "hi"}) || said == nil || said.EmptyLevel != 1 {
		t.Errorf("rds-odd: levels %q, the empty one stands %+v", levels, said)
	}
}

// Measures and steps on files with no record, one record, only missing values, or constants end without a crash,
// and without figures that are not finite.
func TestSharedSmallFiles(t *testing.T) {
	var measures []string
	for _, spec := range NewAnalyst().measures {
		measures = append(measures, spec.Name)
	}
	steps, _ := os.ReadFile(filepath.Join("..", "..", "shared", "cases", "reported", "sweep-small", "steps.txt"))
	scenario := `{"scenario":{"keys":["reg","sex"],"numeric":["inc","exp"],"household":"hid","sensitive":["sens"]}}`
	for _, file := range []string{"allmissing.csv", "constant.csv", "empty.csv", "one.csv"} {
		c := reported(t, "measures-small/"+file, scenario, strings.Join(measures, ","))
		if text, err := json.Marshal(c.measured); err != nil || strings.Contains(string(text), "NaN") {
			t.Errorf("measures-small: %s: %v", file, err)
		}
		for _, step := range strings.Split(strings.TrimSpace(string(steps)), "\n") {
			c := runCase(t, scenario+"\n"+step, "reported/sweep-small/"+file, "", "")
			if c.err != nil && (strings.Contains(c.err.Error(), "panic") || strings.Contains(c.err.Error(), "runtime error")) {
				t.Errorf("sweep-small: %s of %s: %v", step, file, c.err)
			}
		}
	}
}

// Invalid weights are refused with the first record that has one; weights below 1 give a warning.
func TestSharedOddWeights(t *testing.T) {
	folder, err := filepath.Abs(filepath.Join("..", "..", "shared", "cases"))
	must(t, err)
	for rows, want := range map[string]string{"a,NA\n": "record 3", "a,0\n": "record 3", "a,-1\n": "record 3", "a,x\n": "record 3",
		"a,1e308\na,1e308\n": "is too large", "a,0.5\n": ""} {
		path := filepath.Join(t.TempDir(), "w.csv")
		must(t, os.WriteFile(path, []byte("k,w\na,5\na,6\n"+rows), 0o600))
		file, err := filepath.Rel(folder, path)
		must(t, err)
		c := runCase(t, `{"scenario":{"keys":["k"],"weight":"w"}}`, file, "risk", "")
		if want == "" && c.err != nil || want != "" && (c.err == nil || !strings.Contains(c.err.Error(), want)) {
			t.Errorf("%q: %v", rows, c.err)
		}
	}
	if c := reported(t, "weights-odd/header.csv", "reported/weights-odd/script.jsonl", "risk"); !c.says("the file has no records") {
		t.Errorf("a header alone: %q", c.warnings)
	}
}

// The same dates have the same t-closeness in every file format, whatever their spelling.
func TestSharedDatesHaveAnOrder(t *testing.T) {
	for _, file := range []string{"iso.csv", "eu.csv", "d.sav", "d.dta", "d.rds", "d.xlsx"} {
		c := reported(t, "dates-recode/"+file, `{"scenario":{"keys":["sex"],"sensitive":["birth"]}}`, "tcloseness")
		got, want := c.figure("tcloseness", "max_distance"), 0.05005139160402264
		if file == "eu.csv" { // with other persons
			want = 0.1000304932279624
		}
		if !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%s: t-closeness %v, want %v", file, got, want)
		}
	}
}
