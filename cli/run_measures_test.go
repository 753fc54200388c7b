package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The measures of masked variables are in the summary under their names, with the parameters of the file and a
// file of the user's. The figures are those of sdcMicro for MDAV in groups of three on the complete records.
func TestRunMeasuresOfNumbers(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) string {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path(name)
	}
	script := write("script.jsonl", `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region"],"numeric":["income","expend","savings"]}}
{"step":"microaggregate","params":{"variables":["income","expend","savings"],"size":3,"decimals":"computed"}}
`)
	external := write("register.csv", "pid,income,expend,savings\n1,10,20,30\n2,600,900,100\n")
	where, _ := json.Marshal(external)
	params := write("params.json", `{"numericrisk":{"k":[0.05,0.1]},"linkage":{"external":`+string(where)+`}}`)
	_, err := sdcdesk("run", script, filepath.Join("..", "testdata", "survey.csv"), "-o", path("out.csv"), "--summary",
		path("summary.json"), "--records", path("records.csv"),
		"--measures", "numericrisk,linkage,loss,score,propensity,tableloss", "--measure-params", params)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path("summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var summary struct {
		Measures map[string]struct{ Current, Original map[string]any }
	}
	if err := json.Unmarshal(text, &summary); err != nil {
		t.Fatal(err)
	}
	number := func(names ...string) float64 {
		t.Helper()
		var at any = summary.Measures[names[0]].Current
		for _, name := range names[1:] {
			within, ok := at.(map[string]any)
			if at = within[name]; !ok || at == nil {
				t.Errorf("there is no %v", names)
				return math.NaN()
			}
		}
		return at.(float64)
	}
	const complete = 3916.0 / 5000
	for _, want := range []struct {
		number, is float64
		name       string
	}{
		{number("numericrisk", "interval_risk", "k0.05"), 0.686159346271706, "interval"},
		{number("numericrisk", "interval_risk", "k0.1"), 0.855720122574055, "interval"},
		{number("loss", "il1"), 97895.9043789647, "il1"}, {number("loss", "il1s"), 301.147336944867, "il1s"},
		{number("loss", "sse_percent"), 2.1398183164392, "sse"}, {number("loss", "eigen"), 0.0124310279096474, "eigen"},
		{number("loss", "il_correl"), 0.000836134078869259, "il_correl"},
		{number("loss", "il_variables"), 0.798336160437537 * complete, "il_variables"},
		{number("score", "score"), (number("loss", "il") + number("linkage", "dr")) / 2, "score"},
		{number("linkage", "external_records"), 2, "records of the register"},
		{number("tableloss", "hellinger", "m1"), 0, "Hellinger"},
		{number("propensity", "propensity"), 0, "propensity: MDAV keeps the means, and no power above 1 is looked at"},
	} {
		if !(math.Abs(want.number-want.is) <= 1e-6*math.Abs(want.is)) {
			t.Errorf("%s is %v, want %v", want.name, want.number, want.is)
		}
	}
	for _, share := range []float64{number("linkage", "linkage"), number("linkage", "linkage_probabilistic"),
		number("numericrisk", "rmdid1")} {
		if !(share > 0 && share < 1) {
			t.Errorf("a share is %v", share)
		}
	}
	records, err := os.ReadFile(path("records.csv"))
	if head, _, _ := strings.Cut(string(records), "\n"); err != nil ||
		!strings.HasSuffix(head, ",interval_k,rank_percent,rmd,rmdid1,rmdid2,outlier,linkage,linkage_probabilistic,il1s") {
		t.Errorf("the records begin with %q, %v", head, err)
	}
}

// Files without records, with one record, and with missing values have plain figures.
func TestRunMeasuresOfAlmostNothing(t *testing.T) {
	for name, text := range map[string]string{"none": "a,b,s\n", "one": "a,b,s\nx,1,q\n",
		"missing": "a,b,s\nx,,\ny,,\nx,,\n"} {
		folder := t.TempDir()
		path := func(name, text string) string {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return filepath.Join(folder, name)
		}
		script := path("script.jsonl", `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["a","b"],"sensitive":["s"]}}
`)
		summary := filepath.Join(folder, "summary.json")
		_, _, err := execute(t, "run", script, path(name+".csv", text), "-o", filepath.Join(folder, "out.csv"), "--summary",
			summary,
			"--records", filepath.Join(folder, "records.csv"), "--measures",
			"suda,ldiversity,tcloseness,model,riskycells,worstcase")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var reported struct {
			Measures map[string]struct{ Current map[string]any }
		}
		if written, err := os.ReadFile(summary); err != nil || json.Unmarshal(written, &reported) != nil ||
			len(reported.Measures) != 6 {
			t.Errorf("%s: %d measures, %v", name, len(reported.Measures), err)
		}
		want := map[string]float64{"none": 0, "one": 1, "missing": 1}[name] // y is the only record with its a
		if got := reported.Measures["suda"].Current["scored"]; got != want {
			t.Errorf("%s: %v records with a minimal sample unique, want %v", name, got, want)
		}
	}
}
