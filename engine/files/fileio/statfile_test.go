package fileio

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/spss"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

func formatFile(name string) string {
	return filepath.Join("..", "..", "..", "testdata", "formats", name)
}

// readStatfile reads a file of the expectations as a dataset, with options.
func readStatfile(t testing.TB, name string, options ...string) (*microdata.Dataset, *ReadReport) {
	t.Helper()
	ctx := context.Background()
	f, err := GuessFile(ctx, formatFile(name), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(options); i += 2 {
		f.Options[options[i]] = options[i+1]
	}
	data, report, err := Read(ctx, formatFile(name), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data, report
}

// With every treatment of declared missing values, an unchanged dataset is written as the file that was read.
func TestStatfilesComeBack(t *testing.T) {
	for i, e := range expectations(t) {
		writer, writes := e.format().(statfile.Writer)
		if !e.OK || !writes || filepath.Dir(e.File) != "." {
			continue
		}
		for j, declared := range []string{declaredMissing, declaredCategory, declaredApart} {
			if !longtests.Some(i+j, 3) {
				continue // each file with one treatment
			}
			t.Run(e.File+" "+declared, func(t *testing.T) {
				before, _, err := e.read(t, statfile.ReadOptions{})
				if err != nil {
					t.Fatal(err)
				}
				options := []string{optionMissing, declared}
				if e.format().Info().Encoded && before.Encoding != "utf-8" {
					options = append(options, optionEncoding, before.Encoding)
				}
				data, report := readStatfile(t, e.File, options...)
				var out bytes.Buffer
				if _, err := WriteTo(context.Background(), &out, data, report.Format, WriteOptions{}, nil); err != nil {
					t.Fatal(err)
				}
				if lacks, err := Lacks(context.Background(), "x"+writer.Info().Endings[0], data, report.Format,
					WriteOptions{}); err != nil || len(lacks) > 0 {
					t.Errorf("not all can be written back: %q, %v", lacks, err)
				}
				in := statfile.NewSource("back", bytes.NewReader(out.Bytes()), int64(out.Len()))
				settings, _, _ := writer.Recognise(context.Background(), in)
				after, err := writer.Read(context.Background(), in, statfile.ReadOptions{Settings: settings}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasPrefix(e.File, "dta1") && e.File < "dta113" {
					for i := range after.Variables { // a byte now needs a wider type
						after.Variables[i].Storage = before.Variables[i].Storage
					}
				}
				checkSame(t, after, before)
			})
		}
	}
}

// Values declared missing by a range, also an open one, survive the round trip as one category.
func TestRangeOfMissingValuesComesBack(t *testing.T) {
	numbers := []float64{1, -95, -99, 2, -91}
	for _, end := range []float64{-99, math.Inf(-1)} {
		f := &statfile.File{Rows: 5,
			Variables: []statfile.Variable{{Name: "x", MissingRange: &statfile.Range{From: end, To: -90},
				Column: statfile.Column{Numbers: slices.Clone(numbers)}}}}
		data, report, err := datasetOf(context.Background(), f, Format{Type: "sav",
			Options: map[string]string{optionMissing: declaredCategory}})
		if err != nil || len(data.Columns()[0].Categories().Levels) != 3 {
			t.Fatalf("%+v, %v", data.Columns()[0].Categories(), err)
		}
		back, _, err := statfileKind{spss.System{}}.fileOf(context.Background(), nil, data, report.Format,
			WriteOptions{})
		if err != nil || !slices.Equal(back.Variables[0].Column.Numbers, numbers) {
			t.Errorf("from %v: %v, %v", end, back.Variables[0].Column.Numbers, err)
		}
	}
}

// Any number of values declared missing by a range survive the round trip.
func TestManyMissingValuesComeBack(t *testing.T) {
	for name, numbers := range map[string]int{"few": 200, "some": 300, "many": 70_000} {
		values := make([]float64, 0, numbers+10)
		for i := range numbers {
			values = append(values, float64(-1-i))
		}
		for i := range 10 {
			values = append(values, float64(i))
		}
		for _, declared := range []string{declaredMissing, declaredCategory, declaredApart} {
			f := &statfile.File{Rows: len(values),
				Variables: []statfile.Variable{{Name: "x", MissingRange: &statfile.Range{From: math.Inf(-1), To: -1},
					Column: statfile.Column{Numbers: slices.Clone(values)}}}}
			data, report, err := datasetOf(context.Background(), f, Format{Type: "sav",
				Options: map[string]string{optionMissing: declared}})
			if err != nil {
				t.Fatal(err)
			}
			if reported := len(report.Warnings) > 0; reported != (name == "many" && declared == declaredCategory) {
				t.Errorf("%s, %s: %q", name, declared, report.Warnings)
			}
			said, err := Lacks(t.Context(), "a.csv", data, report.Format, WriteOptions{Codebook: "b.csv"})
			if listed := slices.Contains(said,
				"a codebook cannot declare ranges of missing values, only the codes that occur: x"); err != nil ||
				listed != (name != "many" || declared == declaredMissing) {
				t.Errorf("%s, %s: %q, %v", name, declared, said, err)
			}
			back, _, err := statfileKind{spss.System{}}.fileOf(context.Background(), nil, data, report.Format,
				WriteOptions{})
			if err != nil || !slices.Equal(back.Variables[0].Column.Numbers, values) {
				t.Errorf("%s, %s: other values came back, %v", name, declared, err)
			}
		}
	}
}

// Fractions of a second are rounded to microseconds before formatting.
func TestTimesAreRoundedBeforeTheyAreSpelled(t *testing.T) {
	for value, want := range map[float64]string{59.9999999: "00:01:00", 3599.9999996: "01:00:00", 0.25: "00:00:00.25",
		86399: "23:59:59", 360000: "100:00:00", 3599999: "999:59:59", 3600e3: "1000:00:00", -1: "-00:00:01", -43200.5: "-12:00:00.5",
		1e10 + 61: "2777777:47:41", -1e-9: "00:00:00", 1e17: "100000000000000000"} {
		if got := spelledNumber(microdata.Times, value); got != want {
			t.Errorf("%v: %q, expected %q", value, got, want)
		}
		if got, ok := isoValue(microdata.Times, want); !ok || math.Abs(got-value) > 1e-6 {
			t.Errorf("%q: %v, expected %v", want, got, value)
		}
	}
	for value, want := range map[float64]string{1e-9: "0.000000001", 1e-10: "1e-10", -1e20: "-100000000000000000000",
		1e21: "1e+21", 0.1: "0.1"} {
		if got := spelledNumber("", value); got != want {
			t.Errorf("%v: %q, expected %q", value, got, want)
		}
	}
}

// checkSame compares two files.
func checkSame(t *testing.T, got, want *statfile.File) {
	t.Helper()
	if got.Rows != want.Rows || len(got.Variables) != len(want.Variables) || got.Label != want.Label ||
		got.Weight != want.Weight || !slices.Equal(got.Notes, want.Notes) {
		t.Fatalf("%d rows, %d variables, %q; expected %d, %d, %q", got.Rows, len(got.Variables), got.Label, want.Rows,
			len(want.Variables), want.Label)
	}
	for i := range got.Variables {
		v, of := &got.Variables[i], &want.Variables[i]
		sameFormat := (v.Format == of.Format || got.Rows == 0 || v.Kind == statfile.Text) &&
			(v.Layout == of.Layout || of.Layout == "")
		if v.Name != of.Name || v.Label != of.Label || v.Kind != of.Kind || !sameFormat || v.Level != of.Level ||
			v.Storage != of.Storage && !wider(v, of) {
			t.Errorf("%s: %q, kind %d, %s, %s, %s, %s; expected %s: %q, kind %d, %s, %s, %s, %s", v.Name, v.Label, v.Kind,
				v.Format, v.Layout, v.Level, v.Storage, of.Name, of.Label, of.Kind, of.Format, of.Layout, of.Level, of.Storage)
		}
		if len(v.Labels) != len(of.Labels) || !slices.Equal(v.Missing, of.Missing) ||
			(v.MissingRange == nil) != (of.MissingRange == nil) {
			t.Errorf("%s: labels %v, missing %v %v; expected %v, %v %v", v.Name, v.Labels, v.Missing, v.MissingRange, of.Labels,
				of.Missing, of.MissingRange)
		}
		for row := range got.Rows {
			if a, b := cellOf(v, row), cellOf(of, row); !sameCell(a, b, false) {
				t.Errorf("%s, row %d: %v, expected %v", v.Name, row+1, a, b)
				break
			}
		}
	}
}

// The treatment of declared missing values is an option only for file types that have them; formulas are guarded
// only in delimited text.
func TestChoicesThatMeanNothingAreNotOffered(t *testing.T) {
	for name, want := range map[string]bool{"sav": true, "por": true, "xpt": true, "sas7bdat": true, "dta": true,
		"parquet": false, "xlsx": false, "ods": false, "dbf": false, "": false} {
		f := Format{Type: name}
		if offered := slices.ContainsFunc(Options(&f),
			func(o Option) bool { return o.Name == "declared missing" }); offered != want {
			t.Errorf("%q: declared missing values are offered: %v", name, offered)
		}
	}
	for path, want := range map[string]bool{"a.csv": true, "a.csv.gz": true, "a.txt": true, "a.dta": false, "a.xpt": false,
		"a.sav": false, "a.xlsx": false, "a.parquet": false} {
		if got := GuardsFormulas(path, NewFormat()); got != want {
			t.Errorf("%s: formulas are guarded: %v", path, got)
		}
	}
}

// Names of variables with commas and quotes can be typed.
func TestNamesOfVariablesAreTyped(t *testing.T) {
	var f Format
	for _, option := range Options(&f) {
		if option.Picked == nil {
			continue
		}
		for _, names := range [][]string{nil, {"a"}, {"a", "b,c", `d"e`, " f"}} {
			*option.Picked = names
			text := option.Get()
			f.Columns = nil
			if err := option.Set(text); err != nil || !slices.Equal(f.Columns, names) {
				t.Errorf("%q becomes %q, %v", text, f.Columns, err)
			}
		}
		if option.Set(`"a`) == nil {
			t.Error("a quote that is not closed is taken")
		}
	}
}

// The loss of a label of the empty text, which is missing, is reported.
func TestLabelsOfEmptyTexts(t *testing.T) {
	text := func(x string) statfile.ValueLabel {
		return statfile.ValueLabel{Value: statfile.Value{Text: x, IsText: true}, Label: "label"}
	}
	for value, want := range map[string]int{"": 1, "a": 0} {
		f := &statfile.File{Variables: []statfile.Variable{{Name: "x", Kind: statfile.Text,
			Labels: []statfile.ValueLabel{text(value)},
			Column: statfile.Column{Texts: &statfile.Texts{Codes: microdata.NewCodes(0, 0)}}}}}
		_, report, err := datasetOf(context.Background(), f, Format{Type: "sav"})
		if err != nil || len(report.Warnings) != want {
			t.Errorf("%q: %q, %v", value, report.Warnings, err)
		}
	}
}
