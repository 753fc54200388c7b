package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// place is a database to read a table from and write one to.
type place struct {
	name, address, create, types string
	do                           func(statements ...string)
	ask                          func(query string) string
}

// places returns a PostgreSQL server, a ClickHouse server and an SQLite file.
func places(t *testing.T) []place {
	t.Helper()
	postgres, _ := servertest.Start(t)
	house := servertest.StartClickHouse(t)
	file := filepath.Join(t.TempDir(), "some.db")
	by := func(driver, where string) (func(...string), func(string) string) {
		return func(statements ...string) { servertest.Execute(t, driver, where, statements...) }, func(query string) string { return servertest.Cell(t, driver, where, query) }
	}
	inPostgres, ofPostgres := by("pgx", postgres)
	inSQLite, ofSQLite := by("sqlite", file)
	return []place{{"postgres", postgres, "CREATE TABLE person (id int PRIMARY KEY, region varchar(9), age smallint, income numeric(9,2), f real, day date, b boolean, note text)",
		"id integer, region character varying(9), age smallint, income numeric(9,2), f real, day date, b boolean, note text", inPostgres, ofPostgres},
		{"sqlite", "sqlite:" + file, "CREATE TABLE person (id INTEGER PRIMARY KEY, region VARCHAR(9), age INT, income NUMERIC, f REAL, day DATE, b BOOLEAN, note TEXT)",
			"id INTEGER, region VARCHAR(9), age INT, income NUMERIC, f REAL, day DATE, b BOOLEAN, note TEXT", inSQLite, ofSQLite},
		{"clickhouse", house.Address, "CREATE TABLE person (id Int32, region LowCardinality(String), age Nullable(Int16), income Nullable(Decimal(9,2)), f Nullable(Float32), day Nullable(Date), b UInt8, note Nullable(String)) ENGINE = MergeTree ORDER BY id",
			"id Int32, region LowCardinality(Nullable(String)), age Nullable(Int16), income Nullable(Decimal(9, 2)), f Nullable(Float32), day Nullable(Date), b UInt8, note Nullable(String)",
			func(statements ...string) {
				for _, statement := range statements {
					house.Ask(t, statement)
				}
			}, func(query string) string { return house.Ask(t, query) }}}
}

const persons = `INSERT INTO person VALUES (1, 'north', 30, 10.50, 0.1, '2024-02-29', 1, 'a"b,c'), (2, 'south', NULL, 7.25, 2.5, NULL, 0, 'tab	line
\N end'), (3, 'north', 44, NULL, NULL, '1999-12-31', 1, ''), (4, 'east', 30, 10.50, 1e-5, '2024-02-29', 0, NULL)`

func (p *place) load() {
	insert := persons
	if p.name == "postgres" {
		insert = strings.NewReplacer("', 1, ", "', true, ", "', 0, ", "', false, ", "NULL, 0, ", "NULL, false, ").Replace(insert)
	}
	if p.name == "clickhouse" {
		insert = strings.ReplaceAll(insert, `\N`, `\\N`)
	}
	p.do(p.create, insert)
}

// typesOf returns the columns of a table with their types.
func (p *place) typesOf(t *testing.T, table string) string {
	t.Helper()
	tx, err := at(t, p.address, table).server.begin(t.Context(), at(t, p.address, table), false)
	must(t, err)
	defer tx.close()
	columns, err := tx.columns(t.Context(), []string{table})
	must(t, err)
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name + " " + c.Declared
	}
	return strings.Join(names, ", ")
}

// suppressed returns data with the region of the first record suppressed.
func suppressed(data *microdata.Dataset) *microdata.Dataset {
	cells := microdata.NewBits(data.Len())
	cells.Set(0)
	region, _ := data.Column("region")
	return data.With(region.Suppress(cells))
}

