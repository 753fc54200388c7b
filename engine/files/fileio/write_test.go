package fileio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

func written(t *testing.T, data *microdata.Dataset, f Format, o WriteOptions) (string, *WriteReport) {
	t.Helper()
	var out bytes.Buffer
	report, err := WriteTo(context.Background(), &out, data, f, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), report
}

// TestRoundTripForms: files in a consistent style survive the round trip.
func TestRoundTripForms(t *testing.T) {
	for name, content := range map[string]string{
		"plain":              "a,b\n1,x\n2,y\n",
		"CRLF":               "a,b\r\n1,x\r\n2,y\r\n",
		"CR":                 "a,b\r1,x\r2,y\r",
		"no final newline":   "a,b\n1,x\n2,y",
		"CRLF, none at last": "a,b\r\n1,x\r\n2,y",
		"header only":        "a,b\n",
		"header only, bare":  "a,b",
		"byte order mark":    "\ufeffa;b\r\n1;é\r\n",
		"all quoted":         "\"a\",\"b\"\r\n\"1\",\"x\"\r\n\"\",\"\"\r\n\"2\",\"y \"\"z\"\"\"\r\n",
		"text quoted":        "\"a\",\"b\"\n1,\"x\"\n,\n2,\"y\"\n",
		"quotes by need":     "a,b\n1,x\n2,\"y,z\"\n3,\"say \"\"hi\"\"\"\n4,\"two\nlines\"\n",
		"leading zeros":      "a,b\n007,+5\n12,0x1F\n",
		"row names":          "\"\",\"a\"\n\"1\",5\n\"2\",6\n",
		"same names":         "a,b,a,,\n1,2,3,4,5\n",
		"Windows-1252":       "a,b\n1,Z\xfcrich \x80 \x81\n",
		"UTF-16":             "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x00\x3d\xd8\x00\xde\n\x00",
		"UTF-16, no mark":    "\x00a\x00,\x00b\x00\n\x001\x00,\x20\xac\x00\n",
		"one column":         "a\n1\n\n3\n\n",
		"NUL":                "a,b\n1,x\x00y\n2,z\n3,w\n",
		"single quotes":      "a,b\n'1','x,y'\n'2','it''s'\n'3','z'\n",
	} {
		t.Run(name, func(t *testing.T) {
			data, report := readString(t, content, nil)
			if got, _ := written(t, data, report.Format, WriteOptions{}); got != content {
				t.Errorf("%q comes out as %q (%+v)", content, got, report.Format)
			}
			text, err := json.Marshal(report.Format)
			if err != nil {
				t.Fatal(err)
			}
			var again Format
			if err := json.Unmarshal(text, &again); err != nil || !reflect.DeepEqual(again, report.Format) {
				t.Errorf("format %+v is %+v after JSON (%v)", report.Format, again, err)
			}
		})
	}
}

func TestRoundTripMissingCodes(t *testing.T) {
	content := "a,b\n1,x\nNA,-9\n-9,\"NA\"\n,\n2.50,y\n"
	data, report := readString(t, content, func(f *Format) { f.Missing = []string{"NA", "-9", ""} })
	if got, _ := written(t, data, report.Format, WriteOptions{}); got != content {
		t.Errorf("got %q", got)
	}
	a, _ := data.Column("a")
	if a.MissingCount() != 3 || a.Kind() != microdata.Number {
		t.Errorf("%d missing, %v", a.MissingCount(), a.Kind())
	}
}

