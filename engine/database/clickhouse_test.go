package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	driven "github.com/sdcdesk/sdcdesk/engine/database/clickhouse"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Types are mapped as the reader of files maps the same data as text.
func TestTypesOfClickHouse(t *testing.T) {
	server := servertest.StartClickHouse(t, 1)[0]
	execute(t, "clickhouse", server.Connect, `DROP TABLE IF EXISTS "odd ""x.y"`, `CREATE TABLE "odd ""x.y" (c FixedString(4),
		v LowCardinality(Nullable(String)), l LowCardinality(String), e Nullable(Enum8('sad' = 3, 'happy' = 5)), m Enum16('= 7)' = 300, 'b' = 2), d Nullable(Int32),
		n Decimal(9, 2), f Float64, day Nullable(Date), at DateTime, i UInt64, u UUID, "Ü ""x""" Nullable(String)) ENGINE = MergeTree ORDER BY tuple()`,
		`INSERT INTO "odd ""x.y" VALUES ('ab', '', '', 'sad', 'b', 3, 1.25, -0.0, '2024-02-29', '2024-02-29 01:02:03', 18446744073709551615, '00000000-0000-0001-0000-000000000002', 'é'),
		('ab', NULL, 'x', 'happy', '= 7)', NULL, 2.25, nan, NULL, '2024-02-29 01:02:03', 2, '00000000-0000-0001-0000-000000000002', 'e'),
		('', '007', 'x', NULL, 'b', 41, 1.25, 0.1, '2024-03-01', '2024-02-29 01:02:04', 3, '00000000-0000-0001-0000-000000000002', 'a"b,\n(\\	''')`)
	columns := []wanted{{"c", "ab|1 missing", microdata.Category}, {"v", "007|2 missing", microdata.Category}, {"l", "x|1 missing", microdata.Category},
		{"e", "happy|sad|1 missing", microdata.Category}, {"m", "= 7)|b|0 missing", microdata.Category}, {"d", "3|41|1 missing", microdata.Whole},
		{"n", "1.25|2.25|0 missing", microdata.Number}, {"f", "-0|0.1|nan|0 missing", microdata.Category}, {"day", "2024-02-29|2024-03-01|1 missing", microdata.Category},
		{"at", "2024-02-29 01:02:03|2024-02-29 01:02:04|0 missing", microdata.Category}, {"i", "18446744073709551615|2|3|0 missing", microdata.Category},
		{"u", "00000000-0000-0001-0000-000000000002|0 missing", microdata.Category}, {`Ü "x"`, "a\"b,\n(\\\t'|e|é|0 missing", microdata.Category}}
	address := at(t, server.Address, `"odd ""x.y"`)
	checkDescribed(t, address, columns)
	table, err := Open(t.Context(), address, nil)
	must(t, err)
	recordsAsServer(t, table, "clickhouse", server.Connect)
	first, err := table.First(t.Context(), 2)
	must(t, err)
	if first.Records() != 2 || len(first.Columns()) != 13 {
		t.Errorf("the first records are %d of %d columns", first.Records(), len(first.Columns()))
	}
	execute(t, "clickhouse", server.Connect, "DROP TABLE IF EXISTS arrays",
		`CREATE TABLE arrays (a Array(Int8), b Tuple(Int8, Int8), c Int8) ENGINE = MergeTree ORDER BY tuple()`)
	_, err = Open(t.Context(), at(t, server.Address, "arrays"), nil)
	if err == nil || !strings.Contains(err.Error(), `"a" (Array(Int8)), "b" (Tuple(Int8, Int8))`) {
		t.Errorf("columns that are no texts: %v", err)
	}
	if _, err = Open(t.Context(), at(t, server.Address, "nobody"), nil); err == nil || !strings.Contains(err.Error(), "nobody is not there") {
		t.Errorf("no table: %v", err)
	}
}

