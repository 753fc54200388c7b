package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

func read(content []byte, o statfile.ReadOptions) (*statfile.File, error) {
	return Format{}.Read(context.Background(), statfile.NewSource("a.parquet", bytes.NewReader(content),
		int64(len(content))), o, nil)
}

func rewritten(t *testing.T, f *statfile.File, settings statfile.Settings) *statfile.File {
	t.Helper()
	var out bytes.Buffer
	if err := (Format{}).Write(context.Background(), &out, f, settings, nil); err != nil {
		t.Fatal(err)
	}
	back, err := read(out.Bytes(), statfile.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// sample has more rows than a row group, missing values, and repeated and unique texts.
func sample() *statfile.File {
	const rows = groupRows + 1000
	f := &statfile.File{Rows: rows}
	number := func(name string, kind statfile.Kind, storage string, value func(i int) float64) {
		v := statfile.Variable{Name: name, Kind: kind, Storage: storage}
		for i := range rows {
			x := value(i)
			if i%7 == 3 && name != "whole" {
				x = statfile.Missing()
			}
			v.Column.Numbers = append(v.Column.Numbers, x)
		}
		f.Variables = append(f.Variables, v)
	}
	number("whole", statfile.Number, "int32", func(i int) float64 { return float64(i % 90) })
	number("large", statfile.Number, "int64", func(i int) float64 { return float64(i) * 1e10 })
	number("byte", statfile.Number, "uint8", func(i int) float64 { return float64(i % 256) })
	number("single", statfile.Number, "float", func(i int) float64 { return float64(i) / 4 })
	number("real", statfile.Number, "double", func(i int) float64 { return float64(i) / 3 })
	number("money", statfile.Number, "decimal(12,2)", func(i int) float64 { return float64(i) / 100 })
	number("yes", statfile.Boolean, "boolean", func(i int) float64 { return float64(i % 3 % 2) })
	number("day", statfile.Date, "date", func(i int) float64 { return float64(i - 40000) })
	number("moment", statfile.DateTime, "timestamp(ms)", func(i int) float64 { return float64(i)*86400.5 - 1e9 })
	number("exact", statfile.DateTime, "timestamp(us)", func(i int) float64 { return float64(i) })
	number("clock", statfile.Time, "time(us)", func(i int) float64 { return float64(i%86400) + 0.25 })
	number("instant", statfile.DateTime, "timestamp(ns)", func(i int) float64 { return float64(i) * 8640 })
	number("wide", statfile.Number, "uint32", func(i int) float64 { return 4e9 + float64(i) })
	number("minutes", statfile.Time, "time(ms)", func(i int) float64 { return float64(i % 86400) })
	for _, distinct := range []int{1, 5, rows} {
		d := statfile.NewDictionary(rows)
		for i := range rows {
			if i%11 == 0 {
				d.AddMissing()
			} else {
				d.Add([]byte(strings.Repeat("ü", i%distinct%50) + string(rune('a'+i%distinct))))
			}
		}
		f.Variables = append(f.Variables, statfile.Variable{Name: "text" + string(rune('a'+distinct%26)), Kind: statfile.Text,
			Storage: "string", Column: statfile.Column{Texts: d.Texts()}})
	}
	return f
}

// A written file is read back unchanged with every codec.
func TestWrittenAndRead(t *testing.T) {
	f := sample()
	if said := (Format{}).Lacks(f, nil); len(said) > 0 {
		t.Errorf("%q", said)
	}
	for _, codec := range []string{"", "none", "snappy", "gzip", "brotli", "zstd"} {
		back := rewritten(t, f, statfile.Settings{codecSetting: codec})
		if want := codec; want != "" && back.Settings[codecSetting] != want {
			t.Errorf("compressed with %s instead of %s", back.Settings[codecSetting], want)
		}
		if said := strings.Join(back.Warnings, "; "); strings.Contains(said, "rounded") {
			t.Errorf("warnings %q", said)
		}
		for i := range f.Variables {
			got, want := &back.Variables[i], &f.Variables[i]
			if got.Name != want.Name || got.Kind != want.Kind || got.Storage != want.Storage {
				t.Errorf("%s, %d, %s; was %s, %d, %s", got.Name, got.Kind, got.Storage, want.Name, want.Kind, want.Storage)
			}
			if want.Column.Texts == nil {
				if !slices.EqualFunc(got.Column.Numbers, want.Column.Numbers,
					func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
					t.Errorf("%s is not read as written", want.Name)
				}
			} else if !slices.Equal(texts(got), texts(want)) {
				t.Errorf("%s is not read as written", want.Name)
			}
		}
	}
}

func texts(v *statfile.Variable) (out []string) {
	for _, code := range v.Column.Texts.Codes.Between(0, v.Column.Len()) {
		if code == 0 {
			out = append(out, "\x00missing")
		} else {
			out = append(out, v.Column.Texts.Values[code-1])
		}
	}
	return out
}

// Values that do not fit the original storage get another one.
func TestStorageHoldsTheValues(t *testing.T) {
	for _, c := range []struct {
		storage, becomes string
		kind             statfile.Kind
		values           []float64
	}{
		{"int8", "int32", statfile.Number, []float64{128}},
		{"uint8", "int32", statfile.Number, []float64{-1}},
		{"byte", "int32", statfile.Number, []float64{1, 2}},
		{"int32", "int64", statfile.Number, []float64{1 << 31}},
		{"int64", "double", statfile.Number, []float64{0.5}},
		{"", "double", statfile.Number, []float64{math.Copysign(0, -1)}},
		{"float", "double", statfile.Number, []float64{0.1}},
		{"decimal(5,2)", "double", statfile.Number, []float64{0.001}},
		{"", "double", statfile.Boolean, []float64{2}},
		{"", "double", statfile.Date, []float64{0.5}},
		{"", "double", statfile.Time, []float64{90000}},
		{"", "double", statfile.DateTime, []float64{1e300}},
	} {
		f := &statfile.File{Rows: len(c.values),
			Variables: []statfile.Variable{{Name: "x", Kind: c.kind, Storage: c.storage,
				Column: statfile.Column{Numbers: c.values}}}}
		back := rewritten(t, f, nil).Variables[0]
		if back.Storage != c.becomes || math.Float64bits(back.Column.Numbers[0]) != math.Float64bits(c.values[0]) {
			t.Errorf("%v of %q becomes %v of %s, expected %s", c.values, c.storage, back.Column.Numbers, back.Storage, c.becomes)
		}
		if reported := len((Format{}).Lacks(f, nil)) > 0; reported != (c.kind != statfile.Number) {
			t.Errorf("%v of %q: told %v", c.values, c.storage, reported)
		}
	}
}

// Nested columns are left out by name, and others are read. It is an error if they are selected, or if there are
// no others.
func TestNestedColumnsAreLeftOut(t *testing.T) {
	type inner struct {
		D, E int32
		G    []map[string]int64
	}
	type row struct {
		A int32             `parquet:"a"`
		B []int32           `parquet:"b,list"`
		C *inner            `parquet:"c,optional"`
		F float64           `parquet:"f"`
		M map[string]string `parquet:"m"`
		R []string          `parquet:"r"`
		Z string            `parquet:"z"`
	}
	content := nestedFile(t, []row{{A: 1, B: []int32{1, 2}, F: 2.5, R: []string{"x", "y"}, Z: "p"},
		{A: 3, C: &inner{D: 9, G: []map[string]int64{{"k": 1}}}, F: 4.5, M: map[string]string{"k": "v"}, Z: "q"}})
	f, err := read(content, statfile.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"lists and structures are omitted, because they are not variables: b, c, m and r"}; !slices.Equal(f.Warnings,
		want) {
		t.Errorf("told is %q, expected %q", f.Warnings, want)
	}
	if len(f.Variables) != 3 || f.Rows != 2 || !slices.Equal(f.Variables[0].Column.Numbers, []float64{1, 3}) ||
		!slices.Equal(f.Variables[1].Column.Numbers, []float64{2.5, 4.5}) ||
		!slices.Equal(f.Variables[2].Column.Texts.Values, []string{"p", "q"}) {
		t.Errorf("%+v", f)
	}
	if f, err = read(content, statfile.ReadOptions{Columns: map[string]bool{"z": true}}); err != nil || len(f.Variables) != 1 ||
		f.Warnings != nil {
		t.Errorf("one that is plain: %+v, %v", f, err)
	}
	alone := nestedFile(t, []struct {
		B []int32 `parquet:"b,list"`
	}{{B: []int32{1}}})
	for _, refused := range []struct {
		content []byte
		options statfile.ReadOptions
	}{{content, statfile.ReadOptions{Columns: map[string]bool{"a": true, "b": true}}}, {content: alone}} {
		if _, err := read(refused.content, refused.options); !errors.Is(err, statfile.ErrUnsupported) ||
			!strings.Contains(err.Error(), `"b"`) {
			t.Errorf("%v", err)
		}
	}
}

func nestedFile[T any](t *testing.T, rows []T) []byte {
	t.Helper()
	var out bytes.Buffer
	w := pq.NewGenericWriter[T](&out)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A footer and a page header may claim lists longer than the file.
func TestClaimsOfLists(t *testing.T) {
	for _, content := range []string{
		"\x19\xfc\xff\xff\xff\xff\x0f\x00",     // a list of two billion structures
		"\x18\xff\xff\xff\xff\x0f\x00",         // a text of two billion bytes
		strings.Repeat("\x1c", 100) + "\x00",   // nested structures
		"\x15\x02",                             // no end
		"\x19\xf7\x80\x80\x80\x80\x01\x00\x00", // numbers
	} {
		w := compact{bytes: []byte(content)}
		if w.structure(0); !w.broken {
			t.Errorf("%x is taken for whole", content)
		}
	}
	whole, err := thrift.Marshal(&thrift.CompactProtocol{}, &format.PageHeader{Type: format.DataPage,
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: 7})})
	if err != nil {
		t.Fatal(err)
	}
	w := compact{bytes: append(whole, "rest"...)}
	if w.structure(0); w.broken || string(w.bytes) != "rest" {
		t.Errorf("broken %v, left %q", w.broken, w.bytes)
	}
}

func TestNumbersOfBytes(t *testing.T) {
	for bits, want := range map[uint16]float64{0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0001: math.Ldexp(1, -24),
		0x3555: 0.333251953125, 0xfc00: math.Inf(-1)} {
		if got := float16(bits); got != want {
			t.Errorf("%x is %v, expected %v", bits, got, want)
		}
	}
	for content, want := range map[string]int64{"": 0, "\x01\x00": 256, "\xff": -1, "\xff\x00": -256, "\x7f": 127} {
		if got := signed([]byte(content)).Int64(); got != want {
			t.Errorf("%x is %d, expected %d", content, got, want)
		}
	}
}

// Numbers of a few bits are decoded, in runs and packed in groups of eight.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		width   int
		content []byte
		want    []uint32
	}{
		{1, []byte{3 << 1, 1, 1<<1 | 1, 0b10000101, 5 << 1, 0, 4 << 1, 1},
			[]uint32{1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1}},
		{3, []byte{1<<1 | 1, 0b10_001_000, 0b1_100_011_0, 0b111_110_10}, []uint32{0, 1, 2, 3, 4, 5, 6, 7}},
		{12, []byte{2 << 1, 0x34, 0x02}, []uint32{0x234, 0x234}},
		{0, []byte{200<<1&0x7f | 0x80, 200 >> 6}, make([]uint32, 200)},
		{0, []byte{2<<1 | 1}, make([]uint32, 16)},
		{1, []byte{0xfe, 0xff, 0xff, 0xff, 0x7f, 1}, []uint32{1, 1}}, // a run longer than the output
		{9, []byte{1<<1 | 1, 0xff, 0x01}, []uint32{511}},             // no bytes beyond those needed
	} {
		got := make([]uint32, len(c.want))
		r, half := runs{content: c.content, width: c.width}, len(got)/3
		r.fill(got[:half])
		if r.fill(got[half:]); !slices.Equal(got, c.want) {
			t.Errorf("%x of %d bits: %v, expected %v", c.content, c.width, got, c.want)
		}
	}
	for _, c := range []struct {
		width   int
		content string
	}{{1, ""}, {1, "\x02"}, {9, "\x03\xff"}, {33, "\x02\x00\x00\x00\x00\x00"}, {1, "\x00\x00\x00\x00"}} {
		if !damaged(func() { (&runs{content: []byte(c.content), width: c.width}).fill(make([]uint32, 1)) }) {
			t.Errorf("%x of %d bits is taken for whole", c.content, c.width)
		}
	}
}

