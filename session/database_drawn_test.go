package session

import (
	"crypto/md5"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// drawsInTables are steps of a session in which records draw by themselves, before and after they lose cells.
const drawsInTables = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age"],"sensitive":["health"],"weight":"w","remove":["note"]},"file":{"missing":["","NA"]}}
{"step":"recode-rename","params":{"variable":"sex","level":"m","label":"man"}}
{"step":"pram","params":{"variables":["region","health"],"pd":0.3,"alpha":1},"seed":5}
{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,29,59,99]}}
{"step":"suppress-kanonymity","params":{"k":2,"rule":"default"}}
{"step":"sample","params":{"share":0.8},"seed":5}
{"step":"pram","params":{"variables":["health"],"pd":0.5,"alpha":1,"strata":["sex"]},"seed":5}
{"step":"pram","params":{"variables":["sex"],"form":"equal","pd":0.4,"condition":"health = ill or age missing"},"seed":6}
{"step":"make-stratum","params":{"variables":["region","sex"],"name":"cell"}}
{"step":"suppress-kanonymity","params":{"k":3,"strata":["health"]}}
{"step":"recode-labels","params":{"variable":"sex","labels":"f,female\nman,male"}}
{"step":"sample","params":{"share":0.75},"seed":7}
{"step":"pram","params":{"variables":["age","cell"],"pd":0.6,"alpha":1},"seed":8}
{"step":"suppress-combinations","params":{"combinations":"2:2"}}
{"step":"recode-group","params":{"variable":"health","levels":["ill","well"],"label":"known"}}`

// loadKeyed loads records into a table of PostgreSQL and one of SQLite with a key; without one half of them twice, so
// that some are alike. It returns those that were loaded.
func (drawn drawnTable) loadKeyed(t *testing.T, server, path, key string) drawnTable {
	t.Helper()
	postgres, sqlite := inPostgres, inSQLite
	if key == "" {
		drawn = append(drawn, drawn[:len(drawn)/2]...)
		postgres, sqlite = strings.Replace(postgres, " PRIMARY KEY", "", 1), strings.Replace(sqlite, " PRIMARY KEY", "", 1)
	}
	drawn.load(t, "pgx", server, postgres)
	drawn.load(t, "sqlite", path, sqlite)
	return drawn
}

// Records draw the same in every database, with a key and without, also those that are alike; and the released
// records are as many of each kind as was foretold.
func TestRecordsDrawAlikeInTables(t *testing.T) {
	server, _ := servertest.Start(t)
	clickhouse := map[string][]servertest.ClickHouse{"ClickHouse": servertest.StartClickHouse(t, 1),
		"shards": servertest.StartClickHouse(t, 2)}
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.db")
	drawn := drawTable(rand.New(rand.NewPCG(21, 7)))
	for _, key := range []string{"&key=id", ""} {
		drawn = drawn.loadKeyed(t, server, path, key)
		sources := map[string]string{"postgres": server + "&table=person" + key, "sqlite": "sqlite:" + path + "?table=person" + key}
		for name, servers := range clickhouse {
			drawn.loadClickHouse(t, servers)
			sources[name] = withTable(servers[0], "person") + key
		}
		if key != "" {
			noiseIsAlike(t, folder, sources)
		}
		if err := runOn(t, folder, noiseInTables, sources["sqlite"], filepath.Join(folder, "no.csv"), false).err; key == "" &&
			(err == nil || !strings.Contains(err.Error(), "key=")) {
			t.Errorf("noise without a key: %v", err)
		}
		lines := strings.Split(drawsInTables, "\n")
		for _, steps := range []int{4, 7, 9, len(lines)} {
			script, results := strings.Join(lines[:steps], "\n"), map[string]ran{}
			for name, source := range sources {
				results[name] = runOn(t, folder, script, source, filepath.Join(folder, name+".csv"), false)
				must(t, results[name].err)
			}
			want := results["sqlite"]
			for name, is := range results {
				if where := differs("", want.summary, is.summary); where != "" {
					t.Fatalf("%s%s: %d lines: it differs from SQLite at %s", name, key, steps, where)
				}
				if want.out != is.out {
					t.Fatalf("%s%s: %d lines:\n%s\nin SQLite:\n%s", name, key, steps, is.out, want.out)
				}
			}
		}
		d, err := Perform(t.Context(), RunOptions{Script: filepath.Join(folder, "steps.jsonl"), File: sources["sqlite"]})
		must(t, err)
		format := fileio.NewFormat()
		format.Missing = []string{"", "NA"}
		released, _, err := fileio.Read(t.Context(), filepath.Join(folder, "sqlite.csv"), format, nil)
		must(t, err)
		names := []string{"region", "sex", "age", "health", "cell"}
		if is, want := recordsOfKind(released, names), recordsOfKind(d.Data, names); !maps.Equal(is, want) {
			t.Errorf("released are\n%v\nand foretold\n%v", is, want)
		}
		checkSampled(t, released, d.Data)
		for _, source := range sources {
			table := strings.Replace(source, "table=person", fmt.Sprint("table=safe", len(key)), 1)
			must(t, runOn(t, folder, drawsInTables, source, strings.TrimSuffix(table, key), false).err)
			opening, err := OpenGroups(t.Context(), table, format, &microdata.Scenario{Keys: names, Weight: "w"}, nil)
			must(t, err)
			checkSampled(t, opening.Data, d.Data)
		}
		once := int(math.Round(0.8 * float64(len(drawn))))
		if len(d.Steps) != 14 || d.Data.Records() != int(math.Round(0.75*float64(once))) {
			t.Errorf("%d steps on %d records", len(d.Steps), d.Data.Records())
		}
	}
}

// checkSampled holds what was released against what was foretold: how many records have each value of variables that
// groups did not go by, and the weights, which samples multiply.
func checkSampled(t *testing.T, released, foretold *microdata.Dataset) {
	t.Helper()
	for _, column := range foretold.Columns() {
		is, there := released.Column(column.Name())
		if !there || column.Name() == "note" {
			continue
		}
		if column.Uncounted() || column.Sums() {
			if err := streamed.SameValues(is.Alone(), column.Alone()); err != nil {
				t.Error(err)
			}
		}
		if column.Sums() {
			sum := func(of *microdata.Column) (sum float64) {
				for row := range of.Len() {
					sum += of.Float(row)
				}
				return sum
			}
			if was, is := sum(column), sum(is); math.Abs(was-is) > 1e-9*was || was < 1.5*sum(column.Source()) {
				t.Errorf("weights add up to %v, foretold were %v, and in the source they are %v", is, was, sum(column.Source()))
			}
		}
	}
}

// recordsOfKind counts records with the same categories of some variables.
func recordsOfKind(data *microdata.Dataset, names []string) map[string]int {
	counts := map[string]int{}
	columns := make([]*microdata.Column, len(names))
	for i, name := range names {
		columns[i], _ = data.Column(name)
	}
	for row := range data.Len() {
		var cells []string
		for _, column := range columns {
			cells = append(cells, strings.TrimPrefix(column.Text(row), "'"))
		}
		counts[strings.Join(cells, "|")] += columns[0].RecordsAt(row)
	}
	return counts
}

// Each record of a table draws by itself: over the records of a group outcomes have the frequencies of the matrix,
// whatever their keys, and whether the records are alike; what a record draws in one variable says nothing of what it
// draws in another.
func TestDrawsOfATableHaveTheirLaw(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	const records = 12_000
	_, err = db.Exec(`CREATE TABLE person (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
		INSERT INTO person SELECT i, CASE WHEN i % 3 = 0 THEN 'x' WHEN i % 3 = 1 THEN 'y' ELSE 'z' END, CASE WHEN i % 2 = 0 THEN 'p' ELSE 'q' END FROM n;
		CREATE VIEW alike AS SELECT a, b FROM person;`)
	must(t, err)
	const script = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["a"],"pram":["b"]}}
{"step":"pram","params":{"variables":["a","b"],"form":"equal","pd":0.7},"seed":SEED}`
	for _, table := range []string{"person&key=id", "alike"} {
		for _, seed := range []string{"3", "4"} {
			safe := "safe" + seed + table[:5]
			address := "sqlite:" + path + "?table="
			must(t, runOn(t, filepath.Dir(path), strings.Replace(script, "SEED", seed, 1), address+table, address+safe, false).err)
			if table == "alike" {
				checkShares(t, db, "SELECT a, b, count(*) FROM "+safe+" GROUP BY 1, 2", records/6, func(a, b string) float64 { return 1 })
				continue
			}
			join := " FROM person p JOIN " + safe + " s ON p.id = s.id "
			checkShares(t, db, "SELECT p.a || s.a, p.id / 6001, count(*)"+join+"GROUP BY 1, 2", records/6, func(of, _ string) float64 {
				if of[0] == of[1] {
					return 0.7
				}
				return 0.15
			})
			checkShares(t, db, "SELECT p.a = s.a, p.b = s.b, count(*)"+join+"GROUP BY 1, 2", records, func(a, b string) float64 {
				return map[string]float64{"0": 0.3, "1": 0.7}[a] * map[string]float64{"0": 0.3, "1": 0.7}[b]
			})
		}
	}
}