// A cell that looks like an error is a cell, and an error after many records is one.
func TestErrorsAndCellsOfClickHouse(t *testing.T) {
	server := servertest.StartClickHouse(t, 1)[0]
	execute(t, "clickhouse", server.Connect, "DROP TABLE IF EXISTS odd", "CREATE TABLE odd (a String, b Int32) ENGINE = MergeTree ORDER BY tuple()",
		`INSERT INTO odd VALUES ('Code: 241, e.displayText() = DB::Exception: memory', 1), ('a\nCode: 1. DB::Exception: x (Y)', 2), ('Code: 1. DB::Exception: "', 3)`)
	table, err := Open(t.Context(), at(t, server.Address, "odd"), nil)
	must(t, err)
	groups, _, err := table.Pass(t.Context(), []string{"a"}, "", nil, nil, nil)
	must(t, err)
	recordsAsServer(t, table, "clickhouse", server.Connect)
	if column := groups.Data.Columns()[0]; groups.Data.Len() != 3 || column.Text(0) != "Code: 1. DB::Exception: \"" {
		t.Errorf("%d groups, of which the first is %s", groups.Data.Len(), column.Text(0))
	}
	db, err := sql.Open("clickhouse", server.Connect)
	must(t, err)
	defer db.Close()
	rows, err := db.Query("SELECT toString(number), intDiv(1, number - 3000000) FROM system.numbers LIMIT 4000000")
	must(t, err)
	defer rows.Close()
	read := 0
	for rows.Next() {
		read++
	}
	if said := new(driven.Error); !errors.As(rows.Err(), &said) || said.Code != 153 || read < 1_000_000 {
		t.Errorf("after %d records: %v", read, rows.Err())
	}
}

// Sums of weights are those of the decimals that their texts are, whatever the type of the column.
func TestWeightsOfClickHouse(t *testing.T) {
	server := servertest.StartClickHouse(t, 1)[0]
	for _, c := range []struct{ kind, values, sum string }{{"Int32", "('1'), ('3')", "4"}, {"Nullable(UInt64)", "('1'), ('9007199254740993')", "9007199254740994"},
		{"Decimal(38, 10)", "('0.1'), ('0.2')", "0.3"}, {"Float64", "('0.1'), ('0.2'), ('1000000')", "1000000.3"}, {"Float32", "('0.1'), ('0.7')", "0.8"},
		{"String", "('.5'), ('1e3'), ('0.1'), ('0.1234567890123456789')", "1000.7234567890123"}, {"LowCardinality(Nullable(String))", "('7'), ('8.25')", "15.25"}} {
		execute(t, "clickhouse", server.Connect, "DROP TABLE IF EXISTS weights", "CREATE TABLE weights (w "+c.kind+") ENGINE = MergeTree ORDER BY tuple()",
			"INSERT INTO weights VALUES "+strings.ReplaceAll(c.values, "'", map[bool]string{true: "'"}[strings.Contains(c.kind, "String")]))
		table, err := Open(t.Context(), at(t, server.Address, "weights"), nil)
		must(t, err)
		groups, _, err := table.Pass(t.Context(), nil, "w", nil, nil, nil)
		must(t, err)
		column, _ := groups.Data.Column("w")
		if column.Text(0) != c.sum {
			t.Errorf("the sum of %s %s is %s, not %s", c.kind, c.values, column.Text(0), c.sum)
		}
		if whole := !strings.ContainsAny(c.values, ".e"); whole != (column.Kind() == microdata.Whole) {
			t.Errorf("the sum of %s %s is %v", c.kind, c.values, column.Kind())
		}
	}
	for _, values := range []string{"('1'), ('x')", "('1'), ('')", "('1'), (NULL)", "('0'), ('1')", "('-1'), ('1')"} {
		execute(t, "clickhouse", server.Connect, "DROP TABLE IF EXISTS weights", "CREATE TABLE weights (w Nullable(String)) ENGINE = MergeTree ORDER BY tuple()",
			"INSERT INTO weights VALUES "+values)
		table, err := Open(t.Context(), at(t, server.Address, "weights"), nil)
		must(t, err)
		if _, _, err = table.Pass(t.Context(), nil, "w", nil, nil, nil); !errors.Is(err, microdata.ErrWeights) || !strings.Contains(err.Error(), "1 of 2 records") {
			t.Errorf("weights %s: %v", values, err)
		}
	}
}

