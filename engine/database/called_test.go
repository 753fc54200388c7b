package database

import (
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
)

// A number that stands in several spellings is called by one of them, whatever else groups go by, and where they do not
// go by it: steps that name it can be made again.
func TestNumbersOfSeveralSpellingsAreCalledByOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.db")
	const person = "CREATE TABLE person (a TEXT, n TEXT)"
	execute(t, "sqlite", path, person, "INSERT INTO person VALUES ('y', '1e0'), ('y', '1.0'), ('z', '1'), ('x', '1.0'), ('x', '2.50'), ('w', '2.5')")
	sameCalls(t, "sqlite:"+path)
	server, _ := servertest.Start(t)
	execute(t, "pgx", server, "CREATE TABLE person (a text, n numeric)", "INSERT INTO person VALUES ('y', 1.00), ('y', 1.0), ('z', 1), ('x', 1.0), ('x', 2.50), ('w', 2.5)")
	sameCalls(t, server)
}

func sameCalls(t *testing.T, where string) {
	t.Helper()
	table, err := Open(t.Context(), at(t, where, "person"), nil)
	must(t, err)
	for _, by := range [][]string{{"a"}, {"n"}, {"a", "n"}} {
		groups, passed, err := table.Pass(t.Context(), by, "", nil, nil, nil)
		must(t, err)
		columns := []*microdata.Column{passed.Known()["n"].Column}
		if counted, _ := groups.Data.Column("n"); counted != nil {
			columns = append(columns, counted)
		}
		for _, column := range columns {
			if levels := column.Categories().Levels; len(levels) != 2 || levels[0].Label != "1" || levels[1].Label != "2.5" {
				t.Errorf("by %q: %v", by, levels)
			}
		}
	}
}
