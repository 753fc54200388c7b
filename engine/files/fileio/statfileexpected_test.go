package fileio

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/spss"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// expectation is the result of an independent reader for a file: see README.md in testdata/formats.
type expectation struct {
	File      string
	OK        bool
	Rows      int
	Columns   int
	SameAs    string `json:"same_as"`
	FileLabel string `json:"file_label"`
	Variables []expectedVariable
	FirstRows [][]any `json:"first_rows"`
}

type expectedVariable struct {
	Name, Kind, Label, Format string
	ValueLabels               []struct {
		Value any
		Label string
	} `json:"value_labels"`
	MissingValues []any     `json:"missing_values"`
	MissingRange  []float64 `json:"missing_range"`
	emptyLost     bool      // empty texts are missing
	leadingLost   bool      // the independent reader removes leading spaces
	Counts        struct {
		Null, Distinct, Empty int
		True                  *int
		Tags                  map[string]int
		UserMissing           map[string]int `json:"user_missing"`
		Sum, Min, Max         any            // for numbers
		MaxBytes              int            `json:"max_bytes"`
		Numbers               string         `json:"sha256_f64"`
		Lines                 string         `json:"sha256_lines"`
	}
}

// formatOfEnding maps extensions of the expected files to formats.
var formatOfEnding = map[string]string{
	".sav": "sav", ".zsav": "sav", ".por": "por", ".dta": "dta", ".xpt": "xpt", ".sas7bdat": "sas7bdat",
	".parquet": "parquet", ".xlsx": "xlsx", ".ods": "ods", ".dbf": "dbf",
}

// misread lists the files that the independent reader reads wrongly.
var misread = map[string]string{
	"por_pspp_cp1252.por":            "it lost every letter that is not in ASCII",
	"sas7bdat_haven_0rows.sas7bdat":  "it stopped before the last formats and labels, as there are no rows",
	"thirdparty/sas_hmisc_test2.xpt": "it took the second dataset of the file for rows of the first",
}

// A portable file may have labels in UTF-8 and values in Windows-1252.
func TestPortableFileOfTwoEncodings(t *testing.T) {
	content := (&expectation{File: "por_pspp_cp1252.por"}).content(t)
	f, err := (spss.Portable{}).Read(context.Background(), statfile.NewSource("a.por", bytes.NewReader(content),
		int64(len(content))), statfile.ReadOptions{}, nil)
	if err != nil || f.Rows != 5 || len(f.Variables) != 5 {
		t.Fatalf("%+v, %v", f, err)
	}
	for i, want := range map[int]string{1: "Höchster Abschluss", 4: "Betrag in €"} {
		if got := f.Variables[i].Label; got != want {
			t.Errorf("label %q, expected %q", got, want)
		}
	}
	at := slices.IndexFunc(f.Variables, func(v statfile.Variable) bool { return v.Name == "PLACE" })
	for row, want := range []string{"Zürich", "Saint-Étienne", "Œuvre “x”"} {
		if got := cellOf(&f.Variables[at], row); got != want {
			t.Errorf("row %d: %q, expected %q", row+1, got, want)
		}
	}
}

// A file without rows keeps its formats and labels.
func TestDataFileOfNoRows(t *testing.T) {
	e := expectation{File: "sas7bdat_haven_0rows.sas7bdat"}
	f, _, err := e.read(t, statfile.ReadOptions{})
	if err != nil || f.Rows != 0 || f.Total != 0 || len(f.Variables) != 25 || f.Variables[24].Label != "Sampling weight" ||
		f.Variables[17].Kind != statfile.Date {
		t.Fatalf("%+v, %v", f, err)
	}
}

// The first of several datasets is read, with a warning.
func TestTransportFileOfSeveralDatasets(t *testing.T) {
	e := expectation{File: "thirdparty/sas_hmisc_test2.xpt"}
	f, _, err := e.read(t, statfile.ReadOptions{})
	if err != nil || f.Rows != 2 || len(f.Variables) != 5 || len(f.Warnings) != 1 ||
		!strings.Contains(f.Warnings[0], "several datasets") {
		t.Fatalf("%+v, %v", f, err)
	}
	if race := f.Variables[0].Column.Numbers; race[0] != 2 || race[1] != 4 {
		t.Errorf("races %v", race)
	}
}

