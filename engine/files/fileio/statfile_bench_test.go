package fileio

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/files/spreadsheet"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// surveyAsFile returns the survey as a statistical file: categories are labelled codes, except for some texts.
func surveyAsFile(b *testing.B, rows int) *statfile.File {
	b.Helper()
	var text bytes.Buffer
	if err := survey.WriteCSV(&text, rows, 7); err != nil {
		b.Fatal(err)
	}
	data, _, err := ReadBytes(context.Background(), "survey.csv", text.Bytes(), NewFormat(), nil)
	if err != nil {
		b.Fatal(err)
	}
	f := &statfile.File{Rows: rows, Total: rows}
	for i, column := range data.Columns() {
		v := statfile.Variable{Name: column.Name(), Label: "What is said of " + column.Name()}
		switch categories := column.Categories(); {
		case column.Numeric():
			v.Column.Numbers = make([]float64, rows)
			for row := range rows {
				x := column.Float(row)
				v.Column.Numbers[row] = x
				if math.IsNaN(x) {
					v.Column.Numbers[row] = statfile.Missing()
				}
			}
		case i%4 == 0:
			v.Kind, v.Column.Texts = statfile.Text, &statfile.Texts{Codes: categories.Codes}
			for _, level := range categories.Levels {
				v.Column.Texts.Values = append(v.Column.Texts.Values, level.Label)
			}
		default:
			for code, level := range categories.Levels {
				v.Labels = append(v.Labels, statfile.ValueLabel{Value: statfile.Value{Number: float64(code + 1)},
					Label: level.Label})
			}
			for row := range rows {
				v.Column.Numbers = append(v.Column.Numbers, float64(categories.Codes.At(row)))
			}
		}
		f.Variables = append(f.Variables, v)
	}
	return f
}

// eachWriter runs a benchmark with a million records for each writable format; see BenchmarkWorkbook for .xlsx.
func eachWriter(b *testing.B, run func(*testing.B, *statfile.File, statfile.Format, statfile.Writer)) {
	b.Helper()
	f := surveyAsFile(b, 1000000)
	for _, format := range statfiles() {
		if writer, ok := format.(statfile.Writer); ok && format.Info().Name != "xlsx" {
			b.Run(format.Info().Name, func(b *testing.B) { run(b, f, format, writer) })
		}
	}
}

func BenchmarkReadStatfiles(b *testing.B) {
	eachWriter(b, func(b *testing.B, f *statfile.File, format statfile.Format, writer statfile.Writer) {
		var content bytes.Buffer
		if err := writer.Write(context.Background(), &content, f, nil, nil); err != nil {
			b.Fatal(err)
		}
		in := statfile.NewSource("survey", bytes.NewReader(content.Bytes()), int64(content.Len()))
		resetPeak()
		b.SetBytes(int64(content.Len()))
		b.ResetTimer()
		for range b.N {
			if _, err := format.Read(context.Background(), in, statfile.ReadOptions{}, nil); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(peak()/1e6, "peak-MB")
		b.ReportMetric(float64(content.Len())/1e6, "file-MB")
	})
}

// BenchmarkFileAsDataset converts a file to a dataset. Memory must stay below the columns plus twice the file.
func BenchmarkFileAsDataset(b *testing.B) {
	f := surveyAsFile(b, 1000000)
	paths := map[string]string{}
	for _, ending := range []string{".csv", ".csv.gz", ".csv.zst"} {
		paths[ending] = textSurvey(b, ending)
	}
	for _, format := range statfiles() {
		if writer, ok := format.(statfile.Writer); ok && format.Info().Name != "xlsx" {
			for _, ending := range writer.Info().Endings {
				paths[ending] = writtenTo(b, filepath.Join(b.TempDir(), "survey"+ending), f, writer)
			}
		}
	}
	f = nil
	for _, ending := range slices.Sorted(maps.Keys(paths)) {
		b.Run(ending, func(b *testing.B) {
			resetPeak()
			before := peak()
			for b.Loop() {
				format, err := GuessFile(context.Background(), paths[ending], nil)
				if err != nil {
					b.Fatal(err)
				}
				data, _, err := Read(context.Background(), paths[ending], format, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				b.ReportMetric((peak()-before)/1e6, "peak-MB")
				resetPeak()
				b.ReportMetric((peak()-before)/1e6, "columns-MB")
				runtime.KeepAlive(data)
				data = nil
				resetPeak()
				before = peak()
				b.StartTimer()
			}
			info, err := os.Stat(paths[ending])
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(info.Size())/1e6, "file-MB")
		})
	}
}

func textSurvey(b *testing.B, ending string) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "survey"+ending)
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	out, err := zipper(path, file)
	if err != nil {
		b.Fatal(err)
	}
	if err := cmp.Or(survey.WriteCSV(out, 1000000, 7), out.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

func writtenTo(b *testing.B, path string, f *statfile.File, format statfile.Writer) string {
	b.Helper()
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	if err := format.Write(context.Background(), file, f, statfile.Settings{statfile.Ending: filepath.Ext(path)},
		nil); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkWriteStatfiles(b *testing.B) {
	eachWriter(b, func(b *testing.B, f *statfile.File, _ statfile.Format, writer statfile.Writer) {
		for range b.N {
			if err := writer.Write(context.Background(), io.Discard, f, nil, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkWorkbook writes fewer rows, because few workbooks have a million.
func BenchmarkWorkbook(b *testing.B) {
	f := surveyAsFile(b, 50000)
	var content bytes.Buffer
	b.Run("write", func(b *testing.B) {
		for range b.N {
			content.Reset()
			if err := (spreadsheet.Excel{}).Write(context.Background(), &content, f, nil, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		in := statfile.NewSource("survey", bytes.NewReader(content.Bytes()), int64(content.Len()))
		for range b.N {
			if _, err := (spreadsheet.Excel{}).Read(context.Background(), in, statfile.ReadOptions{}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCarriedOver converts a million records to another file type, with the list of losses.
func BenchmarkCarriedOver(b *testing.B) {
	folder := b.TempDir()
	from := map[string]string{".csv": textSurvey(b, ".csv")}
	carry := func(from, ending string) (string, error) {
		format, err := GuessFile(context.Background(), from, nil)
		if err != nil {
			return "", err
		}
		data, report, err := Read(context.Background(), from, format, nil)
		if err != nil {
			return "", err
		}
		to := filepath.Join(folder, "out"+ending)
		_, err = Write(context.Background(), to, data, report.Format,
			WriteOptions{Force: true, Lacking: func([]string) error { return nil }}, nil)
		return to, err
	}
	for _, way := range [][2]string{{".csv", ".sav"}, {".sav", ".dta"}, {".csv", ".parquet"}} {
		b.Run(way[0]+" to "+way[1], func(b *testing.B) {
			for b.Loop() {
				to, err := carry(from[way[0]], way[1])
				if err != nil {
					b.Fatal(err)
				}
				from[way[1]] = to
			}
		})
	}
}
