package fileio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/files/stata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// writtenBack writes a file in a format and reads it back.
func writtenBack(t testing.TB, format statfile.Writer, f *statfile.File,
	settings statfile.Settings) (*statfile.File, []byte) {
	t.Helper()
	var out bytes.Buffer
	if err := format.Write(context.Background(), &out, f, settings, nil); err != nil {
		t.Fatal(err)
	}
	in := statfile.NewSource("written"+format.Info().Endings[0], bytes.NewReader(out.Bytes()), int64(out.Len()))
	suggested, known, err := format.Recognise(context.Background(), in)
	if !known || err != nil {
		t.Fatalf("what was written is not recognised: %v", err)
	}
	back, err := format.Read(context.Background(), in, statfile.ReadOptions{Settings: suggested}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return back, out.Bytes()
}

// A file that was read, written and read again by its format has the contents that an independent reader finds in
// it.
func TestStatfilesWrittenAsExpected(t *testing.T) {
	for _, e := range expectations(t) {
		if !e.OK || e.format() == nil {
			continue
		}
		format, ok := e.format().(statfile.Writer)
		if !ok {
			continue
		}
		for _, ending := range format.Info().Endings {
			t.Run(e.File+" as "+ending, func(t *testing.T) {
				f, _, err := e.read(t, statfile.ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				settings := statfile.Settings{statfile.Ending: ending}
				for name, value := range f.Settings {
					settings[name] = value
				}
				if lacks := format.Lacks(f, settings); len(lacks) > 0 {
					t.Fatalf("its own format cannot hold it: %v", lacks)
				}
				back, _ := writtenBack(t, format, f, settings)
				if back.Rows != f.Rows || back.Label != f.Label || back.Weight != f.Weight || !slices.Equal(back.Notes, f.Notes) ||
					len(back.Variables) != len(f.Variables) || back.Truncated != "" {
					t.Fatalf("%d rows, %q, weight %q, notes %q, truncated %q", back.Rows, back.Label, back.Weight, back.Notes,
						back.Truncated)
				}
				for i := range back.Variables {
					v, of := &back.Variables[i], &f.Variables[i]
					expected := e.Variables[i]
					if back.Rows == 0 && v.Kind == statfile.Text {
						expected.Format = "" // labels may be wider than a variable without values
					}
					checkVariable(t, v, &expected, e.format().Info().Name == "por")
					checkFirstRows(t, v, e.FirstRows, i, false)
					if v.Level != of.Level || v.Width < of.Width || v.Storage != of.Storage && !wider(v, of) {
						t.Errorf("%s: %s, width %d, stored as %q; was %s, %d, %q", v.Name, v.Level, v.Width, v.Storage, of.Level,
							of.Width, of.Storage)
					}
				}
			})
		}
	}
}

// wider reports whether a Stata byte contains 101, which is missing in the formats for writing.
func wider(v, of *statfile.Variable) bool {
	return v.Storage == "int" && of.Storage == "byte" && slices.Contains(of.Column.Numbers, 101)
}

// Writing a file twice gives the same bytes.
func TestStatfilesWrittenAlike(t *testing.T) {
	for _, format := range statfiles() {
		writer, ok := format.(statfile.Writer)
		if !ok {
			continue
		}
		f := sampleFile(300)
		for _, ending := range writer.Info().Endings {
			settings := statfile.Settings{statfile.Ending: ending}
			_, first := writtenBack(t, writer, f, settings)
			if _, second := writtenBack(t, writer, f, settings); !bytes.Equal(first, second) {
				t.Errorf("%s is written in two ways", ending)
			}
		}
	}
}

// Each format stops when it is cancelled, and writes files without rows, with one row, and with missing values
// only.
func TestStatfilesAtTheirLimits(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, format := range statfiles() {
		writer, ok := format.(statfile.Writer)
		if !ok {
			continue
		}
		t.Run(format.Info().Name, func(t *testing.T) {
			for _, rows := range []int{0, 1, 40} {
				f := sampleFile(rows)
				back, _ := writtenBack(t, writer, f, nil)
				if back.Rows != rows || len(back.Variables) != len(f.Variables) {
					t.Errorf("of %d rows %d came back", rows, back.Rows)
				}
			}
			f := sampleFile(40)
			for i := range f.Variables {
				if c := &f.Variables[i].Column; c.Texts != nil {
					c.Texts = &statfile.Texts{Codes: microdata.NewCodes(40, 0)}
				} else {
					c.Numbers = slices.Repeat([]float64{statfile.Missing()}, 40)
				}
			}
			back, content := writtenBack(t, writer, f, nil)
			for i := range back.Variables {
				for row := range back.Rows {
					if got := cellOf(&back.Variables[i], row); got != nil && got != "" {
						t.Fatalf("%s: missing became %v", back.Variables[i].Name, got)
					}
				}
			}
			if err := writer.Write(stopped, &bytes.Buffer{}, sampleFile(40), nil, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("writing was not stopped: %v", err)
			}
			in := statfile.NewSource("a"+writer.Info().Endings[0], bytes.NewReader(content), int64(len(content)))
			if _, err := format.Read(stopped, in, statfile.ReadOptions{}, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("reading was not stopped: %v", err)
			}
		})
	}
}

// Formats without truth values, and only those, report that they become numbers.
func TestLogicalValuesBecomingNumbersAreReported(t *testing.T) {
	for _, format := range statfiles() {
		writer, ok := format.(statfile.Writer)
		if !ok {
			continue
		}
		f := sampleFile(4)
		f.Variables = append(f.Variables, statfile.Variable{Name: "electcon", Kind: statfile.Boolean,
			Column: statfile.Column{Numbers: []float64{1, 0, 0, 1}}})
		back, _ := writtenBack(t, writer, f, nil)
		lost := back.Variables[len(back.Variables)-1].Kind != statfile.Boolean
		reported := slices.Contains(writer.Lacks(f, nil), "logical values become 1 and 0: electcon")
		if lost != reported {
			t.Errorf("%s: lost %v, told %v", format.Info().Name, lost, reported)
		}
	}
}

// sampleFile returns a file with a variable of each kind.
func sampleFile(rows int) *statfile.File {
	f := &statfile.File{Label: "sample", Rows: rows}
	number := func(name string, kind statfile.Kind, value func(row int) float64) {
		v := statfile.Variable{Name: name, Label: strings.ToUpper(name[:1]) + name[1:], Kind: kind}
		for row := range rows {
			v.Column.Numbers = append(v.Column.Numbers, value(row))
		}
		if v.Column.Numbers == nil {
			v.Column.Numbers = []float64{}
		}
		f.Variables = append(f.Variables, v)
	}
	text := func(name string, value func(row int) string) {
		d := statfile.NewDictionary(rows)
		for row := range rows {
			d.Add([]byte(value(row)))
		}
		f.Variables = append(f.Variables, statfile.Variable{Name: name, Kind: statfile.Text,
			Column: statfile.Column{Texts: d.Texts()}})
	}
	number("age", statfile.Number, func(row int) float64 { return float64(row*7%90) - 1 })
	number("income", statfile.Number, func(row int) float64 { return float64(row*row%10007) / 8 })
	number("born", statfile.Date, func(row int) float64 { return float64(row*97 - 9000) })
	number("begun", statfile.DateTime, func(row int) float64 { return float64(row)*86461 + 1e9 })
	text("sex", func(row int) string { return []string{"male", "female"}[row%2] })
	text("remark", func(row int) string { return strings.Repeat("x", row%40) })
	f.Variables[0].Labels = []statfile.ValueLabel{{Value: statfile.Value{Number: -1}, Label: "not stated"}}
	return f
}

// A file truncated anywhere is an error or a reported truncation, and never a panic.
func TestStatfilesCutAnywhere(t *testing.T) {
	for _, format := range statfiles() {
		writer, ok := format.(statfile.Writer)
		if !ok {
			continue
		}
		for _, ending := range writer.Info().Endings {
			_, content := writtenBack(t, writer, sampleFile(40), statfile.Settings{statfile.Ending: ending})
			for size := 0; size < len(content); size += max(1, len(content)/500) {
				in := statfile.NewSource("cut"+ending, bytes.NewReader(content), int64(size))
				if _, known, err := format.Recognise(context.Background(), in); !known || err != nil {
					continue
				}
				f, err := format.Read(context.Background(), in, statfile.ReadOptions{}, nil)
				if err == nil && f.Truncated == "" && f.Rows != 40 && f.Total >= 0 {
					t.Fatalf("%s: of %d bytes the first %d are read as %d whole rows", "cut"+ending, len(content), size,
						f.Rows)
				}
			}
		}
	}
}

// Files of many blocks survive the round trip.
func TestStatfilesOfManyBlocks(t *testing.T) {
	f := sampleFile(40000)
	for _, format := range statfiles() {
		writer, ok := format.(statfile.Writer)
		if !ok || format.Info().Name == "xlsx" { // sheets are slow, and not read in blocks
			continue
		}
		for _, ending := range writer.Info().Endings {
			back, _ := writtenBack(t, writer, f, statfile.Settings{statfile.Ending: ending})
			if back.Rows != f.Rows || len(back.Variables) != len(f.Variables) {
				t.Fatalf("%s: %d rows of %d variables", ending, back.Rows, len(back.Variables))
			}
			for i := range f.Variables {
				for row := range f.Rows {
					if got, want := cellOf(&back.Variables[i], row), cellOf(&f.Variables[i], row); got != want {
						t.Fatalf("%s, %s, row %d: %v, expected %v", ending, f.Variables[i].Name, row+1, got, want)
					}
				}
			}
		}
	}
}

// Data in temporary files is written through temporary files, which are gone afterwards, with the same result.
func TestWrittenFromTemporaryFiles(t *testing.T) {
	var text bytes.Buffer
	if err := survey.WriteCSV(&text, 400, 7); err != nil {
		t.Fatal(err)
	}
	data, report, err := ReadBytes(t.Context(), "a.csv", text.Bytes(), NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	scratch, err := store.NewFor(folder, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer scratch.Close()
	file, _, err := statfileKind{stata.Format{}}.fileOf(t.Context(), scratch, data, report.Format, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, column := range data.Columns() {
		v := &file.Variables[i]
		if column.StoredAsNumbers() == nil && v.Column.Numbers != nil && !store.Holds(scratch, v.Column.Numbers) {
			t.Errorf("the numbers of %s are on the heap", v.Name)
		}
	}
	var held, mapped bytes.Buffer
	for d, out := range map[*microdata.Dataset]*bytes.Buffer{data: &held, data.In(scratch): &mapped} {
		if _, err := WriteAs(t.Context(), "a.dta", out, d, report.Format, WriteOptions{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(held.Bytes(), mapped.Bytes()) || held.Len() == 0 {
		t.Errorf("%d and %d bytes, which differ", held.Len(), mapped.Len())
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}
