package clickhouse

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// answering starts a server that answers queries with what respond writes, and returns the statements that were asked.
func answering(t *testing.T, respond func(http.ResponseWriter, *http.Request)) (db *sql.DB, asked func() []string) {
	t.Helper()
	var lock sync.Mutex
	var statements []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		statement := ""
		if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/") {
			if err := r.ParseMultipartForm(1 << 20); err != nil {
				t.Error(err)
			}
			statement = r.PostForm.Get("query")
		} else {
			body, _ := io.ReadAll(r.Body)
			statement = string(body)
		}
		lock.Lock()
		statements = append(statements, statement)
		lock.Unlock()
		respond(w, r)
	}))
	t.Cleanup(server.Close)
	db, err := sql.Open("clickhouse", strings.Replace(server.URL, "http://", "http://somebody:a%40secret@", 1)+"/census")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db, func() []string {
		lock.Lock()
		defer lock.Unlock()
		return statements
	}
}

// Values travel beside the statement, as they are; the password is in no address.
func TestValuesTravelBeside(t *testing.T) {
	odd := "a\tb\\N\n'\"\r\x00é"
	db, asked := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-ClickHouse-User") != "somebody" || r.Header.Get("X-ClickHouse-Key") != "a@secret" ||
			strings.Contains(r.URL.String(), "secret") || r.URL.Query().Get("database") != "census" {
			t.Errorf("asked at %s with %v", r.URL, r.Header)
		}
		quote := func(text string) { fmt.Fprintf(w, "\"%s\"\n", strings.ReplaceAll(text, `"`, `""`)) }
		quote("cell")
		for _, name := range []string{"sdcdesk_values", "names"} {
			if r.PostForm.Get(name+"_format") != "TabSeparated" {
				t.Errorf("%s has no format", name)
			}
			file, _, err := r.FormFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rows, _ := io.ReadAll(file)
			for cell := range strings.SplitSeq(strings.NewReplacer("\t", "\n").Replace(strings.TrimSuffix(string(rows), "\n")), "\n") {
				if cell == `\N` {
					fmt.Fprintln(w, cell)
					continue
				}
				quote(strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r", `\0`, "\x00").Replace(cell))
			}
			quote(r.PostForm.Get(name + "_structure"))
		}
	})
	rows, err := db.Query(`SELECT '$1 \' $1', "$2" FROM t WHERE a = $1 AND b < $2 AND c IN (SELECT n FROM names)`, odd, 2.5,
		&Relation{Name: "names", Columns: []Column{{Name: "n", Texts: []*string{&odd, nil}}, {Name: "m", Numbers: []int64{-7, 8}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var cells []string
	for rows.Next() {
		var cell sql.NullString
		if err := rows.Scan(&cell); err != nil {
			t.Fatal(err)
		}
		if !cell.Valid {
			cell.String = "NULL"
		}
		cells = append(cells, cell.String)
	}
	want := []string{odd, "2.5", "v1 String, v2 Float64", odd, "-7", "NULL", "8", "n Nullable(String), m Int64"}
	if err := rows.Err(); err != nil || strings.Join(cells, "|") != strings.Join(want, "|") {
		t.Errorf("the server got %q, %v", cells, err)
	}
	statement := `SELECT '$1 \' $1', "$2" FROM t WHERE a = (SELECT v1 FROM sdcdesk_values) AND b < (SELECT v2 FROM sdcdesk_values) ` +
		"AND c IN (SELECT n FROM names)\nFORMAT CSVWithNames"
	if got := asked(); len(got) != 1 || got[0] != statement {
		t.Errorf("asked was %q", got)
	}
}

// An answer that is cut, or that an error ends, is no answer, and a query that is given up is ended.
func TestAnswersThatEndEarly(t *testing.T) {
	long := strings.Repeat("x,\n", 1<<17)
	const head, said = "\"a\",\"b\"\n", "Code: 241, e.displayText() = DB::Exception: memory, e.what() = DB::Exception"
	for _, c := range []struct {
		answer string
		status int
		code   int
		fails  bool
		rows   int
	}{{head + "\"1\",2\n\"" + long + "\",\\N\n", 200, 0, false, 2}, {head + "\"1\",2\n3,", 200, 0, true, 1}, {head + "\"1\",\"2\"\n3\n", 200, 0, true, 1},
		{head + "1,2\n3,\"4", 200, 0, true, 1}, {head + "1,2\n3,4", 200, 0, true, 1}, {"", 200, 0, true, 0}, {head, 200, 0, false, 0}, {head + "1,2\n3,4,5\n", 200, 0, true, 1},
		{head + "1,2\n" + said + "\n", 200, 241, true, 1}, {head + "1,2\n" + said, 200, 241, true, 1}, {head + "1," + said + "\n", 200, 0, true, 0},
		{head + "1,2\n\r\n__exception__\r\nabcdefgh\r\nCode: 395. DB::Exception: \"no\n, (ONE)\n80 abcdefgh\r\n__exception__\r\n", 200, 395, true, 1},
		{"Code: 60. DB::Exception: no table", 404, 60, true, 0}, {"nobody knows", 502, 0, true, 0}} {
		db, _ := answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.answer)
		})
		read, err := readAll(db)
		said := new(Error)
		if read != c.rows || (err != nil) != c.fails || errors.As(err, &said) && said.Code != c.code || c.code != 0 && said.Code == 0 {
			t.Errorf("%.60q: %d rows, %v", c.answer, read, err)
		}
	}
	id := ""
	db, asked := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if id == "" {
			id = r.URL.Query().Get("query_id")
			fmt.Fprint(w, "\"a\"\n1\n\""+long)
		}
	})
	rows, err := db.Query("SELECT 1")
	if err != nil || !rows.Next() {
		t.Fatal(err)
	}
	rows.Close()
	if got := asked(); id == "" || len(got) != 2 || got[1] != "KILL QUERY WHERE query_id = '"+id+"' ASYNC" {
		t.Errorf("asked was %q", got)
	}
}

