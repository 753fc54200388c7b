package session

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/database"
	"github.com/sdcdesk/sdcdesk/engine/database/clickhouse"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
)

const inClickHouse = `(id Int64, region LowCardinality(Nullable(String)), sex Enum8('m' = 1, 'f' = 2), age Nullable(Int32), income Decimal(18, 1),
	health LowCardinality(Nullable(String)), w Decimal(9, 2), note Nullable(String), hid Nullable(String))`

// loadClickHouse makes a table of the records, on all servers of a cluster.
func (t drawnTable) loadClickHouse(tb testing.TB, servers []servertest.ClickHouse) {
	tb.Helper()
	for _, server := range servers {
		statements := []string{"DROP TABLE IF EXISTS person", "DROP TABLE IF EXISTS part", "DROP TABLE IF EXISTS safe", "DROP TABLE IF EXISTS safe_shard"}
		name := "person"
		if len(servers) > 1 {
			name = "part"
			statements = append(statements, "CREATE TABLE person "+inClickHouse+" ENGINE = Distributed("+servertest.Cluster+", default, part, rand())")
		}
		inClickHouseServer(tb, server, append(statements, "CREATE TABLE "+name+" "+inClickHouse+" ENGINE = MergeTree ORDER BY id")...)
	}
	records := &clickhouse.Relation{Name: "records"}
	for i, name := range drawnColumns {
		records.Columns = append(records.Columns, clickhouse.Column{Name: name, Texts: []*string{}})
		for _, record := range t {
			records.Columns[i].Texts = append(records.Columns[i].Texts, record[i])
		}
	}
	db, err := sql.Open("clickhouse", servers[0].Connect)
	must(tb, err)
	defer db.Close()
	_, err = db.Exec("INSERT INTO person SELECT * FROM records", records, clickhouse.Setting{Name: "insert_distributed_sync", Value: "1"})
	must(tb, err)
}

// inClickHouseServer carries out statements.
func inClickHouseServer(tb testing.TB, server servertest.ClickHouse, statements ...string) {
	tb.Helper()
	execute(tb, "clickhouse", server.Connect, statements...)
}

// withTable returns the address of a table of a server.
func withTable(server servertest.ClickHouse, table string) string {
	sign := "?"
	if strings.Contains(server.Address, "?") {
		sign = "&"
	}
	return server.Address + sign + "table=" + table
}

// A session on a table has the figures and the protected records that it has where the same records are in a file,
// whether one server has the table or the shards of a cluster do.
func TestTablesOfClickHouseAreAsFiles(t *testing.T) {
	for name, shards := range map[string]int{"one server": 1, "two shards": 2} {
		t.Run(name, func(t *testing.T) {
			servers := servertest.StartClickHouse(t, shards)
			source := map[string]string{name: withTable(servers[0], "person&key=id")}
			tablesAreAsFiles(t, t.TempDir(), source, func(drawn drawnTable) { drawn.loadClickHouse(t, servers) })
		})
	}
}

// Without a key the same records lose cells as in files of SQLite.
func TestTablesOfClickHouseWithoutKey(t *testing.T) {
	servers := servertest.StartClickHouse(t, 2)
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.db")
	drawn := drawTable(rand.New(rand.NewPCG(11, 7)))
	drawn = append(drawn, drawn[:len(drawn)/2]...) // records that are alike
	drawn.loadClickHouse(t, servers)
	drawn.load(t, "sqlite", path, strings.Replace(inSQLite, " PRIMARY KEY", "", 1))
	is := runOn(t, folder, protectsTable, withTable(servers[0], "person"), filepath.Join(folder, "is.csv"), false)
	must(t, is.err)
	want := runOn(t, folder, protectsTable, "sqlite:"+path+"?table=person", filepath.Join(folder, "want.csv"), false)
	must(t, want.err)
	if is.out != want.out || len(drawn) < 20 {
		t.Errorf("%d records in ClickHouse:\n%s\nin SQLite:\n%s", len(drawn), is.out, want.out)
	}
}

