package fileio

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
)

func TestReadErrors(t *testing.T) {
	ragged := "a,b,c\n" + strings.Repeat("1,2,\"3\n3\"\n", 2000) + "1,2\n4,5,6,7\n"
	for _, test := range []struct {
		name, content string
		change        func(*Format)
		sentinel      error
		message       string
	}{
		{"too few fields", "a,b,c\n1,2,3\n4,5\n6,7,8,9\n", nil, ErrRagged,
			"test.csv, line 3: 2 fields, expected 3; check the delimiter, and the quotes of that line"},
		{"too many fields", "a,b,c\n1,2,3\n4,5,6,7\n", nil, ErrRagged,
			"test.csv, line 3: 4 fields, expected 3; check the delimiter, and the quotes of that line"},
		{"ragged far down", ragged, nil, ErrRagged,
			"test.csv, line 4,002: 2 fields, expected 3; check the delimiter, and the quotes of that line"},
		{"one field", "a,b,c\n1,2,3\n4\n", nil, ErrRagged,
			"test.csv, line 3: 1 field, expected 3; check the delimiter, and the quotes of that line"},
		{"open quote", "a,b\n1,\"two\n3,four\n", nil, ErrQuote,
			"test.csv, line 2: the opening quote of field 2 is not closed before the end of the file; close it, or choose quote none"},
		{"open quote in the names", "a,\"b\n1,2\n", nil, ErrQuote,
			"test.csv, line 1: the opening quote of field 2 is not closed before the end of the file; close it, or choose quote none"},
		{"open quote, closed by the next", "a,b\n1,\"two\n3,\"four\"\n", nil, ErrQuote,
			"test.csv, line 3: text follows the closing quote of a field that starts in line 2; double the quotes inside the field, or choose quote none"},
		{"text after a quote", "a,b\n1,\"two\" x\n", nil, ErrQuote,
			"test.csv, line 2: text follows the closing quote of a field that starts in line 2; double the quotes inside the field, or choose quote none"},
		{"not UTF-8", "a,b\n1,Z\xfcrich\n2,\xc3(\n", func(f *Format) { f.Encoding = UTF8 }, ErrEncoding,
			"test.csv, line 2: byte 0xFC is not UTF-8; choose another encoding, such as windows-1252"},
		{"not UTF-8, ragged before", "a,b\n1\n2,\xc3(\n", func(f *Format) { f.Encoding = UTF8 }, ErrRagged,
			"test.csv, line 2: 1 field, expected 2; check the delimiter, and the quotes of that line"},
		{"cut in a character", "a,b\n1,\xe2\x82", func(f *Format) { f.Encoding = UTF8 }, ErrEncoding,
			"test.csv, line 2: byte 0xE2 is not UTF-8; choose another encoding, such as windows-1252"},
		{"half of UTF-16", "\xff\xfea\x00\n\x00\x00\xd8b\x00\n\x00", nil, ErrEncoding,
			"test.csv, line 2: the text is not UTF-16; choose another encoding"},
		{"too many variables", strings.Repeat(",", mostVariables) + "\n", nil, ErrLimit,
			"test.csv: the file exceeds 250,000 variables, the limit; check the delimiter"},
		{"too many fields in a record", "a,b\n" + strings.Repeat(",", mostVariables) + "\n", nil, ErrRagged,
			"test.csv, line 2: more than 250,000 fields, expected 2; check the delimiter, and the quotes of that line"},
		{"is empty", "", nil, ErrEmpty, "test.csv is empty"},
		{"only a byte order mark", "\ufeff", nil, ErrEmpty,
			"test.csv: the file has no variable names and no records; choose another file"},
		{"only line breaks", "\n\r\n\n", nil, ErrEmpty,
			"test.csv: the file has no variable names and no records; choose another file"},
		{"workbook", "PK\x03\x04....", nil, ErrNotText,
			"test.csv looks like a spreadsheet (xlsx, ods) or another ZIP file, which sdcdesk cannot read: export the data as CSV from the program that wrote it"},
		{"binary", strings.Repeat("\x00\x01\x02abc\x7f", 20), nil, ErrNotText,
			"test.csv looks like a binary file, which sdcdesk cannot read: export the data as CSV from the program that wrote it"},
		{"dBase",
			"\x03\x5f\x07\x1a\x02\x00\x00\x00\x41\x00\x0b\x00" + strings.Repeat("\x00", 20) + "NAME" +
				strings.Repeat("\x00", 28) + "\r abcdefghij abcdefghij\n", nil, ErrNotText,
			"test.csv looks like a dBase file (dbf), which sdcdesk cannot read: export the data as CSV from the program that wrote it"},
		{"delimiter", "a,b\n", func(f *Format) { f.Delimiter = "ab" }, ErrFormat,
			`test.csv: delimiter "ab": it must be one ASCII character other than a letter, digit, line break, minus sign or quote`},
		{"encoding", "a,b\n", func(f *Format) { f.Encoding = "ebcdic" }, ErrFormat,
			`test.csv: unknown encoding "ebcdic"; known encodings are utf-8, utf-8-bom, windows-1252, latin-1, utf-16le, utf-16le-bom, utf-16be, utf-16be-bom`},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := NewFormat()
			if strings.HasPrefix(test.content, "\xff\xfe") {
				f.Encoding = UTF16LE
			}
			if test.change != nil {
				test.change(&f)
			}
			for _, how := range []readTuning{{}, {block: 16, workers: 3}, {block: 1000, workers: 1}} {
				in := inMemory("test.csv", []byte(test.content))
				err := in.check()
				if err == nil && otherProgram(in.head) != "" {
					err = in.notText()
				}
				if err == nil {
					_, _, err = readText(context.Background(), in, f, how, nil)
				}
				if !errors.Is(err, test.sentinel) || err.Error() != test.message {
					t.Errorf("%+v: error\n %v\nwant\n %s", how, err, test.message)
				}
			}
		})
	}
}

