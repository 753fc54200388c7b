package spss

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

func writtenBack(t *testing.T, f *statfile.File) (*statfile.File, []byte) {
	t.Helper()
	var out bytes.Buffer
	if err := (System{}).Write(context.Background(), &out, f, nil, nil); err != nil {
		t.Fatal(err)
	}
	back, err := System{}.Read(context.Background(), statfile.NewSource("a.sav", bytes.NewReader(out.Bytes()), int64(out.Len())), statfile.ReadOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return back, out.Bytes()
}

// A text of more than 255 bytes has a variable for each 252, as SPSS counts them.
func TestSegmentsOfLongTexts(t *testing.T) {
	for width, segments := range map[int]int{1: 1, 255: 1, 256: 2, 504: 2, 505: 3, 756: 3, 2000: 8, 32767: 131} {
		text := strings.Repeat("0123456789", width/10) + "0123456789"[:width%10]
		f := &statfile.File{Rows: 1, Variables: []statfile.Variable{{Name: "t", Kind: statfile.Text, Column: statfile.Column{Texts: &statfile.Texts{Values: []string{text}, Codes: microdata.CodesOf([]uint8{1})}}},
			{Name: "n", Column: statfile.Column{Numbers: []float64{7.5}}}}}
		if got := len(layoutOf(f).variables[0].short); got != segments {
			t.Errorf("a text of %d bytes has %d variables, expected %d", width, got, segments)
		}
		if back, _ := writtenBack(t, f); back.Variables[0].Column.Texts.Values[0] != text || back.Variables[1].Column.Numbers[0] != 7.5 {
			t.Errorf("a text of %d bytes is not read as it was written", width)
		}
	}
}

// Ranges that are open stand in the file as the numbers that SPSS has for their ends.
func TestOpenRangesOfMissingValues(t *testing.T) {
	for _, test := range []struct {
		missing statfile.Range
		end     uint64
	}{{statfile.Range{From: math.Inf(-1), To: -90}, 0xffeffffffffffffe}, {statfile.Range{From: 90, To: math.Inf(1)}, 0x7fefffffffffffff}} {
		back, content := writtenBack(t, &statfile.File{Variables: []statfile.Variable{{Name: "x", MissingRange: &test.missing, Column: statfile.Column{Numbers: []float64{}}}}})
		ends := [2]uint64{math.Float64bits(test.missing.From), math.Float64bits(test.missing.To)}
		for i := range ends {
			if math.IsInf(math.Float64frombits(ends[i]), 0) {
				ends[i] = test.end
			}
		}
		if r := back.Variables[0].MissingRange; *r != test.missing || !bytes.Contains(content, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, ends[0]), ends[1])) {
			t.Errorf("%v, expected %v", *r, test.missing)
		}
	}
}

// What is too long is told, wherever it is cut: letters of two bytes are cut earlier.
func TestWhatIsCutIsTold(t *testing.T) {
	labelled := func(label string) *statfile.File {
		return &statfile.File{Variables: []statfile.Variable{{Name: "x", Labels: []statfile.ValueLabel{{Label: label}}, Column: statfile.Column{Numbers: []float64{}}}}}
	}
	const values, file = "labels are cut to 255 bytes, those of values to 120: x", "the label of the file is cut to 64 bytes, and its notes to 80 a line"
	for _, test := range []struct {
		f    *statfile.File
		want []string
	}{
		{labelled(strings.Repeat("l", 120)), nil},
		{labelled(strings.Repeat("l", 121)), []string{values}},
		{labelled("l" + strings.Repeat("ü", 60)), []string{values}},
		{&statfile.File{Label: strings.Repeat("l", 64), Notes: []string{strings.Repeat("n", 80)}}, nil},
		{&statfile.File{Label: strings.Repeat("l", 65)}, []string{file}},
		{&statfile.File{Notes: []string{"", strings.Repeat("n", 81)}}, []string{file}},
	} {
		if got := (System{}).Lacks(test.f, nil); !slices.Equal(got, test.want) {
			t.Errorf("%q, expected %q", got, test.want)
		}
	}
}

// The measurement levels are 1 nominal, 2 ordinal and 3 scale, between the widths and
// alignments of the variables.
func TestMeasurementLevels(t *testing.T) {
	levels := []microdata.MeasurementLevel{microdata.Nominal, microdata.Ordinal, microdata.Scale, ""}
	f := &statfile.File{}
	want := []int32{recordExtension, extDisplay, 4, 12}
	for i, level := range levels {
		f.Variables = append(f.Variables, statfile.Variable{Name: "v" + string(rune('a'+i)), Level: level, Column: statfile.Column{Numbers: []float64{}}})
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
