package spss

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

func writtenBack(t *testing.T, f *statfile.File) (*statfile.File, []byte) {
	t.Helper()
	var out bytes.Buffer
	if err := (System{}).Write(context.Background(), &out, f, nil, nil); err != nil {
		t.Fatal(err)
	}
	back, err := System{}.Read(context.Background(), statfile.NewSource("a.sav", bytes.NewReader(out.Bytes()),
		int64(out.Len())), statfile.ReadOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return back, out.Bytes()
}

// A text of more than 255 bytes has a variable for every 252 bytes, as in SPSS.
func TestSegmentsOfLongTexts(t *testing.T) {
	for width, segments := range map[int]int{1: 1, 255: 1, 256: 2, 504: 2, 505: 3, 756: 3, 2000: 8, 32767: 131} {
		text := strings.Repeat("0123456789", width/10) + "0123456789"[:width%10]
		f := &statfile.File{Rows: 1,
			Variables: []statfile.Variable{{Name: "t", Kind: statfile.Text,
				Column: statfile.Column{Texts: &statfile.Texts{Values: []string{text}, Codes: microdata.CodesOf([]uint8{1})}}},
				{Name: "n", Column: statfile.Column{Numbers: []float64{7.5}}}}}
		if got := len(layoutOf(f).variables[0].short); got != segments {
			t.Errorf("a text of %d bytes has %d variables, expected %d", width, got, segments)
		}
		if back, _ := writtenBack(t, f); back.Variables[0].Column.Texts.Values[0] != text ||
			back.Variables[1].Column.Numbers[0] != 7.5 {
			t.Errorf("a text of %d bytes is not read as it was written", width)
		}
	}
}

// Open ranges are written with SPSS's numbers for open ends.
func TestOpenRangesOfMissingValues(t *testing.T) {
	for _, test := range []struct {
		missing statfile.Range
		end     uint64
	}{{statfile.Range{From: math.Inf(-1), To: -90}, 0xffeffffffffffffe},
		{statfile.Range{From: 90, To: math.Inf(1)}, 0x7fefffffffffffff}} {
		back, content := writtenBack(t,
			&statfile.File{Variables: []statfile.Variable{{Name: "x", MissingRange: &test.missing,
				Column: statfile.Column{Numbers: []float64{}}}}})
		ends := [2]uint64{math.Float64bits(test.missing.From), math.Float64bits(test.missing.To)}
		for i := range ends {
			if math.IsInf(math.Float64frombits(ends[i]), 0) {
				ends[i] = test.end
			}
		}
		if r := back.Variables[0].MissingRange; *r != test.missing ||
			!bytes.Contains(content, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, ends[0]), ends[1])) {
			t.Errorf("%v, expected %v", *r, test.missing)
		}
	}
}

// Cut texts are reported, wherever they are cut: two-byte characters are cut earlier.
func TestCutTextIsReported(t *testing.T) {
	labelled := func(label string) *statfile.File {
		return &statfile.File{Variables: []statfile.Variable{{Name: "x", Labels: []statfile.ValueLabel{{Label: label}},
			Column: statfile.Column{Numbers: []float64{}}}}}
	}
	text := func(values ...string) *statfile.File {
		return &statfile.File{Variables: []statfile.Variable{{Name: "x", Kind: statfile.Text,
			Column: statfile.Column{Texts: &statfile.Texts{Values: values}}}}}
	}
	const blanks = "trailing spaces of text values are removed; values that differ only in them become equal: x"
	const values, file = "variable labels are truncated to 255 bytes, and value labels to 120: x", "the file label is truncated to 64 bytes, and each line of the notes to 80"
	for _, test := range []struct {
		f    *statfile.File
		want []string
	}{
		{labelled(strings.Repeat("l", 120)), nil},
		{labelled(strings.Repeat("l", 121)), []string{values}},
		{labelled("l" + strings.Repeat("ü", 60)), []string{values}},
		{&statfile.File{Label: strings.Repeat("l", 64), Notes: []string{strings.Repeat("n", 80)}}, nil},
		{&statfile.File{Label: strings.Repeat("l", 65)}, []string{file}},
		{text("x", " x", "x y"), nil},
		{text("x", "x "), []string{blanks}},
		{&statfile.File{Notes: []string{"", strings.Repeat("n", 81)}}, []string{file}},
	} {
		if got := (System{}).Lacks(test.f, nil); !slices.Equal(got, test.want) {
			t.Errorf("%q, expected %q", got, test.want)
		}
	}
}

// Measurement levels are 1 nominal, 2 ordinal and 3 scale, before the widths and alignments of the variables.
func TestMeasurementLevels(t *testing.T) {
	levels := []microdata.MeasurementLevel{microdata.Nominal, microdata.Ordinal, microdata.Scale, ""}
	f := &statfile.File{}
	want := []int32{recordExtension, extDisplay, 4, 12}
	for i, level := range levels {
		f.Variables = append(f.Variables, statfile.Variable{Name: "v" + string(rune('a'+i)), Level: level,
			Column: statfile.Column{Numbers: []float64{}}})
		want = append(want, int32(i+1)%4, 8, 1)
	}
	var record bytes.Buffer
	_ = binary.Write(&record, binary.LittleEndian, want)
	back, content := writtenBack(t, f)
	if !bytes.Contains(content, record.Bytes()) {
		t.Error("the levels stand otherwise in the file")
	}
	for i, level := range levels {
		if got := back.Variables[i].Level; got != level {
			t.Errorf("%q, expected %q", got, level)
		}
	}
}

