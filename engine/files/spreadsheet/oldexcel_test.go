package spreadsheet

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// oldWriter writes the records of a workbook.
type oldWriter struct {
	bytes.Buffer
	older bool
}

// record writes a record: Go integers in their size, texts as they are.
func (w *oldWriter) record(kind uint16, content ...any) {
	var data bytes.Buffer
	for _, c := range content {
		if text, ok := c.(string); ok {
			data.WriteString(text)
		} else if err := binary.Write(&data, binary.LittleEndian, c); err != nil {
			panic(err)
		}
	}
	_ = binary.Write(w, binary.LittleEndian, [2]uint16{kind, uint16(data.Len())})
	_, _ = data.WriteTo(w)
}

// text returns a text after a length of two bytes, or one if short; wide has two bytes per character.
func (w *oldWriter) text(text string, short, wide bool) string {
	chars := utf16.Encode([]rune(text))
	out := binary.LittleEndian.AppendUint16(nil, uint16(len(chars)))
	if short {
		out = out[:1]
	}
	if w.older {
		for _, c := range chars {
			out = append(out, byte(c))
		}
		return string(out)
	}
	out = append(out, map[bool]byte{true: 1}[wide])
	for _, c := range chars {
		if out = append(out, byte(c)); wide {
			out = append(out, byte(c>>8))
		}
	}
	return string(out)
}

// oldFile returns a workbook with an empty sheet, a chart, and a sheet with cells of every type, with rows in
// random order.
func oldFile(older bool) []byte {
	w := &oldWriter{older: older}
	version := map[bool]uint16{true: 0x0500, false: 0x0600}[older]
	w.record(recordBegin, version, uint16(wholeWorkbook))
	w.record(recordCodePage, uint16(1251))
	w.record(recordFormat, uint16(164), w.text(`yyyy\-mm\-dd`, older, false))
	for _, format := range []uint16{0, 164, 21} {
		w.record(recordStyle, uint16(0), format, "\x00\x00\x00\x00")
	}
	places := []int{}
	for i, name := range []string{"empty", "chart", "D\xe4ten"} {
		places = append(places, w.Len()+4)
		name := string([]rune{rune(name[0]), rune(name[1])}) + name[2:]
		w.record(recordSheet, uint32(0), uint8(0), uint8(2*(i%2)), w.text(name, true, false))
	}
	if !older {
		w.record(recordTexts, uint32(9), uint32(4), w.text("name", false, false),
			"\x03\x00\x0d\x01\x00\x04\x00\x00\x00\x3b\x04\x3c\x04\x3d\x04RUNSpron", // rich text with phonetic data
			"\x06\x00\x00ab")
		w.record(recordContinue, "\x01\x40\x04\x41\x04cd"[:5])
		w.record(recordContinue, "\x00cd", "\x00\x00\x00")
	}
	w.record(recordEnd)
	sheets := []int{}
	for i := range 3 {
		sheets = append(sheets, w.Len())
		w.record(recordBegin, version, uint16(worksheet))
		if i == 2 {
			w.cells()
		}
		w.record(recordEnd)
	}
	content := w.Bytes()
	for i, at := range places {
		binary.LittleEndian.PutUint32(content[at:], uint32(sheets[i]))
	}
	return compound(map[bool]string{true: "Book", false: "Workbook"}[older], content)
}

