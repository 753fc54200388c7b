package database

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
)

// drawnRecords draws records: an id in no order, texts with odd signs, numbers, cells without a value.
func drawnRecords(random *rand.Rand, n int) (records [][]*string) {
	text := func(of ...string) *string {
		if x := of[random.IntN(len(of))]; x != "NULL" {
			return &x
		}
		return nil
	}
	for i := range n {
		id := strconv.Itoa((i * 7919) % 100_003)
		records = append(records, []*string{&id, text("north", "South", "NULL", "", "NA", "e'a\"s,t", "ä", "(x)\n2", "-1"),
			text("7", "30", "31", "NULL", "-4"), text("1.5", "1.50", "-0", "2e3", "NULL", "NA", "10"), text("b", "B", "é", "NULL", "a%_")})
	}
	return records
}

var pageColumns = []string{"id", "region", "age", "amount", "word"}

// filters are conditions, of which some ask for what no record has.
var filters = []string{"", "age > 8", "age = 30 or region missing", "not (age in (7, -4)) and amount >= 1.5", "region = South", "region contains o",
	"word contains E", "amount missing or age != 7", "amount = 1.5", "word = b", "not (region contains \"\")", "age < 100 and word in (b, é)", "id > 40000", "region = nowhere"}

// A page of a table has the records that are found and sorted in memory, forth from the first and back from the last.
func TestPagesAreAsInMemory(t *testing.T) {
	server, _ := servertest.Start(t)
	random := rand.New(rand.NewPCG(3, 9))
	file := filepath.Join(t.TempDir(), "pages.db")
	for turn := range 2 {
		records := drawnRecords(random, 20+random.IntN(60))
		loadPages(t, "pgx", server, "id bigint UNIQUE, region text, age int, amount text, word text", records)
		loadPages(t, "sqlite", file, "id INTEGER PRIMARY KEY, region TEXT, age INTEGER, amount TEXT, word TEXT", records)
		for _, database := range []string{server, "sqlite:" + file} {
			for _, key := range []string{"id", ""} {
				checkPages(t, database, key, records, random, turn%2 == 1)
			}
		}
	}
}

func loadPages(t *testing.T, driver, where, columns string, records [][]*string) {
	t.Helper()
	execute(t, driver, where, "DROP TABLE IF EXISTS person", "CREATE TABLE person ("+columns+")")
	db, err := sql.Open(driver, where)
	must(t, err)
	defer db.Close()
	for _, record := range records {
		_, err := db.Exec("INSERT INTO person VALUES ($1, $2, $3, $4, $5)", record[0], record[1], record[2], record[3], record[4])
		must(t, err)
	}
}

// checkFirst compares the first records by the key with memory.
func checkFirst(t *testing.T, table *Table, sorted [][]*string) {
	t.Helper()
	first, err := table.First(t.Context(), 15)
	must(t, err)
	if first.Len() != 15 {
		t.Fatalf("%d first records", first.Len())
	}
	for row := range first.Len() {
		if id := first.Columns()[0].Text(row); id != *sorted[row][0] {
			t.Fatalf("first record %d is %s and not %s", row+1, id, *sorted[row][0])
		}
	}
}

// checkPages compares pages with memory; values of variables are known, or not where many is set.
func checkPages(t *testing.T, database, key string, records [][]*string, random *rand.Rand, many bool) {
	t.Helper()
	address := at(t, database, "person")
	address.key = key
	checkPagesOf(t, address, records, random, many)
}

