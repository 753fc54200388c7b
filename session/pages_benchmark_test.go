package session

import (
	"database/sql"
	"net/url"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/database/servertest"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
)

// BenchmarkPage turns to pages of forty of a million records in PostgreSQL, by a key and without one.
func BenchmarkPage(b *testing.B) {
	server, _ := servertest.Start(b)
	db, err := sql.Open("pgx", server)
	must(b, err)
	defer db.Close()
	for _, statement := range []string{census, "ALTER TABLE person ADD PRIMARY KEY (id)", "VACUUM ANALYZE person"} {
		_, err := db.Exec(statement)
		must(b, err)
	}
	b.Run("connecting", func(b *testing.B) {
		for b.Loop() {
			alone, err := sql.Open("pgx", server)
			must(b, err)
			must(b, alone.Ping())
			must(b, alone.Close())
		}
	})
	for _, key := range []string{"id", ""} {
		source := (*Known)(nil).Source(server+"&table=person&key="+url.QueryEscape(key), fileio.Format{}).(passing)
		opening, err := source.counting(groups{by: []string{"region", "sex", "age", "marital", "job"}, weight: "w"}).Open(b.Context(), nil)
		must(b, err)
		opening.Volatile = true
		s, err := New(opening)
		must(b, err)
		middle := paged.Place{At: paged.After, Mark: "=500000"}
		if key == "" {
			middle.Mark = "=(5000,1)"
		}
		for _, asked := range []struct {
			name, filter string
			place        paged.Place
			by           []paged.Sorted
		}{{name: "first"}, {name: "middle", place: middle}, {name: "last", place: paged.Place{At: paged.Last}},
			{name: "filtered", filter: "age > 90 and region = \"region 3\" and income > 9000"},
			{name: "sorted", by: []paged.Sorted{{Variable: "income", Down: true}, {Variable: "age"}}}} {
			b.Run(strings.TrimSpace("key "+key)+" "+asked.name, func(b *testing.B) {
				for b.Loop() {
					w := &paged.Wanted{Records: 40, From: asked.place, By: asked.by}
					if asked.filter != "" {
						w.Filter, err = notation.ParseCondition(asked.filter)
						must(b, err)
					}
					page, err := s.Pages().Page(b.Context(), w, nil)
					must(b, err)
					if page.Len() != 40 {
						b.Fatal(page.Len())
					}
				}
			})
		}
	}
}
