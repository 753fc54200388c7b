package session

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/database"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// census makes a table of a million persons.
const census = `CREATE TABLE person AS SELECT n AS id, 'region ' || (h % 12)::text AS region, CASE WHEN h % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
  (h / 7 % 96)::int AS age, (h / 11 % 6)::int AS marital, (h / 13 % 9)::int AS educ, (h / 17 % 40)::int AS job,
  ((h % 100000) / 10.0)::numeric(9,1) AS income, (1 + h % 5000 / 100.0)::numeric(8,2) AS w
FROM (SELECT n, abs(hashint8(n))::bigint AS h FROM generate_series(1, 1000000) AS n) s`

// BenchmarkTable sets what is done with a million records in PostgreSQL beside the bare query of it.
func BenchmarkTable(b *testing.B) {
	server, log := servertest.Start(b)
	db, err := sql.Open("pgx", server)
	must(b, err)
	defer db.Close()
	execute := func(statement string) {
		_, err := db.Exec(statement)
		must(b, err)
	}
	execute(census)
	execute("ALTER TABLE person ADD PRIMARY KEY (id)")
	execute("VACUUM ANALYZE person")
	by := []string{"region", "sex", "age", "marital", "job"}
	b.Run("GROUP BY", func(b *testing.B) {
		for b.Loop() {
			rows, err := db.Query("SELECT region, sex, age, marital, job, count(*), sum(w) FROM person GROUP BY 1, 2, 3, 4, 5")
			must(b, err)
			groups := 0
			for rows.Next() {
				groups++
			}
			must(b, rows.Close())
			b.ReportMetric(float64(groups), "groups")
		}
	})
	address, err := database.Parse(server + "&table=person&key=id")
	must(b, err)
	opened, err := database.Open(b.Context(), address, nil)
	must(b, err)
	var said []fileio.Described
	for _, name := range []string{"first look", "groups"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, passed, err := opened.Pass(b.Context(), by, "w", nil, said, nil)
				must(b, err)
				said = passed.Variables
			}
		})
	}
	source := tables(Identity{Path: address.String()}, fileio.Format{}).(*table)
	source.address = address
	opening, err := source.counting(groups{by: by, weight: "w"}).Open(b.Context(), nil)
	must(b, err)
	opening.Volatile = true
	s, err := New(opening)
	must(b, err)
	scenario := smallScenario()
	scenario.Keys, scenario.Household, scenario.Weight = by, "", "w"
	must(b, s.SetScenario(scenario))
	do := func(step StepSpec) {
		b.Run("step "+step.Step, func(b *testing.B) {
			var result *Result
			for b.Loop() {
				result, err = s.Prepare(step).Run(context.Background(), nil, nil)
				must(b, err)
			}
			must(b, s.Commit(result))
		})
	}
	do(StepSpec{Step: "recode-intervals", Params: []byte(`{"variable":"age","breaks":[-1,4,9,14,19,24,29,34,39,44,49,54,59,64,69,74,79,84,99]}`)})
	do(StepSpec{Step: "suppress-kanonymity", Params: []byte(`{"k":8}`)})
	b.Run("CREATE TABLE AS", func(b *testing.B) {
		for b.Loop() {
			execute("CREATE TABLE copied AS SELECT * FROM person")
			execute("DROP TABLE copied")
		}
	})
	protect := func(name string) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := s.Document().Export(b.Context(), ExportOptions{Path: server + "&table=safe"}, nil)
				must(b, err)
				execute("DROP TABLE safe")
			}
		})
	}
	protect("protected table")
	b.Run("SELECT ORDER BY", func(b *testing.B) {
		for b.Loop() {
			rows, err := db.Query("SELECT * FROM person ORDER BY id")
			must(b, err)
			for rows.Next() {
			}
			must(b, rows.Close())
		}
	})
	b.Run("COPY", func(b *testing.B) {
		for b.Loop() {
			execute("COPY person TO '" + log + ".csv' (FORMAT csv)")
		}
	})
	b.Run("protected file", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "safe.csv")
		for b.Loop() {
			_, err := s.Document().Export(b.Context(), ExportOptions{Path: path, Force: true}, nil)
			must(b, err)
		}
	})
	do(StepSpec{Step: "pram", Seed: 5, Params: []byte(`{"variables":["marital"]}`)})
	protect("protected table, drawn")
}