// checkPagesOf compares pages of tables with memory.
func checkPagesOf(t *testing.T, address *Address, records [][]*string, random *rand.Rand, many bool) {
	t.Helper()
	database, key := address.shown, address.key
	table, err := Open(t.Context(), address, []string{"", "NA"})
	must(t, err)
	_, passed, err := table.Pass(t.Context(), nil, "", nil, nil, nil)
	must(t, err)
	groups, _, err := table.Pass(t.Context(), []string{"region", "age"}, "", nil, passed.Variables, nil)
	must(t, err)
	var text []byte
	text = appendCSV(text, texts(pageColumns))
	sorted := slices.Clone(records)
	if key == "" && (strings.HasPrefix(database, "clickhouse") || len(address.others) > 0) { // nothing but their cells tells records apart
		slices.SortFunc(sorted, func(a, b []*string) int { return strings.Compare(recordText(a), recordText(b)) })
	} else if key != "" || strings.HasPrefix(database, "sqlite") { // there the id is the number of the row
		slices.SortFunc(sorted, func(a, b []*string) int {
			x, _ := strconv.Atoi(*a[0])
			y, _ := strconv.Atoi(*b[0])
			return x - y
		})
		if key != "" {
			checkFirst(t, table, sorted)
		}
	}
	for _, record := range sorted {
		text = appendCSV(text, record)
	}
	data, _, err := fileio.ReadBytes(t.Context(), "person", text, table.Format(), nil)
	must(t, err)
	variables := slices.Clone(passed.Variables)
	for i := range variables {
		if many && (variables[i].Kind != microdata.Category || variables[i].Name == "word") {
			variables[i].Column = nil
		}
	}
	for _, filter := range filters {
		w := paged.Wanted{Records: 7 + random.IntN(20)}
		for range random.IntN(3) {
			by := paged.Sorted{Variable: pageColumns[1+random.IntN(4)], Down: random.IntN(2) == 0}
			if !slices.ContainsFunc(w.By, func(s paged.Sorted) bool { return s.Variable == by.Variable }) {
				w.By = append(w.By, by)
			}
		}
		if filter != "" {
			if w.Filter, err = notation.ParseCondition(filter); err != nil {
				t.Fatal(err)
			}
		}
		want, refused := inMemory(t, data, &w)
		name := fmt.Sprintf("%.8s key %q many %v %q by %v, %d of %d", database, key, many, filter, w.By, w.Records, len(records))
		for _, from := range []paged.Anchor{paged.First, paged.Last} {
			got, err := turning(t, table, w, from, variables, groups)
			if refused {
				if !errors.Is(err, notation.ErrCondition) {
					t.Errorf("%s: is not refused as in memory: %v", name, err)
				}
				continue
			}
			must(t, err)
			if !slices.Equal(got, want) {
				t.Errorf("%s from %v:\n%q\nnot\n%q", name, from, got, want)
			}
		}
	}
}

// inMemory returns the records that meet a filter in the order that is wanted, as the texts of their cells.
func inMemory(t *testing.T, data *microdata.Dataset, w *paged.Wanted) (found []string, refused bool) {
	t.Helper()
	meets, err := w.Filter.Bind(notation.Scope{Data: data})
	if err != nil {
		return nil, true
	}
	rows := stat.InOrder(data.Len())
	for _, by := range slices.Backward(w.By) {
		column, _ := data.Column(by.Variable)
		rows, err = microdata.Sorted(t.Context(), rows, microdata.SortByColumn(column, by.Down))
		must(t, err)
	}
	for _, row := range rows {
		if meets(int(row)) {
			found = append(found, cellsOf(data, int(row)))
		}
	}
	return found, false
}

func cellsOf(data *microdata.Dataset, row int) string {
	var cells []string
	for _, column := range data.Columns() {
		if text := "<" + column.Text(row) + ">"; column.Missing(row) {
			cells = append(cells, "none")
		} else {
			cells = append(cells, text)
		}
	}
	return strings.Join(cells, " ")
}

