package fileio

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGuess(t *testing.T) {
	for _, test := range []struct {
		content                      string
		delimiter, decimal, encoding string
		header                       bool
		ending                       string
	}{
		{"id,age,sex\n1,32,male\n2,31,female\n", ",", ".", UTF8, true, LF},
		{"id;age;income\r\n1;32;100,50\r\n2;31;7,25\r\n", ";", ",", UTF8, true, CRLF},
		{"id;age;income\n1;32;100.50\n2;31;7.25\n", ";", ".", UTF8, true, LF},
		{"id\tplace\n1\tParis, France\n2\tRome, Italy\n", "\t", ".", UTF8, true, LF},
		{"id;note\n1;a, b, c\n2;d\n3;e, f\n", ";", ".", UTF8, true, LF},
		{"id,note\n1,\"a;b;c\"\n2,\"d;e;f\"\n", ",", ".", UTF8, true, LF},
		{"a|b\n1|2\n", "|", ".", UTF8, true, LF},
		{"1,2,3\n4,5,6\n", ",", ".", UTF8, false, LF},
		{"name,town\nann,Bath\nbob,York\n", ",", ".", UTF8, true, LF},
		{"ann,5\nbob,6\n", ",", ".", UTF8, false, LF},
		{"NA,5\n3,6\n", ",", ".", UTF8, false, LF},
		{"one\n1\n2\n", ",", ".", UTF8, true, LF},
		{"a,b\n1,Z\xfcrich\n", ",", ".", Windows1252, true, LF},
		{"a,b\n1,Zürich\n", ",", ".", UTF8, true, LF},
		{"\ufeffa,b\n1,x\n", ",", ".", UTF8BOM, true, LF},
		{"a\r1\r2\r", ",", ".", UTF8, true, CR},
		{"a,b\r1,2\r3,4\r\n", ",", ".", UTF8, true, CR},
		{"a,\"b\rb\"\r\n", ",", ".", UTF8, true, CRLF},
		{"a,b;c\n1,2;3\n", ",", ".", UTF8, true, LF},     // equal numbers of fields: the first delimiter
		{"a\tb|c\n1\t2|3\n", "\t", ".", UTF8, true, LF},  //
		{"a,b;c;d\nx,y;z;w\n", ";", ".", UTF8, true, LF}, // more fields
		// equal numbers of records with both lengths: the length that occurs first
		{"a,b;c;d\na,b;c;d\na,b,c,d\na,b,c,d\n.\n", ";", ".", UTF8, true, LF},
		{"", ",", ".", UTF8, true, LF},
		{"a,b\n1,\"x", ",", ".", UTF8, true, LF},
		{"a;b\n\"1,5\";\"x\"\n\"2,5\";\"y\"\n", ";", ",", UTF8, true, LF},
	} {
		f := Guess([]byte(test.content))
		got := []any{f.Delimiter, f.Decimal, f.Encoding, f.Header, f.LineEnding}
		want := []any{test.delimiter, test.decimal, test.encoding, test.header, test.ending}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("Guess(%q) = %v, want %v", test.content, got, want)
				break
			}
		}
		if len(f.Missing) != 1 || f.Missing[0] != "" {
			t.Errorf("Guess(%q) names missing codes %q", test.content, f.Missing)
		}
	}
}

// TestGuessFileReadsOn: invalid UTF-8 may be far down in a file; a character may be split between reads.
func TestGuessFileReadsOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.csv")
	for tail, want := range map[string]string{"é": UTF8, "\xe9": Windows1252, "\xe2\x82": Windows1252} {
		for shift := range 3 {
			content := "a,b\n" + strings.Repeat("x", shift) + strings.Repeat("€", 100000) + strings.Repeat("1,2\n", 100000) +
				"3," + tail
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			if f, err := GuessFile(context.Background(), path, nil); err != nil || f.Encoding != want {
				t.Errorf("%q at the end: %s, %v; want %s", tail, f.Encoding, err, want)
			}
		}
	}
}