// violatorsInClickHouse are records that fewer than 3 share a key with, missing cells being like all others.
const violatorsInClickHouse = `SELECT count(*) FROM (SELECT id, count(*) AS n FROM (SELECT id, region AS r, sex AS s, age AS a FROM safe) x
	CROSS JOIN (SELECT region AS r2, sex AS s2, age AS a2 FROM safe) y
	WHERE (isNull(r) OR r = '' OR isNull(r2) OR r2 = '' OR r = r2) AND (isNull(s) OR isNull(s2) OR s = s2) AND (isNull(a) OR isNull(a2) OR a = a2)
	GROUP BY id) z WHERE n < 3`

// A protected table has, counted by SQL alone, no violator where none was foretold, as many blanked cells as the steps
// tell, and the very records of the protected file; it is where the table is, and nothing else is left.
func TestProtectedTableOfClickHouse(t *testing.T) {
	for name, shards := range map[string]int{"one server": 1, "two shards": 2} {
		t.Run(name, func(t *testing.T) {
			servers := servertest.StartClickHouse(t, shards)
			folder, where := t.TempDir(), servers[0].Connect
			drawn := drawTable(rand.New(rand.NewPCG(11, 7)))
			drawn.loadClickHouse(t, servers)
			source, target := withTable(servers[0], "person&key=id"), withTable(servers[0], "safe")
			tables := func() string { return tablesOfClickHouse(t, servers) }
			before := tables()
			is := runOn(t, folder, protectsTable, source, target, false)
			must(t, is.err)
			file := runOn(t, folder, protectsTable, source, filepath.Join(folder, "safe.csv"), false)
			must(t, file.err)
			if !strings.Contains(is.warned, "not one act") || strings.Contains(file.warned, "not one act") {
				t.Errorf("told of the table: %s\nof the file: %s", is.warned, file.warned)
			}
			if n := oneCell(t, "clickhouse", where, violatorsInClickHouse); n != "0" {
				t.Errorf("%s violators", n)
			}
			d, err := Perform(t.Context(), RunOptions{Script: filepath.Join(folder, "steps.jsonl"), File: source})
			must(t, err)
			for _, key := range []string{"region", "sex", "age"} {
				column, _ := d.Data.Column(key)
				blanked := oneCell(t, "clickhouse", where, fmt.Sprintf("SELECT count(*) FROM (SELECT id, CAST(%s AS Nullable(String)) AS was FROM person) p "+
					"ALL INNER JOIN (SELECT id, %s AS c FROM safe) s USING (id) WHERE was <> '' AND isNull(c)", key, key))
				if blanked != fmt.Sprint(column.SuppressedCount()) {
					t.Errorf("%s cells of %s are blanked, %d were foretold", blanked, key, column.SuppressedCount())
				}
			}
			if lines := strings.Join(tableLines(t, "clickhouse", where), "\n"); lines != strings.TrimSpace(file.out) {
				t.Errorf("the table is\n%s\nand the file\n%s", lines, file.out)
			}
			if shards > 1 {
				for _, server := range servers {
					if n := oneCell(t, "clickhouse", server.Connect, "SELECT count(*) FROM safe_shard"); n == "0" {
						t.Error("a shard has no records")
					}
				}
			}
			after := tables()
			again := runOn(t, folder, protectsTable, source, target, false)
			if !errors.Is(again.err, database.ErrExists) || strings.Contains(again.err.Error(), servertest.Password) {
				t.Errorf("written once more: %v", again.err)
			}
			if tables() != after || after == before {
				t.Errorf("there are %s, before it was written once more %s", tables(), after)
			}
			leavesNothing(t, servers, source, tables)
		})
	}
}

// tablesOfClickHouse returns the names of all tables.
func tablesOfClickHouse(t *testing.T, servers []servertest.ClickHouse) (all string) {
	for _, server := range servers {
		all += oneCell(t, "clickhouse", server.Connect, "SELECT toString(groupArray(name)) FROM (SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name)")
	}
	return all
}

