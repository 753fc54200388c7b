package tui

import (
	"database/sql"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
	"github.com/sdcdesk/sdcdesk/session"
)

// inDatabase executes SQL statements and returns the number selected by the last one.
func inDatabase(t *testing.T, driver, where string, statements ...string) (number int) {
	t.Helper()
	db, err := sql.Open(driver, where)
	must(t, err)
	defer db.Close()
	last := len(statements) - 1
	for _, statement := range statements[:last] {
		_, err := db.Exec(statement)
		must(t, err)
	}
	must(t, db.QueryRow(statements[last]).Scan(&number))
	return number
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const (
	makesPersons = `CREATE TABLE person AS SELECT n AS id, n % 3 AS region, n % 2 AS sex, n % 7 AS age FROM generate_series(1, 200) n`
	countPersons = `SELECT count(*) FROM person`
	// activeQueries counts the program's queries in a server.
	activeQueries = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'sdcdesk' AND state = 'active'`
)

// endsByEsc presses Esc in the middle of the work, and waits for its end.
func endsByEsc(t *testing.T, d *driver, ended func()) {
	t.Helper()
	d.Press("esc")
	ended()
	d.Release().Screen().Contains("cancelled, nothing was changed")
}

// behind returns the separator for one more option of an address.
func behind(address string) string {
	if strings.Contains(address, "?") {
		return "&"
	}
	return "?"
}

// Esc cancels a query in the server too, and a query of a file of SQLite.
func TestEscEndsQuestions(t *testing.T) {
	server, _ := servertest.Start(t)
	inDatabase(t, "pgx", server, makesPersons, "CREATE VIEW slow AS SELECT p.* FROM person p, pg_sleep(3600)", countPersons)
	d := start(t, Options{NoTrace: true}, 160, 45).Hold()
	d.act(func() { d.m.importing(server + "&table=slow") })
	d.Screen().Contains("reading slow", "esc cancels")
	ended := d.aside()
	for inDatabase(t, "pgx", server, activeQueries) == 0 {
		time.Sleep(time.Millisecond)
	}
	endsByEsc(t, d, ended)
	if n := inDatabase(t, "pgx", server, activeQueries); n != 0 {
		t.Errorf("%d questions go on in the server", n)
	}
	path := filepath.Join(t.TempDir(), "survey.db")
	inDatabase(t, "sqlite", path, `CREATE VIEW slow AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1e12)
		SELECT x AS region, x AS sex FROM n`, "SELECT 1")
	d = start(t, Options{NoTrace: true}, 160, 45).Hold()
	d.act(func() { d.m.importing("sqlite:" + url.PathEscape(path) + "?table=slow") })
	ended = d.aside()
	time.Sleep(50 * time.Millisecond) // the test does not depend on whether the query has started by then
	endsByEsc(t, d, ended)
}

// If a server requires a missing password, a table is opened, or its session resumed, with one that is typed
// without echo.
func TestPasswordIsTyped(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	server, _ := servertest.Start(t)
	clickHouse := servertest.StartClickHouse(t)
	inDatabase(t, "pgx", server, makesPersons, countPersons)
	clickHouse.Ask(t, "CREATE TABLE person (id UInt8, region UInt8, sex UInt8) ENGINE = Memory")
	clickHouse.Ask(t, "INSERT INTO person SELECT number, number % 3, number % 2 FROM numbers(100)")
	for _, address := range []string{server, clickHouse.Address} {
		address = strings.Replace(address, ":"+servertest.Password+"@", "@", 1) + behind(address) + "table=person"
		d := start(t, Options{Path: address, Recent: session.ListJournals}, 160, 45)
		d.Dialog().Contains(" requires a")
		d.Type("wrong?").Press("enter").Screen().Contains("password")
		if d.m.bench != nil {
			t.Fatalf("%s was opened with a wrong password", address)
		}
		d = start(t, Options{Path: address, Recent: session.ListJournals}, 160, 45).Type(servertest.Password)
		if text := d.Text(); strings.Contains(text, servertest.Password) || !strings.Contains(text, "••••••••") {
			t.Errorf("what is typed is shown as\n%s", text)
		}
		d.Press("enter").role("k", "region", "sex").Press("enter").Screen().Contains("2 key variables")
		d.m.closeSession()
		d = start(t, Options{Recent: session.ListJournals}, 160, 45).Press("down", "down", "enter").Type(servertest.Password).Press("enter")
		if d.m.bench == nil || len(d.m.bench.scenario.Keys) != 2 {
			t.Fatalf("the session was not continued:\n%s", d.Text())
		}
		d.m.closeSession()
		d = start(t, Options{Recent: session.ListJournals}, 160, 45).Press("down", "down", "enter", "esc")
		if d.m.dialog != nil || d.m.bench != nil || d.m.page == nil {
			t.Errorf("esc leaves\n%s", d.Text())
		}
	}
}

// A table is listed on the start page like a file; its session is resumed with a typed password, and restarted.
func TestTablesOnTheStartPage(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	server, _ := servertest.Start(t)
	inDatabase(t, "pgx", server, makesPersons, countPersons)
	address := server + "&table=person&key=id"
	options := Options{Path: address, Recent: session.ListJournals}
	d := start(t, options, 160, 45).role("k", "region", "sex").Press("enter")
	d.m.closeSession()
	must(t, filepath.WalkDir(os.Getenv("XDG_STATE_HOME"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if !strings.Contains(string(text), "table=person") || strings.Contains(string(text), servertest.Password) {
			t.Errorf("the session file is\n%s", text)
		}
		return err
	}))
	d = start(t, Options{Recent: session.ListJournals}, 160, 45)
	d.Screen().Contains("recent sessions", "person")
	if strings.Contains(d.Text(), "postgres") {
		t.Errorf("the address stands in the place of the name:\n%s", d.Text())
	}
	d = start(t, options, 160, 45)
	d.Screen().Contains("The last session on person has variable roles")
	if strings.Contains(d.Text(), servertest.Password) {
		t.Error("the screen has the password")
	}
	d.Press("enter")
	if d.m.bench == nil || len(d.m.bench.scenario.Keys) != 2 {
		t.Fatalf("it was not continued:\n%s", d.Text())
	}
	d.m.closeSession()
	d = start(t, options, 160, 45).Press("n")
	if d.m.bench == nil || len(d.m.bench.scenario.Keys) != 0 || d.m.bench.doc.Name() != "person" {
		t.Errorf("it was not begun anew:\n%s", d.Text())
	}
	d.m.closeSession()
	d = start(t, Options{Path: "postgres://tester:" + servertest.Password + "@nowhere.invalid/postgres"}, 160, 45)
	d.Screen().Contains("cannot reach the server")
	if strings.Contains(d.Text(), servertest.Password) {
		t.Errorf("the screen has the password:\n%s", d.Text())
	}
}

// A database table is a source like a file: its address opens it without an import page, and it has the same
// figures as the same records in a file.
func TestTableOnTheScreen(t *testing.T) {
	folder := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(folder, "survey.db"))
	if err != nil {
		t.Fatal(err)
	}
	text := "sex,region,health,weight,age\n"
	statements := []string{"CREATE TABLE person (sex text, region text, health text, weight real, age integer)"}
	for i := range 40 {
		row := []string{[]string{"f", "m"}[i%2], []string{"north", "south", "east"}[i%7%3], []string{"ill", "well"}[i/20], []string{"1.5", "2.25"}[i%2], strconv.Itoa(20 + i%9)}
		text += strings.Join(row, ",") + "\n"
		statements = append(statements, "INSERT INTO person VALUES ('"+strings.Join(row[:3], "','")+"',"+row[3]+","+row[4]+")")
	}
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "survey.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file := start(t, Options{Path: path, NoTrace: true}, 160, 45).Press("enter")
	table := start(t, Options{Path: "sqlite:" + filepath.Join(folder, "survey.db") + "?table=person", NoTrace: true}, 160, 45)
	for _, d := range []*driver{file, table} {
		d.role("k", "sex", "region").role("s", "health").role("w", "weight").Press("enter")
		d.Press("K", "enter")
	}
	for _, id := range []string{"key-variables", "frequencies", "k-anonymity", "risk", "diversity", "distinct-keys"} {
		if a, b := file.Pane(id).text, table.Pane(id).text; times.ReplaceAllString(a, "") != times.ReplaceAllString(b, "") {
			t.Errorf("pane %s has of the file\n%s\nand of the table\n%s", id, a, b)
		}
	}
}

// A protected table is written if an address is typed for the path, and is named without its address.
func TestTableIsExported(t *testing.T) {
	d := surveyWithPersons(t, 120, 40).Press("e").fixCritical()
	path := filepath.Join(t.TempDir(), "safe.db")
	d.focus("path").retype("sqlite:" + path + "?table=person").leave().Screen().Contains("written to the table person: " + d.records())
	if n := inDatabase(t, "sqlite", path, countPersons); n != d.m.bench.doc.Data().Len() {
		t.Errorf("the table has %d records", n)
	}
	d.Press("e").leave().Screen().Contains("a table with this name exists")
}

// times matches parts of the screen that are not figures.
var times = regexp.MustCompile(`(took [0-9.<: ]+m?s|[0-9.]+ m?s\b|< 1 ms) *`)

// role gives variables a role on the Variables page.
func (d *driver) role(key string, variables ...string) *driver {
	d.Helper()
	for _, variable := range variables {
		d.Press("home")
		for !strings.Contains(d.Text(), "▸  "+variable+" ") {
			d.Press("down")
		}
		d.Press(key)
	}
	return d
}