// A query of one row is done when that is there, and not ended once more.
func TestSingleRows(t *testing.T) {
	db, asked := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "\"a\"\n1\n") })
	one := 0
	if err := db.QueryRow("SELECT 1").Scan(&one); err != nil || one != 1 {
		t.Errorf("%d, %v", one, err)
	}
	if got := asked(); len(got) != 1 {
		t.Errorf("asked was %q", got)
	}
}

// A cell is never taken for what a server says of an error, whatever it has.
func TestCellsThatLookLikeErrors(t *testing.T) {
	for _, odd := range []string{"Code: 241, e.displayText() = DB::Exception: memory, e.what() = DB::Exception", "Code: 1. DB::Exception: x (Y)\n",
		"a\nCode: 60, DB::Exception", "\r\n__exception__\r\nabc\r\nCode: 1. DB::Exception\r\n", `"`, `""`, "\n", ",", `",`, `\N`, "NULL", "", "é\x00\xff\r"} {
		db, _ := answering(t, func(w http.ResponseWriter, _ *http.Request) {
			cell := `"` + strings.ReplaceAll(odd, `"`, `""`) + `"`
			fmt.Fprintf(w, "\"a\",\"b\"\n%s,\\N\n-7,%s\n", cell, cell)
		})
		rows, err := db.Query("SELECT a, b FROM t")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for rows.Next() {
			var a, b sql.NullString
			if err := rows.Scan(&a, &b); err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%q %q", a.String, b.String))
		}
		if want := []string{fmt.Sprintf("%q %q", odd, ""), fmt.Sprintf("%q %q", "-7", odd)}; rows.Err() != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v, not %q", got, rows.Err(), want)
		}
		rows.Close()
	}
}

func readAll(db *sql.DB) (read int, err error) {
	rows, err := db.Query("SELECT a, b FROM t")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var a, b sql.NullString
		if err := rows.Scan(&a, &b); err != nil {
			return read, err
		}
		read++
	}
	return read, rows.Err()
}