// What servers do by themselves is no change of a table; what others do to its records is.
func TestChangedTablesOfClickHouse(t *testing.T) {
	servers := servertest.StartClickHouse(t, 2)
	for _, server := range servers {
		execute(t, "clickhouse", server.Connect, "CREATE TABLE part (a Int32, b Int32, c Int32 DEFAULT 0) ENGINE = MergeTree ORDER BY a PARTITION BY b")
	}
	execute(t, "clickhouse", servers[0].Connect, "CREATE TABLE person AS part ENGINE = Distributed("+servertest.Cluster+", default, part, rand())")
	other := servers[1].Connect
	for range 3 {
		execute(t, "clickhouse", other, "INSERT INTO part (a, b) VALUES (1, 1), (2, 1), (3, 2)")
	}
	for _, c := range []struct {
		statements []string
		changed    bool
	}{{[]string{"OPTIMIZE TABLE part FINAL", "SELECT sleep(1)"}, false}, {[]string{"ALTER TABLE part DROP PARTITION 2", "INSERT INTO part (a, b) VALUES (4, 2), (5, 2), (6, 2)"}, true},
		{[]string{"ALTER TABLE part UPDATE c = 1 WHERE a = 1", "SELECT sleep(2)"}, true},
		{[]string{"DROP TABLE part", "SELECT sleep(1)", "CREATE TABLE part (a Int32, b Int32, c Int32) ENGINE = MergeTree ORDER BY a PARTITION BY b", "INSERT INTO part SELECT number, 1, 0 FROM numbers(9)"}, true}} {
		whole, err := Open(t.Context(), at(t, servers[0].Address, "person"), nil)
		must(t, err)
		shard, err := Open(t.Context(), at(t, servers[1].Address, "part"), nil)
		must(t, err)
		execute(t, "clickhouse", other, c.statements...)
		for _, table := range []*Table{whole, shard} {
			for _, by := range [][]string{nil, {"a"}} {
				if _, _, err := table.Pass(t.Context(), by, "", nil, nil, nil); (err != nil) != c.changed {
					t.Errorf("%s after %v, by %v: %v", table.address.Name(), c.statements, by, err)
				}
			}
		}
	}
}

// Of shards with replicas the one is noted that is read first, and what others do to it; it is the same from time to
// time.
func TestChangedReplicasOfClickHouse(t *testing.T) {
	servers := servertest.StartClickHouse(t, 2)
	for _, server := range servers {
		execute(t, "clickhouse", server.Connect, "CREATE TABLE part (a Int32, b Int32) ENGINE = MergeTree ORDER BY a",
			"CREATE TABLE person AS part ENGINE = Distributed("+servertest.Replicas+", default, part, rand())")
		for range 3 {
			execute(t, "clickhouse", server.Connect, "INSERT INTO part VALUES (1, 1), (2, 1), (3, 2)")
		}
	}
	for _, server := range servers {
		table, err := Open(t.Context(), at(t, server.Address, "person"), nil)
		must(t, err)
		if table.noted == "" {
			t.Fatal("nothing is noted of replicas")
		}
		execute(t, "clickhouse", server.Connect, "OPTIMIZE TABLE part FINAL", "SELECT sleep(1)")
		for range 10 {
			_, _, err := table.Pass(t.Context(), []string{"a"}, "", nil, make([]fileio.Described, 2), nil)
			must(t, err)
		}
		execute(t, "clickhouse", server.Connect, "ALTER TABLE part UPDATE b = 7 WHERE a = 1", "SELECT sleep(2)")
		if _, _, err := table.Pass(t.Context(), []string{"a"}, "", nil, make([]fileio.Described, 2), nil); !errors.Is(err, streamed.ErrChanged) {
			t.Errorf("%v", err)
		}
	}
}

