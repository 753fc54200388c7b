package fileio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Compressed text is read as what it holds, and is written compressed where the
// name says so.
func TestCompressedText(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	large := "a,b\n" + strings.Repeat("1,männlich\n", 60000) // more than the head
	for name, content := range map[string]string{"small": "a,b\n1,x\n2,y\n", "large": large} {
		for _, ending := range []string{".csv.gz", ".csv.zst"} {
			data, report := readString(t, content, nil)
			path := filepath.Join(folder, name+ending)
			if _, err := Write(ctx, path, data, report.Format, WriteOptions{}, nil); err != nil {
				t.Fatal(err)
			}
			packed, err := os.ReadFile(path)
			if err != nil || name == "large" && len(packed) > len(content)/10 {
				t.Fatalf("%s: %d bytes of %d, %v", ending, len(packed), len(content), err)
			}
			f, err := GuessFile(ctx, path, nil)
			if err != nil {
				t.Fatal(err)
			}
			table, err := Preview(path, f, 5)
			if err != nil || len(table.Names) != 2 {
				t.Fatalf("%s: preview %+v, %v", ending, table, err)
			}
			back, report, err := Read(ctx, path, f, nil)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if _, err := WriteTo(ctx, &out, back, report.Format, WriteOptions{}, nil); err != nil || out.String() != content {
				t.Errorf("%s%s: %d bytes come back of %d, %v", name, ending, out.Len(), len(content), err)
			}
			cut := filepath.Join(folder, "cut"+ending)
			if err := os.WriteFile(cut, packed[:len(packed)-9], 0o600); err != nil {
				t.Fatal(err)
			}
			if f, err = GuessFile(ctx, cut, nil); err == nil {
				_, _, err = Read(ctx, cut, f, nil)
			}
			if !errors.Is(err, ErrNotText) || !strings.Contains(err.Error(), "truncated or damaged") {
				t.Errorf("%s%s: cut: %v", name, ending, err)
			}
		}
	}
}
