package paged

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var filters = []string{"", "age > 8", "age = 30 or region missing", "not (age in (7, -4)) and amount >= 1.5", "region = South", "region contains O",
	"amount missing or age != 7", "not (note contains \"x7 Z\") and region contains \"\"", "id > 30000", "region = north and age = 31 and amount = 10"}

// A page of a file has the records that are found in memory, forth from the first page and back from the last: of text
// that is read on from places within, of compressed text, and of another program's file.
func TestPagesOfFilesAreAsInMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	var text bytes.Buffer
	text.WriteString("id,region,age,amount,note\n")
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	for i := range 30_000 {
		fmt.Fprintf(&text, "%d,%s,%s,%s,x%d %s\n", i, pick("north", "South", "", "NA", "\"e'a\"\"s,t\"", "ä", "\"(x)\n2\""), pick("7", "30", "31", "", "-4"),
			pick("1.5", "1.50", "-0", "2e3", "", "10"), random.IntN(20_000), strings.Repeat("z", 20))
	}
	folder := t.TempDir()
	plain, zipped, parquet := filepath.Join(folder, "a.csv"), filepath.Join(folder, "a.csv.gz"), filepath.Join(folder, "a.parquet")
	must(t, os.WriteFile(plain, text.Bytes(), 0o600))
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	zip.Write(text.Bytes())
	must(t, zip.Close())
	must(t, os.WriteFile(zipped, packed.Bytes(), 0o600))
	format := fileio.NewFormat()
	format.Missing = []string{"", "NA"}
	data, _, err := fileio.Read(t.Context(), plain, format, nil)
	must(t, err)
	_, err = fileio.Write(t.Context(), parquet, data, fileio.FormatFor(parquet, format), fileio.WriteOptions{}, nil)
	must(t, err)
	for _, path := range []string{plain, zipped, parquet} {
		read, err := fileio.GuessFile(t.Context(), path, nil)
		must(t, err)
		if path != parquet {
			read.Missing = format.Missing
		}
		f := passed(t, path, read)
		if (len(f.Marks) > 0) != (path == plain) {
			t.Errorf("%s has %d marks", path, len(f.Marks))
		}
		data, _, err := fileio.Read(t.Context(), path, read, nil)
		must(t, err)
		for i, filter := range filters {
			if !longtests.Some(i, 3) {
				continue
			}
			checkFile(t, f, data, filter, 1+random.IntN(40), random)
		}
	}
}

// passed describes a file in one pass.
func passed(t testing.TB, path string, format fileio.Format) *File {
	t.Helper()
	f := &File{Path: path}
	passed, err := fileio.ReadPass(t.Context(), path, format, &fileio.Pass{Describe: true, InOrder: func(p *fileio.Piece) error {
		if p.Mark.Record > 0 {
			f.Marks = append(f.Marks, p.Mark)
		}
		return nil
	}}, nil)
	must(t, err)
	f.Format, f.Variables, f.Records = passed.Format, passed.Variables, passed.Records
	return f
}

// checkFile compares some pages from either end, and from somewhere, with memory.
func checkFile(t *testing.T, f *File, data *microdata.Dataset, filter string, size int, random *rand.Rand) {
	t.Helper()
	w := &Wanted{Records: size}
	if filter != "" {
		var err error
		w.Filter, err = notation.ParseCondition(filter)
		must(t, err)
	}
	meets, err := w.Filter.Bind(notation.Scope{Data: data})
	must(t, err)
	var want []int
	for record := range data.Len() {
		if meets(record) {
			want = append(want, record)
		}
	}
	somewhere := random.IntN(data.Len())
	at, _ := slices.BinarySearch(want, somewhere)
	for _, place := range []Place{{At: First}, {At: Last}, {At: From, Mark: strconv.Itoa(somewhere + 1)}} {
		start, end := 0, min(size, len(want))
		if place.At == Last {
			start, end = max(0, len(want)-size), len(want)
		} else if place.At == From {
			start, end = at, min(at+size, len(want))
		}
		for turn := range 3 {
			w.From = place
			page, err := f.Page(t.Context(), w, nil)
			must(t, err)
			name := fmt.Sprintf("%s %q %+v turn %d", filepath.Base(f.Path), filter, place, turn)
			checkPage(t, name, page, data, want[start:end])
			if ends := end == len(want); page.Ends != ends && page.Len() > 0 {
				t.Errorf("%s: ends %v of %d to %d of %d", name, page.Ends, start, end, len(want))
			}
			if page.Len() == 0 {
				break
			}
			if place.At == Last || place.At == Before {
				place = Place{At: Before, Mark: page.Marks[0]}
				start, end = max(0, start-size), start
			} else {
				place = Place{At: After, Mark: page.Marks[page.Len()-1]}
				start, end = end, min(end+size, len(want))
			}
		}
	}
}

func checkPage(t *testing.T, name string, page *Page, data *microdata.Dataset, want []int) {
	t.Helper()
	if page.Len() != len(want) {
		t.Fatalf("%s has %d records, not %d", name, page.Len(), len(want))
	}
	for row, record := range want {
		if page.Names[row] != strconv.Itoa(record+1) {
			t.Fatalf("%s: record %s, not %d", name, page.Names[row], record+1)
		}
		for _, column := range data.Columns() {
			shown, _ := page.Data.Column(column.Name())
			if shown.Missing(row) != column.Missing(record) || shown.Text(row) != column.Text(record) || shown.Kind() != column.Kind() {
				t.Fatalf("%s: %s of record %d is %v %q and not %v %q", name, column.Name(), record+1, shown.Kind(), shown.Text(row), column.Kind(),
					column.Text(record))
			}
		}
	}
}

// What cannot be done says why.
func TestWhatPagesOfFilesRefuse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	must(t, os.WriteFile(path, []byte("sex,age\nf,3\nm,4\n"), 0o600))
	f := passed(t, path, fileio.NewFormat())
	if _, err := f.Page(t.Context(), &Wanted{Records: 5, By: []Sorted{{Variable: "age"}}}, nil); !errors.Is(err, ErrSorting) {
		t.Errorf("sorted: %v", err)
	}
	for filter, reason := range map[string]string{"risk > 0.1": "no variable risk", "age suppressed": "none is suppressed", "sex = x": "no category",
		"sex > 3": "no such order", "age > f": "compare it with a number"} {
		condition, err := notation.ParseCondition(filter)
		must(t, err)
		_, err = f.Page(t.Context(), &Wanted{Records: 5, Filter: condition}, nil)
		if !errors.Is(err, notation.ErrCondition) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", filter, err)
		}
	}
}
