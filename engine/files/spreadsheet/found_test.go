package spreadsheet

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// renamed returns a workbook whose parts have other names.
func renamed(t *testing.T, in *statfile.Source, name func(string) string) *statfile.Source {
	t.Helper()
	from, err := zip.NewReader(in, in.Size())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, file := range from.File {
		part, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		w, err := to.Create(name(file.Name))
		if err != nil {
			t.Fatal(err)
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(part); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return statfile.NewSource("a", bytes.NewReader(out.Bytes()), int64(out.Len()))
}

// A cell whose text stands in it can have a value beside it, which it does not show.
func TestTextInACellWithValue(t *testing.T) {
	for _, cell := range []string{`<v>0</v><is><t>1.</t></is>`, `<is><r><t>1</t></r><r><t>.</t></r></is><v>0</v>`,
		`<v>1.</v>`} {
		f := readExcel(t, excelFile(t, "", `<row><c t="str"><v>x</v></c></row><row><c t="inlineStr">`+cell+`</c></row>`), nil)
		if got := shown(&f.Variables[0]); got != `x 1: "1."` {
			t.Errorf("%s: %s", cell, got)
		}
	}
}

// Names of parts may have backslashes.
func TestPartsWithBackslashes(t *testing.T) {
	in := renamed(t, excelFile(t, "", `<row><c t="str"><v>x</v></c></row><row><c><v>1</v></c></row>`),
		func(name string) string { return strings.ReplaceAll(name, "/", `\`) })
	if settings, known, err := (Excel{}).Recognise(context.Background(), in); !known || err != nil ||
		settings[sheetSetting] != "first" {
		t.Fatalf("%v, %v, %v", settings, known, err)
	}
	if f := readExcel(t, in, nil); shown(&f.Variables[0]) != "x 0: 1" {
		t.Error(shown(&f.Variables[0]))
	}
}

// A spreadsheet is one by its cells where it does not say it; a letter is none.
func TestSpreadsheetWithoutMimetype(t *testing.T) {
	const table = `<table:table table:name="a"><table:table-row><table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`
	for kind, want := range map[string]bool{"spreadsheet": true, "text": false} {
		in := source(t, map[string]string{"content.xml": `<office:document-content><office:body><office:` + kind + `>` +
			table + `</office:` + kind + `></office:body></office:document-content>`})
		if _, known, err := (OpenDocument{}).Recognise(context.Background(), in); known != want || err != nil {
			t.Errorf("%s: %v, %v", kind, known, err)
		}
		if _, err := (OpenDocument{}).Read(context.Background(), in, statfile.ReadOptions{}, nil); err != nil {
			t.Error(err)
		}
	}
}

// What is encrypted is said to be so.
func TestEncryptedSpreadsheet(t *testing.T) {
	in := source(t, map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
		"META-INF/manifest.xml": `<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`,
		"content.xml":           "\x8b\x00\xff"})
	if _, known, err := (OpenDocument{}).Recognise(context.Background(), in); !known || err != nil {
		t.Fatal(known, err)
	}
	_, err := OpenDocument{}.Read(context.Background(), in, statfile.ReadOptions{}, nil)
	if !errors.Is(err, statfile.ErrUnsupported) || !strings.Contains(err.Error(), "encrypted with a password") {
		t.Error(err)
	}
}

// Where the first sheet is empty, the others are named.
func TestEmptySheet(t *testing.T) {
	_, err := Excel{}.Read(context.Background(), excelFile(t, "", ""), statfile.ReadOptions{}, nil)
	if !errors.Is(err, statfile.ErrUnsupported) || !strings.HasSuffix(err.Error(),
		`the sheet "first" is empty; choose another one (--read sheet=NAME): second & last`) {
		t.Error(err)
	}
}
