package clickhouse

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// How far a query has come is asked while it goes on, and told; where the server does not tell it, it is not asked
// again.
func TestProgressOfAQuery(t *testing.T) {
	for _, c := range []struct {
		answer string
		status int
		want   string
	}{{"\"done\",\"all\"\n\"3\",\"7\"\n", 200, "3 of 7"}, {"\"done\",\"all\"\n\"9\",\"7\"\n", 200, "7 of 7"}, {"\"done\",\"all\"\n\"0\",\"0\"\n", 200, ""},
		{"Code: 497. DB::Exception: not enough privileges", 403, ""}} {
		asked, answered := make(chan string, 1), make(chan bool, 100)
		db, statements := answering(t, func(w http.ResponseWriter, r *http.Request) {
			select {
			case asked <- r.URL.Query().Get("query_id"): // the query itself
				select {
				case <-answered:
				case <-time.After(10 * time.Second):
				}
				time.Sleep(2 * askedAgain) // until that has arrived, and it may be asked again
				fmt.Fprint(w, "\"a\"\n1\n")
			default:
				w.WriteHeader(c.status)
				io.WriteString(w, c.answer)
				answered <- true
			}
		})
		told := ""
		rows, err := db.QueryContext(WithProgress(t.Context(), func(done, all int64) { told = fmt.Sprintf("%d of %d", done, all) }), "SELECT a FROM t")
		if err != nil {
			t.Fatal(err)
		}
		got := statements()
		rows.Close()
		if told != c.want || len(got) < 2 || c.status != 200 && len(got) != 2 || !strings.Contains(got[1], "WHERE query_id = '"+<-asked+"'") {
			t.Errorf("%q: told was %q, asked %q", c.answer, told, got)
		}
	}
	db, statements := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "\"a\"\n1\n") })
	rows, err := db.QueryContext(WithProgress(context.Background(), func(int64, int64) { t.Error("a query that took no time told something") }), "SELECT a FROM t")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if got := statements(); len(got) != 1 {
		t.Errorf("asked was %q", got)
	}
}