// A new table has the records of the data, with NULL for missing, and the types of the table that was read.
func TestCreate(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "age"}
	for _, p := range places(t) {
		p.load()
		table, data, _ := reads(t, at(t, p.address, "person"))
		data = suppressed(data)
		must(t, Create(t.Context(), at(t, p.address, "safe"), data, table, &scenario, nil))
		if is := p.typesOf(t, "safe"); is != p.types {
			t.Errorf("%s: the columns are\n%s, not\n%s", p.name, is, p.types)
		}
		target := at(t, p.address, "safe")
		target.key = "id"
		_, again, _ := reads(t, target)
		for _, column := range data.Columns() {
			if is, want := cells(t, again, column.Name()), cells(t, data, column.Name()); is != want {
				t.Errorf("%s: %s is %q, not %q", p.name, column.Name(), is, want)
			}
		}
		if n := p.ask("SELECT count(*) FROM safe WHERE region IS NULL AND id = 1"); n != "1" {
			t.Errorf("%s: the suppressed cell is not NULL", p.name)
		}
		if err := Create(t.Context(), at(t, p.address, "safe"), data, table, nil, nil); !errors.Is(err, ErrExists) {
			t.Errorf("%s: a table that exists: %v", p.name, err)
		}
		if err := Create(t.Context(), at(t, p.address, "person"), data, table, nil, nil); !errors.Is(err, ErrExists) || p.ask("SELECT count(*) FROM person") != "4" {
			t.Errorf("%s: the source: %v", p.name, err)
		}
	}
}

// Labels of variables become comments.
func TestCommentsAreKept(t *testing.T) {
	server, _ := servertest.Start(t)
	house := servertest.StartClickHouse(t)
	data, _, err := fileio.ReadBytes(t.Context(), "a.csv", []byte("a,b\n1,x\n"), fileio.NewFormat(), nil)
	must(t, err)
	column := data.Columns()[0].WithDescription(&microdata.Description{Label: `it's "a\b"`})
	for _, address := range []string{server, house.Address} {
		must(t, Create(t.Context(), at(t, address, "safe"), data.With(column), nil, nil, nil))
		_, again, _ := reads(t, at(t, address, "safe"))
		if label := again.Columns()[0].Described().Label; label != `it's "a\b"` || again.Columns()[1].Described().Label != "" {
			t.Errorf("%s: the label is %q", address, label)
		}
	}
}

// Columns with values that do not fit the source's type have a type that holds them.
func TestTypesOfChangedColumns(t *testing.T) {
	want := map[string]string{"postgres": "id integer, region text, age bigint, income numeric, f numeric, day text, b boolean, note text",
		"sqlite":     "id INTEGER, region TEXT, age INT, income NUMERIC, f REAL, day TEXT, b BOOLEAN, note TEXT",
		"clickhouse": "id Int32, region String, age Nullable(Int64), income Nullable(Float64), f Nullable(Float64), day Nullable(String), b UInt8, note Nullable(String)"}
	for _, p := range places(t) {
		p.load()
		table, data, _ := reads(t, at(t, p.address, "person"))
		for name, label := range map[string]string{"region": "north and south", "age": "40000", "income": "0.125", "f": "0.125", "day": "2024-02"} {
			column, _ := data.Column(name)
			levels, mapping := slices.Clone(column.Categories().Levels), []uint32{0}
			for i := range levels {
				mapping = append(mapping, uint32(i+1))
			}
			levels[0] = microdata.Level{Label: label, Value: microdata.LabelNumber(label)}
			data = data.With(column.Regroup(column, levels, mapping, false))
		}
		must(t, Create(t.Context(), at(t, p.address, "safe"), data, table, nil, nil))
		if is := p.typesOf(t, "safe"); is != want[p.name] {
			t.Errorf("%s: the columns are\n%s, not\n%s", p.name, is, want[p.name])
		}
	}
}