// cells writes the cells of a sheet.
func (w *oldWriter) cells() {
	at := func(row, column, style int) [3]uint16 { return [3]uint16{uint16(row), uint16(column), uint16(style)} }
	formula := func(row, column int, result string) {
		w.record(recordFormula, at(row, column, 0), result, "\x00\x00\x00\x00\x00\x00\x03\x00\x1e\x01\x00")
	}
	w.record(recordNumber, at(3, 1, 1), 44986.0)
	w.record(recordShort, at(3, 2, 2), uint32(math.Float64bits(0.25)>>32))
	w.record(recordBegin, uint16(0x0600), uint16(0x0020)) // a chart in the sheet
	w.record(recordNumber, at(9, 1, 0), 1.0)
	w.record(recordEnd)
	formula(3, 3, "\x00\x00\x00\x00\x00\x00\xff\xff")
	w.record(0x04bc, "shared")
	w.record(recordText, w.text("came", false, !w.older))
	for column, name := range []string{"name", "day", "clock", "came", "true", "n", "m", "error"} {
		w.record(recordLabel, at(1, column, 0), w.text(name, false, column%2 == 1))
	}
	if w.older {
		w.record(recordRich, at(2, 0, 0), "\x03\x00\xeb\xec\xed", "\x01\x00\x00")
		w.record(recordLabel, at(3, 0, 0), "\x06\x00ab\xf0\xf1cd")
	} else {
		w.record(recordShared, at(2, 0, 0), uint32(1))
		w.record(recordShared, at(3, 0, 0), uint32(2))
	}
	w.record(recordNumber, at(2, 1, 1), 44985.0)
	w.record(recordNumber, at(2, 2, 2), 0.5)
	formula(2, 3, "\x03\x00\x00\x00\x00\x00\xff\xff")
	w.record(recordTruth, at(2, 4, 0), uint8(1), uint8(0))
	w.record(recordNumbers, [2]uint16{2, 5}, uint16(0), uint32(7<<2|2), uint16(0), uint32(12345<<2|3), uint16(6))
	w.record(recordTruth, at(2, 7, 0), uint8(42), uint8(1))
	formula(3, 4, "\x01\x00\x00\x00\x00\x00\xff\xff")
	formula(3, 5, string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(-2.5))))
	formula(3, 7, "\x02\x00\x2a\x00\x00\x00\xff\xff")
}

// compound returns a compound file with one stream.
func compound(name string, stream []byte) []byte {
	const sector = 512
	for len(stream) < 4096 || len(stream)%sector > 0 { // shorter ones are stored elsewhere
		stream = append(stream, 0)
	}
	sectors := len(stream) / sector
	head := make([]byte, sector)
	copy(head, compoundMagic)
	copy(head[24:], "\x3e\x00\x03\x00\xfe\xff\x09\x00\x06\x00")
	put := func(at []byte, numbers ...uint32) {
		for i, n := range numbers {
			binary.LittleEndian.PutUint32(at[4*i:], n)
		}
	}
	const end, free = 0xfffffffe, 0xffffffff
	put(head[44:], 1, 1, 0, 4096, end, 0, end, 0)
	copy(head[76:], bytes.Repeat([]byte{0xff}, sector-76))
	put(head[76:], 0)
	table := bytes.Repeat([]byte{0xff}, sector)
	put(table, 0xfffffffd, end)
	for i := range sectors {
		put(table[8+4*i:], uint32(i+3))
	}
	put(table[4+4*sectors:], end)
	directory := make([]byte, sector)
	for i, entry := range []string{"Root Entry", name} {
		d := directory[128*i:]
		for j, c := range entry {
			d[2*j] = byte(c)
		}
		binary.LittleEndian.PutUint16(d[64:], uint16(2*len(entry)+2))
		d[66] = []byte{5, 2}[i]
		put(d[68:], free, free, []uint32{1, free}[i])
		put(d[116:], []uint32{end, 2}[i], []uint32{0, uint32(len(stream))}[i])
	}
	return slices.Concat(head, table, directory, stream)
}

func readOld(content []byte, sheet string) (*statfile.File, error) {
	in := statfile.NewSource("w.xls", bytes.NewReader(content), int64(len(content)))
	return OldExcel{}.Read(context.Background(), in, statfile.ReadOptions{Settings: statfile.Settings{sheetSetting: sheet}}, nil)
}

