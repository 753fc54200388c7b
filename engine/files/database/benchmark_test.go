package database

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// census creates a table of a million persons with 23 columns.
const census = `CREATE TABLE person AS SELECT n AS id, n / 3 AS hid, 'region ' || (h % 12)::text AS region, CASE WHEN h % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
  (h / 7 % 96)::int AS age, (h / 11 % 6)::int AS marital, (h / 13 % 9)::int AS educ, (h / 17 % 40)::int AS job, 'type ' || (h / 19 % 5)::text AS kind,
  (h / 23 % 7)::int AS rooms, (h / 29 % 3)::int AS water, (h / 31 % 4)::int AS roof, (h / 37 % 2 = 0) AS car, date '1930-01-01' + (h / 41 % 30000)::int AS born,
  CASE WHEN h % 10 > 0 THEN (h / 43 % 20)::int END AS branch, 'c' || (h / 47 % 200)::text AS country, (h / 53 % 5)::int AS health, (h / 59 % 8)::int AS faith,
  ((h % 100000) / 10.0)::numeric(9,1) AS income, ((h / 3 % 90000) / 10.0)::numeric(9,1) AS expend, ((h / 5 % 1000000) / 100.0)::numeric(9,2) AS savings,
  (h / 61 % 60)::int AS hours, (1 + h % 5000 / 100.0)::numeric(8,2) AS w
FROM (SELECT n, abs(hashint8(n))::bigint AS h FROM generate_series(1, 1000000) AS n) s`

// BenchmarkTable compares operations on a million records of 23 columns in PostgreSQL with the work of the server
// alone: a scan, and COPY in both directions.
func BenchmarkTable(b *testing.B) {
	server, _ := servertest.Start(b)
	servertest.Execute(b, "pgx", server, census, "ALTER TABLE person ADD PRIMARY KEY (id)", "VACUUM ANALYZE person")
	address, target := at(b, server, "person"), at(b, server, "safe")
	path := filepath.Join(b.TempDir(), "person.tsv")
	for range 2 { // the first run warms the cache of the server
		servertest.Cell(b, "pgx", server, "SELECT count(hours) FROM person")
	}
	alone := func(do func(tx *postgresTransaction) error) {
		tx, err := address.server.begin(b.Context(), address, true)
		must(b, err)
		must(b, do(tx.(*postgresTransaction)))
		tx.close()
	}
	b.Run("scan", func(b *testing.B) {
		for b.Loop() {
			alone(func(tx *postgresTransaction) error {
				return tx.execute(b.Context(), "SELECT count(hours) FROM person")
			})
		}
	})
	copied := func(to io.Writer) {
		alone(func(tx *postgresTransaction) error {
			_, err := tx.connection.CopyTo(b.Context(), to, "COPY person TO STDOUT")
			return err
		})
	}
	b.Run("COPY TO", func(b *testing.B) {
		for b.Loop() {
			copied(io.Discard)
		}
	})
	var table *Table
	var data *microdata.Dataset
	b.Run("Read", func(b *testing.B) {
		for b.Loop() {
			table, data, _ = reads(b, address)
		}
	})
	file, err := os.Create(path)
	must(b, err)
	copied(file)
	must(b, file.Close())
	b.Run("COPY FROM", func(b *testing.B) {
		for b.Loop() {
			alone(func(tx *postgresTransaction) error {
				from, err := os.Open(path)
				must(b, err)
				defer from.Close()
				must(b, tx.execute(b.Context(), "CREATE TABLE safe AS SELECT * FROM person LIMIT 0"))
				_, err = tx.connection.CopyFrom(b.Context(), from, "COPY safe FROM STDIN")
				must(b, tx.finish(b.Context()))
				return err
			})
			servertest.Execute(b, "pgx", server, "DROP TABLE safe")
		}
	})
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "sex", "age", "marital", "job"}
	b.Run("Create", func(b *testing.B) {
		for b.Loop() {
			must(b, Create(b.Context(), target, data, table, &scenario, nil))
			servertest.Execute(b, "pgx", server, "DROP TABLE safe")
		}
	})
	b.Run("protected file", func(b *testing.B) {
		for b.Loop() {
			_, err := fileio.WriteTo(b.Context(), io.Discard, data, fileio.NewFormat(), fileio.WriteOptions{}, nil)
			must(b, err)
		}
	})
}