// damaged reports whether decoding panics with errPage.
func damaged(decode func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	decode()
	return false
}

// Deltas written by the library are decoded.
func TestDeltas(t *testing.T) {
	for _, count := range []int{0, 1, 2, 129, 1000} {
		var narrow []int32
		var wide, want []int64
		for i := range count {
			narrow = append(narrow, int32(i*i*i*7919)*int32(1-2*(i%2)))
			wide = append(wide, int64(i)*math.MaxInt64/977*int64(1-2*(i%2)))
		}
		for _, n := range narrow {
			want = append(want, int64(n))
		}
		content, err := pq.DeltaBinaryPacked.EncodeInt32(nil, narrow)
		if err != nil {
			t.Fatal(err)
		}
		if got, rest := deltas(append(content, 'x'), count, 32); !slices.Equal(got, want) || string(rest) != "x" {
			t.Errorf("%d of 32 bits: %v, expected %v; %q follows", count, got, want, rest)
		}
		if content, err = pq.DeltaBinaryPacked.EncodeInt64(nil, wide); err != nil {
			t.Fatal(err)
		}
		if got, _ := deltas(content, count, 64); !slices.Equal(got, wide) {
			t.Errorf("%d of 64 bits: %v, expected %v", count, got, wide)
		}
		var apart []int64 // differences of 62 bits
		for i := range count {
			apart = append(apart, int64(i)%2<<60+int64(i))
		}
		if content, err := pq.DeltaBinaryPacked.EncodeInt64(nil, apart); err != nil {
			t.Fatal(err)
		} else if got, _ := deltas(content, count, 64); !slices.Equal(got, apart) {
			t.Errorf("%d far apart: %v, expected %v", count, got, apart)
		}
		if count > 1 &&
			(!damaged(func() { deltas(content, count+1, 64) }) ||
				!damaged(func() { deltas(content[:len(content)-len(content)/3], count, 64) })) {
			t.Errorf("%d: too few are taken for whole", count)
		}
	}
}