// leavesNothing gives up, and provokes failures of, what writes a protected table.
func leavesNothing(t *testing.T, servers []servertest.ClickHouse, source string, tables func() string) {
	t.Helper()
	before := tables()
	s := openTable(t, source)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := s.Document().Export(ctx, ExportOptions{Path: withTable(servers[0], "other")}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	changed := "person"
	if len(servers) > 1 {
		changed = "part"
	}
	inClickHouseServer(t, servers[0], "INSERT INTO "+changed+" SELECT * FROM "+changed+" LIMIT 1")
	if _, err := s.Document().Export(t.Context(), ExportOptions{Path: withTable(servers[0], "other")}, nil); err == nil {
		t.Error("a table that changed is written")
	}
	if tables() != before {
		t.Errorf("there are %s, not %s", tables(), before)
	}
	s = openTable(t, strings.Replace(source, "&key=id", "", 1))
	taken := "other_unfinished"
	if len(servers) > 1 {
		taken = "other_shard"
	}
	last := servers[len(servers)-1]
	inClickHouseServer(t, last, "CREATE TABLE "+taken+" (a Int8) ENGINE = MergeTree ORDER BY a")
	defer inClickHouseServer(t, last, "DROP TABLE "+taken)
	with := tables()
	if _, err := s.Document().Export(t.Context(), ExportOptions{Path: withTable(servers[0], "other")}, nil); !errors.Is(err, database.ErrExists) ||
		!strings.Contains(err.Error(), taken) {
		t.Errorf("where there is %s: %v", taken, err)
	}
	if tables() != with {
		t.Errorf("there are %s, not %s", tables(), with)
	}
}

// loadReplicas makes a Distributed table of a cluster with the records, whose servers are replicas of one shard.
func (t drawnTable) loadReplicas(tb testing.TB, servers []servertest.ClickHouse, cluster string) {
	tb.Helper()
	t.loadClickHouse(tb, servers[:1])
	for _, server := range servers {
		inClickHouseServer(tb, server, "DROP TABLE IF EXISTS part", "DROP TABLE IF EXISTS whole", "CREATE TABLE part "+inClickHouse+" ENGINE = MergeTree ORDER BY id",
			"CREATE TABLE whole "+inClickHouse+" ENGINE = Distributed("+cluster+", default, part, rand())")
	}
	db, err := sql.Open("clickhouse", servers[0].Connect)
	must(tb, err)
	defer db.Close()
	_, err = db.Exec("INSERT INTO whole SELECT * FROM person", clickhouse.Setting{Name: "insert_distributed_sync", Value: "1"})
	must(tb, err)
}

// A table whose shards have replicas is as one of one server; the protected one is on all replicas, or on none.
func TestReplicasOfClickHouse(t *testing.T) {
	servers := servertest.StartClickHouse(t, 2) // the first: others take its address for their own
	folder := t.TempDir()
	drawn := drawTable(rand.New(rand.NewPCG(11, 7)))
	drawn.loadReplicas(t, servers, servertest.Replicas)
	one := runOn(t, folder, protectsTable, withTable(servers[0], "person&key=id"), filepath.Join(folder, "one.csv"), false)
	must(t, one.err)
	source := withTable(servers[0], "whole&key=id")
	is := runOn(t, folder, protectsTable, source, filepath.Join(folder, "is.csv"), false)
	must(t, is.err)
	if is.out != one.out {
		t.Errorf("with replicas:\n%s\nwithout:\n%s", is.out, one.out)
	}
	must(t, runOn(t, folder, protectsTable, source, withTable(servers[0], "safe"), false).err)
	for _, server := range servers {
		if n := oneCell(t, "clickhouse", server.Connect, "SELECT count(*) FROM safe_shard"); n != fmt.Sprint(len(drawn)) {
			t.Errorf("a replica has %s of %d records", n, len(drawn))
		}
	}
	if lines := strings.Join(tableLines(t, "clickhouse", servers[0].Connect), "\n"); lines != strings.TrimSpace(one.out) {
		t.Errorf("the table is\n%s\nand the file\n%s", lines, one.out)
	}
	drawn.loadReplicas(t, servers, servertest.Copying)
	before := tablesOfClickHouse(t, servers)
	copying := runOn(t, folder, protectsTable, withTable(servers[0], "whole"), withTable(servers[0], "other"), false)
	if !errors.Is(copying.err, database.ErrTarget) || !strings.Contains(copying.err.Error(), "internal_replication") {
		t.Errorf("where servers are to copy what is written: %v", copying.err)
	}
	if after := tablesOfClickHouse(t, servers); after != before {
		t.Errorf("there are %s, not %s", after, before)
	}
}
