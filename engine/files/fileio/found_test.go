package fileio

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// foundFile is an entry of the manifest. Expected and Labels are a name, a list of names, or null.
type foundFile struct {
	File, Note       string
	Expected, Labels json.RawMessage
}

// foundWant is what the manifest expects in words only.
type foundWant struct {
	refused  string                   // expected part of the error; "" if it can be read
	said     string                   // expected part of a warning
	choices  []string                 // options for reading
	without  string                   // expected part of the error without the options
	misnamed bool                     // the reference reader has wrong names, labels and texts
	names    string                   // expected names, separated by spaces
	rows     int                      // expected number of rows; 0 for that of the reference reader
	kinds    map[string]statfile.Kind // expected kinds of some variables
	last     []string                 // expected cells of the last variable, if the reference reader has them wrong
}

var foundWants = map[string]foundWant{
	"JanMarvin_readspss__hotel-encrypted.sav":                       {refused: "encrypted"},
	"phuse-org_phuse-scripts__MedDRA_at_a_Glance_Error_Summary.xls": {refused: "Excel 2003"},
	"duckdb_duckdb__broken_structure.parquet":                       {refused: "more memory"},
	"qax-os_excelize__encryptAES.xlsx":                              {refused: "encrypted"},
	"SheetJS_test_files__password_2002_40_xor.xls":                  {refused: "encrypted"},
	"SheetJS_test_files__crlf5.xls":                                 {rows: 2},
	"tidyverse_haven__formats.sas7bcat":                             {refused: "SAS catalogue"},
	"Roche_pyreadstat__test_formats_win.sas7bcat":                   {refused: "SAS catalogue"},
	"Roche_pyreadstat__test_formats_linux.sas7bcat":                 {refused: "SAS catalogue"},
	"LibertyDSNP_parquetjs__hadoop_lz4_compressed.parquet":          {refused: "LZ4"},
	"tafia_calamine__issue_530.xlsx":                                {rows: 4},
	"albfernandez_javadbf__numbers2.dbf":                            {said: "DOUBLE2"},
	"tmontaigu_dbase-rs__stations_with_deleted.dbf":                 {rows: 5, said: "deleted"},
	"epam_parso__all_rand_normal_with_deleted.sas7bdat":             {said: "deleted"},
	"epam_parso__all_rand_normal_with_deleted2.sas7bdat":            {said: "deleted"},
	"epam_parso__data_page_with_deleted.sas7bdat":                   {said: "deleted"},
	"epam_parso__charset_wvie.sas7bdat": {misnamed: true,
		names: "SepalLength SepalWidth PetalLength PetalWidth Species"},
	"frictionlessdata_frictionless-py__sheet2.xlsx":             {choices: []string{"sheet=Sheet2"}, without: "Sheet2"},
	"sdcTools_muargus__null.rds":                                {refused: "the description of the variables is not valid"},
	"sdcmicro_object.rds":                                       {choices: []string{"data frame=manipulated"}},
	"frictionlessdata_frictionless-py__table-with-booleans.ods": {last: []string{"TRUE", "FALSE"}},
	"tafia_calamine__covered.ods":                               {last: []string{"a2", "a3"}},
	"sjewo_readstata13__statacar.dta":                           {said: "infinit"},
	"Roche_pyreadstat__tegulu.sav":                              {said: "within a character"},
	"JanMarvin_readspss__datetimes.sav": {kinds: map[string]statfile.Kind{"q1": statfile.Date, "m1": statfile.Date,
		"w1": statfile.Date}},
	"Roche_pyreadstat__date_test.sas7bdat": {kinds: map[string]statfile.Kind{"dtc4": statfile.Date,
		"yr": statfile.Date}},
	"Roche_pyreadstat__simple_alltypes.sav": {kinds: map[string]statfile.Kind{"quarter": statfile.Date}},
	"Roche_pyreadstat__sample.por": {kinds: map[string]statfile.Kind{"MYDATE": statfile.Date,
		"DTIME": statfile.DateTime, "MYTIME": statfile.Time}},
}

