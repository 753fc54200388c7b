// Package golden gives tests the data files and the reference figures they
// are checked against. Nothing but tests imports it.
//
// Files of the project's own lie in testdata; teaching files of other packages
// are read from the folder shared beside the project, and a test that needs
// one is skipped where it is absent.
package golden

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	_ "github.com/sdcdesk/sdcdesk/house/longtests" // has properties tried on fewer draws
)

// Root returns the project's folder, the one that holds go.mod.
func Root(tb testing.TB) string {
	tb.Helper()
	folder, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			tb.Fatal("no go.mod in any folder above the test")
		}
		folder = parent
	}
}

// Data returns the dataset of name.csv, from testdata or else from the shared
// folder, tables too; see Parse. The test is skipped where there is no such file.
func Data(tb testing.TB, name string) *microdata.Dataset {
	tb.Helper()
	root := Root(tb)
	shared := filepath.Join(root, "..", "shared")
	for _, folder := range []string{filepath.Join(root, "testdata"), filepath.Join(shared, "data"),
		filepath.Join(shared, "golden", "tables")} {
		text, err := os.ReadFile(filepath.Join(folder, name+".csv"))
		if err == nil {
			return Parse(tb, bytes.NewReader(text))
		}
	}
	tb.Skipf("%s.csv is neither in testdata nor in ../shared", name)
	return nil
}

// Sample reads one of so many households of the survey of testdata.
func Sample(tb testing.TB, of int) *microdata.Dataset {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(Root(tb), "testdata", "survey.csv"))
	if err != nil {
		tb.Fatal(err)
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(text) {
		household, _, _ := bytes.Cut(line, []byte(","))
		if number, err := strconv.Atoi(string(household)); err != nil || number%of == 1 { // err: the names of the variables
			kept.Write(line)
		}
	}
	return Parse(tb, &kept)
}

// Reference reads testdata/reference/name.json of the project.
func Reference(tb testing.TB, name string, into any) {
	tb.Helper()
	read(tb, filepath.Join(Root(tb), "testdata", "reference", name+".json"), into, false)
}

// Shared reads ../shared/golden/name.json; the test is skipped where there is
// no such file.
func Shared(tb testing.TB, name string, into any) {
	tb.Helper()
	read(tb, filepath.Join(Root(tb), "..", "shared", "golden", name+".json"), into, true)
}

func read(tb testing.TB, path string, into any, skip bool) {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil && skip {
		tb.Skipf("%s is not there", filepath.Base(path))
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		tb.Fatal(err)
	}
}
