package session

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// countedSteps are steps that work on frequency tables, for variables of the survey.
const countedSteps = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age","educ"],"weight":"weight"}}
{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,14,24,34,44,54,64,120]}}
{"step":"suppress-kanonymity","params":{"k":5}}`

// runOn runs a script on a source into an output.
func runOn(t *testing.T, script, source, out string, reading func(*RunOptions)) error {
	t.Helper()
	o := RunOptions{Script: filepath.Join(t.TempDir(), "steps.jsonl"), File: source, Out: out}
	must(t, os.WriteFile(o.Script, []byte(script), 0o600))
	if reading != nil {
		reading(&o)
	}
	return Run(t.Context(), o)
}

// answerOf returns the rows of a query, a line each.
func answerOf(t *testing.T, driver, where, query string) string {
	t.Helper()
	db, err := sql.Open(driver, where)
	must(t, err)
	defer db.Close()
	rows, err := db.Query(query)
	must(t, err)
	defer rows.Close()
	names, err := rows.Columns()
	must(t, err)
	cells, into := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range cells {
		into[i] = &cells[i]
	}
	var out strings.Builder
	for rows.Next() {
		must(t, rows.Scan(into...))
		for _, cell := range cells {
			out.WriteString(cell.String + "|")
		}
		out.WriteByte('\n')
	}
	must(t, rows.Err())
	return out.String()
}

// surveyOf returns the first records of the survey.
func surveyOf(t *testing.T, records int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "survey.csv"))
	must(t, err)
	return strings.Join(strings.SplitAfter(string(text), "\n")[:records+1], "")
}

// patternsOf counts the records by the counted variables; ageKept counts the records whose age is the recoded
// original or missing.
const (
	patternsOf = `SELECT region, sex, age, educ, count(*) FROM %s GROUP BY region, sex, age, educ ORDER BY count(*), region, sex, age, educ`
	ageKept    = `SELECT count(*) FROM %s s JOIN person p ON s.id = p.id WHERE (s.region IS NULL OR s.region = p.region)
 AND (s.educ IS NULL OR s.educ = p.educ) AND s.weight = p.weight AND (s.age IS NULL OR s.age = CASE WHEN p.age < 15 THEN '0-14'
 WHEN p.age < 25 THEN '15-24' WHEN p.age < 35 THEN '25-34' WHEN p.age < 45 THEN '35-44' WHEN p.age < 55 THEN '45-54'
 WHEN p.age < 65 THEN '55-64' ELSE s.age END)`
)

// The protected table that a database makes from a frequency table has the same patterns as the one made from the
// records, and each record has the values after the steps, or missing.
func TestProtectedTableOfAFrequencyTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.db")
	server, _ := servertest.Start(t)
	for _, where := range []struct{ driver, connect, address string }{{"sqlite", path, "sqlite:" + path + "?"}, {"pgx", server, server + "&"}} {
		loadedTable(t, where.driver, where.connect, "person", surveyOf(t, 1000))
		must(t, runOn(t, countedSteps, where.address+"table=person", where.address+"table=of_records", nil))
		counted := where.address + "table=person&count=region,sex,age,educ&weight=weight&keep=id"
		must(t, runOn(t, countedSteps, counted, where.address+"table=of_counts", nil))
		want, is := answerOf(t, where.driver, where.connect, fmt.Sprintf(patternsOf, "of_records")), answerOf(t, where.driver, where.connect, fmt.Sprintf(patternsOf, "of_counts"))
		if is != want {
			t.Errorf("%s: the patterns are\n%.500s, not\n%.500s", where.driver, is, want)
		}
		if n := servertest.Cell(t, where.driver, where.connect, fmt.Sprintf(ageKept, "of_counts")); n != "1000" {
			t.Errorf("%s: %s of 1000 records have the values that the steps make", where.driver, n)
		}
		if err := runOn(t, countedSteps, counted, where.address+"table=of_counts", nil); !errors.Is(err, database.ErrExists) {
			t.Errorf("%s: over a table that exists: %v", where.driver, err)
		}
	}
}

// The SQL script of a frequency table makes the same protected table wherever it runs. The rows of the frequency
// table may come from a file of another engine, and the records from several tables.
func TestScriptOfAFrequencyTable(t *testing.T) {
	folder := t.TempDir()
	path, script := filepath.Join(folder, "survey.db"), filepath.Join(folder, "protect.sql")
	loadedTable(t, "sqlite", path, "person", surveyOf(t, 1000))
	servertest.Execute(t, "sqlite", path, "CREATE TABLE north AS SELECT * FROM person WHERE id % 3 = 0",
		"CREATE TABLE south AS SELECT * FROM person WHERE id % 3 > 0")
	must(t, runOn(t, countedSteps, "sqlite:"+path+"?table=person", "sqlite:"+path+"?table=of_records", nil))
	want := answerOf(t, "sqlite", path, fmt.Sprintf(patternsOf, "of_records"))

	must(t, runOn(t, countedSteps, "sqlite:"+path+"?table=north,south&count=region,sex,age,educ&weight=weight", "sqlite:"+path+"?table=united", nil))
	if is := answerOf(t, "sqlite", path, fmt.Sprintf(patternsOf, "united")); is != want {
		t.Errorf("of two tables the patterns are\n%.500s, not\n%.500s", is, want)
	}

	rows := answerOf(t, "sqlite", path, database.GroupBy("person", []string{"region", "sex", "age", "educ"}, "weight"))
	counts := filepath.Join(folder, "person.csv")
	must(t, os.WriteFile(counts, []byte("region|sex|age|educ|records|weight\n"+strings.ReplaceAll(rows, "|\n", "\n")), 0o600))
	must(t, runOn(t, countedSteps, counts, script, func(o *RunOptions) {
		o.Reading = func(f *fileio.Format) error { f.Delimiter, f.Count = "|", "records"; return nil }
	}))
	text, err := os.ReadFile(script)
	must(t, err)
	servertest.Execute(t, "sqlite", path, string(text))
	if is := answerOf(t, "sqlite", path, fmt.Sprintf(patternsOf, "person_protected")); is != want {
		t.Errorf("by the script the patterns are\n%.500s, not\n%.500s", is, want)
	}
	if n := servertest.Cell(t, "sqlite", path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'person_protected%'"); n != "1" {
		t.Errorf("%s tables are left, not 1", n)
	}
	should := string(text[strings.LastIndex(string(text), "must return ")+len("must return "):])
	should, query, _ := strings.Cut(should, "\n")
	if is := answerOf(t, "sqlite", path, query); is != strings.ReplaceAll(should, ", ", "|")+"|\n" {
		t.Errorf("the counts at the end of the script are %s, not %s", is, should)
	}
}

// A table partitioned over two servers is protected by the server that is queried.
func TestProtectedTableOverTwoServers(t *testing.T) {
	one, _ := servertest.Start(t)
	two, _ := servertest.Start(t)
	loadedTable(t, "pgx", one, "person", surveyOf(t, 1000))
	must(t, runOn(t, countedSteps, one+"&table=person", one+"&table=of_records", nil))
	want := answerOf(t, "pgx", one, fmt.Sprintf(patternsOf, "of_records"))
	loadedTable(t, "pgx", two, "person_far", surveyOf(t, 1000))
	servertest.Execute(t, "pgx", two, "DELETE FROM person_far WHERE region >= 'D'")
	address, err := url.Parse(two)
	must(t, err)
	servertest.Execute(t, "pgx", one, "ALTER TABLE person RENAME TO all_persons", "CREATE EXTENSION postgres_fdw",
		"CREATE SERVER two FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '"+address.Query().Get("host")+"', dbname 'postgres')",
		"CREATE USER MAPPING FOR tester SERVER two OPTIONS (user 'tester', password '"+servertest.Password+"')",
		"CREATE TABLE person (LIKE all_persons) PARTITION BY RANGE (region)",
		"CREATE FOREIGN TABLE person_far PARTITION OF person FOR VALUES FROM (MINVALUE) TO ('D') SERVER two",
		"CREATE TABLE person_near PARTITION OF person FOR VALUES FROM ('D') TO (MAXVALUE)",
		"INSERT INTO person SELECT * FROM all_persons WHERE region >= 'D'")
	must(t, runOn(t, countedSteps, one+"&table=person&count=region,sex,age,educ&weight=weight", one+"&table=safe", nil))
	if is := answerOf(t, "pgx", one, fmt.Sprintf(patternsOf, "safe")); is != want {
		t.Errorf("the patterns are\n%.500s, not\n%.500s", is, want)
	}
}

// Steps and formats that do not work for a frequency table are refused before anything is written.
func TestFrequencyTablesSayWhatTheyAreNot(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.db")
	loadedTable(t, "sqlite", path, "person", surveyOf(t, 100))
	address := "sqlite:" + path + "?table=person"
	for _, c := range []struct{ source, steps, out, says string }{
		{address + "&count=", countedSteps, "x.sql", "name columns after count="},
		{address + "&count=region,region", countedSteps, "x.sql", "named twice"},
		{address + "&weight=weight", countedSteps, "x.sql", "need a frequency table"},
		{address + "&count=region,nobody", countedSteps, "x.sql", `no column "nobody"`},
		{address + "&count=region&keep=nobody", countedSteps, "x.sql", `no column "nobody"`},
		{address + "&count=region,sex,age,educ&weight=weight", countedSteps, "x.csv", "to a file with the extension .sql"},
		{address + "&count=region,sex,age,educ&weight=weight", countedSteps, "sqlite:" + folder + "/other.db?table=safe", "in the database that counted the frequency table"},
		{address + "&count=region,sex", `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex"]}}
{"step":"pram","params":{"variables":["sex"],"pd":0.3,"alpha":1},"seed":5}`, "x.sql", "needs the records"},
	} {
		out := c.out
		if !database.Is(out) {
			out = filepath.Join(folder, out)
		}
		err := runOn(t, c.steps, c.source, out, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s to %s: %v", c.source, c.out, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s is there", c.out)
		}
	}
}
