// Package golden provides test data and reference figures. Only tests import it.
//
// The project's own files are in testdata; teaching files of other packages are read from the folder shared next
// to the project, and tests that need one are skipped if it is absent.
package golden

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	_ "github.com/sdcdesk/sdcdesk/house/longtests" // sets the number of draws of property tests
)

// Root returns the folder of the project, which contains go.mod.
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

// Data returns the dataset of name.csv from testdata or from the shared folder, which has tables too; see Parse.
// It skips the test if there is no such file.
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

// Sample returns every of-th household of the survey in testdata.
func Sample(tb testing.TB, of int) *microdata.Dataset {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(Root(tb), "testdata", "survey.csv"))
	if err != nil {
		tb.Fatal(err)
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(text) {
		household, _, _ := bytes.Cut(line, []byte(","))
		if number, err := strconv.Atoi(string(household)); err != nil || number%of == 1 { // the header line is kept too
			kept.Write(line)
		}
	}
	return Parse(tb, &kept)
}

// Reference reads testdata/reference/name.json.
func Reference(tb testing.TB, name string, into any) {
	tb.Helper()
	read(tb, filepath.Join(Root(tb), "testdata", "reference", name+".json"), into, false)
}

// Shared reads ../shared/golden/name.json; it skips the test if there is no such file.
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