func TestWriteSuppressed(t *testing.T) {
	data, report := readString(t, "\"a\";\"b\";c\n1,50;\"x\";\n2,5;\"y\";3\nNA;\"z\";4\n",
		func(f *Format) { f.Missing = []string{"NA"} })
	cells := microdata.NewBits(3)
	cells.Set(0)
	cells.Set(2)
	for _, name := range []string{"a", "b", "c"} {
		column, _ := data.Column(name)
		data = data.With(column.Suppress(cells))
	}
	want := "\"a\";\"b\";\"c\"\nNA;NA;\n2,5;\"y\";3\nNA;NA;NA\n"
	report.Format.QuotedNames = true
	if got, _ := written(t, data, report.Format, WriteOptions{}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	report.Format.Missing = nil
	if got, _ := written(t, data, report.Format, WriteOptions{Drop: []string{"a", "c"}}); got != "\"b\"\n\n\"y\"\n\n" {
		t.Errorf("got %q", got)
	}
}

// A variable is written uniformly: quoted if all values that need no quotes were quoted, and with the decimals of
// its numbers if they agree, else as few as each needs.
func TestWriteVariablesAlike(t *testing.T) {
	many := strings.Builder{}
	for i := range mostLevels + 2 {
		fmt.Fprintln(&many, i)
	}
	for content, want := range map[string]string{
		"a,b,c\n1.50,1e3,-0\n1.5,.5,0\n2,5.,-0.0\n":           "a,b,c\n1.5,1e3,0\n1.5,.5,0\n2,5.,0\n",
		"a;b\n1,50;1e3\n1,5;,5\n2;5,\n3,25;7\n":               "a;b\n1,5;1e3\n1,5;,5\n2;5,\n3,25;7\n",
		"a,b,c\n1,x,\"1.5\"\n\"1\",\"x\",1.50\n\"2\",y,2.0\n": "a,b,c\n1,x,1.5\n1,x,1.5\n2,y,2.0\n",
		"\"a\",\"b\"\n1,\"x\"\nNA,NA\n2,\"y\"\n":              "\"a\",\"b\"\n1,x\nNA,NA\n2,y\n",
		"a\n\"1\"\n1e4\n" + many.String():                     "a\n1\n10000\n" + many.String(),
		"a\n" + many.String() + "1.50\n5.\n":                  "a\n" + many.String() + "1.5\n5\n",
		"a\n" + many.String() + "1.0\n":                       "a\n" + many.String() + "1\n",
		"a,b\n\"1,5\",2\n\"3\",\"2\"\n3,\"1,25\"\n":           "a,b\n\"1,5\",2\n3,2\n3,\"1,25\"\n",
	} {
		data, report := readString(t, content, nil)
		if got, _ := written(t, data, report.Format, WriteOptions{}); got != want {
			t.Errorf("%.60q comes out as %.60q, want %.60q", content, got, want)
		}
	}
}

func TestWriteGuardsFormulas(t *testing.T) {
	data, report := readString(t, "a,b\n=1+1,-5\n-x,+7\n@y,6\n\"\tz\",-.5e3\n-5-0,007\n=1+1,\"+1,5\"\n-,x\nplain,\n", nil)
	want := "a,b\n'=1+1,-5\n'-x,+7\n'@y,6\n'\tz,-.5e3\n'-5-0,007\n'=1+1,\"'+1,5\"\n'-,x\nplain,\n"
	got, write := written(t, data, report.Format, WriteOptions{GuardFormulas: true})
	if got != want || write.Guarded != 8 {
		t.Errorf("%d guarded\n%s\nwant\n%s", write.Guarded, got, want)
	}
}

// Texts guarded include formulas that are not intervals, full-width characters, and formulas after another list
// separator.
func TestGuarded(t *testing.T) {
	for text, want := range map[string]string{
		"+1-1": "'+1-1", "+1": "+1", "+1 to 2": "'+1 to 2", "-9 to -1": "-9 to -1",
		"＝1+1": "'＝1+1", "＋1": "'＋1", "－x": "'－x", "＠x": "'＠x",
		"a;=1+1": "a;'=1+1", "a;-5": "a;-5", `a;"=x";@b`: `a;'"=x";'@b`, "a,+1-1": "a,'+1-1", "a\n=x": "a\n'=x",
		"=a;=b": "'=a;'=b", "a; b = c": "a; b = c", "": "", ";": ";", "x\t＝y": "x\t'＝y", "a=b": "a=b",
	} {
		if got, formula := guarded(text, '.'); got != want || formula != (text != want) {
			t.Errorf("%q: %q, %v, want %q", text, got, formula, want)
		}
	}
}

// Labels of intervals are not formulas; names of variables can be.
func TestWriteGuardsNamesAndNoIntervals(t *testing.T) {
	for content, want := range map[string]string{
		"=a,b\n-9 to -1,-5+\n-5.5 to 3,-1+2\n": "'=a,b\n-9 to -1,-5+\n-5.5 to 3,'-1+2\n",
		"-a;-5\n-9 to x;-1,5 to 2,5\n":         "'-a;-5\n'-9 to x;-1,5 to 2,5\n",
	} {
		data, report := readString(t, content, func(f *Format) {
			if strings.Contains(content, ";") {
				f.Delimiter, f.Decimal, f.Header = ";", ",", true
			}
		})
		got, write := written(t, data, report.Format, WriteOptions{GuardFormulas: true})
		if got != want || write.Guarded != 1 || write.Renamed != 1 {
			t.Errorf("%+v\n%s\nwant\n%s", write, got, want)
		}
		report.Format.Header = false
		if got, write := written(t, data, report.Format, WriteOptions{GuardFormulas: true}); strings.Contains(got, "a") ||
			write.Renamed != 0 {
			t.Errorf("without names: %+v\n%s", write, got)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	data, _ := readString(t, "a,b\n1,Łódź\n2,\"x,y\"\n", nil)
	for _, test := range []struct {
		change   func(*Format)
		o        WriteOptions
		sentinel error
		message  string
	}{
		{func(f *Format) { f.Encoding = Windows1252 }, WriteOptions{}, ErrEncoding,
			`a value of variable "b" contains the character U+0141, which windows-1252 cannot encode; choose utf-8`},
		{func(f *Format) { f.Quote = NoQuote }, WriteOptions{}, ErrQuote,
			`a value of variable "b" contains a delimiter or a line break, and there is no quote character; choose a quote or another delimiter`},
		{func(f *Format) {}, WriteOptions{Drop: []string{"a", "b"}}, ErrFormat,
			"no variable is left to write; keep at least one"},
		{func(f *Format) { f.Type = "por" }, WriteOptions{}, ErrFormat,
			`files of type "por" cannot be written; omit the type to write text`},
		{func(f *Format) { f.Decimal = "x" }, WriteOptions{}, ErrFormat, `decimal mark "x": it must be "." or ","`},
	} {
		f := NewFormat()
		test.change(&f)
		_, err := WriteTo(context.Background(), io.Discard, data, f, test.o, nil)
		if !errors.Is(err, test.sentinel) || err.Error() != test.message {
			t.Errorf("error %v, want %s", err, test.message)
		}
	}
}

// A label equal to a missing code would be read as missing.
func TestWriteKeepsLabelsFromReadingAsMissing(t *testing.T) {
	data, report := readString(t, "a,b\nx,1.5\ny,2\nNA,\n", func(f *Format) { f.Missing = []string{"", "NA"} })
	for _, test := range []struct {
		variable, label string
		missing         []string
		o               WriteOptions
		message         string
	}{
		{"a", "NA", []string{"", "NA"}, WriteOptions{},
			`variable "a" has the category "NA", which is a missing-value code of the file and would be read as missing; choose another category name or other missing-value codes`},
		{"a", "NA", []string{"", "NA"}, WriteOptions{Drop: []string{"a"}}, ""},
		{"a", "NA", []string{""}, WriteOptions{}, ""},
		{"a", "-", []string{"-"}, WriteOptions{GuardFormulas: true}, ""},
		{"b", "-9", []string{"-9"}, WriteOptions{},
			`variable "b" has the category "-9", which is a missing-value code of the file and would be read as missing; choose another category name or other missing-value codes`},
	} {
		column, _ := data.Column(test.variable)
		levels := slices.Clone(column.Categories().Levels)
		levels[0].Label = test.label
		f := report.Format
		f.Missing = test.missing
		_, err := WriteTo(context.Background(), io.Discard,
			data.With(column.Regroup(column, levels, []uint32{0, 1, 2}, false)), f, test.o, nil)
		if test.message == "" && err != nil ||
			test.message != "" && (!errors.Is(err, ErrFormat) || err.Error() != test.message) {
			t.Errorf("%s, missing %q, %+v: error %v, want %q", test.label, test.missing, test.o, err, test.message)
		}
	}
	column, _ := data.Column("a")
	levels := append(slices.Clone(column.Categories().Levels), microdata.Level{Label: "NA"})
	if label, lost := report.Format.ReadsAsMissing(column.Regroup(column, levels, []uint32{0, 1, 2}, false)); lost {
		t.Errorf("%s stands in no record", label)
	}
}

// TestWriteFile checks which files may be written.
func TestWriteFile(t *testing.T) {
	folder := t.TempDir()
	source := filepath.Join(folder, "source.csv")
	target := filepath.Join(folder, "target.csv")
	const content = "a,b\n1,x\n2,y\n"
	if err := os.WriteFile(source, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	data, report, err := Read(ctx, source, NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	write := func(path string, o WriteOptions) error {
		o.Source = source
		_, err := Write(ctx, path, data, report.Format, o, nil)
		return err
	}
	if err := write(target, WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(target)
	if err != nil || info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := write(target, WriteOptions{}); !errors.Is(err, ErrExists) {
		t.Errorf("a file that exists: %v", err)
	}
	if err := write(target, WriteOptions{Force: true, Drop: []string{"b"}}); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(target); string(got) != "a\n1\n2\n" {
		t.Errorf("replaced by %q", got)
	}
	if err := write(source, WriteOptions{Force: true}); !errors.Is(err, ErrSource) {
		t.Errorf("the source: %v", err)
	}
	link := filepath.Join(folder, "link.csv")
	if err := os.Symlink(source, link); err == nil {
		if err := write(link, WriteOptions{Force: true}); !errors.Is(err, ErrSource) {
			t.Errorf("a link to the source: %v", err)
		}
	}
	if err := write(folder, WriteOptions{Force: true}); !errors.Is(err, ErrDirectory) {
		t.Errorf("a folder: %v", err)
	}
	if err := write(filepath.Join(folder, "no", "target.csv"), WriteOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if err := write(os.DevNull, WriteOptions{Force: true}); !errors.Is(err, ErrFormat) {
		t.Errorf("a device: %v", err)
	}
	if got, _ := os.ReadFile(source); string(got) != content {
		t.Errorf("the source is now %q", got)
	}
	leftovers(t, folder, "link.csv", "source.csv", "target.csv")
}

// TestSaveFails: after an error nothing remains, and the old file is intact.
func TestSaveFails(t *testing.T) {
	folder := t.TempDir()
	target := filepath.Join(folder, "target.csv")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	err := Save(target, WriteOptions{Force: true}, func(w io.Writer) error {
		_, _ = w.Write(bytes.Repeat([]byte("x"), 1<<20))
		return full
	})
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "no space left on device; nothing was changed") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	data, _ := readString(t, "a\n1\n", nil)
	if _, err := Write(ctx, target, data, NewFormat(), WriteOptions{Force: true}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if got, _ := os.ReadFile(target); string(got) != "old" {
		t.Errorf("the old file is now %q", got)
	}
	leftovers(t, folder, "target.csv")
}

// TestSaveMeanwhile: a file created during writing is not replaced.
func TestSaveMeanwhile(t *testing.T) {
	folder := t.TempDir()
	target := filepath.Join(folder, "target.csv")
	err := Save(target, WriteOptions{}, func(w io.Writer) error {
		return os.WriteFile(target, []byte("other"), 0o600)
	})
	if !errors.Is(err, ErrExists) {
		t.Errorf("error %v", err)
	}
	if got, _ := os.ReadFile(target); string(got) != "other" {
		t.Errorf("the other file is now %q", got)
	}
	leftovers(t, folder, "target.csv")
}

func leftovers(t *testing.T, folder string, allowed ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !strings.Contains(strings.Join(allowed, " "), entry.Name()) {
			t.Errorf("%s is left over", entry.Name())
		}
	}
}

func TestWriteWithoutHeader(t *testing.T) {
	data, report := readString(t, "1,x\n2,y\n", nil)
	if got, _ := written(t, data, report.Format, WriteOptions{}); got != "1,x\n2,y\n" {
		t.Errorf("got %q", got)
	}
	report.Format.Header = true
	if got, _ := written(t, data, report.Format, WriteOptions{}); got != "V1,V2\n1,x\n2,y\n" {
		t.Errorf("got %q", got)
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"out.csv", "out", "out.tsv", "out.TXT", "out.dat", "a.xlsx/out.csv", "xlsx", "a/b.SAV"} {
		if err := CheckName(name, NewFormat()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, message := range map[string]string{
		"out.xls":     "out.xls has the extension of a spreadsheet, which sdcdesk cannot write: use .csv, .sav",
		"a/b.POR":     "a/b.POR has the extension of an SPSS file, which sdcdesk cannot write: use .csv, .sav",
		"out.csv.rda": "out.csv.rda has the extension of an R file, which sdcdesk cannot write: use .csv, .sav",
	} {
		if err := CheckName(name, NewFormat()); !errors.Is(err, ErrName) || !strings.HasPrefix(err.Error(), message) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, ok := range map[string]bool{"out.sav": true, "out": true, "out.csv": true, "out.asc": true,
		"out.v2": false} {
		if err := CheckName(name, Format{Type: "sav"}); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := CheckName("out.sas7bdat", Format{Type: "sas7bdat"}); !errors.Is(err, ErrName) ||
		!strings.Contains(err.Error(), "has the extension of a SAS file") {
		t.Errorf("%v", err)
	}
	data, report := readString(t, "a\n1\n", nil)
	path := filepath.Join(t.TempDir(), "out.feather")
	if _, err := Write(context.Background(), path, data, report.Format, WriteOptions{}, nil); !errors.Is(err, ErrName) {
		t.Errorf("error %v", err)
	}
}

func TestWrittenName(t *testing.T) {
	for name, c := range map[string]struct{ kind, want string }{
		"a.csv":      {"", "a|.csv"},
		"a.b.tsv.gz": {"", "a.b|.tsv.gz"},
		"a":          {"", "a|.csv"},
		"A.SAV":      {"sav", "A|.SAV"},
		"a.por":      {"por", "a|.sav"},
		"a.sas7bdat": {"sas7bdat", "a|.xpt"},
		"a.ods":      {"ods", "a|.xlsx"},
		"a.dbf":      {"dbf", "a|.csv"},
		"a.asc":      {Fixed, "a|.asc"},
		"a.xpt.zst":  {"xpt", "a|.xpt"},
	} {
		if stem, ending := WrittenName(name, Format{Type: c.kind}); stem+"|"+ending != c.want {
			t.Errorf("%s becomes %s|%s", name, stem, ending)
		}
	}
}

// A panic while records are formatted in a goroutine is repeated in the caller.
func TestPanicOfRenderingIsTheWriters(t *testing.T) {
	writer := &textWriter{data: labelled(t, "x", "a"), places: []extent{{}}, order: []int{0}} // there is no such column
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	_ = writer.records(context.Background(), io.Discard, nil)
}
