package cli

import (
	"cmp"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/database"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// numberedSurvey writes the first records of the survey with a number each, in the order in which those of a table
// lose cells in the script, and returns the path and the records with the names before them.
func numberedSurvey(t *testing.T, script string) (path string, records [][]string) {
	t.Helper()
	text, err := os.ReadFile(script)
	must(t, err)
	sum := sha256.Sum256(text)
	records = cells(t, filepath.Join("..", "testdata", "survey.csv"))[:2001]
	for i := range records {
		records[i] = append([]string{strconv.Itoa(i)}, records[i]...)
	}
	records[0][0] = "id"
	slices.SortFunc(records[1:], func(a, b []string) int {
		secret := hex.EncodeToString(sum[:])
		return cmp.Compare(database.Order(secret, a[0]), database.Order(secret, b[0]))
	})
	var out strings.Builder
	for _, record := range records {
		out.WriteString(strings.Join(record, ",") + "\n")
	}
	path = filepath.Join(t.TempDir(), "survey.csv")
	must(t, os.WriteFile(path, []byte(out.String()), 0o600))
	return path, records
}

// loadTable makes a table named person of records, with the names of its columns before them.
func loadTable(t *testing.T, driver, where string, records [][]string) {
	t.Helper()
	db, err := sql.Open(driver, where)
	must(t, err)
	defer db.Close()
	columns, places := make([]string, len(records[0])), make([]string, len(records[0]))
	for i, name := range records[0] {
		columns[i], places[i] = name+" text", "$"+strconv.Itoa(i+1)
	}
	columns[0] = "id integer PRIMARY KEY"
	for _, statement := range []string{"DROP TABLE IF EXISTS person", "CREATE TABLE person (" + strings.Join(columns, ", ") + ")"} {
		_, err = db.Exec(statement)
		must(t, err)
	}
	tx, err := db.Begin()
	must(t, err)
	insert, err := tx.Prepare("INSERT INTO person VALUES (" + strings.Join(places, ", ") + ")")
	must(t, err)
	for _, record := range records[1:] {
		row := make([]any, len(record))
		for i, cell := range record {
			if row[i] = cell; cell == "" {
				row[i] = nil
			}
		}
		_, err := insert.Exec(row...)
		must(t, err)
	}
	must(t, tx.Commit())
}

// everywhere returns what calls do with the arguments that name the same records: a file in memory, read in passes, and
// a table of SQLite, and of PostgreSQL where one is started.
func everywhere(t *testing.T) func(script string, do func(name string, source ...string)) {
	t.Helper()
	server := ""
	t.Run("PostgreSQL", func(inner *testing.T) {
		servertest.Needed(inner)
		server, _ = servertest.Start(t)
	})
	return func(script string, do func(name string, source ...string)) {
		file, records := numberedSurvey(t, script)
		do("memory", file)
		do("passes", file, "--stream")
		path := filepath.Join(t.TempDir(), "survey.db")
		loadTable(t, "sqlite", path, records)
		do("sqlite", "sqlite:"+url.PathEscape(path)+"?table=person&key=id")
		if server != "" {
			loadTable(t, "pgx", server, records)
			do("postgres", server+"&table=person&key=id")
		}
	}
}

// printed returns what a command prints as JSON, without the times that it took and single records.
func printed(t *testing.T, name string, args ...string) (object any) {
	t.Helper()
	text, _, err := execute(t, name, append(args, "--json")...)
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	must(t, json.Unmarshal([]byte(text), &object))
	return without(object, "seconds", "first_records_that_differ")
}

// without returns an object without members of some names.
func without(object any, names ...string) any {
	switch o := object.(type) {
	case map[string]any:
		for name, member := range o {
			if o[name] = without(member, names...); slices.Contains(names, name) {
				delete(o, name)
			}
		}
	case []any:
		for i := range o {
			o[i] = without(o[i], names...)
		}
	}
	return object
}

func writeScript(t *testing.T, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	begin := `{"format":"sdcdesk-script","version":1}` + "\n" +
		`{"scenario":{"keys":["region","sex","educ"],"weight":"weight","sensitive":["health"]}}` + "\n"
	must(t, os.WriteFile(path, []byte(begin+strings.Join(lines, "\n")+"\n"), 0o600))
	return path
}

// Comparisons, plans and what is tried are the same where records are not held as where they are, but for what two
// releases reveal together, which needs single records.
func TestCommandsOnRecordsThatAreNotHeld(t *testing.T) {
	renamed := `{"step":"recode-rename","params":{"variable":"sex","level":"male","label":"m"}}`
	recoded := writeScript(t, "recoded.jsonl", renamed)
	both := writeScript(t, "both.jsonl", renamed, `{"step":"suppress-kanonymity","params":{"k":20}}`,
		`{"step":"suppress-kanonymity","params":{"k":30,"strata":["health"]}}`)
	candidates := writeScript(t, "candidates.jsonl", `{"step":"suppress-kanonymity","params":{"k":20}}`, renamed,
		`{"step":"recode-round","params":{"variable":"region","base":10}}`)
	run := everywhere(t)
	for _, c := range []struct {
		name, script string
		args         []string // before the source
		rest         []string
	}{
		{"compare", both, []string{"original", both}, nil},
		{"compare", both, []string{recoded, both}, nil},
		{"try", candidates, []string{candidates}, []string{"--measures", "kanonymity,risk,suda,ldiversity,missing,keysizes"}},
		{"plan", both, nil, []string{"--keys", "sex,educ", "--k", "20", "--weight", "weight", "--strata", "health", "--points", "4"}},
	} {
		var whole any
		run(c.script, func(name string, source ...string) {
			if c.name == "plan" && whole != nil && name != "sqlite" && !longtests.Wanted() {
				return // each takes some seconds
			}
			is := without(printed(t, c.name, slices.Concat(c.args, source, c.rest)...), "both_releases")
			if whole == nil {
				whole = is
			}
			if !reflect.DeepEqual(is, whole) {
				text, _ := json.Marshal(is)
				want, _ := json.Marshal(whole)
				t.Errorf("%s %v, %s:\n%s\nin memory:\n%s", c.name, c.args, name, text, want)
			}
		})
	}
}

// Where two scripts take cells from some records of a key, or map the values of a variable that groups do not go by,
// only the records tell which differ, but of mapped values in how many cells they do; figures stand beside each other
// all the same.
func TestCompareWhatOnlyRecordsTell(t *testing.T) {
	compareOfGroups(t, `{"step":"suppress-kanonymity","params":{"k":20}}`, `{"step":"suppress-kanonymity","params":{"k":40}}`, false)
	compareOfGroups(t, `{"step":"recode-round","params":{"variable":"income","base":500}}`, `{"step":"recode-round","params":{"variable":"income","base":5000}}`, true)
}

func compareOfGroups(t *testing.T, first, second string, cells bool) {
	t.Helper()
	one, other := writeScript(t, "one.jsonl", first), writeScript(t, "other.jsonl", second)
	file, _ := numberedSurvey(t, one)
	text, _, err := execute(t, "compare", one, other, file, "--stream")
	if err != nil || !strings.Contains(text, "only the records, which are not held in memory, tell") {
		t.Errorf("%v\n%s", err, text)
	}
	whole, passed := printed(t, "compare", one, other, file).(map[string]any), printed(t, "compare", one, other, file, "--stream").(map[string]any)
	if passed["records_that_differ"] != nil || passed["records_compared"] != nil || whole["records_that_differ"] == nil ||
		!reflect.DeepEqual(whole["figures"], passed["figures"]) {
		t.Errorf("in memory %v, in passes %v", whole, passed)
	}
	differ := func(c map[string]any) (names []string) {
		for _, v := range c["variables"].([]any) {
			v := v.(map[string]any)
			names = append(names, v["variable"].(string))
			if !cells {
				delete(v, "cells_that_differ")
			}
		}
		return names
	}
	if a, b := differ(whole), differ(passed); !slices.Equal(a, b) || !reflect.DeepEqual(whole["variables"], passed["variables"]) {
		t.Errorf("variables that differ: %v in memory, %v in passes", a, b)
	}
}

// A table or a file that is not held becomes a file of any kind that is written piece by piece, or another table:
// the same records as in memory.
func TestConvertRecordsThatAreNotHeld(t *testing.T) {
	script := writeScript(t, "none.jsonl")
	sorted := func(path string) string {
		text, err := os.ReadFile(path)
		must(t, err)
		lines := strings.Split(string(text), "\n")
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	wholes := map[string]string{}
	everywhere(t)(script, func(name string, source ...string) {
		for _, ending := range []string{"csv", "parquet", "sav", "dta"} {
			out, back := filepath.Join(t.TempDir(), name+"."+ending), filepath.Join(t.TempDir(), name+"-"+ending+".csv")
			text, _, err := execute(t, "convert", append(source, out)...)
			if err != nil || !strings.Contains(text, out+": 2,000 records, 23 variables") {
				t.Errorf("%v to %s: %v, %s", source, ending, err, text)
				continue
			}
			_, _, err = execute(t, "convert", out, back)
			must(t, err)
			is := sorted(back)
			if wholes[ending] == "" {
				wholes[ending] = is
			}
			if is != wholes[ending] {
				t.Errorf("%s to %s gives other records than in memory:\n%.600s\n%.600s", name, ending, is, wholes[ending])
			}
		}
		if !database.Is(source[0]) {
			return
		}
		target := strings.Replace(source[0], "table=person&key=id", "table=copied", 1)
		text, _, err := execute(t, "convert", source[0], target)
		if err != nil || text != "copied: 2,000 records, 23 variables\n" {
			t.Errorf("a table into one: %v, %s", err, text)
		}
	})
}

// What cannot be done says why, what to do instead, and no password; nothing is written.
func TestWhatIsRefusedOfRecordsThatAreNotHeld(t *testing.T) {
	script := writeScript(t, "some.jsonl", `{"step":"suppress-kanonymity","params":{"k":3}}`)
	rounded := filepath.Join(t.TempDir(), "rounded.jsonl")
	must(t, os.WriteFile(rounded, []byte(`{"format":"sdcdesk-script","version":1}
{"step":"recode-round","params":{"variable":"weight","base":10}}`), 0o600))
	file, records := numberedSurvey(t, script)
	path := filepath.Join(t.TempDir(), "survey.db")
	loadTable(t, "sqlite", path, records)
	table, out := "sqlite:"+path+"?table=person", filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"convert", table, out + ".csv", "--strict"}, "whether OUT holds everything, which --strict stands for; leave it out"},
		{[]string{"convert", table, out + ".csv", "--write-codebook", out + ".xml"}, "a codebook"},
		{[]string{"convert", table, out + ".xlsx"}, "choose a name that ends in .csv, .dta, .sav, .parquet or .xpt"},
		{[]string{"convert", table, file}, "exists"},
		{[]string{"convert", file, "--stream", file, "--force"}, "never written"},
		{[]string{"convert", file, table + "2"}, "name a file for OUT"},
		{[]string{"convert", file, table + "2", "--stream"}, "name a file for OUT"},
		{[]string{"convert", table, out + ".csv", "--delimiter", ";"}, "--delimiter says how a file is read, and a table is none"},
		{[]string{"run", script, table, "-o", out + ".csv", "--columns", "sex"}, "--columns says how a file is read"},
		{[]string{"plan", table, "--keys", "sex,age", "--told"}, "leave --told out"},
		{[]string{"plan", table, "--keys", "sex,nothing"}, "nothing"},
		{[]string{"plan", table, "--numbers", "income"}, "plan on a file that fits into memory"},
		{[]string{"compare", script, "original", "sqlite:" + path + "?table=nowhere"}, "nowhere is not there"},
		{[]string{"compare", script, "original", file, "--stream", "--delimiter", "tab"}, ""},
		{[]string{"compare", script, rounded, file, "--stream"}, "the weight weight is added up in groups, and a step"},
		{[]string{"check", table}, "convert"},
		{[]string{"verify", filepath.Dir(file), table}, "convert"},
		{[]string{"release", script, table, "-o", out}, "not possible with data whose records are not held in memory"},
	} {
		text, _, err := execute(t, c.args[0], c.args[1:]...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v\n%s", c.args, err, text)
		}
	}
	if left, _ := filepath.Glob(out + "*"); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
}