// Integers from -99 to 151 have byte codes; the codes on both sides mean padding and the end of the file.
func TestNumbersNextToByteCodes(t *testing.T) {
	numbers := []float64{-101, -100, -99, 0, math.Copysign(0, -1), 0.5, 151, 152, 153, statfile.Missing(), -100}
	f := &statfile.File{Rows: len(numbers),
		Variables: []statfile.Variable{{Name: "x", Column: statfile.Column{Numbers: numbers}}}}
	back, _ := writtenBack(t, f)
	for i, want := range numbers {
		if got := back.Variables[0].Column.Numbers[i]; math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%v is read as %v", want, got)
		}
	}
}

// The checksum of a compressed block is verified.
func TestCompressedBlockThatIsChanged(t *testing.T) {
	var out bytes.Buffer
	f := &statfile.File{Rows: 3,
		Variables: []statfile.Variable{{Name: "x", Column: statfile.Column{Numbers: []float64{1, 2, 3}}}}}
	if err := (System{}).Write(context.Background(), &out, f, statfile.Settings{compression: "zlib"}, nil); err != nil {
		t.Fatal(err)
	}
	for _, change := range []byte{0, 1} {
		content := out.Bytes()
		content[len(content)-24-24-1] ^= change // the last byte before the list of blocks
		_, err := System{}.Read(context.Background(), statfile.NewSource("a.zsav", bytes.NewReader(content),
			int64(len(content))), statfile.ReadOptions{}, nil)
		if (err != nil) != (change != 0) {
			t.Errorf("changed by %d: %v", change, err)
		}
	}
}

// Some programs repeat the length before each declared missing text.
func TestDeclaredMissingTexts(t *testing.T) {
	for name, between := range map[string]string{"once": "", "each": "\x08\x00\x00\x00"} {
		d := &dictionary{header: header{order: binary.LittleEndian}}
		d.extension.start()
		d.readLongMissing([]byte("\x01\x00\x00\x00t\x02\x08\x00\x00\x00refused " + between + "other   "))
		if got := d.longMissing["t"]; !slices.Equal(got, []string{"refused", "other"}) {
			t.Errorf("the length %s: %q", name, got)
		}
	}
}

// Ranges in portable files may be open at either end; numbers are in base 30.
func TestRangesOfPortableFiles(t *testing.T) {
	for tag, want := range map[byte]statfile.Range{'9': {From: math.Inf(-1), To: -90}, 'A': {From: -90, To: math.Inf(1)},
		'B': {From: -90, To: 31.5}} {
		p := &portable{content: []byte("-30/11.F/")}
		var v statfile.Variable
		if p.about(tag, &v); p.err != nil || *v.MissingRange != want {
			t.Errorf("%c: %v, %v", tag, v.MissingRange, p.err)
		}
	}
}

// Columns keep their width and alignment: SPSS stores level, width and alignment for each variable.
func TestHowColumnsAreShown(t *testing.T) {
	f := &statfile.File{Rows: 1}
	for _, shown := range []string{"12 left", "3 right", "25 centre", "", "0 left", "8 below", "300 right", "8 right "} {
		f.Variables = append(f.Variables, statfile.Variable{Name: "x", Level: microdata.Ordinal, Layout: shown,
			Column: statfile.Column{Numbers: []float64{1}}})
	}
	back, content := writtenBack(t, f)
	var record []byte
	for i, want := range []string{"12 left", "3 right", "25 centre", "8 right", "8 right", "8 right", "8 right",
		"8 right"} {
		if got := back.Variables[i].Layout; got != want {
			t.Errorf("%q became %q, expected %q", f.Variables[i].Layout, got, want)
		}
	}
	for _, n := range []uint32{2, 12, 0, 2, 3, 1, 2, 25, 2, 2, 8, 1} {
		record = binary.LittleEndian.AppendUint32(record, n)
	}
	if !bytes.Contains(content, record) {
		t.Error("the numbers are not in the file")
	}
}

// The loss of a write format that differs from the print format is reported.
func TestFormatForWriting(t *testing.T) {
	_, content := writtenBack(t,
		&statfile.File{Rows: 1,
			Variables: []statfile.Variable{{Name: "x", Format: "F7.3", Column: statfile.Column{Numbers: []float64{1}}}}})
	packed := binary.LittleEndian.AppendUint32(nil, displayFormat{code: formatF, width: 7, decimals: 3}.packed())
	at := bytes.Index(content, slices.Concat(packed, packed))
	if at < 0 {
		t.Fatal("the formats are not in the file")
	}
	for width, want := range map[byte]int{7: 0, 8: 1} {
		content[at+5] = width
		f, err := System{}.Read(context.Background(), statfile.NewSource("a.sav", bytes.NewReader(content),
			int64(len(content))), statfile.ReadOptions{}, nil)
		if err != nil || len(f.Warnings) != want {
			t.Errorf("width %d: %q, %v", width, f.Warnings, err)
		}
	}
}
