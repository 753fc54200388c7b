package fileio

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

func TestParseNumber(t *testing.T) {
	const odd, bare = oddSpelling, barePoint
	for _, test := range []struct {
		cell     string
		value    float64
		decimals uint8
	}{
		{"0", 0, 0}, {"7", 7, 0}, {"-7", -7, 0}, {"0.5", 0.5, 1}, {"12.50", 12.5, 2}, {"-0.00", 0, 2}, {"100", 100, 0},
		{".5", 0.5, 1 | bare}, {"-.25", -0.25, 2 | bare}, {"5.", 5, odd}, {"1e3", 1000, odd}, {"1E+05", 1e5, odd},
		{"-1.5e-7", -1.5e-7, odd},
		{"0e0", 0, odd}, {"9007199254740992", 1 << 53, 0}, {"123456789012345", 123456789012345, 0},
		{"0.1234567890123456", 0.1234567890123456, 16}, {"1.00000000000000000000", 1, 20},
		{"1.000000000000000056e-01", 0.1, odd}, {"5.000000000000000000e-01", 0.5, odd},
	} {
		value, decimals, ok := parseNumber([]byte(test.cell), '.')
		if !ok || value != test.value || decimals != test.decimals {
			t.Errorf("parseNumber(%q) = %v, %d, %v; want %v, %d", test.cell, value, decimals, ok, test.value, test.decimals)
		}
	}
	for _, cell := range []string{
		"", "-", ".", "-.", "+5", "007", "00", "-01", "01.5", "NaN", "nan", "Inf", "-inf", "0x10", "1_000", "1,5", "1.2.3",
		"1e", "e5", "1e+", "1e400", "1e-400",
		" 5", "5 ", "1 000", "9007199254740993", "9007199254740994", "12345678901234567890", "0.12345678901234567890",
		"8.123456789012345678", "٣", "1e99999", "--5", "5-",
	} {
		if value, _, ok := parseNumber([]byte(cell), '.'); ok {
			t.Errorf("parseNumber(%q) = %v; want text", cell, value)
		}
	}
	if value, decimals, ok := parseNumber([]byte("3,25"), ','); !ok || value != 3.25 || decimals != 2 {
		t.Errorf("decimal comma: %v, %d, %v", value, decimals, ok)
	}
	if _, _, ok := parseNumber([]byte("3.25"), ','); ok {
		t.Error("a point is no decimal mark where the comma is")
	}
	if _, _, ok := parseNumber([]byte("3.2512345678901234"), ','); ok {
		t.Error("a point is no decimal mark where the comma is, in long numbers either")
	}
}

// TestNumberSpellings: parseNumber agrees with strconv for every number, and its spelling can be reproduced.
func TestNumberSpellings(t *testing.T) {
	spelling := rapid.OneOf(
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,17})(\.[0-9]{0,19})?`),
		rapid.StringMatching(`-?[0-9]{0,4}(\.[0-9]{0,4})?([eE][+-]?[0-9]{1,3})?`),
		rapid.Map(rapid.Float64(), func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }),
		rapid.Map(rapid.Float64(), func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }),
	)
	format := NewFormat()
	plain := format.dialect()
	rapid.Check(t, func(t *rapid.T) {
		cell := spelling.Draw(t, "cell")
		value, decimals, ok := parseNumber([]byte(cell), '.')
		if !ok {
			return
		}
		want, err := strconv.ParseFloat(cell, 64)
		if err != nil || math.Float64bits(value) != math.Float64bits(want) {
			t.Fatalf("%q is %v, strconv says %v, %v", cell, value, want, err)
		}
		v := variable{dialect: plain, decimals: []uint8{decimals}}
		v.Budget = statfile.NewBudget("", 1<<20)
		if decimals == oddSpelling {
			v.odd = map[int]string{0: cell}
		}
		if text := v.Words[v.coded(0, value)-1]; text != cell {
			t.Fatalf("%q comes out as %q", cell, text)
		}
		digits := strings.Trim(cell, "-.")
		if decimals == 0 && len(digits) > 1 && digits[0] == '0' {
			t.Fatalf("%q has leading zeros and is a number", cell)
		}
	})
}
