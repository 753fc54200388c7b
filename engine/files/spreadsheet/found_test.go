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

// renamed returns a workbook with renamed parts.
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

// A cell that contains its text may also have a value, which is not displayed.
func TestTextInACellWithValue(t *testing.T) {
	for _, cell := range []string{`<v>0</v><is><t>1.</t></is>`, `<is><r><t>1</t></r><r><t>.</t></r></is><v>0</v>`,
		`<v>1.</v>`} {
		f := readExcel(t, excelFile(t, "", `<row><c t="str"><v>x</v></c></row><row><c t="inlineStr">`+cell+`</c></row>`), nil)
		if got := shown(&f.Variables[0]); got != `x 1: "1."` {
			t.Errorf("%s: %s", cell, got)
		}
	}
}

// Names of parts may contain backslashes.
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

// A spreadsheet without a declared type is recognised by its cells; a text document is not one.
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

// Encrypted files are reported as such.
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

// If the first sheet is empty, the error names the others.
func TestEmptySheet(t *testing.T) {
	_, err := Excel{}.Read(context.Background(), excelFile(t, "", ""), statfile.ReadOptions{}, nil)
	if !errors.Is(err, statfile.ErrUnsupported) || !strings.HasSuffix(err.Error(),
		`the sheet "first" is empty; choose another one (--read sheet=NAME): second & last`) {
		t.Error(err)
	}
}