// An impossible or truncated delta block is damage.
func TestDamagedDeltas(t *testing.T) {
	whole, err := pq.DeltaBinaryPacked.EncodeInt32(nil, []int32{1, 9, 2, 8, 3, 7})
	if err != nil {
		t.Fatal(err)
	}
	cut := slices.Clone(whole[:5+4+3]) // of 5 numbers of 5 bits
	for name, content := range map[string][]byte{
		"cut":              cut,
		"large":            slices.Concat([]byte{0x80, 0x80, 0x80, 0x01, 4}, whole[3:]),
		"not by eights":    slices.Concat([]byte{100, 4}, whole[3:]),
		"no parts":         slices.Concat([]byte{0x80, 1, 0}, whole[3:]),
		"nothing in parts": {0x80, 1, 4, 6, 2},
	} {
		if !damaged(func() { deltas(content, 6, 32) }) {
			t.Errorf("%s: %x is taken for whole", name, content)
		}
	}
}

// Levels of older programs are decoded, highest bit first, without a length.
func TestPackedLevels(t *testing.T) {
	p := pageReader{optional: true, scratch: &scratch{stored: []byte{0b10110000, 0b01000000, 'x'}}}
	got, err := p.first(&format.DataPageHeader{NumValues: 10, DefinitionLevelEncoding: format.BitPacked}, 3)
	if err != nil || string(got.values) != "x" {
		t.Fatalf("%+v, %v", got, err)
	}
	levels := make([]uint32, 10)
	if levelsOf(&got)(levels); !slices.Equal(levels, []uint32{1, 0, 1, 1, 0, 0, 0, 0, 0, 1}) {
		t.Errorf("%v", levels)
	}
}

