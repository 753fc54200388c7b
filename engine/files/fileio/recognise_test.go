package fileio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is not a table and not supported is named and not read as garbage; an encrypted one is reported as
// such.
func TestWhatIsNoTextIsNamed(t *testing.T) {
	for content, want := range map[string]string{
		"\x1c\x00\x00\x00\x00\x00\x00\x00ENCRYPTEDSAV\x15\x00 and the rest":                                                   "encrypted with a password",
		"<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>\n<Workbook/>":                                    "an Excel 2003 spreadsheet (XML)",
		"\xef\xbb\xbf<?xml version='1.0'?><office:document xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0'/>": "flat OpenDocument file (fods)",
		"\n <!DOCTYPE html>\n<html>": "a web page (HTML)", "<TABLE><tr><td>1": "a web page (HTML)",
		"<?xml version='1.0'?><a/>": "an XML file", "[ {\n \"a\": 1}]": "a JSON file", "{\\rtf1": "a document (RTF)",
	} {
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := GuessFile(context.Background(), path, nil)
		if !errors.Is(err, ErrNotText) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, expected %q", content, err, want)
		}
	}
	for _, content := range []string{"<id>,a\n1,2\n", "[id],[a]\n1,2\n", "{id},a\n1,2\n"} {
		in := inMemory("a", []byte(content))
		if f, err := formats().recognise(context.Background(), &in, nil); err != nil || !f.Text() {
			t.Errorf("%q: %v", content, err)
		}
	}
}
