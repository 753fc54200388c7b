package rscript_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/rscript"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// R reads a source as the program does.
func TestSourcesAreReadAlike(t *testing.T) {
	formats, err := filepath.Abs(filepath.Join("..", "..", "..", "testdata", "formats"))
	if err != nil {
		t.Fatal(err)
	}
	standins, err := filepath.Abs(filepath.Join("testdata", "standins.R"))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"csv_datatable_tab.tsv", "csv_libreoffice_semicolon_bom_crlf.csv", "csv_r_semicolon_comma_cp1252.csv",
		"dta118_haven.dta", "sas7bdat_haven.sas7bdat", "sav_haven_byte.sav", "sav_haven_zlib.zsav", "xpt8_haven.xpt", "por_readstat.por"} {
		if !longtests.Some(i, 3) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(formats, name)
			format, err := fileio.GuessFile(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			data, report, err := fileio.Read(t.Context(), path, format, nil)
			if err != nil {
				t.Fatal(err)
			}
			scenario := microdata.NewScenario()
			scenario.Keys = []string{data.Columns()[0].Name()}
			var text bytes.Buffer
			script := rscript.Script{File: name, Format: report.Format, Base: data, Scenario: &scenario}
			if err := script.Write(&text); err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir()
			write(t, filepath.Join(folder, "script.R"), text.String())
			if err := os.Symlink(path, filepath.Join(folder, name)); err != nil {
				t.Skip(err)
			}
			run(t, folder, fmt.Sprintf(`if (!requireNamespace("haven", quietly = TRUE)) quit(status = 77); source(%q); source("script.R")`, standins))
			compare(t, filepath.Join(folder, "released.csv"), data, nil)
		})
	}
}
