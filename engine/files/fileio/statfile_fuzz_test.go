package fileio

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/dbase"
	"github.com/sdcdesk/sdcdesk/engine/files/parquet"
	"github.com/sdcdesk/sdcdesk/engine/files/rdata"
	"github.com/sdcdesk/sdcdesk/engine/files/sas"
	"github.com/sdcdesk/sdcdesk/engine/files/spreadsheet"
	"github.com/sdcdesk/sdcdesk/engine/files/spss"
	"github.com/sdcdesk/sdcdesk/engine/files/stata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

func FuzzStata(f *testing.F) {
	f.Add(labelBomb(f, 1, 4000))
	fuzzFormat(f, stata.Format{})
}

func FuzzExcel(f *testing.F) { fuzzFormat(f, spreadsheet.Excel{}) }

func FuzzOpenDocument(f *testing.F) { fuzzFormat(f, spreadsheet.OpenDocument{}) }

func FuzzSPSS(f *testing.F) {
	f.Add(setBomb(f, 2000, 2000))
	fuzzFormat(f, spss.System{})
}

func FuzzPortable(f *testing.F) {
	f.Add(portableBomb(2000, 2000, 0))
	f.Add(portableBomb(1, 0, 100_000))
	fuzzFormat(f, spss.Portable{})
}

func FuzzSASTransport(f *testing.F) { fuzzFormat(f, sas.Transport{}) }

func FuzzSAS(f *testing.F) {
	f.Add(sasBomb(1000, 1000*8, 1))
	f.Add(sasBomb(1, 1<<24, 1))
	fuzzFormat(f, sas.DataFile{})
}

func FuzzDBase(f *testing.F) { fuzzFormat(f, dbase.Format{}) }

func FuzzR(f *testing.F) {
	whole := levelBomb(f, 2000, 10)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(levelBomb(f, 2, 1<<21))
	f.Add(longRBomb(f, 1_000_000, 1))
	f.Add(longRBomb(f, 4_000_000, 0.5))
	fuzzFormat(f, rdata.Format{})
}

func FuzzParquet(f *testing.F) {
	f.Add(runBomb(f, 1<<31-1))
	fuzzFormat(f, parquet.Format{})
}

// fuzzFormat: reading any content neither panics nor takes memory out of proportion to its size, the result is
// consistent, and what is written is read back unchanged. The seeds are the files of the format, including broken
// ones.
func fuzzFormat(f *testing.F, format statfile.Format) {
	f.Helper()
	for _, e := range expectations(f) {
		if e.format() == nil || e.format().Info().Name != format.Info().Name || strings.HasPrefix(e.File, "thirdparty/") {
			continue
		}
		if content := e.content(f); len(content) < 1<<14 {
			f.Add(content)
		}
	}
	writer, ok := format.(statfile.Writer)
	if ok {
		var out bytes.Buffer
		if err := writer.Write(context.Background(), &out, sampleFile(3), nil, nil); err != nil {
			f.Fatal(err)
		}
		f.Add(out.Bytes())
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<20 {
			return
		}
		ctx := context.Background()
		in := statfile.NewSource("fuzz", bytes.NewReader(content), int64(len(content)))
		settings, known, err := format.Recognise(ctx, in)
		if !known || err != nil {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read, err := format.Read(ctx, in, statfile.ReadOptions{Settings: settings}, nil)
		runtime.ReadMemStats(&after)
		// total allocations, not peak memory
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 100<<20+50*uint64(len(content))+6*held(read) {
			t.Fatalf("%d MB were allocated for %d bytes and records of %d MB", taken>>20, len(content), held(read)>>20)
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz") {
				t.Fatalf("the error does not name the file: %v", err)
			}
			return
		}
		checkWhole(t, read)
		if !ok || read.Truncated != "" {
			return
		}
		reported := strings.Join(writer.Lacks(read, read.Settings), "; ")
		var out bytes.Buffer
		if err := writer.Write(ctx, &out, read, read.Settings, nil); err != nil {
			return // reported in words
		}
		back, err := format.Read(ctx, statfile.NewSource("fuzz", bytes.NewReader(out.Bytes()), int64(out.Len())),
			statfile.ReadOptions{Encoding: read.Encoding, Settings: read.Settings}, nil)
		if err != nil {
			t.Fatalf("written and not read: %v", err)
		}
		if back.Rows < read.Rows && strings.Contains(reported, "records at the end that contain only spaces are lost") {
			return
		}
		if back.Rows != read.Rows || len(back.Variables) != len(read.Variables) {
			t.Fatalf("of %d rows and %d variables %d and %d came back", read.Rows, len(read.Variables), back.Rows,
				len(back.Variables))
		}
	})
}

// held returns the memory of a file's content in bytes, 0 for nil.
func held(f *statfile.File) (bytes uint64) {
	if f == nil {
		return 0
	}
	for i := range f.Variables {
		v := &f.Variables[i]
		bytes += 8*uint64(f.Rows) + statfile.LabelBytes*uint64(len(v.Labels))
		if v.Column.Texts != nil {
			for _, text := range v.Column.Texts.Values {
				bytes += uint64(len(text)) + 16
			}
		}
	}
	return bytes
}

// checkWhole reports columns that are inconsistent with the file.
func checkWhole(t *testing.T, f *statfile.File) {
	t.Helper()
	for i := range f.Variables {
		v := &f.Variables[i]
		if v.Column.Len() != f.Rows || (v.Column.Texts != nil) != (v.Kind == statfile.Text) {
			t.Fatalf("variable %d of %d rows has %d", i+1, f.Rows, v.Column.Len())
		}
		if v.Column.Texts != nil {
			for _, code := range v.Column.Texts.Codes.Between(0, f.Rows) {
				if int(code) > len(v.Column.Texts.Values) {
					t.Fatalf("variable %d has a code without a text", i+1)
				}
			}
		}
	}
}