// A query that is given up is ended in the server; neither passwords nor values are in its log, nor in errors.
func TestQueriesOfClickHouse(t *testing.T) {
	server := servertest.StartClickHouse(t, 1)[0]
	if server.Log == "" {
		t.Skip("left out: it looks at the server")
	}
	execute(t, "clickhouse", server.Connect, "CREATE VIEW slow AS SELECT sum(number) AS s FROM (SELECT number FROM system.numbers LIMIT 1000000000000) GROUP BY number % 7",
		"CREATE TABLE wrong (w String) ENGINE = MergeTree ORDER BY tuple()", "INSERT INTO wrong VALUES ('a secret')")
	for _, user := range []string{"tester", servertest.Reader} {
		ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
		address := at(t, strings.Replace(server.Address, "tester", user, 1), "slow")
		_, err := Open(ctx, address, nil)
		stop()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a query that was given up: %v", err)
		}
		left := ""
		for range 150 {
			if left = oneText(t, "clickhouse", server.Connect, "SELECT count() FROM system.processes WHERE query LIKE '%slow%' AND query NOT LIKE '%processes%'"); left == "0" {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if left != "0" {
			t.Errorf("%s queries of %s go on in the server", left, user)
		}
	}
	table, err := Open(t.Context(), at(t, server.Address, "wrong"), []string{"", "a secret"})
	must(t, err)
	err = table.within(t.Context(), false, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "SELECT nothing(w) FROM wrong WHERE w = $1", "a secret")
		return err
	})
	if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), servertest.Password) {
		t.Errorf("an error: %v", err)
	}
	said, err := os.ReadFile(server.Log)
	must(t, err)
	if !strings.Contains(string(said), "nothing(w) FROM wrong") || strings.Contains(string(said), "secret") || strings.Contains(string(said), servertest.Password) {
		t.Errorf("the log has\n%s", said)
	}
	if err := (clickhouse{}).fault(&driven.Error{Code: 6, Message: "'a secret'"}); strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "code 6") {
		t.Errorf("%v", err)
	}
}

// A page of a table on one server, or on the shards of a cluster, has the records that are found and sorted in memory.
func TestPagesOfClickHouseAreAsInMemory(t *testing.T) {
	const columns = "(id Int64, region LowCardinality(Nullable(String)), age Nullable(Int16), amount Nullable(String), word Nullable(String)) ENGINE = "
	for name, shards := range map[string]int{"one server": 1, "two shards": 2} {
		t.Run(name, func(t *testing.T) {
			servers := servertest.StartClickHouse(t, shards)
			random := rand.New(rand.NewPCG(3, 9))
			for turn := range 2 {
				records := drawnRecords(random, 20+random.IntN(60))
				for _, server := range servers {
					execute(t, "clickhouse", server.Connect, "DROP TABLE IF EXISTS person", "DROP TABLE IF EXISTS part",
						"CREATE TABLE part "+columns+"MergeTree ORDER BY tuple()", "CREATE TABLE person "+columns+"MergeTree ORDER BY tuple()")
					if shards > 1 {
						execute(t, "clickhouse", server.Connect, "DROP TABLE person",
							"CREATE TABLE person "+columns+"Distributed("+servertest.Cluster+", default, part, rand())")
					}
				}
				sent := &driven.Relation{Name: "records"}
				for i, column := range pageColumns {
					texts := []*string{}
					for _, record := range records {
						texts = append(texts, record[i])
					}
					sent.Columns = append(sent.Columns, driven.Column{Name: column, Texts: texts})
				}
				db, err := sql.Open("clickhouse", servers[0].Connect)
				must(t, err)
				_, err = db.Exec("INSERT INTO person SELECT * FROM records", sent, driven.Setting{Name: "insert_distributed_sync", Value: "1"})
				must(t, err)
				db.Close()
				for _, key := range []string{"id", ""} {
					checkPages(t, servers[0].Address, key, records, random, turn%2 == 1)
				}
			}
		})
	}
}

