package database

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
)

// Pages of several tables have the records of all of them, forth from the first and back from the last.
func TestPagesOfSeveralTables(t *testing.T) {
	server, _ := servertest.Start(t)
	shard := servertest.StartClickHouse(t, 1)[0]
	file := filepath.Join(t.TempDir(), "pages.db")
	random := rand.New(rand.NewPCG(3, 9))
	records := drawnRecords(random, 60)
	loadPages(t, "pgx", server, "id bigint PRIMARY KEY, region text, age int, amount text, word text", records)
	loadPages(t, "sqlite", file, "id INTEGER PRIMARY KEY, region TEXT, age INTEGER, amount TEXT, word TEXT", records)
	loadPagesOfClickHouse(t, shard, records)
	for _, c := range []struct{ driver, where, address, like string }{{"pgx", server, server, "AS"}, {"sqlite", file, "sqlite:" + file, "AS"},
		{"clickhouse", shard.Connect, shard.Address, "ENGINE = MergeTree ORDER BY id AS"}} {
		execute(t, c.driver, c.where, "DROP TABLE IF EXISTS north", "DROP TABLE IF EXISTS south", "CREATE TABLE north "+c.like+" SELECT * FROM person WHERE id % 3 = 0",
			"CREATE TABLE south "+c.like+" SELECT word, amount, age, region, id FROM person WHERE id % 3 <> 0")
		for _, key := range []string{"id", ""} {
			address := at(t, c.address, "north,south")
			address.key = key
			checkPagesOf(t, address, records, random, key == "")
		}
	}
}

// Names of tables are those that stand in an address, and none is a table that may be another.
func TestNamesOfSeveralTables(t *testing.T) {
	for text, want := range map[string]string{"a": "a", "a,b": "a|b", `"a,b",c.d`: "a,b|c.d", `s.a,t.a,"x.y"`: "s.a|t.a|x.y", `"a""b",c`: `a"b|c`} {
		address, err := Parse("sqlite:x.db?table=" + text)
		must(t, err)
		var names []string
		for _, one := range address.tables() {
			names = append(names, one.Name())
		}
		if got := strings.Join(names, "|"); got != want || address.Name() != strings.ReplaceAll(want, "|", ", ") {
			t.Errorf("%s: %s, called %s, not %s", text, got, address.Name(), want)
		}
		again, err := Parse(address.String())
		must(t, err)
		if again.Name() != address.Name() || again.String() != address.String() {
			t.Errorf("%s becomes %s", address, again)
		}
	}
	for _, text := range []string{"a,a", "a,A", "s.a,a", "s.a,S.A", "a,", ",a", "a,,b", `a,"b`, "a.b.c,d"} {
		if _, err := Parse("sqlite:x.db?table=" + text); err == nil {
			t.Errorf("%s is not refused", text)
		}
	}
}