// turning returns the records of all pages, from the first page forth or from the last one back.
func turning(t *testing.T, table *Table, w paged.Wanted, from paged.Anchor, variables []fileio.Described, groups *Groups) (
	found []string, err error) {
	t.Helper()
	w.From = paged.Place{At: from}
	for {
		page, err := table.Page(t.Context(), &w, variables, groups)
		if err != nil {
			return nil, err
		}
		var cells []string
		for row := range page.Len() {
			cells = append(cells, cellsOf(page.Data, row))
			for _, column := range groups.Data.Columns() {
				if cell, _ := page.Data.Column(column.Name()); !cell.Missing(row) && cell.Text(row) != column.Text(int(page.Groups[row])) {
					t.Errorf("a record of %s has group %d of %s", cell.Text(row), page.Groups[row], column.Text(int(page.Groups[row])))
				}
			}
		}
		if page.Before >= 0 && from == paged.First && page.Before != len(found) && len(w.By) == 0 {
			t.Errorf("%d before, not %d", page.Before, len(found))
		}
		if from == paged.First {
			if found = append(found, cells...); page.Ends {
				return found, nil
			}
			w.From = paged.Place{At: paged.After, Mark: page.Marks[page.Len()-1]}
			continue
		}
		if found = append(cells, found...); page.Starts {
			return found, nil
		}
		w.From = paged.Place{At: paged.Before, Mark: page.Marks[0]}
	}
}

// Pages of a table of ClickHouse are those of the others.
func TestPagesOfClickHouse(t *testing.T) {
	server := servertest.StartClickHouse(t, 1)[0]
	random := rand.New(rand.NewPCG(5, 9))
	records := drawnRecords(random, 60)
	loadPagesOfClickHouse(t, server, records)
	for _, many := range []bool{false, true} {
		checkPages(t, server.Address, "id", records, random, many)
	}
}

func loadPagesOfClickHouse(t *testing.T, server servertest.ClickHouse, records [][]*string) {
	t.Helper()
	var rows []string
	for _, record := range records {
		cells := make([]string, len(record))
		for i, cell := range record {
			if cells[i] = "NULL"; cell != nil && (i == 0 || i == 2) {
				cells[i] = *cell
			} else if cell != nil {
				cells[i] = "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(*cell) + "'"
			}
		}
		rows = append(rows, "("+strings.Join(cells, ", ")+")")
	}
	execute(t, "clickhouse", server.Connect, "DROP TABLE IF EXISTS person", "CREATE TABLE person (id Int64, region Nullable(String), "+
		"age Nullable(Int32), amount Nullable(String), word Nullable(String)) ENGINE = MergeTree ORDER BY id",
		"INSERT INTO person VALUES "+strings.Join(rows, ", "))
}

// Without a key pages of a table of many blocks, some of them empty, have its records as they stand in it, however far
// those that meet a filter are from each other.
func TestPagesOfManyBlocks(t *testing.T) {
	server, _ := servertest.Start(t)
	execute(t, "pgx", server, "CREATE TABLE person WITH (fillfactor = 10) AS SELECT n AS id, repeat('x', 200) AS word FROM generate_series(1, 3000) AS n",
		"DELETE FROM person WHERE id BETWEEN 100 AND 1900 OR id > 2950", "VACUUM person",
		"INSERT INTO person SELECT n, repeat('y', 200) FROM generate_series(3001, 3100) AS n")
	table, err := Open(t.Context(), at(t, server, "person"), nil)
	must(t, err)
	groups, passed, err := table.Pass(t.Context(), []string{"id"}, "", nil, nil, nil)
	must(t, err)
	for _, c := range []struct {
		filter, where string
		records       int
	}{{"", "true", 40}, {"", "true", 1000}, {"id in (7, 1950, 2940, 3050)", "id IN (7, 1950, 2940, 3050)", 2}, {"id < 0", "false", 2}} {
		want := oneText(t, "pgx", server, "SELECT coalesce(string_agg('<' || id || '> <' || word || '>', ' ' ORDER BY ctid), '') FROM person WHERE "+c.where)
		for _, from := range []paged.Anchor{paged.First, paged.Last} {
			w := paged.Wanted{Records: c.records}
			if c.filter != "" {
				w.Filter, err = notation.ParseCondition(c.filter)
				must(t, err)
			}
			got, err := turning(t, table, w, from, passed.Variables, groups)
			must(t, err)
			if strings.Join(got, " ") != want {
				t.Errorf("%q from %v: %d records are not as they stand in the table", c.filter, from, len(got))
			}
		}
	}
}
