package database

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// at returns the address of tables in a database.
func at(tb testing.TB, database, tables string) *Address {
	tb.Helper()
	sign := "?"
	if strings.Contains(database, "?") {
		sign = "&"
	}
	address, err := Parse(database + sign + "table=" + url.QueryEscape(tables))
	must(tb, err)
	return address
}

// reads reads tables with default options.
func reads(tb testing.TB, a *Address, columns ...string) (*Table, *microdata.Dataset, *fileio.ReadReport) {
	tb.Helper()
	format := fileio.NewFormat()
	format.Columns = columns
	table, data, report, err := Read(tb.Context(), a, format, nil)
	must(tb, err)
	return table, data, report
}

// refused returns the error text of reading tables.
func refused(tb testing.TB, a *Address, columns ...string) string {
	tb.Helper()
	format := fileio.NewFormat()
	format.Columns = columns
	_, _, _, err := Read(tb.Context(), a, format, nil)
	return fmt.Sprint(err)
}

// cells returns the cells of a column in record order, with a dot for missing.
func cells(tb testing.TB, data *microdata.Dataset, name string) string {
	tb.Helper()
	column, ok := data.Column(name)
	if !ok {
		tb.Fatalf("no column %q", name)
	}
	texts := make([]string, data.Len())
	for i := range texts {
		if texts[i] = "."; !column.Missing(i) {
			texts[i] = column.Text(i)
		}
	}
	return strings.Join(texts, "|")
}

// wanted is the expected result for a column.
type wanted struct {
	name, cells string
	kind        microdata.Kind
	content     microdata.Content
}

func checkRead(t *testing.T, data *microdata.Dataset, columns []wanted) {
	t.Helper()
	for _, c := range columns {
		is := cells(t, data, c.name)
		column, _ := data.Column(c.name)
		if is != c.cells || column.Kind() != c.kind || column.Described().Content != c.content {
			t.Errorf("%s is %v %q: %s, not %v %q: %s", c.name, column.Kind(), column.Described().Content, is, c.kind, c.content, c.cells)
		}
	}
}
