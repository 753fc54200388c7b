package fileio

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// passedAs compares a pass over a file of another program, in pieces of so many rows, with the file as it is read
// as a whole.
func passedAs(t *testing.T, name string, content []byte, f Format, by []string, rows int) {
	t.Helper()
	kind, err := formats().of(f)
	if err != nil {
		t.Fatal(err)
	}
	reader, _ := statfileReaderOf(kind)
	in := inMemory(name, content)
	whole, report, err := reader.read(t.Context(), &in, f, nil)
	in = inMemory(name, content)
	groups, texts, records := []uint32(nil), []string(nil), 0
	pass := &Pass{By: by, Describe: true, InOrder: func(p *Piece) error {
		groups, records = append(groups, p.Groups...), records+p.Records
		return nil
	}}
	passed, errPass := reader.passBy(t.Context(), &in, f, pass, rows, nil)
	if (err == nil) != (errPass == nil) || err != nil && err.Error() != errPass.Error() {
		t.Fatalf("%s: as a whole: %v, in pieces: %v", name, err, errPass)
	}
	if err != nil {
		return
	}
	if !reflect.DeepEqual(passed.ReadReport, report) {
		t.Fatalf("%s: %+v is reported, not %+v", name, passed.ReadReport, report)
	}
	checkPass(t, whole, passed, groups)
	pass = &Pass{Known: passed.Known(), Beside: func(ctx context.Context, p *Piece) (func() error, error) {
		data, err := p.Data(ctx)
		return func() error { texts = append(texts, recordsOf(data)...); return nil }, err
	}}
	in = inMemory(name, content)
	if _, err := reader.passBy(t.Context(), &in, passed.Format, pass, rows, nil); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if want := recordsOf(whole); records != whole.Len() || !slices.Equal(texts, want) {
		at := 0
		for at < min(len(texts), len(want)) && texts[at] == want[at] {
			at++
		}
		a, b := strings.Split(texts[at], "|"), strings.Split(want[at], "|")
		for i := range b {
			if a[i] != b[i] {
				t.Fatalf("%s in pieces of %d: record %d of %d has\n%s, not\n%s", name, rows, at+1, len(texts), a[i], b[i])
			}
		}
	}
}

func statfileReaderOf(kind reader) (statfileReader, bool) {
	switch k := kind.(type) {
	case statfileReader:
		return k, true
	case statfileWriter:
		return k.statfileReader, true
	}
	return statfileReader{}, false
}

// recordsOf returns the records of data, how missing cells are spelled and what is said of variables with them.
func recordsOf(data *microdata.Dataset) []string {
	lines := make([]string, data.Len())
	for record := range lines {
		var line strings.Builder
		for _, column := range data.Columns() {
			missing := microdata.MissingSpelling{}
			if column.Missing(record) {
				missing = data.Spelling(column.Name()).OfMissing(record)
			}
			said, between := column.Described(), [2]float64{}
			if said.MissingRange != nil {
				between, said.MissingRange = *said.MissingRange, nil
			}
			fmt.Fprintf(&line, "%s %q %v %d %+v %v|", column.Name(), column.Text(record), missing, column.Kind(), said, between)
		}
		lines[record] = line.String()
	}
	return lines
}

// A pass over a file of another program finds the variables, groups and cells that the whole file has, whatever
// becomes of declared missing values and however it is cut into pieces.
func TestPassOfOtherPrograms(t *testing.T) {
	files := filesOfAllKinds(t)
	for i, name := range slices.Sorted(maps.Keys(files)) {
		content := files[name]
		if strings.Contains(name, ".csv") || !longtests.Some(i, 4) {
			continue
		}
		in := inMemory(name, content)
		f, err := formats().recognise(t.Context(), &in, nil)
		if err != nil {
			t.Fatal(err)
		}
		kind, _ := formats().of(f)
		if reader, ok := statfileReaderOf(kind); !ok || !reader.inPieces() {
			continue
		}
		in = inMemory(name, content)
		table, err := kind.preview(t.Context(), &in, f, 1)
		if err != nil {
			t.Fatal(err)
		}
		for turn, declared := range []string{declaredMissing, declaredApart, declaredCategory} {
			f.setOption(optionMissing, declared)
			var by []string
			for j, name := range table.Names {
				if j%3 != turn {
					by = append(by, name)
				}
			}
			passedAs(t, name, bytes.Clone(content), f, by, []int{3, 150, 40}[turn])
		}
	}
}

