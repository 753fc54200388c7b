package fileio

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/files/parquet"
	"github.com/sdcdesk/sdcdesk/engine/files/rdata"
	"github.com/sdcdesk/sdcdesk/engine/files/sas"
	"github.com/sdcdesk/sdcdesk/engine/files/spss"
	"github.com/sdcdesk/sdcdesk/engine/files/stata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// repeated is an endless repetition of a text.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) {
		here := copy(p[n:], r.text[r.at:])
		n, r.at = n+here, (r.at+here)%len(r.text)
	}
	return n, nil
}

// filled writes size bytes of a repeated text.
func filled(t testing.TB, w io.Writer, text string, size int64) {
	t.Helper()
	if _, err := io.CopyN(w, &repeated{text: text}, size); err != nil {
		t.Fatal(err)
	}
}

// unpacksTo is the decompressed size of the bombs, far more than the memory allowed for it.
const unpacksTo = 64 << 20

// sheetBomb returns a workbook with a part that contains a long text.
func sheetBomb(t testing.TB, ods bool, before, text, after string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, 1) })
	part := func(name, content string) io.Writer {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	var cells io.Writer
	if ods {
		w, err := z.CreateHeader(&zip.FileHeader{Name: "mimetype"})
		if err != nil {
			t.Fatal(err)
		}
		filled(t, w, "application/vnd.oasis.opendocument.spreadsheet", 46)
		cells = part("content.xml", `<document><table name="a">`+before)
		after += "</table></document>"
	} else {
		part("_rels/.rels", `<r><Relationship Id="r1" Type="x/officeDocument" Target="xl/workbook.xml"/></r>`)
		part("xl/_rels/workbook.xml.rels", `<r><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></r>`)
		part("xl/workbook.xml", `<workbook><sheet name="a" r:id="r1"/></workbook>`)
		cells = part("xl/s.xml", `<worksheet>`+before)
		after += "</worksheet>"
	}
	filled(t, cells, text, unpacksTo/int64(len(text))*int64(len(text)))
	if _, err := io.WriteString(cells, after); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// gzipBomb returns a compressed text.
func gzipBomb(t testing.TB, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	filled(t, z, text, unpacksTo)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstdBomb(t testing.TB, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithWindowSize(1<<27))
	if err != nil {
		t.Fatal(err)
	}
	filled(t, z, text, unpacksTo)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// runBomb returns a Parquet file with one page that is a run of missing values.
func runBomb(t testing.TB, rows int64) []byte {
	t.Helper()
	marshal := func(v any) []byte {
		content, err := thrift.Marshal(&thrift.CompactProtocol{}, v)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	levels := append(binary.AppendUvarint(nil, uint64(rows)<<1), 0)
	page := append(binary.LittleEndian.AppendUint32(nil, uint32(len(levels))), levels...)
	header := format.PageHeader{Type: format.DataPage, UncompressedPageSize: int32(len(page)), CompressedPageSize: int32(len(page)),
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(rows), DefinitionLevelEncoding: format.RLE})}
	pages := append(marshal(&header), page...)
	footer := marshal(&format.FileMetaData{NumRows: rows,
		Schema: []format.SchemaElement{{Name: "root", NumChildren: thrift.New(int32(1))},
			{Name: "x", Type: thrift.New(format.Double), RepetitionType: thrift.New(format.Optional)}},
		RowGroups: []format.RowGroup{{NumRows: rows, Columns: []format.ColumnChunk{{MetaData: format.ColumnMetaData{Type: format.Double,
			PathInSchema: []string{"x"}, NumValues: rows, TotalCompressedSize: int64(len(pages)),
			TotalUncompressedSize: int64(len(pages)), DataPageOffset: 4}}}}}})
	out := append(append([]byte("PAR1"), pages...), footer...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(footer))), "PAR1"...)
}