// Every file of ../shared/data/found is read as its manifest expects. The columns of the format are compared (for
// text, those of the dataset), before conversion: numbers by value, dates as times however spelled, texts without
// trailing spaces; an empty expected cell is a missing value or an empty text, ".a" an extended missing value. If
// the reference reader leaves a date as a number, it is relative to the epoch of the program. Labels of variables
// and values, declared missing values and names of display formats are compared too; what the manifest expects in
// words is in foundWants.
func TestFoundFiles(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "shared", "data", "found")
	manifest, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err != nil {
		t.Skip("the shared test data are absent: no data/found/manifest.json")
	}
	var files []foundFile
	if err := json.Unmarshal(manifest, &files); err != nil {
		t.Fatal(err)
	}
	for _, e := range files {
		t.Run(e.File, func(t *testing.T) { e.check(t, folder) })
	}
}

// foundNames returns the names in an entry.
func foundNames(raw json.RawMessage) (names []string) {
	var one *string
	if json.Unmarshal(raw, &names) != nil && json.Unmarshal(raw, &one) == nil && one != nil {
		return []string{*one}
	}
	return names
}

func (e *foundFile) check(t *testing.T, folder string) {
	want := foundWants[e.File]
	if want.without != "" {
		if _, _, err := readFound(folder, e.File, nil); err == nil || !strings.Contains(err.Error(), want.without) {
			t.Errorf("without a choice: %v; wanted is %q", err, want.without)
		}
	}
	f, kind, err := readFound(folder, e.File, want.choices)
	if strings.Contains(e.Note, "no data frame in it") {
		want.refused = "no data frame"
	}
	switch {
	case want.refused != "":
		if err == nil || !strings.Contains(err.Error(), want.refused) {
			t.Errorf("%v, %v; it is to be refused with %q", f, err, want.refused)
		}
		return
	case err != nil:
		t.Fatal(err)
	case !strings.Contains(strings.Join(f.Warnings, "\n"), want.said):
		t.Errorf("it is not said that %q: %q", want.said, f.Warnings)
	case want.rows > 0 && f.Rows != want.rows:
		t.Errorf("%d rows, expected %d", f.Rows, want.rows)
	}
	var names []string
	for i := range f.Variables {
		v := &f.Variables[i]
		if names = append(names, v.Name); want.kinds != nil {
			if k, ok := want.kinds[v.Name]; ok && v.Kind != k {
				t.Errorf("%s is of kind %d, expected %d", v.Name, v.Kind, k)
			}
		}
	}
	if got := strings.Join(names, " "); want.names != "" && got != want.names {
		t.Errorf("names %q, expected %q", got, want.names)
	}
	for _, name := range foundNames(e.Expected) {
		if kind == "xls" {
			continue // expected for a sheet without a header: see the tests of the format
		}
		if f, err = e.frame(folder, name, f); err != nil {
			t.Fatal(err)
		}
		checkFoundCells(t, f, kind, filepath.Join(folder, name), want)
	}
	for _, name := range foundNames(e.Labels) {
		if f, err = e.frame(folder, name, f); err != nil {
			t.Fatal(err)
		}
		if !want.misnamed {
			checkFoundLabels(t, f, filepath.Join(folder, name))
		}
	}
}

// frame returns the data frame of an R file that an expectation names; f is the default one.
func (e *foundFile) frame(folder, expectation string, f *statfile.File) (*statfile.File, error) {
	name, _, named := strings.Cut(strings.TrimPrefix(expectation, e.File+"."), ".")
	if !named || len(foundNames(e.Expected)) < 2 {
		return f, nil
	}
	f, _, err := readFound(folder, e.File, []string{"data frame=" + name})
	return f, err
}

// readFound reads a file like the program and returns its columns and file type.
func readFound(folder, name string, choices []string) (*statfile.File, string, error) {
	ctx, path := context.Background(), filepath.Join(folder, name)
	format, err := GuessFile(ctx, path, nil)
	if err != nil {
		return nil, "", err
	}
	for _, choice := range choices {
		if err := Choose(&format, choice); err != nil {
			return nil, "", err
		}
	}
	data, report, err := Read(ctx, path, format, nil)
	if err != nil {
		return nil, "", err
	}
	for _, kind := range statfiles() {
		if kind.Info().Name != format.Type {
			continue
		}
		closer, in, err := open(ctx, path)
		if err != nil {
			return nil, "", err
		}
		defer closer.Close()
		o := format.readOptions()
		o.Compact = false
		f, err := kind.Read(ctx, statfileKind{kind}.source(&in), o, nil)
		return f, format.Type, err
	}
	f := &statfile.File{Rows: data.Len(), Warnings: report.Warnings}
	for _, column := range data.Columns() {
		texts := statfile.NewDictionary(f.Rows)
		for row := range f.Rows {
			texts.Add([]byte(column.Text(row)))
		}
		f.Variables = append(f.Variables, statfile.Variable{Name: column.Name(), Kind: statfile.Text,
			Column: statfile.Column{Texts: texts.Texts()}})
	}
	return f, format.Type, nil
}

