package session

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/database"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// drawnTable are the records of a table, NULL where nil.
type drawnTable [][]*string

var drawnColumns = []string{"id", "region", "sex", "age", "income", "health", "w", "note", "hid"}

func drawTable(random *rand.Rand) (t drawnTable) {
	text := func(of ...string) *string {
		if x := of[random.IntN(len(of))]; x != "NULL" {
			return &x
		}
		return nil
	}
	homes := rand.New(rand.NewPCG(3, 7)) // of their own: the other cells do not depend on them
	home := func(called string) *string {
		if n := homes.IntN(70); n < 60 {
			called = fmt.Sprintf(called, n)
			return &called
		}
		return []*string{nil, new(string)}[homes.IntN(2)]
	}
	records := 1 + random.IntN(150)
	called := []string{"%d", "h%d"}[records%2]
	for i := range records {
		t = append(t, []*string{text(strconv.Itoa(i * 7919)), text("north", "south", "east, far", "NA", "", "=west", `"up"`, "NULL", "(a b)", `\`),
			text("f", "m"), text("NULL", "7", "30", "31", "44", "60", "61", "80"), text(fmt.Sprintf("%d.%d", random.IntN(5000), random.IntN(9))),
			text("ill", "well", "NULL"), text(fmt.Sprintf("%d.%02d", 1+random.IntN(90), random.IntN(100))), text("x", "y y", "NULL"), home(called)})
	}
	return t
}

// file returns the records as text, in the order in which they lose cells where a script of a hash says so.
func (t drawnTable) file(secret string) string {
	records := slices.Clone(t)
	slices.SortFunc(records, func(a, b []*string) int {
		return strings.Compare(database.Order(secret, *a[0]), database.Order(secret, *b[0]))
	})
	return strings.Join(drawnColumns, ",") + "\n" + drawnTable(records).lines()
}

// lines returns the records as text.
func (t drawnTable) lines() string {
	var out strings.Builder
	for _, record := range t {
		for i, cell := range record {
			if i > 0 {
				out.WriteByte(',')
			}
			switch {
			case cell == nil:
			case *cell == "" || strings.ContainsAny(*cell, "\",\n"):
				out.WriteString(`"` + strings.ReplaceAll(*cell, `"`, `""`) + `"`)
			default:
				out.WriteString(*cell)
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// load makes a table of the records.
func (t drawnTable) load(tb testing.TB, driver, where, create string) {
	tb.Helper()
	db, err := sql.Open(driver, where)
	must(tb, err)
	defer db.Close()
	for _, statement := range []string{"DROP TABLE IF EXISTS person", "DROP TABLE IF EXISTS safe", create} {
		_, err := db.Exec(statement)
		must(tb, err)
	}
	for _, record := range t {
		cells := make([]any, len(record))
		for i, cell := range record {
			if cell != nil {
				cells[i] = *cell
			}
		}
		_, err := db.Exec("INSERT INTO person VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", cells...)
		must(tb, err)
	}
}

// runOn carries out a script on data, and returns the summary and the released records in the order of their texts.
func runOn(t fataler, folder, script, source, out string, stream bool) (r ran) {
	t.Helper()
	summary := filepath.Join(folder, "summary.json")
	steps := filepath.Join(folder, "steps.jsonl")
	must(t, os.WriteFile(steps, []byte(script), 0o600))
	r.err = Run(context.Background(), RunOptions{Script: steps, File: source, Out: out, Summary: summary, Force: true, Stream: stream,
		GuardFormulas: true, Measures: measuresOfGroups(), Warn: func(message string) { r.warned += message + "\n" }})
	if r.err != nil {
		return r
	}
	text, err := os.ReadFile(summary)
	must(t, err)
	must(t, json.Unmarshal(text, &r.summary))
	if database.Is(out) {
		return r
	}
	text, err = os.ReadFile(out)
	must(t, err)
	lines := strings.Split(string(text), "\n")
	slices.Sort(lines)
	r.out = strings.Join(lines, "\n")
	return r
}

// sourcesOf are the places where the same records are.
func sourcesOf(t *testing.T, folder, server string) map[string]string {
	return map[string]string{"postgres": server + "&table=person&key=id",
		"sqlite": "sqlite:" + filepath.Join(folder, "survey.db") + "?table=person&key=id"}
}

const (
	inPostgres = `CREATE TABLE person (id bigint PRIMARY KEY, region text, sex char(1), age int, income numeric, health varchar(9), w numeric(8,2), note text, hid text)`
	inSQLite   = `CREATE TABLE person (id INTEGER PRIMARY KEY, region TEXT, sex TEXT, age INTEGER, income TEXT, health TEXT, w TEXT, note TEXT, hid TEXT)`
)

// A session on a table has, after every step, the figures that it has where the same records are in a file, in
// memory or in passes, and the protected records are the same.
func TestTablesAreAsFiles(t *testing.T) {
	folder := t.TempDir()
	sources, load := onServerAndFile(t, folder)
	tablesAreAsFiles(t, folder, sources, load)
}

// onServerAndFile returns a table of a server of PostgreSQL and one of a file of SQLite, and what loads records into
// both.
func onServerAndFile(t *testing.T, folder string) (sources map[string]string, load func(drawnTable)) {
	t.Helper()
	server, _ := servertest.Start(t)
	return sourcesOf(t, folder, server), func(drawn drawnTable) {
		drawn.load(t, "pgx", server, inPostgres)
		drawn.load(t, "sqlite", filepath.Join(folder, "survey.db"), inSQLite)
	}
}

// tablesAreAsFiles compares sources, which have the records that are loaded, with files of them.
func tablesAreAsFiles(t *testing.T, folder string, sources map[string]string, load func(drawnTable)) {
	t.Helper()
	long := longtests.Wanted()
	seeds := uint64(1)
	if long {
		seeds = 2
	}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 7))
		drawn := drawTable(random)
		load(drawn)
		lines := []string{`{"format":"sdcdesk-script","version":1}`,
			`{"scenario":{"keys":["region","sex","age"],"sensitive":["health"],"weight":"w","household":"hid","remove":["note"]},"file":{"missing":["","NA"]}}`}
		for step, at := range random.Perm(len(streamedSteps)) {
			lines = append(lines, strings.ReplaceAll(streamedSteps[at], `"remove":["id"]`, `"remove":["note"]`))
			script := strings.Join(lines, "\n")
			sum := sha256.Sum256([]byte(script))
			file := filepath.Join(folder, "survey.csv")
			must(t, os.WriteFile(file, []byte(drawn.file(hex.EncodeToString(sum[:]))), 0o600))
			whole := runOn(t, folder, script, file, filepath.Join(folder, "whole.csv"), false)
			for name, source := range sources {
				if !long && whole.err == nil && step%3 != 2 {
					continue // after every step where long tests are asked for
				}
				is := runOn(t, folder, script, source, filepath.Join(folder, name+".csv"), false)
				if whole.err != nil || is.err != nil {
					if whole.err == nil || is.err == nil {
						t.Fatalf("seed %d, %s\nin memory: %v, in %s: %v", seed, script, whole.err, name, is.err)
					}
					continue
				}
				if where := differs("", whole.summary, is.summary); where != "" {
					t.Fatalf("seed %d: %s\nin memory and in %s differ at %s", seed, script, name, where)
				}
				if whole.out != is.out {
					t.Fatalf("seed %d: %s\nin memory:\n%s\nin %s:\n%s", seed, script, whole.out, name, is.out)
				}
			}
			if whole.err != nil {
				lines = lines[:len(lines)-1]
			}
		}
	}
}