func TestReadFileErrors(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "secret.csv")
	if err := os.WriteFile(path, []byte("a\n1\n"), 0o000); err != nil {
		t.Fatal(err)
	}
	for path, sentinel := range map[string]error{
		t.TempDir():                        ErrDirectory,
		filepath.Join(folder, "there.csv"): fs.ErrNotExist,
		path:                               fs.ErrPermission,
		os.DevNull:                         ErrNotText,
	} {
		if sentinel == fs.ErrPermission && (os.Geteuid() == 0 || runtime.GOOS == "windows") {
			continue // this user can read every file
		}
		_, guessing := GuessFile(context.Background(), path, nil)
		_, previewing := Preview(t.Context(), path, NewFormat(), 10)
		_, _, reading := Read(context.Background(), path, NewFormat(), nil)
		for _, err := range []error{guessing, previewing, reading} {
			if !errors.Is(err, sentinel) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: error %v, want %v", path, err, sentinel)
			}
		}
	}
}

func TestValidate(t *testing.T) {
	for name, f := range map[string]Format{
		"delimiter":   {Delimiter: "é"},
		"letter":      {Delimiter: "e"},
		"minus":       {Delimiter: "-"},
		"decimal":     {Decimal: ";"},
		"quote":       {Quote: "''"},
		"same":        {Quote: "|", Delimiter: "|"},
		"encoding":    {Encoding: "utf8"},
		"line ending": {LineEnding: "\n"},
		"missing":     {Missing: []string{"NA", "NA"}},
		"line break":  {Missing: []string{"N\nA"}},
		"too many":    {Missing: make([]string, 101)},
	} {
		if err := f.Validate(); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, f := range []Format{{}, NewFormat(), {Delimiter: " ", Quote: "'", Missing: []string{"NA", "", "."}}} {
		if err := f.Validate(); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// Errors and warnings are short enough to read, whatever a wrong file has in place of names.
func TestErrorsAreCut(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	said := func(f Format, content string) (sentences []string) {
		_, report, err := ReadBytes(t.Context(), "test.csv", []byte(content), f, nil)
		if err != nil {
			return []string{err.Error()}
		}
		return report.Warnings
	}
	wanted, encoding, ofType := NewFormat(), NewFormat(), NewFormat()
	wanted.Columns, encoding.Encoding, ofType.Type = []string{long}, long, long
	for _, sentences := range [][]string{
		said(NewFormat(), long+","+long+"\n1,2\n"), said(NewFormat(), long+"\n1\nNA\n"), said(wanted, "a,b\n1,2\n"),
		said(encoding, "a\n1\n"), said(ofType, "a\n1\n"),
	} {
		if len(sentences) == 0 {
			t.Error("needs levels or a bound")
		}
		for _, sentence := range sentences {
			if len(sentence) > 500 {
				t.Errorf("%d characters: %s…", len(sentence), sentence[:200])
			}
		}
	}
	book := codebook{}
	if err := book.readDDI(strings.NewReader(`<codeBook><var name="` + long +
		`"><invalrng><range min="a" max="b"/></invalrng></var></codeBook>`)); err == nil || len(err.Error()) > 500 {
		t.Errorf("a codebook: %.500v", err)
	}
	description := long + " 1 0\n  <RECODABLE>\n"
	if _, err := muargus.ParseDescription(description); err == nil || len(err.Error()) > 500 {
		t.Errorf("a description: %.500v", err)
	}
	if _, err := formats().preview(context.Background(), &input{name: "test.csv", size: 2 * mostVariables,
		head: []byte(strings.Repeat(",", 2*mostVariables))}, NewFormat(), 10); !errors.Is(err, ErrLimit) {
		t.Errorf("preview of too many variables: %v", err)
	}
}