// checkFoundCells compares the cells with those of a file with a header.
func checkFoundCells(t *testing.T, f *statfile.File, kind, path string, want foundWant) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(content))
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records[0]) == 1 { // a missing value is an empty line, which the CSV reader skips
		records = nil
		for line := range strings.Lines(string(content)) {
			records = append(records, []string{strings.Trim(line, "\"\r\n")})
		}
	}
	for i, text := range want.last {
		records[i+1][len(records[0])-1] = text
	}
	if kind == "xlsx" || kind == "ods" { // empty rows are skipped
		records = slices.DeleteFunc(records, func(record []string) bool { return strings.Join(record, "") == "" })
	}
	if len(records) != f.Rows+1 {
		t.Fatalf("%d rows, expected %d", f.Rows, len(records)-1)
	}
	for row, record := range records { // sheets may have columns without a name and cells
		for len(record) > len(f.Variables) && record[len(record)-1] == "" {
			record = record[:len(record)-1]
		}
		if records[row] = record; len(record) > len(f.Variables) || row == 0 && len(record) < len(f.Variables) {
			t.Fatalf("row %d: %d variables, expected %d", row, len(f.Variables), len(record))
		}
	}
	failed := 0
	for i := range f.Variables {
		v := &f.Variables[i]
		if name := records[0][i]; v.Name != name && !want.misnamed {
			t.Errorf("variable %d is called %q, expected %q", i+1, v.Name, name)
		}
		for row, record := range records[1:] {
			if v.Kind == statfile.Text && want.misnamed {
				break
			}
			if got := cellOf(v, row); !sameFound(v, kind, row, record[i]) {
				if failed++; failed < 10 {
					t.Errorf("%s, row %d: %v, expected %q", v.Name, row+1, got, record[i])
				}
			}
		}
	}
}

// sameFound reports whether a cell equals the spelling of an independent reader.
func sameFound(v *statfile.Variable, kind string, row int, want string) bool {
	if texts := v.Column.Texts; texts != nil {
		text, want := "", strings.ReplaceAll(want, "<df>", "ß") // R prints bytes like this
		if code := texts.Codes.At(row); code > 0 {
			text = texts.Values[code-1]
		}
		got, isNumber := foundNumber(text)
		expected, alike := foundNumber(want)
		return want == "" && v.Declared(statfile.Value{Text: text, IsText: true}) ||
			strings.TrimRight(text, " ") == strings.TrimRight(want, " ") ||
			(kind == "xlsx" || kind == "ods") && isNumber && alike && got == expected
	}
	value := v.Column.Numbers[row]
	if v.Format == "%tC" {
		return true // it counts leap seconds, which the reference reader ignores
	}
	if letter, missing := statfile.Tag(value); missing {
		return letter == 0 && slices.Contains([]string{"", "Inf", "-Inf", "NaN"}, want) ||
			letter > 0 && want == "."+string(letter)
	}
	if moment, ok := foundMoment(want); ok {
		if v.Kind == statfile.Date {
			value *= 86400
		}
		return math.Floor(value) == math.Floor(moment) // R prints whole seconds
	}
	number, ok := foundNumber(want)
	if fewer, err := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 15, 64), 64); err == nil && fewer == number {
		return true // parso prints it like this
	}
	return ok && (near(number, value, 1e-15) || near(number, sinceEpoch(v.Kind, kind, value), 1e-15))
}

// foundNumber parses a number or truth value.
func foundNumber(text string) (float64, bool) {
	switch strings.ToUpper(text) {
	case "TRUE":
		return 1, true
	case "FALSE":
		return 0, true
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}

// foundMoment parses a date or time as seconds since 1970.
func foundMoment(text string) (float64, bool) {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.DateTime} {
		if at, err := time.Parse(layout, text); err == nil {
			return float64(at.Unix()) + float64(at.Nanosecond())/1e9, true
		}
	}
	return 0, false
}

