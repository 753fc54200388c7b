package session

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// inHalves are the databases of a test where the records of a table are in two, whose columns have another order.
type inHalves struct {
	server, path string
	shard        servertest.ClickHouse
}

func startHalves(t *testing.T) *inHalves {
	server, _ := servertest.Start(t)
	return &inHalves{server, filepath.Join(t.TempDir(), "survey.db"), servertest.StartClickHouse(t, 1)[0]}
}

func (h *inHalves) load(t *testing.T, drawn drawnTable) {
	drawn.load(t, "pgx", h.server, inPostgres)
	drawn.load(t, "sqlite", h.path, inSQLite)
	drawn.loadClickHouse(t, []servertest.ClickHouse{h.shard})
	for driver, where := range h.connections() {
		like := "AS"
		if driver == "clickhouse" {
			like = "ENGINE = MergeTree ORDER BY id AS"
		}
		execute(t, driver, where, "DROP TABLE IF EXISTS north", `DROP TABLE IF EXISTS "so,uth"`,
			"CREATE TABLE north "+like+" SELECT id, region, sex, age, income, health, w, note, hid FROM person WHERE id % 3 = 0",
			`CREATE TABLE "so,uth" `+like+" SELECT hid, note, w, health, income, age, sex, region, id FROM person WHERE id % 3 <> 0")
	}
}

func (h *inHalves) connections() map[string]string {
	return map[string]string{"pgx": h.server, "sqlite": h.path, "clickhouse": h.shard.Connect}
}

// table returns the addresses of a table.
func (h *inHalves) table(named string) map[string]string {
	return map[string]string{"pgx": h.server + "&table=" + named, "sqlite": "sqlite:" + h.path + "?table=" + named,
		"clickhouse": withTable(h.shard, named)}
}

const bothHalves = `north,"so,uth"&key=id`

// Several tables of one form have the figures and the protected records of one table with the records of all.
func TestSeveralTablesAreAsOne(t *testing.T) {
	h := startHalves(t)
	tablesAreAsFiles(t, t.TempDir(), h.table(bothHalves), func(drawn drawnTable) { h.load(t, drawn) })
}

// A protected table of several has the records of the protected file; a change of any is noticed.
func TestProtectedTableOfSeveral(t *testing.T) {
	h, folder := startHalves(t), t.TempDir()
	drawn := drawTable(rand.New(rand.NewPCG(11, 7)))
	h.load(t, drawn)
	for driver, where := range h.connections() {
		source, one := h.table(bothHalves)[driver], h.table("person&key=id")[driver]
		must(t, runOn(t, folder, protectsTable, source, h.table("safe")[driver], false).err)
		file := runOn(t, folder, protectsTable, one, filepath.Join(folder, "safe.csv"), false)
		must(t, file.err)
		if lines := strings.Join(tableLines(t, driver, where), "\n"); lines != strings.TrimSpace(file.out) {
			t.Errorf("%s: the table is\n%s\nand the file\n%s", driver, lines, file.out)
		}
		s := openTable(t, source)
		if name := Called(s.opened.Source.Identity().Path); name != "north, so,uth" || !strings.Contains(s.opened.Source.Identity().Path, "north,") {
			t.Errorf("%s is called %q", s.opened.Source.Identity().Path, name)
		}
		change := []string{`UPDATE "so,uth" SET note = 'other'`}
		if driver == "clickhouse" {
			change = []string{`ALTER TABLE "so,uth" UPDATE note = 'other' WHERE id >= 0`, "SELECT sleep(2)"}
		}
		execute(t, driver, where, change...)
		if _, err := s.Document().Export(t.Context(), ExportOptions{Path: filepath.Join(folder, "out.csv")}, nil); !errors.Is(err, streamed.ErrChanged) {
			t.Errorf("%s: %v", driver, err)
		}
	}
}

// Tables that cannot be one are refused with the reason.
func TestTablesThatAreNotOne(t *testing.T) {
	h, folder := startHalves(t), t.TempDir()
	h.load(t, drawTable(rand.New(rand.NewPCG(11, 7))))
	for driver, where := range h.connections() {
		like := map[string]string{"clickhouse": "ENGINE = MergeTree ORDER BY tuple() AS"}[driver]
		if like == "" {
			like = "AS"
		}
		for _, left := range []string{"copied", "more", "less", "other"} {
			execute(t, driver, where, "DROP TABLE IF EXISTS "+left)
		}
		execute(t, driver, where, "CREATE TABLE copied "+like+" SELECT * FROM north", "CREATE TABLE more "+like+" SELECT p.*, 1 AS extra FROM person p", "CREATE TABLE less "+like+" SELECT id, region FROM person",
			"CREATE TABLE other "+like+" SELECT id, region, sex, CAST('1' AS "+map[bool]string{true: "String", false: "VARCHAR"}[driver == "clickhouse"]+") AS age, income, health, w, note, hid FROM person")
		for _, c := range []struct{ tables, out, want string }{
			{"north,more", "", `more has "extra", north has not`}, {"north,less", "", `north has "sex", less has not`},
			{"north,other", "", `"age" is `}, {"north,nobody", "", "nobody is not there"}, {"north,north", "", "north and north may be one table"},
			{"north,main.north", "", "may be one table"}, {"north,", "", "say the table"}, {"north,copied&key=id", "", `the same value in "id"`},
			{"north", "a,b", "protected records go into one table"},
		} {
			out := filepath.Join(folder, "out.csv")
			if c.out != "" {
				out = h.table(c.out)[driver]
			}
			is := runOn(t, folder, protectsTable, h.table(c.tables)[driver], out, false)
			if is.err == nil || !strings.Contains(is.err.Error(), c.want) {
				t.Errorf("%s, %s to %s: %v", driver, c.tables, c.out, is.err)
			}
		}
	}
}