// A dictionary that claims more values than it has bytes takes no memory for them.
func TestClaimsOfDictionaries(t *testing.T) {
	c := chunk{leaf: &leaf{physical: format.Double}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if !damaged(func() { c.learn(&page{dictionary: true, count: 1 << 26, values: make([]byte, 64)}) }) {
		t.Error("taken for whole")
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("%d bytes were allocated", after.TotalAlloc-before.TotalAlloc)
	}
}

func TestUnsignedAndNoNumbers(t *testing.T) {
	if got := (&leaf{unsigned: true, physical: format.Int32}).whole(-1); got != math.MaxUint32 {
		t.Errorf("%v", got)
	}
	if got := (&leaf{unsigned: true, physical: format.Int64}).whole(-1); got != math.MaxUint64 {
		t.Errorf("%v", got)
	}
	out := make([]float64, 1)
	for physical, content := range map[format.Type][]byte{
		format.Double: binary.LittleEndian.AppendUint64(nil, 0x7ff8000000000123),
		format.Float:  binary.LittleEndian.AppendUint32(nil, 0x7fc00123),
	} {
		(&leaf{physical: physical, per: 1}).numbers(out, content, format.Plain)
		if math.Float64bits(out[0]) != math.Float64bits(statfile.Missing()) {
			t.Errorf("%v: %x", physical, math.Float64bits(out[0]))
		}
	}
	for x, want := range map[int64]bool{1 << 53: false, 1<<53 + 1: true, -1 << 53: false, -1<<53 - 1: true} {
		content := binary.LittleEndian.AppendUint64(nil, uint64(x))
		if got := (&leaf{physical: format.Int64, per: 1}).numbers(out, content, format.Plain); got != want {
			t.Errorf("%d: rounded %v", x, got)
		}
	}
	if l := leafOf(&format.SchemaElement{Type: thrift.New(format.FixedLenByteArray)}); l.storage != "" {
		t.Errorf("bytes of no length are read as %s", l.storage)
	}
}

// Texts that share a prefix with the previous one take few bytes; claims of ever longer ones are limited.
func TestTextsOfTextsBefore(t *testing.T) {
	l := &leaf{physical: format.ByteArray}
	numbers := func(values ...int32) []byte {
		content, err := pq.DeltaBinaryPacked.EncodeInt32(nil, values)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	values := l.texts(slices.Concat(numbers(0, 2, 2, 0), numbers(3, 1, 0, 1), []byte("abcxz")), format.DeltaByteArray, 4)
	for _, want := range []string{"abc", "abx", "ab", "z"} {
		if got := string(values.next()); got != want {
			t.Errorf("%q, expected %q", got, want)
		}
	}
	values = l.texts(slices.Concat(numbers(0, 4), numbers(3, 1), []byte("abcd")), format.DeltaByteArray, 2)
	if values.next(); !damaged(func() { values.next() }) {
		t.Error("more bytes than the text before has are taken from it")
	}
	const count = 1 << 15
	lengths, shared := make([]int32, count), make([]int32, count)
	for i := range shared {
		lengths[i], shared[i] = 1, int32(i)
	}
	values = l.texts(slices.Concat(numbers(shared...), numbers(lengths...), make([]byte, count)), format.DeltaByteArray,
		count)
	if !damaged(func() {
		for range count {
			values.next()
		}
	}) {
		t.Error("a page of 32 thousand bytes makes 500 million")
	}
}

// Exactly the size that a page claims is decompressed.
func TestDecompressed(t *testing.T) {
	content := bytes.Repeat([]byte("survey "), 1000)
	for _, codec := range []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Gzip, format.Brotli,
		format.Zstd, format.Lz4Raw} {
		compressed, err := pq.LookupCompressionCodec(codec).Encode(nil, content)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]byte, len(content))
		if err := decompressed(out, compressed, codec); err != nil || !bytes.Equal(out, content) {
			t.Errorf("%s: %v", codec, err)
		}
		if decompressed(make([]byte, len(content)+1), compressed, codec) == nil {
			t.Errorf("%s: too little is enough", codec)
		}
		if codec == format.Snappy || codec == format.Zstd || codec == format.Lz4Raw {
			if decompressed(make([]byte, 10), compressed, codec) == nil {
				t.Errorf("%s: more than there is room for", codec)
			}
		}
	}
}