// blockBomb returns an SPSS file of one number, with one block of records with the same value, in a byte each.
func blockBomb(t testing.TB, rows int64) []byte {
	t.Helper()
	var out, block bytes.Buffer
	f := &statfile.File{Rows: 1, Variables: []statfile.Variable{{Name: "x", Column: statfile.Column{Numbers: []float64{1}}}}}
	if err := (spss.System{}).Write(context.Background(), &out, f, statfile.Settings{"compression": "zlib"}, nil); err != nil {
		t.Fatal(err)
	}
	content := out.Bytes()
	start := 0
	for at := 176; at+8 <= len(content); at += 4 {
		if binary.LittleEndian.Uint64(content[at:]) == uint64(at) {
			start = at
			break
		}
	}
	z := zlib.NewWriter(&block)
	filled(t, z, "\x65", rows)
	if err := z.Close(); err != nil || start == 0 {
		t.Fatal(err, start)
	}
	order := binary.LittleEndian
	order.PutUint32(content[80:], uint32(rows))
	content = order.AppendUint64(content[:start:start], uint64(start))
	content = order.AppendUint64(content, uint64(start+24+block.Len()))
	content = append(order.AppendUint64(content, 48), block.Bytes()...)
	content = order.AppendUint64(order.AppendUint64(content, ^uint64(99)), 0)
	content = order.AppendUint32(order.AppendUint32(content, 1<<22), 1)
	content = order.AppendUint64(order.AppendUint64(content, uint64(start)), uint64(start+24))
	return order.AppendUint32(order.AppendUint32(content, uint32(rows)), uint32(block.Len()))
}

// bomb is a file that claims, or decompresses to, far more than its size.
type bomb struct {
	name           string
	content        []byte
	limit          error  // expected error; nil if it can be read
	reported       string // expected part of the error text
	companionPaths map[string][]byte
}

