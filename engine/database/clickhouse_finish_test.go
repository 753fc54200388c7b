package database

import (
	"context"
	"database/sql"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A protected table of ClickHouse gets its name also where it is given up just then, and is not removed where no answer
// tells whether it has it; where the server says that it has not, it is.
func TestNameOfAProtectedTable(t *testing.T) {
	for name, c := range map[string]struct {
		rename  func(w http.ResponseWriter, stop func())
		fails   bool
		removed bool
	}{
		"given up":  {rename: func(_ http.ResponseWriter, stop func()) { stop() }},
		"no answer": {rename: func(http.ResponseWriter, func()) { panic(http.ErrAbortHandler) }, fails: true},
		"refused": {rename: func(w http.ResponseWriter, _ func()) { http.Error(w, "Code: 57. DB::Exception: there", 500) },
			fails: true, removed: true},
	} {
		ctx, stop := context.WithCancel(t.Context())
		removed := false
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			switch statement, _, _ := strings.Cut(string(body), " "); {
			case statement == "RENAME":
				c.rename(w, stop)
			case statement == "DROP":
				removed = true
			case statement == "EXISTS" || strings.Contains(string(body), "count(*)"):
				io.WriteString(w, "n\n0\n")
			case strings.Contains(string(body), "engine_full"):
				io.WriteString(w, "n\n\"MergeTree\"\n")
			}
		}))
		address := at(t, strings.Replace(server.URL, "http", "clickhouse", 1)+"/db", "safe")
		must(t, (&Table{address: address}).within(ctx, true, func(tx *sql.Tx) error {
			made, err := clickhouse{}.create(ctx, tx, address, address, []string{"a"}, []string{"String"}, "SELECT 1", &query{})
			must(t, err)
			if err := made.finish(); (err != nil) != c.fails {
				t.Errorf("%s: %v", name, err)
			}
			made.abandon()
			return nil
		}))
		server.Close()
		if stop(); removed != c.removed {
			t.Errorf("%s: removed %v", name, removed)
		}
	}
}