// A page with missing values only may have no bytes for values, compressed or not.
func TestPageWithoutValues(t *testing.T) {
	levels := []byte{6, 0} // a run of three zeros
	head := &format.DataPageHeaderV2{NumValues: 3, NumNulls: 3, DefinitionLevelsByteLength: int32(len(levels)),
		Encoding: format.RLEDictionary}
	for _, codec := range []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Gzip, format.Brotli,
		format.Zstd, format.Lz4Raw} {
		reader := pageReader{codec: codec, optional: true, scratch: &scratch{stored: levels}}
		if page, err := reader.second(head, len(levels)); err != nil || len(page.values) > 0 ||
			!bytes.Equal(page.levels, levels) {
			t.Errorf("%s: %v, %v", codec, page, err)
		}
	}
}

// Keys without values, and row groups without rows, whatever their pages, are no damage.
func TestWhatNobodyNeedsOfAFooter(t *testing.T) {
	var out bytes.Buffer
	f := &statfile.File{Rows: 2, Variables: []statfile.Variable{{Name: "a", Column: statfile.Column{Numbers: []float64{1, 2}}}}}
	if err := (Format{}).Write(context.Background(), &out, f, nil, nil); err != nil {
		t.Fatal(err)
	}
	whole := out.Bytes()
	from := len(whole) - 8 - int(binary.LittleEndian.Uint32(whole[len(whole)-8:]))
	with := func(footer []byte) []byte {
		content := append(bytes.Clone(whole[:from]), footer...)
		return append(binary.LittleEndian.AppendUint32(content, uint32(len(footer))), "PAR1"...)
	}
	plain := whole[from : len(whole)-8]
	// field 5: a list of one structure with a key only
	keyed := append(bytes.Clone(plain[:len(plain)-1]), "\x09\x0a\x1c\x18\x01k\x00\x00"...)
	if got, err := read(with(keyed), statfile.ReadOptions{}); err != nil || got.Rows != 2 ||
		got.Variables[0].Column.Numbers[1] != 2 {
		t.Errorf("a key without a value: %+v, %v", got, err)
	}
	var said format.FileMetaData
	if err := thrift.Unmarshal(&thrift.CompactProtocol{}, plain, &said); err != nil {
		t.Fatal(err)
	}
	empty, meta := said.RowGroups[0], said.RowGroups[0].Columns[0].MetaData
	empty.NumRows, meta.NumValues, meta.DataPageOffset = 0, 0, 0
	empty.Columns = []format.ColumnChunk{{MetaData: meta}}
	for _, groups := range [][]format.RowGroup{{empty}, {empty, said.RowGroups[0], empty}} {
		said.RowGroups, said.NumRows = groups, int64(2*(len(groups)/2))
		footer, err := thrift.Marshal(&thrift.CompactProtocol{}, &said)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(with(footer), statfile.ReadOptions{}); err != nil || got.Rows != int(said.NumRows) ||
			len(got.Variables) != 1 {
			t.Errorf("%d row groups: %+v, %v", len(groups), got, err)
		}
	}
}