func bombs(t testing.TB) []bomb {
	t.Helper()
	const row = `<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>`
	return []bomb{
		{"cell.xlsx", sheetBomb(t, false, row+`<row><c t="inlineStr"><is><t>`, "x", `</t></is></c></row>`), ErrLimit, "1 MB", nil},
		{"runs.xlsx", sheetBomb(t, false, row+`<row><c t="inlineStr"><is>`, "<t>"+strings.Repeat("x", 1000)+"</t>", `</is></c></row>`), ErrLimit, "record 1 has a text that exceeds 1 MB", nil},
		{"blanks.xlsx", sheetBomb(t, false, row, " ", ""), ErrLimit, "1 MB", nil},
		{"tag.xlsx", sheetBomb(t, false, row+"<row ", " ", "></row>"), ErrLimit, "1 MB", nil},
		{"cell.ods", sheetBomb(t, true, `<table-row><table-cell value-type="string"><p>`, "x", `</p></table-cell></table-row>`), ErrLimit, "1 MB", nil},
		{"blanks.ods", sheetBomb(t, true, `<table-row><table-cell value-type="string"><p>`, `<s c="1000"/>`, `</p></table-cell></table-row>`), ErrLimit, "1 MB", nil},
		{"repeated.ods", sheetBomb(t, true, "", `<table-row number-rows-repeated="1000000"><table-cell value-type="float" value="1" number-columns-repeated="1000"/></table-row>`, ""), ErrMemory, "memory", nil},
		{"name.csv.gz", gzipBomb(t, "x"), ErrLimit, "10,000 characters", nil},
		{"window.csv.zst", zstdBomb(t, "x"), ErrLimit, "32 MB", nil},
		{"names.csv.gz", gzipBomb(t, ","), ErrLimit, "250,000 variables", nil},
		{"quote.csv.gz", gzipBomb(t, "\"x"), ErrLimit, "8 MB", nil},
		{"lines.csv.gz", gzipBomb(t, "\n"), ErrLimit, "are empty lines", nil},
		{"names.csv", bytes.Repeat([]byte(","), 20_000_000), ErrLimit, "250,000 variables", nil},
		{"columns.csv", append(bytes.Repeat([]byte(","), 10_000_000), "\n1\n"...), ErrLimit, "250,000 variables", nil},
		{"record.csv", append([]byte("a,b\n1,2\n"), bytes.Repeat([]byte("x"), 50<<20)...), ErrLimit, "8 MB", nil},
		{"cell.csv", append([]byte("a,b\n1,"), bytes.Repeat([]byte("x"), 5<<20)...), ErrLimit, "1 MB", nil},
		{"name.csv", append(append([]byte("a,"), bytes.Repeat([]byte("x"), 10_001)...), "\n1,2\n"...), ErrLimit, "10,000 characters", nil},
		{"runs.parquet", runBomb(t, 30_000_000), nil, "", nil},
		{"claims.parquet", runBomb(t, 1<<31-1), ErrMemory, "memory", nil},
		{"block.zsav", blockBomb(t, 20_000_000), nil, "", nil},
		{"twice.ods", sheetBomb(t, true, "", `<table-row number-rows-repeated="1000"><table-cell value-type="float" value="1" number-columns-repeated="1000"/></table-row>`, ""), ErrMemory, "memory", nil},
		{"labels.por", portableBomb(5000, 5000, 0), ErrMemory, "memory", nil},
		{"lines.por", portableBomb(1, 0, 3_000_000), nil, "", nil},
		{"variables.por", portableBomb(100_000, 0, 0), nil, "", nil},
		{"labels.sav", setBomb(t, 3000, 3000), ErrMemory, "memory", nil},
		{"labels.dta", withLabels(t, stata.Format{}, 3000, manyLabels(3000, 5), nil), ErrMemory, "memory", nil},
		{"place.dta", labelBomb(t, 1, 20_000), ErrMemory, "memory", nil},
		{"labels.sas7bdat", sasBomb(5000, 8, 1), ErrMemory, "memory", nil},
		{"row.sas7bdat", sasBomb(2, 1<<27, 1), ErrMemory, "memory", nil},
		{"rows.sas7bdat", sasBomb(2, 1<<20, 300), nil, "", nil},
		{"levels.rds", levelBomb(t, 100_000, 200), nil, "", nil},
		{"labels.rds", levelBomb(t, 50, 1<<21), statfile.ErrUnsupported, "1 MB", nil},
		{"long.rds", longRBomb(t, 8_000_000, 1), nil, "", nil},
		{"half.rds", longRBomb(t, 20_000_000, 0.5), statfile.ErrDamaged, "truncated", nil},
		{"claims.xpt", bytes.Replace(transportBomb(t, 0, 1), []byte("000000000100000000000000000000  "),
			[]byte("099999990000000000000000000000  "), 1), statfile.ErrDamaged, "more than the rest of the file can hold", nil},
		{"row.xpt", transportBomb(t, 1<<21, 80), nil, "", nil},
		{"long.xpt", transportBomb(t, 1<<24, 4), nil, "", nil},
		{"variables.xpt", withLabels(t, sas.Transport{}, 260_000, nil, nil), ErrLimit, "250,000 variables", nil},
		{"variables.sav", withLabels(t, spss.System{}, 260_000, nil, nil), ErrLimit, "250,000 variables", nil},
		{"variables.parquet", withLabels(t, parquet.Format{}, 260_000, nil, nil), ErrLimit, "250,000 variables", nil},
		{"variables.rds", withLabels(t, rdata.Format{}, 260_000, nil, nil), statfile.ErrUnsupported, "250,000 variables", nil},
		{"more.por", portableBomb(260_000, 0, 0), ErrLimit, "250,000 variables", nil},
		{"rows.dbf", tableBomb(), nil, "", nil},
		{"short.asc", bytes.Repeat([]byte("1\n"), 8000), nil, "",
			map[string][]byte{"short.rda": describedFields(4000, "", "")}},
		{"codes.asc", []byte("1\n"), nil, "", map[string][]byte{"codes.cdl": codeList(5000),
			"codes.rda": describedFields(3000, "", "<RECODABLE>\n<CODELIST> \"codes.cdl\"\n")}},
		{"fields.asc", bytes.Repeat([]byte(","), 260_000), ErrFormat, "250,000 variables",
			map[string][]byte{"fields.rda": describedFields(260_000, ",", "")}},
	}
}

// measured returns the peak memory of reading a file and the memory of the result, in bytes, and the error.
func measured(t testing.TB, path string, most int64) (peak, held int64, err error) {
	t.Helper()
	heap := func() int64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	runtime.GC()
	runtime.GC()
	before, stop, done := heap(), make(chan bool), make(chan int64)
	go func() {
		most := int64(0)
		for {
			select {
			case <-stop:
				done <- most
				return
			case <-time.After(500 * time.Microsecond):
				most = max(most, heap()-before)
			}
		}
	}()
	f, err := GuessFile(t.Context(), path, nil)
	if err == nil {
		f.MostMemory = most
		if _, err = Preview(t.Context(), path, f, 10); err == nil {
			data, _, failed := Read(t.Context(), path, f, nil)
			close(stop)
			peak = <-done
			runtime.GC()
			held = heap() - before
			runtime.KeepAlive(data)
			return peak, held, failed
		}
	}
	close(stop)
	return <-done, 0, err
}

