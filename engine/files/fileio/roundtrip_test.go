package fileio

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
)

// shared returns the path of a shared test file; it skips the test if there is none.
func shared(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "..", "shared", "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the shared test data are absent: no %s", name)
	}
	return path
}

// TestRoundTripFiles reads files of other programs and writes them again: every byte must be equal.
func TestRoundTripFiles(t *testing.T) {
	for _, name := range []string{
		"survey.csv", "guide10.csv", "testdata.csv", "testdata2.csv", "francdat.csv", "francdat_missing.csv", "adult.csv",
		"CASCrefmicrodata.csv", "Tarragona.csv", "EIA.csv",
		"formats/csv_datatable_tab.tsv", "formats/csv_libreoffice_semicolon_bom_crlf.csv",
		"formats/csv_r_semicolon_comma_cp1252.csv",
		"formats/corrupt/csv_duplicate_names.csv", "formats/corrupt/csv_header_only.csv",
		"formats/corrupt/csv_invalid_utf8.csv",
		"formats/corrupt/csv_nul_bytes.csv",
	} {
		t.Run(name, func(t *testing.T) {
			roundTrip(t, shared(t, name))
		})
	}
	for _, name := range []string{"survey.csv", "guide10.csv"} {
		t.Run("own "+name, func(t *testing.T) { roundTrip(t, filepath.Join("..", "..", "..", "testdata", name)) })
	}
}

func roundTrip(t *testing.T, path string) {
	t.Helper()
	f, err := GuessFile(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Missing = append(f.Missing, "NA") // unquoted in columns with quoted texts
	data, report, err := Read(context.Background(), path, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if _, err := WriteTo(context.Background(), &written, data, report.Format, WriteOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written.Bytes(), content) {
		t.Errorf("%s differs after reading and writing", filepath.Base(path))
	}
}
