package session

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Identifiers and household IDs are found, however many values they have, where the records are in a file that is read
// in passes or in a table, whose primary key is known without key=.
func TestFindingsDoNotDependOnTheNumberOfValues(t *testing.T) {
	folder := t.TempDir()
	file, table := filepath.Join(folder, "large.csv"), filepath.Join(folder, "large.db")
	var text strings.Builder
	text.WriteString("n,hid,pid,region\n")
	db, err := sql.Open("sqlite", table)
	must(t, err)
	defer db.Close()
	tx, err := db.Begin()
	must(t, err)
	_, err = tx.Exec("CREATE TABLE person (n INTEGER PRIMARY KEY, hid TEXT, pid INTEGER, region TEXT)")
	must(t, err)
	for i := range 12_000 {
		record := []any{7 + i, fmt.Sprintf("h%d", i*10/11), 100_000 + i*7919%12_000, i % 3}
		fmt.Fprintf(&text, "%d,%s,%d,%d\n", record...)
		_, err = tx.Exec("INSERT INTO person VALUES ($1, $2, $3, $4)", record...)
		must(t, err)
	}
	must(t, tx.Commit())
	must(t, os.WriteFile(file, []byte(text.String()), 0o600))
	script := filepath.Join(folder, "s.jsonl")
	must(t, os.WriteFile(script, []byte(`{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region"],"household":"hid"}}
{"step":"suppress-kanonymity","params":{"k":3}}
`), 0o600))
	for address, identifiers := range map[string]string{file: "pid", "sqlite:" + table + "?table=person": "n, pid"} {
		var warnings []string
		must(t, Run(t.Context(), RunOptions{Script: script, File: address, Out: filepath.Join(folder, "out.csv"), Stream: address == file, Force: true,
			Warn: func(message string) { warnings = append(warnings, message) }}))
		for _, want := range []string{"direct-identifiers (critical): ", "household-ids (critical): hid has "} {
			if !slices.ContainsFunc(warnings, func(warning string) bool { return strings.HasPrefix(warning, want) }) {
				t.Errorf("%s lacks %q: %q", address, want, warnings)
			}
		}
		for _, name := range strings.Split(identifiers, ", ") {
			if !slices.ContainsFunc(warnings, func(warning string) bool {
				return strings.HasPrefix(warning, "direct-identifiers") && strings.Contains(warning, name)
			}) {
				t.Errorf("%s: %s is not found: %q", address, name, warnings)
			}
		}
	}
	opening, err := (*Known)(nil).Source("sqlite:"+table+"?table=person", fileio.NewFormat()).Open(t.Context(), nil)
	must(t, err)
	if !slices.ContainsFunc(microdata.Suggest(opening.Data), func(s microdata.Suggestion) bool {
		return s.Variable == "n" && s.Role == microdata.RoleRemoved && s.Reason == "the primary key of the table"
	}) {
		t.Errorf("suggested: %+v", microdata.Suggest(opening.Data))
	}
}