// How far a count has come is told while it goes on, also to who may do nothing but look, by the shards too.
func TestProgressOfClickHouse(t *testing.T) {
	servers := servertest.StartClickHouse(t, 2)
	for i, server := range servers {
		execute(t, "clickhouse", server.Connect, "CREATE TABLE part (a Int32) ENGINE = MergeTree ORDER BY tuple() PARTITION BY intDiv(a, 5000)",
			fmt.Sprintf("INSERT INTO part SELECT number + %d FROM system.numbers LIMIT 20000", 20000*i))
	}
	execute(t, "clickhouse", servers[0].Connect, "CREATE TABLE person AS part ENGINE = Distributed("+servertest.Cluster+", default, part, rand())",
		"CREATE VIEW slow AS SELECT a, sleepEachRow(0.0003) AS s FROM person")
	table, err := Open(t.Context(), at(t, strings.Replace(servers[0].Address, "tester", servertest.Reader, 1), "slow"), nil)
	must(t, err)
	var meter progress.Meter
	ended, seen := make(chan error), []float64{}
	go func() {
		_, _, err := table.Pass(t.Context(), []string{"s"}, "", nil, make([]fileio.Described, 2), &meter)
		ended <- err
	}()
	for err, going := error(nil), true; going; {
		select {
		case err = <-ended:
			must(t, err)
			going = false
		case <-time.After(10 * time.Millisecond):
			if share := meter.Fraction(); len(seen) == 0 || share != seen[len(seen)-1] {
				seen = append(seen, share)
			}
		}
	}
	if len(seen) < 3 || !slices.IsSorted(seen) || seen[1] <= 0 || seen[1] >= 1 || meter.Fraction() != 1 {
		t.Errorf("told was %v, and %v in the end", seen, meter.Fraction())
	}
}

// Records are parted by a key into as many as a server can group, and each is in one part, also without a value.
func TestPartsOfAKeyOfClickHouse(t *testing.T) {
	server := servertest.StartClickHouse(t, 1)[0]
	execute(t, "clickhouse", server.Connect, "DROP TABLE IF EXISTS keyed", "CREATE TABLE keyed (id Nullable(Int32), day LowCardinality(Nullable(String))) ENGINE = MergeTree ORDER BY tuple()",
		"INSERT INTO keyed SELECT if(number % 10 = 0, NULL, number), if(number % 10 = 0, NULL, toString(number)) FROM system.numbers LIMIT 1000")
	for _, key := range []string{"id", "day"} {
		all, conditions := 0, (clickhouse{}).sliced(key, 35_000_000)
		for _, where := range conditions {
			n, _ := strconv.Atoi(oneText(t, "clickhouse", server.Connect, "SELECT count() FROM keyed"+where))
			if all += n; n == 0 || n > 500 {
				t.Errorf("%d of 1000 records are%s", n, where)
			}
		}
		if all != 1000 || len(conditions) != 4 {
			t.Errorf("%d records are in %d parts", all, len(conditions))
		}
	}
}

// oneText asks for one text.
func oneText(tb testing.TB, driver, where, query string) (text string) {
	tb.Helper()
	db, err := sql.Open(driver, where)
	must(tb, err)
	defer db.Close()
	must(tb, db.QueryRow(query).Scan(&text))
	return text
}

// Columns of few values are of texts in protected tables: later servers refuse new ones of others.
func TestColumnsOfProtectedTables(t *testing.T) {
	for declared, want := range map[string]string{"LowCardinality(String)": "LowCardinality(String)", "UInt8": "UInt8",
		"LowCardinality(Nullable(String))": "LowCardinality(Nullable(String))", "LowCardinality(UInt8)": "UInt8",
		"LowCardinality(Nullable(Int32))": "Nullable(Int32)", "LowCardinality(FixedString(4))": "FixedString(4)"} {
		if is := ofTable(declared); is != want {
			t.Errorf("%s becomes %s, not %s", declared, is, want)
		}
	}
}

// Decimals have all of their digits, as they do where a server leaves out zeros.
func TestDecimalsOfClickHouse(t *testing.T) {
	server := servertest.StartClickHouse(t, 1)[0]
	for declared, texts := range map[string][2]string{"Decimal(9, 2)": {"2.5", "2.50"}, "Nullable(Decimal(18, 3))": {"-7", "-7.000"},
		"Decimal(9, 0)": {"7", "7"}, "Decimal(38, 1)": {"0.1", "0.1"}} {
		if is := oneText(t, "clickhouse", server.Connect, "SELECT "+withDecimals(&Column{declared: declared}, "'"+texts[0]+"'")); is != texts[1] {
			t.Errorf("%s of %s is %s, not %s", texts[0], declared, is, texts[1])
		}
	}
	null := oneText(t, "clickhouse", server.Connect, "SELECT isNull("+withDecimals(&Column{declared: "Decimal(9, 2)"}, "CAST(NULL AS Nullable(String))")+")")
	if null != "1" {
		t.Error("a cell that is missing has decimals")
	}
}