func TestOldWorkbook(t *testing.T) {
	for _, older := range []bool{false, true} {
		content := oldFile(older)
		in := statfile.NewSource("w.xls", bytes.NewReader(content), int64(len(content)))
		settings, known, err := OldExcel{}.Recognise(context.Background(), in)
		last := map[bool]string{true: "Dдten", false: "Däten"}[older]
		if err != nil || !known || settings[sheetsSetting] != "empty\n"+last {
			t.Fatalf("%v: %q, %v, %v", older, settings, known, err)
		}
		if _, err := readOld(content, "empty"); err == nil || !strings.Contains(err.Error(), last) {
			t.Errorf("an empty sheet: %v", err)
		}
		f, err := readOld(content, last)
		if err != nil {
			t.Fatal(err)
		}
		want := []statfile.Variable{{Name: "name", Kind: statfile.Text}, {Name: "day", Kind: statfile.Date},
			{Name: "clock", Kind: statfile.Time}, {Name: "came", Kind: statfile.Text}, {Name: "true", Kind: statfile.Boolean},
			{Name: "n"}, {Name: "m"}, {Name: "error", Kind: statfile.Text}}
		numbers := map[int][]float64{1: {19416, 19417}, 2: {43200, 21600}, 4: {1, 0}, 5: {7, -2.5}, 6: {123.45, math.NaN()}}
		if len(f.Variables) != len(want) || f.Rows != 2 {
			t.Fatalf("%d variables, %d rows", len(f.Variables), f.Rows)
		}
		for i := range want {
			v := &f.Variables[i]
			if v.Name != want[i].Name || v.Kind != want[i].Kind {
				t.Errorf("variable %d is %s of kind %d, expected %s, %d", i, v.Name, v.Kind, want[i].Name, want[i].Kind)
			}
			for row, x := range numbers[i] {
				if got := v.Column.Numbers[row]; got != x && (got == got || x == x) {
					t.Errorf("older %v, %s: row %d is %v, expected %v", older, v.Name, row, got, x)
				}
			}
		}
		if got, want := f.Variables[0].Column.Texts.Values, []string{"лмн", "abрсcd"}; !slices.Equal(got, want) {
			t.Errorf("older %v: texts %q, expected %q", older, got, want)
		}
		if got := f.Variables[3].Column.Texts.Values; !slices.Equal(got, []string{"", "came"}) {
			t.Errorf("older %v: formulas came to %q", older, got)
		}
		if want := []string{"2 cells with an error, such as #N/A, are read as missing"}; !slices.Equal(f.Warnings, want) {
			t.Errorf("told is %q", f.Warnings)
		}
	}
}

// Encrypted and older files, and those without a workbook, are reported as such.
func TestOldWorkbooksThatAreNotRead(t *testing.T) {
	locked := &oldWriter{}
	locked.record(recordBegin, uint16(0x0600), uint16(wholeWorkbook))
	locked.record(recordEncrypted, "\x01\x00")
	ancient := &oldWriter{}
	ancient.record(0x0409, uint16(0), uint16(0x0100))
	for said, content := range map[string][]byte{
		"encrypted with a password": compound("Workbook", locked.Bytes()),
		"is encrypted with":         compound("EncryptedPackage", nil),
		"older than Excel 5":        compound("Workbook", ancient.Bytes()),
		"no workbook":               compound("WordDocument", nil),
		"truncated or damaged":      oldFile(false)[:1800],
	} {
		_, err := readOld(content, "")
		if failure := new(statfile.Failure); err == nil || !errors.As(err, &failure) || !strings.Contains(err.Error(), said) {
			t.Errorf("%v, expected %q", err, said)
		}
	}
	in := statfile.NewSource("w.doc", bytes.NewReader(compound("WordDocument", nil)), 5632)
	if _, known, err := (OldExcel{}).Recognise(context.Background(), in); known || err != nil {
		t.Errorf("a document is taken for a workbook: %v", err)
	}
}

