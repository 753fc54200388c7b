package fileio

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// Compressed text is read like its content, and written compressed if its name has the extension.
func TestCompressedText(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	large := "a,b\n" + strings.Repeat("1,männlich\n", 60000) // larger than the head
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
			free := freeMemory
			freeMemory = func() int64 { return int64(len(content)) }
			_, _, err = Read(ctx, path, f, nil)
			if freeMemory = free; !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), " of text in ") {
				t.Errorf("%s%s: where there is no room: %v", name, ending, err)
			}
			table, err := Preview(t.Context(), path, f, 5)
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

// Files compressed by xz are read, and a file whose decompression needs too much memory is rejected whatever its
// content.
func TestCompressedByOthers(t *testing.T) {
	const text = "a,b\n1,x\n2,y\n"
	packed := func(dictionary string) string { // made with liblzma in Python
		return "/Td6WFoAAATm1rRGAgAhA" + dictionary + "AQALYSxiCjEseAoyLHkKAEzgt25dEyFzAAEkDKYY2NgftvN9AQAAAAAEWVo="
	}
	path := filepath.Join(t.TempDir(), "a.csv.xz")
	write := func(content string) {
		bytes, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(packed("SAAAAAJiKV2")) // of 256 MB
	if _, err := GuessFile(t.Context(), path, nil); !errors.Is(err, ErrNotText) {
		t.Errorf("a large dictionary: %v", err)
	}
	write(packed("RYAAAB0L+Wj")) // of 8 MB
	f, err := GuessFile(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, report, err := Read(t.Context(), path, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := WriteTo(t.Context(), &out, data, report.Format, WriteOptions{}, nil); err != nil || out.String() != text {
		t.Errorf("%q, %v", &out, err)
	}
	path = filepath.Join(t.TempDir(), "window.rds")
	if err := os.WriteFile(path, zstdBomb(t, "X\n\x00\x00\x00\x02"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := GuessFile(t.Context(), path, nil); !errors.Is(err, ErrLimit) ||
		!strings.Contains(err.Error(), "needs more than 32 MB of memory") {
		t.Errorf("a large window: %v", err)
	}
}

// The meter counts compressed bytes, all of them at the end.
func TestCompressedContentToItsEnd(t *testing.T) {
	var content bytes.Buffer
	content.WriteString("a,b\n")
	for row := range 400000 {
		fmt.Fprintf(&content, "%d,%x\n", row, row*row)
	}
	for _, ending := range []string{".csv.gz", ".csv.zst"} {
		path := filepath.Join(t.TempDir(), "data"+ending)
		var packed bytes.Buffer
		zip, err := zipper(path, &packed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := zip.Write(content.Bytes()); err != nil || zip.Close() != nil ||
			os.WriteFile(path, packed.Bytes(), 0o600) != nil {
			t.Fatal(err)
		}
		closer, in, err := open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer closer.Close()
		if z, ok := in.content.(*zipReader); !ok || math.Abs(float64(z.inflated())/float64(content.Len())-1) > 0.15 {
			t.Errorf("%s: the content is taken to have %d bytes, it has %d", ending, z.inflated(), content.Len())
		}
		meter := new(progress.Meter)
		reader := in.metered(meter)
		half := make([]byte, content.Len()/2)
		if _, err := io.ReadFull(reader, half); err != nil || meter.Fraction() < 0.3 || meter.Fraction() > 0.9 {
			t.Errorf("%s: %v, half of the content is %g of the file", ending, err, meter.Fraction())
		}
		rest, err := io.ReadAll(reader)
		if err != nil || meter.Fraction() != 1 || !bytes.Equal(append(half, rest...), content.Bytes()) {
			t.Errorf("%s: %v, the whole content is %g of the file", ending, err, meter.Fraction())
		}
		if n, err := reader.Read(half); n != 0 || err != io.EOF {
			t.Errorf("%s: %d bytes after the end, %v", ending, n, err)
		}
	}
}

// Only text is read from compressed files, because other types would be decompressed from the front for each part.
func TestCompressedFilesOfOtherPrograms(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	for _, name := range []string{"sav_haven_byte.sav", "sav_haven_zlib.zsav", "dta118_haven.dta",
		"sas7bdat_haven.sas7bdat", "parquet_duckdb_zstd.parquet"} {
		content, err := os.ReadFile(formatFile(name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := GuessFile(ctx, formatFile(name), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, ending := range []string{".gz", ".zst"} {
			path := filepath.Join(folder, name+ending)
			var packed bytes.Buffer
			zip, err := zipper(path, &packed)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := zip.Write(content); err != nil || zip.Close() != nil ||
				os.WriteFile(path, packed.Bytes(), 0o600) != nil {
				t.Fatal(err)
			}
			_, guessed := GuessFile(ctx, path, nil)
			_, shown := Preview(t.Context(), path, f, 3)
			_, _, read := Read(ctx, path, f, nil)
			for _, err := range []error{guessed, shown, read} {
				if !errors.Is(err, ErrNotText) ||
					!strings.HasSuffix(err.Error(), "; only text files can be read compressed: decompress the file first") {
					t.Errorf("%s: %v", filepath.Base(path), err)
				}
			}
		}
	}
}