func expectations(t testing.TB) []expectation {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "formats", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var read struct{ Files []expectation }
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	same := map[string]expectation{}
	for _, e := range read.Files {
		same[e.File] = e
	}
	for i := range read.Files {
		e := &read.Files[i]
		if like, ok := same[e.SameAs]; ok {
			e.Variables, e.FirstRows = slices.Clone(like.Variables), like.FirstRows
		}
		e.correct(same)
	}
	read.Files = slices.DeleteFunc(read.Files, func(e expectation) bool { return misread[e.File] != "" })
	if len(read.Files) < 100 {
		t.Fatalf("%d files are expected", len(read.Files))
	}
	return read.Files
}

// correct fixes errors of the independent readers, from their results for other files of the same data.
func (e *expectation) correct(all map[string]expectation) {
	if name, old := strings.CutPrefix(e.File, "dta108"); old { // value labels
		for j, like := range all["dta110"+name].Variables {
			e.Variables[j].ValueLabels = like.ValueLabels
		}
	}
	for j := range e.Variables {
		v := &e.Variables[j]
		switch {
		// multiplied by 0.01
		case strings.HasPrefix(e.File, "parquet_duckdb") && e.Rows > 0 && v.Name == "savings":
			v.Counts.Numbers = all["dta118_haven.dta"].variable(v.Name).Counts.Numbers
		case strings.Contains(e.File, "_libreoffice.") && v.Name == "place": // LibreOffice writes no cell for an empty text
			v.Counts.Null, v.Counts.Empty, v.Counts.Distinct = v.Counts.Empty, 0, v.Counts.Distinct-1
			v.emptyLost = true
		case strings.HasSuffix(e.File, ".dbf"):
			v.leadingLost = true
		case e.File == "parquet_duckdb_0rows.parquet":
			v.Kind = all["parquet_duckdb_none.parquet"].variable(v.Name).Kind
		case e.File == "parquet_hyparquet.parquet" && v.Name == "income": // NaN values
			v.Counts.Null, v.Counts.Distinct = e.Rows, 0
		}
	}
}

func (e expectation) variable(name string) expectedVariable {
	return e.Variables[slices.IndexFunc(e.Variables, func(v expectedVariable) bool { return v.Name == name })]
}

// format returns the format of the file, or nil if unsupported.
func (e *expectation) format() statfile.Format {
	ending := filepath.Ext(strings.TrimSuffix(e.File, ".gz"))
	at := slices.IndexFunc(statfiles(), func(f statfile.Format) bool { return f.Info().Name == formatOfEnding[ending] })
	if at < 0 {
		return nil
	}
	return statfiles()[at]
}