// Whatever records and sectors claim, reading neither panics nor hangs, nor takes memory out of proportion to the
// size.
func FuzzOldExcel(f *testing.F) {
	for _, older := range []bool{false, true} {
		whole := oldFile(older)
		f.Add(whole)
		for _, cut := range []int{1500, 2600, len(whole) - 600} {
			f.Add(whole[:cut])
		}
		for _, at := range []int{44, 48, 62, 68, 76, 520, 1100, 1260, 1540, 1700} { // of sectors, the directory and records
			bad := slices.Clone(whole)
			bad[at] ^= 0xff
			f.Add(bad)
		}
	}
	bomb := &oldWriter{}
	bomb.record(recordBegin, uint16(0x0600), uint16(wholeWorkbook))
	bomb.record(recordTexts, uint32(math.MaxUint32), uint32(math.MaxUint32), "\xff\xff\x0d\xff\xff\xff\xff\xff\xffx")
	bomb.record(recordSheet, uint32(bomb.Len()+4+9+4), uint8(0), uint8(0), bomb.text("x", true, false))
	bomb.record(recordEnd)
	bomb.record(recordBegin, uint16(0x0600), uint16(worksheet))
	for column := range 256 {
		bomb.record(recordNumber, [3]uint16{65535, uint16(column), 0}, 1.0)
	}
	bomb.record(recordEnd)
	content := compound("Workbook", bomb.Bytes())
	f.Add(content)
	last := bytes.LastIndex(content, []byte("\xff\xff\xff\x00\x00\x00")) // row 65535, column 255
	content[last+3] = 0x3f                                               // outside every sheet
	f.Add(slices.Clone(content))
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<20 {
			return
		}
		in := statfile.NewSource("fuzz", bytes.NewReader(content), int64(len(content)))
		settings, known, err := OldExcel{}.Recognise(context.Background(), in)
		if !known || err != nil {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read, err := OldExcel{}.Read(context.Background(), in, statfile.ReadOptions{Settings: settings}, nil)
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 16<<20+1000*uint64(len(content)) {
			t.Fatalf("%d MB were allocated for %d bytes", taken>>20, len(content))
		}
		if failure := new(statfile.Failure); err != nil && !errors.As(err, &failure) {
			t.Fatalf("no sentence: %v", err)
		}
		if err != nil {
			return
		}
		for i := range read.Variables {
			if got := read.Variables[i].Column.Len(); got != read.Rows {
				t.Fatalf("a variable of %d rows has %d", read.Rows, got)
			}
		}
	})
}

// Workbooks of other programs in ../shared/data/found have the cells that an independent reader found: as text,
// dates as numbers, without empty rows and leading empty columns.
func TestFoundOldWorkbooks(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "shared", "data", "found")
	files, err := filepath.Glob(filepath.Join(folder, "*.xls.expected.csv"))
	if err != nil || len(files) == 0 {
		t.Skip("the shared test data are absent: no data/found")
	}
	for _, path := range files {
		expected, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := csv.NewReader(bytes.NewReader(expected)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(strings.TrimSuffix(path, ".expected.csv"))
		if err != nil {
			t.Fatal(err)
		}
		in := statfile.NewSource("found", bytes.NewReader(content), int64(len(content)))
		w, err := openOld(context.Background(), in)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		g := &grid{in: in, wanted: func(string) bool { return true }}
		if err := w.sheet(context.Background(), w.places[0], g); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		empty := func(row []string) bool { return strings.Join(row, "") == "" }
		want = slices.DeleteFunc(want, empty)
		if got := g.asText(w.base); !slices.EqualFunc(got, want, sameCells) {
			t.Errorf("%s: %q, expected %q", path, got, want)
		}
	}
}

// asText returns the cells of a grid in the spelling of an independent reader.
func (g *grid) asText(base float64) [][]string {
	rows := make([][]string, g.rows)
	for _, column := range g.columns {
		for i := range rows {
			text := ""
			if i < len(column.kinds) {
				switch column.kinds[i] {
				case textCell:
					text = column.spelt[int(column.values[i])]
				case momentCell:
					text = strconv.FormatFloat(column.values[i]+base, 'g', -1, 64)
				case numberCell, clockCell, truthCell:
					text = strconv.FormatFloat(column.values[i], 'g', -1, 64)
				}
			}
			if len(column.kinds) > 0 || len(rows[i]) > 0 {
				rows[i] = append(rows[i], text)
			}
		}
	}
	return rows
}

// sameCells compares rows, numbers by value, without trailing empty cells.
func sameCells(got, want []string) bool {
	short := func(row []string) []string {
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		return row
	}
	return slices.EqualFunc(short(got), short(want), func(a, b string) bool {
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		return a == b || err1 == nil && err2 == nil && math.Abs(x-y) <= 1e-15*math.Abs(y)
	})
}
