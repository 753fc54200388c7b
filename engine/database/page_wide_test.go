package database

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/release/paged"
)

// Records of a page that together are long text are all there.
func TestPagesOfLongRecords(t *testing.T) {
	const records, long = 200, 30_000
	file := filepath.Join(t.TempDir(), "long.db")
	var all [][]*string
	for i := range records {
		number, word := strconv.Itoa(i), strings.Repeat(strconv.Itoa(i%10), long)
		all = append(all, []*string{&number, &number, &number, &number, &word})
	}
	loadPages(t, "sqlite", file, "id INTEGER PRIMARY KEY, region TEXT, age INTEGER, amount TEXT, word TEXT", all)
	address, err := Parse("sqlite:" + file + "?table=person&key=id")
	must(t, err)
	table, err := Open(t.Context(), address, nil)
	must(t, err)
	groups, passed, err := table.Pass(t.Context(), []string{"region"}, "", nil, nil, nil)
	must(t, err)
	page, err := table.Page(t.Context(), &paged.Wanted{Records: records - 1}, passed.Variables, groups)
	must(t, err)
	if page.Data.Len() != records-1 || page.Len() != records-1 {
		t.Fatalf("%d records of data for %d", page.Data.Len(), page.Len())
	}
	for row := range page.Data.Len() {
		if word, _ := page.Data.Column("word"); word.Text(row) != *all[row][4] {
			t.Fatalf("record %d has another cell", row+1)
		}
	}
}