// If counts by the database differ, the table is not released and nothing remains.
func TestRecount(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "age"}
	for _, p := range places(t) {
		p.load()
		table, data, _ := reads(t, at(t, p.address, "person"))
		must(t, Create(t.Context(), at(t, p.address, "safe"), data, table, nil, nil))
		count := func() error {
			tx, err := at(t, p.address, "safe").server.begin(t.Context(), at(t, p.address, "safe"), false)
			must(t, err)
			defer tx.close()
			return recount(t.Context(), tx, at(t, p.address, "safe"), []string{"safe"}, data, &scenario)
		}
		must(t, count())
		for _, change := range []string{"income = 11.50 WHERE id = 4", "region = 'south' WHERE id = 1", "note = NULL WHERE id = 1", "age = 30 WHERE id = 2", "f = 0.5 WHERE id = 2"} {
			p.do("DROP TABLE safe")
			must(t, Create(t.Context(), at(t, p.address, "safe"), data, table, nil, nil))
			if p.name == "clickhouse" {
				set, where, _ := strings.Cut(strings.Replace(change, "11.50", "toDecimal32('11.50', 2)", 1), " WHERE ")
				p.ask("ALTER TABLE safe UPDATE " + set + " WHERE " + where)
				for p.ask("SELECT count() FROM system.mutations WHERE NOT is_done") != "0" {
				}
			} else {
				p.do("UPDATE safe SET " + change)
			}
			if err := count(); !errors.Is(err, ErrRecount) {
				t.Errorf("%s: %s: %v", p.name, change, err)
			}
		}
		if p.name != "clickhouse" {
			p.do("UPDATE safe SET age = CASE id WHEN 3 THEN 30 WHEN 4 THEN 44 WHEN 2 THEN NULL ELSE 30 END", "UPDATE safe SET f = 2.5 WHERE id = 2")
			if err := count(); !errors.Is(err, ErrRecount) || !strings.Contains(err.Error(), "key patterns") {
				t.Errorf("%s: keys of other records: %v", p.name, err)
			}
		}
	}
}

// A cancelled or failed write leaves nothing.
func TestNothingIsLeft(t *testing.T) {
	for _, p := range places(t) {
		p.load()
		table, data, _ := reads(t, at(t, p.address, "person"))
		tables := func() []string {
			tx, err := at(t, p.address, "safe").server.begin(t.Context(), at(t, p.address, "safe"), false)
			must(t, err)
			defer tx.close()
			names, err := tx.tables(t.Context())
			must(t, err)
			return names
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if err := Create(ctx, at(t, p.address, "safe"), data, table, nil, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: given up: %v", p.name, err)
		}
		tx, err := at(t, p.address, "safe").server.begin(t.Context(), at(t, p.address, "safe"), true)
		must(t, err)
		filled, err := tx.create(t.Context(), []string{"safe"}, at(t, p.address, "safe").columnsFor(data, table))
		must(t, err)
		must(t, tx.fill(t.Context(), filled, newRecords(data), nil))
		tx.close()
		if is := fmt.Sprint(tables()); is != "[person]" {
			t.Errorf("%s: there are %s", p.name, is)
		}
	}
	path := filepath.Join(t.TempDir(), "new.db")
	data, _, err := fileio.ReadBytes(t.Context(), "a.csv", []byte("a,a b\n1,x\n"), fileio.NewFormat(), nil)
	must(t, err)
	tx, err := sqlite{}.begin(t.Context(), at(t, "sqlite:"+path, "safe"), true)
	must(t, err)
	tx.close()
	if _, err := os.Stat(path); err == nil {
		t.Error("a file without a table is left")
	}
	must(t, Create(t.Context(), at(t, "sqlite:"+path, "safe"), data, nil, nil, nil))
	if n := servertest.Cell(t, "sqlite", path, "SELECT count(*) FROM safe"); n != "1" {
		t.Error("a new file has no table")
	}
}

// No statement contains a value of a cell or a password, so a server that logs statements logs neither.
func TestServersLogNoValues(t *testing.T) {
	server, log := servertest.Start(t)
	servertest.Stop(t, log)
	servertest.Again(t, log, "-c log_statement=all -c log_min_duration_statement=0")
	house := servertest.StartClickHouse(t)
	data, _, err := fileio.ReadBytes(t.Context(), "a.csv", []byte("a,b\n7316,telltale\n"), fileio.NewFormat(), nil)
	must(t, err)
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"a", "b"}
	for _, c := range []struct{ address, log string }{{server, log}, {house.Address, house.Log}} {
		must(t, Create(t.Context(), at(t, c.address, "safe"), data, nil, &scenario, nil))
		reads(t, at(t, c.address, "safe"))
		if err := Create(t.Context(), at(t, c.address, "safe"), data, nil, &scenario, nil); err == nil {
			t.Error("a table is replaced")
		}
		text, err := os.ReadFile(c.log)
		must(t, err)
		for _, secret := range []string{"7316", "telltale", servertest.Password} {
			if strings.Contains(string(text), secret) {
				t.Errorf("the log has %q:\n%s", secret, text)
			}
		}
		if c.log == log && !strings.Contains(string(text), "COPY") {
			t.Errorf("statements are not in the log:\n%s", text)
		}
	}
}
