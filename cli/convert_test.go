package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a file cannot hold is reported; the rest is converted.
func TestConvertCarriesLabelsOver(t *testing.T) {
	folder, in := t.TempDir(), filepath.Join("..", "testdata", "formats", "sav_pspp_byte.sav")
	out := filepath.Join(folder, "a.sav")
	text, messages, err := execute(t, "convert", in, out)
	if err != nil || !strings.Contains(text, "400 records, 25 variables") || strings.Contains(messages, "labels") {
		t.Fatalf("%v\n%s%s", err, text, messages)
	}
	if _, _, err := execute(t, "convert", in, out); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("a file that exists: %v", err)
	}
	if _, messages, err = execute(t, "convert", in, filepath.Join(folder, "b.sav"), "--strict"); err == nil ||
		!strings.Contains(messages, "variable attributes are omitted") {
		t.Errorf("attributes that are lost, with --strict: %v", err)
	}
	csv := filepath.Join(folder, "a.csv")
	if _, messages, err = execute(t, "convert", out, csv, "--strict"); err == nil || !strings.Contains(messages,
		"variable labels and value labels are omitted") ||
		!strings.Contains(messages, "--write-codebook FILE to keep labels") {
		t.Errorf("%v\n%s", err, messages)
	}
	if _, err := os.Stat(csv); err == nil {
		t.Error("a file was written that cannot hold everything")
	}
	if _, messages, err = execute(t, "convert", out, csv); err != nil ||
		!strings.Contains(messages, "declared missing values") {
		t.Errorf("%v\n%s", err, messages)
	}
	first, _, err := execute(t, "convert", in, filepath.Join(folder, "b.csv"))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(csv)
	b, _ := os.ReadFile(filepath.Join(folder, "b.csv"))
	if string(a) != string(b) || len(a) < 50000 {
		t.Errorf("%s: the copy gives other text than the file itself", first)
	}
	for _, arguments := range [][]string{{in}, {in, filepath.Join(folder, "a.rdata")}, {"no such file.sav", out}, {in, ""},
		{in, "-"}, {out, out, "--force"}} {
		if _, _, err := execute(t, "convert", arguments...); err == nil {
			t.Errorf("convert %v: no error", arguments)
		}
	}
}

// A codebook is written next to the text file, and read with it.
func TestConvertWritesACodebook(t *testing.T) {
	folder, in := t.TempDir(), filepath.Join("..", "testdata", "formats", "sav_pspp_byte.sav")
	csv, book, back := filepath.Join(folder, "a.csv"), filepath.Join(folder, "a.xml"), filepath.Join(folder, "b.csv")
	plain := filepath.Join(folder, "plain.sav") // without attributes
	if _, _, err := execute(t, "convert", in, plain); err != nil {
		t.Fatal(err)
	}
	if _, messages, err := execute(t, "convert", plain, csv, "--write-codebook", book,
		"--strict"); err == nil || !strings.Contains(messages, "without their type: intdate, started and clock") ||
		!strings.Contains(messages, "occur: expend") {
		t.Errorf("dates and a range, with --strict: %v\n%s", err, messages)
	}
	if _, messages, err := execute(t, "convert", plain, csv, "--write-codebook", book, "--strict", "--read",
		"variables=region,sex,roof,hid"); err != nil || strings.Contains(messages, "labels are omitted") ||
		strings.Contains(messages, "--write-codebook") {
		t.Fatalf("%v\n%s", err, messages)
	}
	if _, _, err := execute(t, "convert", plain, csv, "--write-codebook", book, "--force"); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"1.csv", "2.csv"} {
		from := [][]string{{in}, {csv, "--codebook", book}}[i]
		if _, messages, err := execute(t, "convert", append(from, back, "--force", "--write-codebook", filepath.Join(folder,
			name))...); err != nil {
			t.Fatalf("%v\n%s", err, messages)
		}
	}
	first, _ := os.ReadFile(filepath.Join(folder, "1.csv"))
	second, _ := os.ReadFile(filepath.Join(folder, "2.csv"))
	if len(first) < 1000 || string(first) != string(second) {
		t.Errorf("what was read with its codebook has another:\n%s\n%s", first, second)
	}
	if _, _, err := execute(t, "convert", in, filepath.Join(folder, "c.csv"), "--write-codebook", csv); err == nil ||
		!strings.Contains(err.Error(), "exists") {
		t.Errorf("a codebook that exists: %v", err)
	}
}