// Whatever a file claims or decompresses to, reading it takes at most three times the memory of its records and
// 100 MB; the error of a limit states the limit.
func TestMemoryGoesByWhatIsRead(t *testing.T) {
	longtests.Needed(t)
	if testing.Short() {
		t.Skip("memory is measured without the race detector")
	}
	folder, all := t.TempDir(), bombs(t)
	for i := range all {
		if err := os.WriteFile(filepath.Join(folder, all[i].name), all[i].content, 0o600); err != nil {
			t.Fatal(err)
		}
		for name, content := range all[i].companionPaths {
			if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		all[i].content, all[i].companionPaths = nil, nil // live memory delays the garbage collector
	}
	for _, b := range all {
		peak, held, err := measured(t, filepath.Join(folder, b.name), 0)
		t.Logf("%s: %d MB for %d MB: %.200v", b.name, peak>>20, held>>20, err)
		if !errors.Is(err, b.limit) || err != nil && !strings.Contains(err.Error(), b.reported) {
			t.Errorf("%s: %v", b.name, err)
		}
		if info, err := os.Stat(filepath.Join(folder, b.name)); err != nil || held > statfile.Usual(info.Size()) {
			t.Errorf("%s: records and labels take %d MB: %v", b.name, held>>20, err)
		}
		if peak > 3*held+100<<20 {
			t.Errorf("%s: %d MB were taken for records of %d MB", b.name, peak>>20, held>>20)
		}
	}
}

// The limit can be raised and lowered.
func TestLimitOfMemoryCanBeMoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := os.WriteFile(path, runBomb(t, 70_000_000), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		most     int64
		reported string
	}{{0, "64 MB"}, {50 << 20, "50 MB"}, {400 << 20, ""}} {
		_, _, err := measured(t, path, c.most)
		if (c.reported == "") != (err == nil) || err != nil && (!errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), "memory than the limit of "+c.reported)) {
			t.Errorf("%d MB: %v", c.most>>20, err)
		}
	}
}

// Files of all types with maximal numbers in place of their own take no memory for the claims.
func TestClaimsOfAllKinds(t *testing.T) {
	longtests.Needed(t)
	for name, content := range filesOfAllKinds(t) {
		if slices.Contains([]string{".csv", ".gz", ".tsv", ".txt"}, filepath.Ext(name)) || len(content) > 1<<17 {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		for at := 0; at < min(len(content), 400)-4; at += 8 {
			changed := slices.Clone(content)
			copy(changed[at+4-4*(at/8%2):], "\xff\xff\xff\x7f")
			if err := os.WriteFile(path, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			if peak, held, err := measured(t, path, 0); peak > 3*held+100<<20 {
				t.Errorf("%s changed at %d: %d MB for %d MB: %v", name, at, peak>>20, held>>20, err)
			}
		}
	}
}

// A search for names or records does not read through empty lines that compress to almost nothing, and
// decompression stops with its context.
func TestEmptyLinesThatCompressWell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.csv.gz")
	line := bytes.Repeat([]byte("\n"), 1<<20)
	for i, before := range []string{"x,y\n1,2\n", "x,y\n", ""} {
		if !longtests.Some(i, 3) {
			continue
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := io.WriteString(z, before)
		for range mostEmpty>>20 + 4 {
			_, failed := z.Write(line)
			err = errors.Join(err, failed)
		}
		if err = errors.Join(err, z.Close(), os.WriteFile(path, packed.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Read(t.Context(), path, NewFormat(), nil); !errors.Is(err, ErrLimit) {
			t.Errorf("empty lines behind %q are read: %v", before, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	file, in, err := open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cancel()
	if n, err := io.Copy(io.Discard, in.content); n > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d bytes after the end, %v", n, err)
	}
}