// content returns the bytes of the file. It skips the test if a third-party file, which is not part of the
// project, is absent.
func (e *expectation) content(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join("..", "..", "..", "testdata", "formats", e.File)
	if strings.HasPrefix(e.File, "thirdparty/") {
		path = filepath.Join("..", "..", "..", "..", "shared", "data", "formats", e.File)
		if _, err := os.Stat(path); err != nil {
			t.Skipf("the shared test data are absent: no %s", e.File)
		}
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		unzipped, err := gzip.NewReader(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		if content, err = io.ReadAll(unzipped); err != nil {
			t.Fatal(err)
		}
	}
	return content
}

// read reads the file with its format; known is false if the format does not recognise it.
func (e *expectation) read(t testing.TB, o statfile.ReadOptions) (f *statfile.File, known bool, err error) {
	t.Helper()
	content, ctx := e.content(t), context.Background()
	in := statfile.NewSource(filepath.Base(e.File), bytes.NewReader(content), int64(len(content)))
	o.Settings, known, err = e.format().Recognise(ctx, in)
	if !known || err != nil {
		return nil, known, err
	}
	if e.format().Info().Encoded && strings.Contains(e.File, "cp1252") && !strings.HasPrefix(e.File, "sav") {
		o.Encoding = "windows-1252" // these files do not declare it
	}
	f, err = e.format().Read(ctx, in, o, nil)
	return f, true, err
}

// Every file is read like by an independent reader.
func TestStatfilesAsExpected(t *testing.T) {
	for _, e := range expectations(t) {
		if !e.OK || e.format() == nil {
			continue
		}
		t.Run(e.File, func(t *testing.T) {
			f, known, err := e.read(t, statfile.ReadOptions{})
			if !known || err != nil {
				t.Fatalf("recognised: %v, %v", known, err)
			}
			if f.Rows != e.Rows || len(f.Variables) != e.Columns || f.Truncated != "" || f.Total >= 0 && f.Total != f.Rows {
				t.Fatalf("%d rows of %d and %d variables, expected %d and %d; truncated: %q", f.Rows, f.Total, len(f.Variables),
					e.Rows, e.Columns, f.Truncated)
			}
			if strings.TrimSpace(f.Label) != strings.TrimSpace(e.FileLabel) {
				t.Errorf("label %q, expected %q", f.Label, e.FileLabel)
			}
			rounded := e.format().Info().Name == "por" // numbers in base 30
			for i := range f.Variables {
				if ours, known := f.Variables[i].Format, e.Variables[i].Format; e.format().Info().Name == "sas7bdat" &&
					strings.HasPrefix(ours, known) {
					e.Variables[i].Format = ours // the independent reader lacks widths in files with truncated numbers
				}
				checkVariable(t, &f.Variables[i], &e.Variables[i], rounded)
				checkFirstRows(t, &f.Variables[i], e.FirstRows, i, rounded)
			}
		})
	}
}

// The Compact option does not change the result.
func TestStatfilesCompact(t *testing.T) {
	for _, e := range expectations(t) {
		if !e.OK || e.format() == nil {
			continue
		}
		t.Run(e.File, func(t *testing.T) {
			plain, _, err := e.read(t, statfile.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			compact, _, err := e.read(t, statfile.ReadOptions{Compact: true})
			if err != nil {
				t.Fatal(err)
			}
			few := 0
			for i := range plain.Variables {
				v, c := &plain.Variables[i], &compact.Variables[i].Column
				if c.Few == nil {
					continue
				}
				few++
				if c.Numbers != nil || c.Few.Codes.Len() != len(v.Column.Numbers) {
					t.Fatalf("%s has %d rows, expected %d", v.Name, c.Len(), e.Rows)
				}
				for row, code := range c.Few.Codes.Between(0, c.Len()) {
					if got, want := c.Few.Values[code-1], v.Column.Numbers[row]; math.Float64bits(got) != math.Float64bits(want) {
						t.Fatalf("%s, row %d: %v, expected %v", v.Name, row+1, got, want)
					}
				}
			}
			if format := e.format().Info().Name; few == 0 && e.Rows > 0 &&
				(format == "sav" || format == "sas7bdat" || format == "xpt" || format == "parquet") && len(plain.Variables) > 10 {
				t.Error("no variable has few values")
			}
		})
	}
}

// Selected variables and a limited number of rows agree with the whole file.
func TestStatfilesInPart(t *testing.T) {
	for _, e := range expectations(t) {
		if !e.OK || e.format() == nil || e.Columns < 3 {
			continue
		}
		t.Run(e.File, func(t *testing.T) {
			whole, _, err := e.read(t, statfile.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			wanted := map[string]bool{whole.Variables[0].Name: true, whole.Variables[e.Columns-1].Name: true}
			part, _, err := e.read(t, statfile.ReadOptions{Columns: wanted, Rows: 3})
			if err != nil {
				t.Fatal(err)
			}
			if len(part.Variables) != 2 || part.Rows != min(3, e.Rows) ||
				whole.Total >= 0 && part.Total >= 0 && part.Total != e.Rows {
				t.Fatalf("%d variables, %d rows of %d", len(part.Variables), part.Rows, part.Total)
			}
			for i, of := range []*statfile.Variable{&whole.Variables[0], &whole.Variables[e.Columns-1]} {
				v := &part.Variables[i]
				if v.Name != of.Name || v.Label != of.Label || v.Column.Len() != part.Rows {
					t.Fatalf("variable %q with %d rows", v.Name, v.Column.Len())
				}
				for row := range part.Rows {
					if got, want := cellOf(v, row), cellOf(of, row); !sameCell(got, want, false) {
						t.Errorf("%s, row %d: %v, in the whole file %v", v.Name, row+1, got, want)
					}
				}
			}
		})
	}
}

// Reading a broken file returns an error that names it, or reports a truncation, and takes no memory out of
// proportion to its size.
func TestBrokenStatfiles(t *testing.T) {
	for _, e := range expectations(t) {
		if e.OK || e.format() == nil {
			continue
		}
		t.Run(filepath.Base(e.File), func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f, known, err := e.read(t, statfile.ReadOptions{})
			runtime.ReadMemStats(&after)
			switch {
			case !known: // it is read as text or rejected
			case err == nil && f.Truncated == "":
				t.Errorf("read as whole: %d rows", f.Rows)
			case err != nil && !strings.HasPrefix(err.Error(), filepath.Base(e.File)):
				t.Errorf("the error does not name the file: %v", err)
			case err != nil:
				t.Log(err)
			default:
				t.Log(f.Truncated)
			}
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 32<<20 {
				t.Errorf("%d MB were allocated", taken>>20)
			}
		})
	}
}

func checkVariable(t *testing.T, v *statfile.Variable, e *expectedVariable, rounded bool) {
	t.Helper()
	kind := map[statfile.Kind]string{statfile.Number: "number", statfile.Text: "string", statfile.Date: "date",
		statfile.DateTime: "datetime", statfile.Time: "time", statfile.Boolean: "bool"}[v.Kind]
	if kind == "bool" && e.Kind == "number" {
		kind = "number" // the only numeric kind of the reader of sheets and dbf
	}
	if v.Format == "%tC" && kind == "number" {
		return // it counts leap seconds, which the independent reader ignores
	}
	if v.Name != e.Name || v.Label != e.Label || kind != e.Kind || e.Format != "" && v.Format != e.Format {
		t.Errorf("%s: %q, %s, %s; expected %s: %q, %s, %s", v.Name, v.Label, kind, v.Format, e.Name, e.Label, e.Kind,
			e.Format)
		return
	}
	if len(v.Labels) != len(e.ValueLabels) {
		t.Errorf("%s: %d value labels, expected %d", v.Name, len(v.Labels), len(e.ValueLabels))
		return
	}
	for _, label := range e.ValueLabels { // in any order
		if !slices.ContainsFunc(v.Labels, func(l statfile.ValueLabel) bool {
			return l.Label == label.Label && sameCell(cellOfValue(l.Value), label.Value, false)
		}) {
			t.Errorf("%s: no label %q of %v among %v", v.Name, label.Label, label.Value, v.Labels)
		}
	}
	if len(v.Missing) != len(e.MissingValues) || (v.MissingRange == nil) != (e.MissingRange == nil) {
		t.Errorf("%s: missing %v and %v, expected %v and %v", v.Name, v.Missing, v.MissingRange, e.MissingValues,
			e.MissingRange)
		return
	}
	for i, value := range e.MissingValues {
		if !sameCell(cellOfValue(v.Missing[i]), value, false) {
			t.Errorf("%s: missing %v, expected %v", v.Name, v.Missing[i], value)
		}
	}
	if e.MissingRange != nil && (v.MissingRange.From != e.MissingRange[0] || v.MissingRange.To != e.MissingRange[1]) {
		t.Errorf("%s: missing range %v, expected %v", v.Name, v.MissingRange, e.MissingRange)
	}
	if v.Column.Texts != nil {
		checkTexts(t, v, e)
	} else {
		checkNumbers(t, v, e, rounded)
	}
}

func checkNumbers(t *testing.T, v *statfile.Variable, e *expectedVariable, rounded bool) {
	t.Helper()
	null, tags, declared, distinct := 0, map[string]int{}, map[string]int{}, map[float64]bool{}
	sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
	hash, buffer := sha256.New(), make([]byte, 8)
	for _, value := range v.Column.Numbers {
		binary.LittleEndian.PutUint64(buffer, math.Float64bits(value))
		if letter, missing := statfile.Tag(value); missing {
			null++
			if letter != 0 {
				tags[string(letter)]++
			}
			binary.LittleEndian.PutUint64(buffer, 0x7ff8000000000000)
		} else {
			distinct[value] = true
			sum, least, most = sum+value, min(least, value), max(most, value)
			if v.Declared(statfile.Value{Number: value}) {
				declared[strconv.FormatFloat(value, 'g', -1, 64)]++
			}
		}
		hash.Write(buffer)
	}
	c := &e.Counts
	if c.True != nil && sum != float64(*c.True) {
		t.Errorf("%s: %v are true, expected %d", v.Name, sum, *c.True)
	}
	if null != c.Null || !maps.Equal(tags, c.Tags) || len(distinct) != c.Distinct ||
		len(c.UserMissing) > 0 && !maps.Equal(declared, c.UserMissing) {
		t.Errorf("%s: %d missing, %v, declared %v, %d distinct; expected %d, %v, %v, %d", v.Name, null, tags, declared,
			len(distinct), c.Null, c.Tags, c.UserMissing, c.Distinct)
	}
	for name, pair := range map[string][2]any{"sum": {sum, c.Sum}, "smallest": {least, c.Min}, "largest": {most, c.Max}} {
		if want, ok := pair[1].(float64); ok && len(distinct) > 0 && !near(pair[0].(float64), want, 1e-12) {
			t.Errorf("%s: %s %v, expected %v", v.Name, name, pair[0], want)
		}
	}
	if got := hex.EncodeToString(hash.Sum(nil)); !rounded && c.Numbers != "" && got != c.Numbers {
		t.Errorf("%s: the values are not those expected", v.Name)
	}
}

func checkTexts(t *testing.T, v *statfile.Variable, e *expectedVariable) {
	t.Helper()
	null, empty, longest, cut, declared, distinct := 0, 0, 0, 0, map[string]int{}, map[string]bool{}
	lines := make([]string, v.Column.Len())
	for row := range lines {
		code := v.Column.Texts.Codes.At(row)
		if code == 0 {
			null++
			if lines[row] = "NA"; e.emptyLost {
				lines[row] = ""
			}
			continue
		}
		text := v.Column.Texts.Values[code-1]
		if lines[row] = strings.TrimRight(text, " "); e.leadingLost {
			lines[row] = strings.Trim(text, " ")
		}
		distinct[text] = true
		longest, cut = max(longest, len(text)), max(cut, len(lines[row]))
		if text == "" {
			empty++
		}
		if v.Declared(statfile.Value{Text: text, IsText: true}) {
			declared[text]++
		}
	}
	c := &e.Counts
	if null != c.Null || empty != c.Empty || len(distinct) != c.Distinct || longest != c.MaxBytes && cut != c.MaxBytes ||
		len(c.UserMissing) > 0 && !maps.Equal(declared, c.UserMissing) {
		t.Errorf("%s: %d missing, %d empty, %d distinct, longest %d, declared %v; expected %+v", v.Name, null, empty,
			len(distinct), longest, declared, *c)
	}
	hash := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	if got := hex.EncodeToString(hash[:]); c.Lines != "" && got != c.Lines {
		t.Errorf("%s: the texts are not those expected", v.Name)
	}
}

func checkFirstRows(t *testing.T, v *statfile.Variable, rows [][]any, column int, rounded bool) {
	t.Helper()
	if v.Format == "%tC" {
		return
	}
	for row := range min(len(rows), v.Column.Len()) {
		if got := cellOf(v, row); !sameCell(got, rows[row][column], rounded) {
			t.Errorf("%s, row %d: %v, expected %v", v.Name, row+1, got, rows[row][column])
		}
	}
}

// cellOf returns a cell in the form of the expectations.
func cellOf(v *statfile.Variable, row int) any {
	if texts := v.Column.Texts; texts != nil {
		if code := texts.Codes.At(row); code != 0 {
			return texts.Values[code-1]
		}
		return nil
	}
	value := v.Column.Numbers[row]
	if letter, missing := statfile.Tag(value); missing {
		if letter != 0 {
			return map[string]any{"tag": string(letter)}
		}
		return nil
	}
	switch v.Kind {
	case statfile.Date:
		return time.Unix(int64(value)*86400, 0).UTC().Format(time.DateOnly)
	case statfile.DateTime:
		return time.Unix(0, int64(math.Round(value*1e3))*1e6).UTC().Format("2006-01-02T15:04:05.000Z")
	case statfile.Boolean:
		return value != 0
	default:
		return value
	}
}

func cellOfValue(value statfile.Value) any {
	if value.IsText {
		return value.Text
	}
	return cellOf(&statfile.Variable{Column: statfile.Column{Numbers: []float64{value.Number}}}, 0)
}

func sameCell(got, want any, rounded bool) bool {
	switch want := want.(type) {
	case nil:
		return got == nil
	case float64:
		number, ok := got.(float64)
		tolerance := 1e-13
		if math.Abs(want) < 1e-290 {
			tolerance = 1e-9 // the independent reader computes the power in steps; the original is 1e-300
		}
		return ok && (number == want || rounded && near(number, want, tolerance))
	case bool:
		return got == want || got == map[bool]float64{true: 1}[want]
	case string:
		text, _ := got.(string)
		wholeDay, wholeSecond := strings.TrimSuffix(want, "T00:00:00.000Z"), strings.Replace(want, ".000Z", "Z", 1)
		return text == want || strings.TrimRight(text, " ") == want || text == wholeDay || text == wholeSecond ||
			strings.Replace(text, ".000Z", "Z", 1) == wholeSecond
	case map[string]any:
		if tag, ok := want["tag"]; ok {
			tagged, _ := got.(map[string]any)
			return tagged["tag"] == tag
		}
		text, _ := got.(string)
		hash := sha256.Sum256([]byte(text))
		return want["sha256"] == hex.EncodeToString(hash[:])
	default:
		return false
	}
}

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}