// UUIDs are formatted in the usual way.
func TestIdentifiers(t *testing.T) {
	type row struct {
		ID [16]byte `parquet:"id,uuid"`
	}
	id := row{[16]byte{0x55, 0x0e, 0x84, 0, 0xe2, 0x9b, 0x41, 0xd4, 0xa7, 0x16, 0x44, 0x66, 0x55, 0x44, 0, 0}}
	f, err := read(nestedFile(t, []row{id, {}, id}), statfile.ReadOptions{})
	if err != nil || f.Variables[0].Kind != statfile.Text {
		t.Fatalf("%+v, %v", f, err)
	}
	const want = "550e8400-e29b-41d4-a716-446655440000"
	if got := texts(&f.Variables[0]); !slices.Equal(got, []string{want, "00000000-0000-0000-0000-000000000000", want}) {
		t.Errorf("%q", got)
	}
	if said := (Format{}).Lacks(f, nil); len(said) != 1 || !strings.Contains(said[0], "UUID") {
		t.Errorf("%q", said)
	}
}

// NaN values are missing, with a warning.
func TestNaNIsSaid(t *testing.T) {
	type row struct{ A, B float64 }
	f, err := read(nestedFile(t, []row{{1, math.NaN()}, {2, 3}}), statfile.ReadOptions{})
	if err != nil || len(f.Warnings) != 1 || f.Warnings[0] != `column "B" has values that are not numbers (NaN); they become missing` {
		t.Errorf("%+v, %v", f, err)
	}
}
