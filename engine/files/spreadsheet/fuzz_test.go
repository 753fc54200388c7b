package spreadsheet

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// XML of cells, however nested, never makes reading panic or take memory out of proportion to its size. Random
// changes to a workbook do not get that far, because its parts are compressed.
func FuzzCells(f *testing.F) {
	f.Add(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>x</t><rPh><t>y</t></rPh></is></c></row><row><c r="B2" s="1"><v>44986</v></c></row>`)
	f.Add(`<c><row/></c><row><c t="s"><v>1</v></c></row></c>`)
	f.Add(`<table-row number-rows-repeated="2"><table-cell office:value-type="string"><text:p>a<text:s text:c="2"/>b</text:p><annotation><p>n</p></annotation></table-cell><covered-table-cell number-columns-repeated="3"/></table-row>`)
	f.Add(`<table><table-row><table-cell office:value-type="date" date-value="2023-03-01"/></table></table-row>`)
	f.Fuzz(func(t *testing.T, rows string) {
		open := source(t, map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
			"content.xml": `<d><table name="a">` + rows + `</table></d>`})
		for in, format := range map[*statfile.Source]statfile.Format{excelFile(t, "", rows): Excel{}, open: OpenDocument{}} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			read, err := format.Read(context.Background(), in, statfile.ReadOptions{}, nil)
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 2<<30 {
				t.Fatalf("%s: %d MB were allocated for %d bytes", format.Info().Name, taken>>20, len(rows))
			}
			if err != nil {
				if !strings.HasPrefix(err.Error(), "a: ") {
					t.Fatalf("the error does not name the file: %v", err)
				}
				continue
			}
			for i := range read.Variables {
				if got := read.Variables[i].Column.Len(); got != read.Rows {
					t.Fatalf("%s: variable %d of %d rows has %d", format.Info().Name, i+1, read.Rows, got)
				}
			}
		}
	})
}