// The choices of the import page can be made with --read; flags for text files are refused for other formats.
func TestChoicesAboutReading(t *testing.T) {
	formats := filepath.Join("..", "testdata", "formats")
	sav, book := filepath.Join(formats, "sav_pspp_byte.sav"), filepath.Join(formats, "ods_libreoffice.ods")
	for _, test := range []struct {
		arguments []string
		fails     string // "": it succeeds
	}{
		{[]string{sav, "--read", "declared missing=are one category"}, ""},
		{[]string{sav, "--read", "Declared Missing=category"}, ""},
		{[]string{sav, "--read", "declared missing=none"},
			`its values are: are missing, are one category, are separate values`},
		{[]string{sav, "--read", "sheet=2"}, `the options of this file are declared missing, encoding, variables`},
		{[]string{book, "--read", "text NA=text"}, ""},
		{[]string{sav, "--read", "variables=region, sex"}, ""}, {[]string{sav, "--missing", "NA"},
			"--missing is only for text files"}, {[]string{sav, "--delimiter", ";"}, "--delimiter is only for text files"},
		{[]string{filepath.Join("..", "testdata", "survey.csv"), "--missing", "NA", "--read", "variables=sex"}, ""},
	} {
		out := filepath.Join(t.TempDir(), "out.csv")
		said, _, err := execute(t, "convert", append([]string{test.arguments[0], out}, test.arguments[1:]...)...)
		if test.fails == "" && err != nil || test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)) {
			t.Errorf("%q: %v", test.arguments, err)
		}
		if strings.Contains(strings.Join(test.arguments, " "), "region, sex") && !strings.Contains(said, "2 variables") {
			t.Errorf("%q: %s", test.arguments, said)
		}
	}
	said := map[string]string{} // what is found in the file
	for _, choice := range []string{"are missing", "are one category", "category", "are separate values"} {
		out, _, err := execute(t, "inspect", sav, "--read", "declared missing="+choice)
		if err != nil {
			t.Fatal(err)
		}
		said[choice] = out
	}
	category := said["are one category"]
	if category != said["category"] || category == said["are missing"] || category == said["are separate values"] ||
		said["are missing"] == said["are separate values"] {
		t.Errorf("what is declared missing is the same however it is read:\n%s", category)
	}
}

// A name that a format does not allow is kept as the label of the variable; a name that differs in case is
// reported.
func TestNamesThatAreChangedStayAsLabels(t *testing.T) {
	folder := t.TempDir()
	csv := filepath.Join(folder, "a.csv")
	if err := os.WriteFile(csv, []byte("Size (cm),plain,note,kind\n1,2,,x\n1,3,x,y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(folder, "none.jsonl")
	if err := os.WriteFile(script, []byte(`{"format":"sdcdesk-script","version":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".dta", ".sav", ".xpt"} {
		out, back := filepath.Join(folder, "a"+ending), filepath.Join(folder, ending+".csv")
		_, messages, err := execute(t, "convert", csv, out)
		if err != nil || !strings.Contains(messages, "Size (cm) as ") {
			t.Fatalf("%v\n%s", err, messages)
		}
		_, said, err := execute(t, "run", script, csv, "-o", out, "--force")
		if err != nil || !strings.Contains(said, "Size (cm) as ") {
			t.Errorf("a run: %v\n%s", err, said)
		}
		if _, _, err := execute(t, "convert", out, back, "--write-codebook", back+".book"); err != nil {
			t.Fatal(err)
		}
		if book, _ := os.ReadFile(back + ".book"); !strings.Contains(string(book), ",Size (cm),") ||
			strings.Contains(string(book), ",plain,") {
			t.Errorf("%s:\n%s", ending, book)
		}
	}
	if _, _, err := execute(t, "inspect", csv, "--columns", "PLAIN"); err == nil ||
		!strings.Contains(err.Error(), `did you mean "plain"`) {
		t.Error(err)
	}
}

// A codebook without content is not written, with a message; the file is written.
func TestConvertRefusesUnknownExtensions(t *testing.T) {
	survey, out := filepath.Join("..", "testdata", "survey.csv"), filepath.Join(t.TempDir(), "out.xyz")
	if _, err := sdcdesk("convert", survey, out); exitStatus(err) != 2 || !strings.Contains(err.Error(), ".xyz is not the extension of a format") ||
		!strings.Contains(err.Error(), ".parquet") {
		t.Error(err)
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Error("the file was written: ", err)
	}
}

func TestCodebookWithoutLabels(t *testing.T) {
	folder := t.TempDir()
	path := func(name, content string) string {
		if content != "" {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return filepath.Join(folder, name)
	}
	in, book := path("a.csv", "a,b\n1,2\n"), path("book.csv", "")
	script := path("s.jsonl", `{"format":"sdcdesk-script","version":1}`+"\n"+`{"scenario":{"keys":["a"]}}`+"\n")
	for _, arguments := range [][]string{{"convert", in, path("b.csv", "")}, {"run", script, in, "-o", path("c.csv", "")}} {
		_, messages, err := execute(t, arguments[0], append(arguments[1:], "--write-codebook", book)...)
		if err != nil || !strings.Contains(messages, "no codebook is written") {
			t.Errorf("%v: %v\n%s", arguments, err, messages)
		}
		if _, err := os.Stat(book); !os.IsNotExist(err) {
			t.Errorf("%v: a codebook without labels", arguments)
		}
	}
}