// Of variables with more values than are kept the kind and the records without a value are known, and the cells of
// pieces are those of the whole file, whatever comes last.
func TestPassOfOtherProgramsWithManyValues(t *testing.T) {
	longtests.Needed(t)
	const rows = 25_000
	number := func(name string, value func(row int) float64) statfile.Variable {
		v := statfile.Variable{Name: name, Column: statfile.Column{Numbers: make([]float64, rows)}}
		for row := range rows {
			v.Column.Numbers[row] = value(row)
		}
		return v
	}
	texts := statfile.NewDictionary(rows)
	for row := range rows {
		texts.Add(fmt.Append(nil, "r", row/2))
	}
	file := func() *statfile.File {
		odd := number("odd", func(row int) float64 { return float64(row%9000) / 4 })
		odd.Column.Numbers[rows-1], odd.Column.Numbers[3] = statfile.Extended('b'), statfile.Extended('a')
		declared := number("declared", func(row int) float64 { return float64(row%6000 - 3) })
		declared.Missing = []statfile.Value{{Number: -1}, {Number: -3}}
		last := number("last", func(row int) float64 { return float64(row) })
		last.Column.Numbers[rows-1] = 0.5
		return &statfile.File{Rows: rows, Variables: []statfile.Variable{odd, declared, last,
			number("day", func(row int) float64 { return float64(row % 11_000) }),
			number("w", func(row int) float64 { return 1 + float64(row%90)/8 }),
			{Name: "text", Kind: statfile.Text, Column: statfile.Column{Texts: texts.Texts()}}}}
	}
	whole := file()
	whole.Variables[3].Kind = statfile.Date
	for _, kind := range []string{"dta", "sav"} {
		reader, err := formats().of(Format{Type: kind})
		if err != nil {
			t.Fatal(err)
		}
		writing := reader.(statfileWriter)
		var out bytes.Buffer
		if err := writing.to.Write(t.Context(), &out, whole, nil, nil); err != nil {
			t.Fatal(err)
		}
		for _, declared := range []string{declaredMissing, declaredApart, declaredCategory} {
			f := Format{Type: kind}
			f.setOption(optionMissing, declared)
			passedManyAs(t, writing.statfileReader, out.Bytes(), f)
		}
	}
}

func passedManyAs(t *testing.T, k statfileReader, content []byte, f Format) {
	t.Helper()
	in := inMemory("many", content)
	whole, report, err := k.read(t.Context(), &in, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	in = inMemory("many", content)
	passed, err := k.passBy(t.Context(), &in, f, &Pass{By: []string{"day"}, Sum: "w", Describe: true}, 1000, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(passed.Warnings, report.Warnings) {
		t.Errorf("%s: %q, not %q", k.name(), passed.Warnings, report.Warnings)
	}
	for i, column := range whole.Columns() {
		v := passed.Variables[i]
		if v.Kind != column.Kind() || v.Blank != column.MissingCount() || !reflect.DeepEqual(v.Said, column.Description()) {
			t.Errorf("%s, %s: %s is %v with %d missing, not %v with %d", k.name(), f.Options[optionMissing], v.Name, v.Kind, v.Blank,
				column.Kind(), column.MissingCount())
		}
	}
	sums, _ := passed.Groups.Column("w")
	if sum, _ := whole.Column("w"); sums.Float(0) != sum.Float(0)+sum.Float(11_000)+sum.Float(22_000) {
		t.Errorf("%s: the first sum is %v", k.name(), sums.Float(0))
	}
	want, at := recordsOf(whole), 0
	pass := &Pass{Known: passed.Known(), Beside: func(ctx context.Context, p *Piece) (func() error, error) {
		data, err := p.Data(ctx)
		return func() error {
			if !slices.Equal(recordsOf(data), want[at:at+p.Records]) {
				t.Errorf("%s, %s: records from %d on differ", k.name(), f.Options[optionMissing], at+1)
			}
			at += p.Records
			return nil
		}, err
	}}
	in = inMemory("many", content)
	if _, err := k.passBy(t.Context(), &in, passed.Format, pass, 1000, nil); err != nil || at != whole.Len() {
		t.Fatal(at, err)
	}
}
