package session

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// loadSQLite loads records into a table of a file alone.
func loadSQLite(t *testing.T, folder string) (sources map[string]string, load func(drawnTable)) {
	path := filepath.Join(folder, "survey.db")
	return map[string]string{"sqlite": "sqlite:" + path + "?table=person&key=id"},
		func(drawn drawnTable) { drawn.load(t, "sqlite", path, inSQLite) }
}

// Households of tables of SQLite, whose records are followed through the steps here, are as those of files in memory.
func TestHouseholdsOfTablesOfSQLite(t *testing.T) {
	sources, load := loadSQLite(t, t.TempDir())
	householdsAreAsFiles(t, sources, load)
}

// A protected file without a key has the records of that by the key, in the order of their cells, missing ones first.
func TestProtectedFileOfSQLiteWithoutKey(t *testing.T) {
	folder := t.TempDir()
	sources, load := loadSQLite(t, folder)
	drawn, keyless := drawTable(rand.New(rand.NewPCG(21, 7))), filepath.Join(folder, "keyless.db")
	load(drawn)
	drawn.load(t, "sqlite", keyless, strings.Replace(inSQLite, " PRIMARY KEY", "", 1)) // which would be the default key
	const script = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age"],"remove":["id","w","hid"]},"file":{"missing":["","NA"]}}
{"step":"recode-rename","params":{"variable":"sex","level":"m","label":"man"}}
{"step":"recode-round","params":{"variable":"income","base":100}}
{"step":"recode-group","params":{"variable":"region","levels":["=west"],"label":"a, \"b\""}}
{"step":"make-stratum","params":{"variables":["region","sex"],"name":"cell"}}`
	by := runOn(t, folder, script, sources["sqlite"], filepath.Join(folder, "by.csv"), false)
	must(t, by.err)
	path := filepath.Join(folder, "safe.csv")
	without := runOn(t, folder, script, "sqlite:"+keyless+"?table=person", path, false)
	must(t, without.err)
	if by.out != without.out || !strings.Contains(by.out, ",man,") || strings.Count(by.out, "a, ") < 2 {
		t.Errorf("by the key\n%s\nand without\n%s", by.out, without.out)
	}
	text, err := os.ReadFile(path)
	must(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if first := lines[1]; !strings.HasPrefix(first, ",") || !strings.HasPrefix(lines[len(lines)-1], "south,") {
		t.Errorf("the first record is %s, the last %s", first, lines[len(lines)-1])
	}
}
