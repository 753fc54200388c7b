package spss

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// SPSS writes type codes of date and time formats 82 higher than in system files; other programs do not.
func TestFormatsOfPortableFiles(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "formats", "por_pspp.por"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(content []byte) *statfile.File {
		f, err := Portable{}.Read(context.Background(), statfile.NewSource("a", bytes.NewReader(content),
			int64(len(content))), statfile.ReadOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	plain := read(content)
	joined := joinedLines(content)
	for name, codes := range map[string][2]string{"INTDATE": {"K", "3C"}, "STARTED": {"M", "3E"}, "CLOCK": {"L", "3D"}} {
		from := strings.Index(joined, name+codes[0]+"/") + len(name) // numbers are in base 30
		end := from + strings.Index(joined[from:], "C")
		joined = joined[:from] + strings.ReplaceAll(joined[from:end], codes[0]+"/", codes[1]+"/") + joined[end:]
	}
	if len(joined) != len(joinedLines(content))+6 {
		t.Fatal("the sample has other formats")
	}
	for i, v := range read([]byte(joined)).Variables {
		if want := &plain.Variables[i]; v.Kind != want.Kind || v.Format != want.Format ||
			v.Kind != statfile.Text && v.Column.Numbers[0] != want.Column.Numbers[0] {
			t.Errorf("%s is of kind %d in %s, expected %d in %s", v.Name, v.Kind, v.Format, want.Kind, want.Format)
		}
	}
}

// joinedLines returns the lines of a portable file, padded and concatenated.
func joinedLines(content []byte) string {
	joined := ""
	for line := range strings.Lines(string(content)) {
		joined += fmt.Sprintf("%-80s", strings.TrimRight(line, "\r\n"))
	}
	return joined
}

// A portable file truncated before its signature is recognised, and not read as text.
func TestPortableFilesCutAtTheStart(t *testing.T) {
	for name, cuts := range map[string][]int{"por_pspp.por": {10, 20, 41, 200, 300, 455, 463, 470},
		"por_readstat.por": {50, 60, 81, 200, 300, 440, 463, 470}} { // the first line is omitted
		content, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "formats", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range cuts {
			in := statfile.NewSource("a", bytes.NewReader(content[:n]), int64(n))
			_, ok, err := Portable{}.Recognise(t.Context(), in)
			if !ok || err != nil {
				t.Errorf("the first %d bytes of %s are not recognised: %v", n, name, err)
			}
			if _, err := (Portable{}).Read(t.Context(), in, statfile.ReadOptions{}, nil); !errors.Is(err, statfile.ErrDamaged) {
				t.Errorf("the first %d bytes of %s: %v", n, name, err)
			}
		}
	}
	text := []byte("ASCII SPSS PORT FILE,b\n" + strings.Repeat("1,2\n", 1000))
	if _, ok, _ := (Portable{}).Recognise(t.Context(), statfile.NewSource("a", bytes.NewReader(text), int64(len(text)))); ok {
		t.Error("a text is taken for a portable file")
	}
}