// sinceEpoch converts a date or time to the number stored by the program.
func sinceEpoch(is statfile.Kind, kind string, value float64) float64 {
	const day, spss, sas = 86400, 141428, 3653 // days from 1582-10-14 and 1960-01-01 to 1970-01-01
	switch {
	case is == statfile.Date && (kind == "sav" || kind == "por"):
		return (value + spss) * day
	case is == statfile.DateTime && (kind == "sav" || kind == "por"):
		return value + spss*day
	case is == statfile.Date && (kind == "sas7bdat" || kind == "xpt"):
		return value + sas
	case is == statfile.DateTime && (kind == "sas7bdat" || kind == "xpt"):
		return value + sas*day
	}
	return value
}

// foundLabels holds the metadata that haven reads of a variable. A single element is not a list.
type foundLabels struct {
	Label          any
	Values, Labels any
	NAValues       any `json:"na_values"`
	NARange        any `json:"na_range"`
	Format         string
	Class          any // another form, for files with catalogues
}

// list returns a text, or a list of texts, as a list.
func list(of any) (texts []string) {
	switch of := of.(type) {
	case string:
		return []string{of}
	case []any:
		for _, one := range of {
			text, _ := one.(string) // nil for an extended missing value
			texts = append(texts, text)
		}
	}
	return texts
}

func checkFoundLabels(t *testing.T, f *statfile.File, path string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(content, &all); err != nil {
		t.Fatal(err)
	}
	if all[".catalog"] != nil {
		return // see TestFoundCatalogues
	}
	for name, raw := range all {
		var want foundLabels
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(f.Variables, func(v statfile.Variable) bool { return v.Name == name })
		if at < 0 {
			t.Errorf("no variable %s", name)
			continue
		}
		v := &f.Variables[at]
		label, _ := want.Label.(string)
		if v.Label != label || !strings.HasPrefix(strings.ToUpper(v.Format), strings.ToUpper(want.Format)) {
			t.Errorf("%s: %q, %s; expected %q, %s", name, v.Label, v.Format, label, want.Format)
		}
		values, labels := list(want.Values), list(want.Labels)
		if len(labels) != len(v.Labels) {
			t.Errorf("%s: %d labels, expected %d", name, len(v.Labels), len(labels))
			continue
		}
		for i, label := range labels {
			if !slices.ContainsFunc(v.Labels, func(l statfile.ValueLabel) bool {
				return l.Label == label && sameFoundValue(l.Value, values[i])
			}) {
				t.Errorf("%s: no label %q of %q among %v", name, label, values[i], v.Labels)
			}
		}
		checkFoundMissing(t, v, &want)
	}
}

// checkFoundMissing compares declared missing values; haven lists those of a range that have labels among the
// single ones.
func checkFoundMissing(t *testing.T, v *statfile.Variable, want *foundLabels) {
	t.Helper()
	for _, value := range list(want.NAValues) {
		number, err := strconv.ParseFloat(value, 64)
		if !v.Declared(statfile.Value{Text: value, IsText: true}) &&
			(err != nil || !v.Declared(statfile.Value{Number: number})) {
			t.Errorf("%s: %q is not declared missing", v.Name, value)
		}
	}
	if values := list(want.NAValues); len(v.Missing) != len(values) {
		t.Errorf("%s: %d values are declared missing, expected %d", v.Name, len(v.Missing), len(values))
	}
	ends := list(want.NARange)
	if (v.MissingRange != nil) != (len(ends) == 2) {
		t.Errorf("%s: range %v, expected %v", v.Name, v.MissingRange, ends)
	} else if v.MissingRange != nil {
		from, _ := strconv.ParseFloat(ends[0], 64)
		to, _ := strconv.ParseFloat(ends[1], 64)
		if *v.MissingRange != (statfile.Range{From: from, To: to}) {
			t.Errorf("%s: range %v, expected %v", v.Name, v.MissingRange, ends)
		}
	}
}

func sameFoundValue(value statfile.Value, want string) bool {
	if value.IsText {
		return value.Text == want
	}
	if _, missing := statfile.Tag(value.Number); missing {
		return want == "" // haven's labels do not show which
	}
	number, err := strconv.ParseFloat(want, 64)
	return err == nil && number == value.Number
}
