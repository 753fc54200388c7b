package fileio

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// scratch returns a store that maps every array.
func scratch(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.NewFor(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Reading files of all types into mapped columns gives the same result as into memory.
func TestReadingIntoScratchSpace(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "testdata")
	for _, pattern := range []string{"*.csv", "formats/*.*"} {
		paths, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		for i, path := range paths {
			if !longtests.Some(i, 3) {
				continue
			}
			f, err := GuessFile(t.Context(), path, nil)
			if err != nil {
				continue // a description
			}
			t.Run(filepath.Base(path), func(t *testing.T) { readTwice(t, path, f) })
		}
	}
}

func readTwice(t *testing.T, path string, f Format) {
	t.Helper()
	want, _, err := Read(t.Context(), path, f, nil)
	if err != nil {
		t.Skip(err)
	}
	f.Scratch = scratch(t)
	got, _, err := Read(t.Context(), path, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash() != want.Hash() || !bytes.Equal(asText(t, got), asText(t, want)) {
		t.Error("other data than in memory")
	}
	for _, column := range got.Columns() {
		if got.Len() > 0 && !column.Stored() {
			t.Errorf("%s is in memory", column.Name())
		}
	}
}

// asText formats data as a text file.
func asText(t *testing.T, data *microdata.Dataset) []byte {
	t.Helper()
	var out bytes.Buffer
	if _, err := WriteTo(t.Context(), &out, data, NewFormat(), WriteOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// It is an error if the scratch folder is removed before a file is read.
func TestScratchFolderRemovedBeforeReading(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "scratch")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := store.NewFor(folder, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "..", "testdata", "survey.csv")
	f := NewFormat()
	f.Scratch = s
	if _, _, err := Read(t.Context(), path, f, nil); !errors.Is(err, store.ErrScratch) {
		t.Error(err)
	}
}

// Files of many blocks with few and many distinct numbers, few and many distinct texts, and missing values are
// read into mapped columns.
func TestReadingManyBlocksIntoScratchSpace(t *testing.T) {
	var content strings.Builder
	content.WriteString("few,many,word,note,late\n")
	records := 30_000
	if !longtests.Wanted() {
		records = 12_000
	}
	for i := range records {
		late, note := strconv.Itoa(i%3), "note "+strconv.Itoa(i*7919%20_011)
		if i > records-1000 {
			late = strconv.Itoa(i) + ".5"
		}
		if i%17 == 0 {
			late, note = "", ""
		}
		fmt.Fprintf(&content, "%d,%d.25,w%d,%s,%s\n", i%9, i*31%25_013, i%200, note, late)
	}
	data, _, err := ReadBytes(t.Context(), "in.csv", []byte(content.String()), NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".csv", ".sav", ".zsav", ".dta", ".parquet", ".xpt", ".xlsx"} {
		path := filepath.Join(t.TempDir(), "out"+ending)
		if _, err := Write(t.Context(), path, data, FormatFor(path, NewFormat()), WriteOptions{}, nil); err != nil {
			t.Fatal(err)
		}
		f, err := GuessFile(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(ending, func(t *testing.T) { readTwice(t, path, f) })
	}
}

// Records of a database are read into mapped columns too.
func TestReadingRecordsIntoScratchSpace(t *testing.T) {
	variables := []RecordVariable{{Name: "word", Text: true}, {Name: "number"}}
	records := strings.Repeat("a,1\nb,2.5\n,\n", 1000)
	read := func(f Format) *microdata.Dataset {
		data, _, err := ReadRecords(t.Context(), "table", strings.NewReader(records), variables, f)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	f := NewFormat()
	want := read(f)
	f.Scratch = scratch(t)
	got := read(f)
	if got.Hash() != want.Hash() || !got.Columns()[0].Stored() || !got.Columns()[1].Stored() {
		t.Error("other data than in memory, or in memory")
	}
}
