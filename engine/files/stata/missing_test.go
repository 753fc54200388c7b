package stata

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Missing values are as in the description of the format: "." of float is 7f000000, .a 7f000800, .z 7f00d000, and
// of double 7fe0..., in steps of 1 in the third byte.
func TestMissingValues(t *testing.T) {
	now, old := &layout{version: 118}, &layout{version: 105}
	for _, test := range []struct{ got, want float64 }{
		{now.float(0x7f000000), statfile.Missing()},
		{now.float(0x7f000800), statfile.Extended('a')},
		{now.float(0x7f00d000), statfile.Extended('z')},
		{now.float(0x7f00d800), statfile.Missing()},
		{now.float(0x7effffff), float64(math.Float32frombits(0x7effffff))},
		{now.float(0xff000000), -math.Ldexp(1, 127)}, // below Stata's range, but not missing
		{now.double(0xffe0000000000000), -math.Ldexp(1, 1023)},
		{now.double(0x7fe0000000000000), statfile.Missing()},
		{now.double(0x7fe0010000000000), statfile.Extended('a')},
		{now.double(0x7fe01a0000000000), statfile.Extended('z')},
		{now.double(0x7fdfffffffffffff), math.Float64frombits(0x7fdfffffffffffff)},
		{now.whole(101, missingByte, math.MaxInt8), statfile.Missing()},
		{now.whole(102, missingByte, math.MaxInt8), statfile.Extended('a')},
		{now.whole(127, missingByte, math.MaxInt8), statfile.Extended('z')},
		{now.whole(100, missingByte, math.MaxInt8), 100},
		{old.whole(126, missingByte, math.MaxInt8), 126},
		{old.whole(127, missingByte, math.MaxInt8), statfile.Missing()},
		{old.double(oldMissingDouble), statfile.Missing()},
		{now.double(oldMissingDouble), math.Pow(2, 333)},
	} {
		if math.Float64bits(test.got) != math.Float64bits(test.want) {
			t.Errorf("%x, want %x", math.Float64bits(test.got), math.Float64bits(test.want))
		}
	}
}

// Minus infinity and NaN, which other programs write, become missing, with a warning.
func TestInfinityIsSaid(t *testing.T) {
	var out bytes.Buffer
	f := &statfile.File{Rows: 2, Variables: []statfile.Variable{
		{Name: "a", Column: statfile.Column{Numbers: []float64{0.123456789, 1}}},
		{Name: "b", Column: statfile.Column{Numbers: []float64{0.123456789, statfile.Missing()}}}}}
	if err := (Format{}).Write(context.Background(), &out, f, nil, nil); err != nil {
		t.Fatal(err)
	}
	content := out.Bytes()
	at := bytes.Index(content, binary.LittleEndian.AppendUint64(nil, math.Float64bits(0.123456789)))
	binary.LittleEndian.PutUint64(content[at:], math.Float64bits(math.Inf(-1)))
	back, err := Format{}.Read(context.Background(), statfile.NewSource("a", bytes.NewReader(content), int64(len(content))),
		statfile.ReadOptions{}, nil)
	if x := back.Variables[0].Column.Numbers[0]; err != nil || x == x || len(back.Warnings) != 1 ||
		back.Warnings[0] != "values that are -infinity or not numbers (NaN) become missing: a" {
		t.Errorf("%q, %v", back.Warnings, err)
	}
}