// A sample of households of a table has all records of those that draw the lowest numbers, each by what tells it, which
// is compared as a number; who has none draws alone, by the key.
func TestSampleOfHouseholdsOfATable(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec(`CREATE TABLE person (id INTEGER PRIMARY KEY, hid TEXT, a TEXT, w REAL);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO person
		SELECT i, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN (i % 37) || '.0' ELSE i % 37 END, i % 2, 1 FROM n`)
	must(t, err)
	const script = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["a"],"weight":"w","household":"hid"}}
{"step":"sample","params":{"share":0.4,"unit":"households"},"seed":3}`
	address := "sqlite:" + path + "?table="
	must(t, runOn(t, folder, script, address+"person&key=id", address+"safe", false).err)
	numbers, members := []uint64{}, map[uint64]string{}
	draw := func(of string) uint64 {
		sum := md5.Sum([]byte("sample 0000000000000003 " + of))
		return binary.BigEndian.Uint64(sum[:8]) & math.MaxInt64
	}
	for id := 1; id <= 300; id++ {
		number := draw(strconv.Itoa(id))
		if id%5 > 0 {
			number = draw("household " + strconv.Itoa(id%37))
		}
		if members[number] == "" {
			numbers = append(numbers, number)
		}
		members[number] += fmt.Sprintln(id)
	}
	slices.Sort(numbers)
	var want, is []string
	kept := int(math.Round(0.4 * float64(len(numbers))))
	for _, number := range numbers[:kept] {
		want = append(want, strings.Fields(members[number])...)
	}
	rows, err := db.Query("SELECT id, w FROM safe")
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		var weight float64
		must(t, rows.Scan(&id, &weight))
		if is = append(is, id); weight != float64(len(numbers))/float64(kept) {
			t.Errorf("the weight of %s is %v", id, weight)
		}
	}
	must(t, rows.Err())
	slices.Sort(want)
	slices.Sort(is)
	if len(numbers) != 97 || !slices.Equal(want, is) {
		t.Errorf("of %d households those of the records\n%v\nare kept, want\n%v", len(numbers), is, want)
	}
}

// checkShares holds counts against what chances make of so many records, within five standard deviations.
func checkShares(t *testing.T, db *sql.DB, query string, records float64, chance func(a, b string) float64) {
	t.Helper()
	rows, err := db.Query(query)
	must(t, err)
	defer rows.Close()
	cells := 0
	for rows.Next() {
		var a, b string
		var count float64
		must(t, rows.Scan(&a, &b, &count))
		want := records * chance(a, b)
		if cells++; math.Abs(count-want) > 5*math.Sqrt(want) {
			t.Errorf("%s: %s and %s: %v records, want %v", query, a, b, count, want)
		}
	}
	if must(t, rows.Err()); cells < 4 {
		t.Errorf("%s: %d cells", query, cells)
	}
}
