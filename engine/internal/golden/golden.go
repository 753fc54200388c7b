// Package golden gives tests the data files and the reference figures they
// are checked against. Nothing but tests imports it.
//
// Files of the project's own lie in testdata; teaching files of other packages
// are read from the folder shared beside the project, and a test that needs
// one is skipped where it is absent.
package golden

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
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
// folder: columns whose cells are all numbers or empty are numbers, others are
// categories in alphabetical order; empty cells are missing. The test is
// skipped where there is no such file.
func Data(tb testing.TB, name string) *microdata.Dataset {
	tb.Helper()
	root := Root(tb)
	for _, folder := range []string{filepath.Join(root, "testdata"), filepath.Join(root, "..", "shared", "data")} {
		text, err := os.ReadFile(filepath.Join(folder, name+".csv"))
		if err == nil {
			return Parse(tb, bytes.NewReader(text))
		}
	}
	tb.Skipf("%s.csv is in neither testdata nor ../shared/data", name)
	return nil
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

// Parse reads a CSV file with a header by the rules of Data; of the named variables
// alone where some are named.
func Parse(tb testing.TB, file io.Reader, names ...string) *microdata.Dataset {
	tb.Helper()
	reader := csv.NewReader(file)
	reader.ReuseRecord = true
	record, err := reader.Read()
	if err != nil {
		tb.Fatal(err)
	}
	header := slices.Clone(record)
	if len(names) == 0 {
		names = header
	}
	cells, spelled := make([][]string, len(names)), map[string]string{} // one string for equal cells
	for record, err = reader.Read(); err == nil; record, err = reader.Read() {
		for i, name := range names {
			cell := record[slices.Index(header, name)]
			if _, known := spelled[cell]; !known {
				cell = strings.Clone(cell)
				spelled[cell] = cell
			}
			cells[i] = append(cells[i], spelled[cell])
		}
	}
	if err != io.EOF {
		tb.Fatal(err)
	}
	columns := make([]*microdata.Column, len(names))
	for i, name := range names {
		columns[i] = Column(tb, name, cells[i])
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// Column returns a column of the given cells, by the rules of Data.
func Column(tb testing.TB, name string, cells []string) *microdata.Column {
	tb.Helper()
	numbers := &microdata.Numbers{Values: make([]float64, len(cells)), Decimals: make([]uint8, len(cells))}
	kind := microdata.Whole
	for record, cell := range cells {
		value, err := strconv.ParseFloat(cell, 64)
		switch {
		case cell == "":
			value = math.NaN()
		case err != nil:
			return categorical(name, cells)
		}
		numbers.Values[record] = value
		if _, decimals, ok := strings.Cut(cell, "."); ok {
			numbers.Decimals[record] = uint8(len(decimals))
			kind = microdata.Number
		}
	}
	column, err := microdata.NewNumeric(name, kind, numbers)
	if err != nil {
		tb.Fatal(err)
	}
	return column
}

func categorical(name string, cells []string) *microdata.Column {
	labels := slices.Clone(cells)
	slices.Sort(labels)
	labels = slices.DeleteFunc(slices.Compact(labels), func(label string) bool { return label == "" })
	categories := &microdata.Categories{Codes: microdata.NewCodes(len(cells), len(labels))}
	for _, label := range labels {
		categories.Levels = append(categories.Levels, microdata.Level{Label: label, Value: math.NaN()})
	}
	for record, cell := range cells {
		if code, ok := categories.CodeOf(cell); ok {
			categories.Codes.Set(record, code)
		}
	}
	return microdata.NewCategorical(name, microdata.Category, categories)
}
