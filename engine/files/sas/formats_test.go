package sas

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// IBM floating-point numbers hold all 53 bits and all missing values; examples are in the description of the
// format: 1 is 0x41100000, -118.625 is 0xc276a000.
func TestNumbersOfMainframes(t *testing.T) {
	for value, bits := range map[float64]uint64{0: 0, 1: 0x4110000000000000, -118.625: 0xc276a00000000000,
		0.1: 0x401999999999999a, 1 << 53: 0x4e20000000000000} {
		if got, exact := toIBM(value); got != bits || !exact {
			t.Errorf("%v becomes %x, expected %x", value, got, bits)
		}
	}
	values := []float64{statfile.Missing(), statfile.Extended('_'), math.Pi, -math.Pi * 1e70, 1e-78, largestIBM,
		-smallestIBM}
	for letter := byte('a'); letter <= 'z'; letter++ {
		values = append(values, statfile.Extended(letter))
	}
	for _, want := range values {
		bits, exact := toIBM(want)
		if got := fromIBM(binary.BigEndian.AppendUint64(nil, bits)); math.Float64bits(got) != math.Float64bits(want) ||
			!exact {
			t.Errorf("%x comes back as %x", math.Float64bits(want), math.Float64bits(got))
		}
	}
	for _, value := range []float64{1e76, math.Inf(1), smallestIBM / 2} {
		if _, exact := toIBM(value); exact {
			t.Errorf("%v is held", value)
		}
	}
	if got := fromIBM([]byte{0x41, 0x10}); got != 1 {
		t.Errorf("two bytes of 1 are %v", got)
	}
}

// A missing value of a data file has its complemented letter, or its number from 2, in the third byte.
func TestMissingValuesOfDataFiles(t *testing.T) {
	p := &pages{fileHeader: &fileHeader{order: binary.BigEndian}}
	for tag, want := range map[byte]float64{0: statfile.Extended('_'), '_': statfile.Extended('_'), 1: statfile.Missing(),
		2: statfile.Extended('a'), 27: statfile.Extended('z'), 28: statfile.Missing(),
		'A': statfile.Extended('a'), 'Z': statfile.Extended('z'), '.': statfile.Missing()} {
		if got := p.number([]byte{0xff, 0xff, ^tag, 0, 0, 0, 0, 0}); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%d is %x, expected %x", tag, math.Float64bits(got), math.Float64bits(want))
		}
	}
	if got := p.number([]byte{0x3f, 0xf8, 0}); got != 1.5 {
		t.Errorf("three bytes of 1.5 are %v", got)
	}
}
