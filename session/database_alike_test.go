package session

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
)

// drawAlike draws records of few kinds, so that many of them are alike in all columns.
func drawAlike(random *rand.Rand) (t drawnTable) {
	kinds := drawTable(rand.New(rand.NewPCG(5, 7)))[:12]
	for range 150 {
		t = append(t, kinds[min(random.IntN(len(kinds)), random.IntN(len(kinds)))])
	}
	return t
}

// alikeInTables are steps by some variables and then by others, so that records that are alike in all columns, but lost
// different cells before, are of one key.
const alikeInTables = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["sex","age"],"remove":["note"]},"file":{"missing":["","NA"]}}
{"step":"suppress-kanonymity","params":{"k":57,"budget":10}}
{"scenario":{"keys":["region","health"],"remove":["note"]}}
{"step":"suppress-kanonymity","params":{"k":57,"budget":10}}
{"step":"pram","params":{"variables":["region"],"pd":0.3,"alpha":1},"seed":5}
{"scenario":{"keys":["sex","region"],"remove":["note"]}}
{"step":"suppress-kanonymity","params":{"k":80,"budget":12}}`

// Records that are alike in all columns of a table without a key lose the same cells in every database, also where an
// earlier step took different cells from them, whether they draw by themselves or not; protected files have them in one
// order.
func TestRecordsThatAreAlikeLoseAlikeInTables(t *testing.T) {
	server, _ := servertest.Start(t)
	servers := servertest.StartClickHouse(t, 1)
	folder := t.TempDir()
	path := filepath.Join(folder, "survey.db")
	sources := map[string]string{"postgres": server + "&table=person", "ClickHouse": withTable(servers[0], "person")}
	lines := strings.Split(alikeInTables, "\n")
	undrawn := strings.Join(slices.Delete(slices.Clone(lines), 5, 6), "\n")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(folder, name))
		must(t, err)
		return string(text)
	}
	for seed := range uint64(2) {
		random := rand.New(rand.NewPCG(seed, 9))
		drawn := drawAlike(random).loadKeyed(t, server, path, "")
		random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
		drawn.loadClickHouse(t, servers)
		for _, script := range []string{undrawn, alikeInTables} {
			want := runOn(t, folder, script, "sqlite:"+path+"?table=person", filepath.Join(folder, "safe.csv"), false)
			must(t, want.err)
			ordered := read("safe.csv")
			for name, source := range sources {
				is := runOn(t, folder, script, source, filepath.Join(folder, name+".csv"), false)
				must(t, is.err)
				if where := differs("", want.summary, is.summary); where != "" {
					t.Errorf("%d, %s: %s\nit differs from SQLite at %s", seed, script, name, where)
				}
				if inOrder := read(name + ".csv"); inOrder != ordered {
					t.Errorf("%d, %s: %s:\n%s\nin SQLite:\n%s", seed, script, name, inOrder, ordered)
				}
			}
		}
	}
}
