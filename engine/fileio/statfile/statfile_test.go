package statfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestMissingValuesAreKeptApart(t *testing.T) {
	for _, value := range []float64{0, -1, math.Inf(1), math.MaxFloat64} {
		if _, missing := Tag(value); missing {
			t.Errorf("%v is missing", value)
		}
	}
	for letter := range byte(26) {
		if got, missing := Tag(Extended('a' + letter)); got != 'a'+letter || !missing || !math.IsNaN(Extended('a'+letter)) {
			t.Errorf(".%c comes back as %q, %v", 'a'+letter, got, missing)
		}
	}
	for _, value := range []float64{Missing(), math.NaN(), math.Float64frombits(0xfff8000000000061), math.Float64frombits(0x7ff8000000000001)} {
		if letter, missing := Tag(value); letter != 0 || !missing {
			t.Errorf("%x has the tag %q, %v", math.Float64bits(value), letter, missing)
		}
	}
}

func TestCharsets(t *testing.T) {
	for name, sample := range map[string]struct{ bytes, text, canonical string }{
		"":             {"Z\xc3\xbcrich", "Zürich", "utf-8"},
		"1252":         {"Z\xfcrich \x80", "Zürich €", "windows-1252"},
		"CP1252":       {"\xfc", "ü", "windows-1252"},
		"cp850":        {"\x81", "ü", "ibm850"},
		"437":          {"\x81", "ü", "ibm437"},
		"ISO-8859-15":  {"\xa4", "€", "iso-8859-15"},
		"28605":        {"\xa4", "€", "iso-8859-15"},
		"latin1":       {"\xfc", "ü", "iso-8859-1"},
		"windows-1251": {"\xcc", "М", "windows-1251"},
		"SHIFT_JIS":    {"\x82\xa0", "あ", "shift_jis"},
		"65001":        {"ü", "ü", "utf-8"},
	} {
		c, ok := NewCharset(name)
		if !ok {
			t.Errorf("%q is not known", name)
			continue
		}
		if got := c.Decode(sample.bytes); got != sample.text || c.Lost() != 0 || c.Name() != sample.canonical {
			t.Errorf("%q (%s): %q, %d lost", name, c.Name(), got, c.Lost())
		}
		if got, whole := c.Encode(sample.text); got != sample.bytes || !whole {
			t.Errorf("%q: encoded %q, %v", name, got, whole)
		}
	}
	if _, ok := NewCharset("no such thing"); ok {
		t.Error("a name that is none is known")
	}
	c, _ := NewCharset("1252")
	if got, whole := c.Encode("aМü"); got != "a?\xfc" || whole {
		t.Errorf("encoded %q, %v", got, whole)
	}
	c, _ = NewCharset("utf-8")
	if got := c.Decode("a\xff\xfeb"); got != "a\ufffdb" || c.Lost() != 1 {
		t.Errorf("decoded %q, %d lost", got, c.Lost())
	}
}

func TestSourceGivesNothingThatIsNotThere(t *testing.T) {
	s := NewSource("a.sav", bytes.NewReader([]byte("\x01\x02\x03\x04\x05")), 5)
	for _, asked := range [][2]int64{{0, 6}, {5, 1}, {-1, 2}, {3, math.MaxInt64}, {math.MaxInt64, 1}, {0, -1}} {
		if _, err := s.Bytes(asked[0], asked[1]); !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), "a.sav: ") {
			t.Errorf("%v: %v", asked, err)
		}
	}
	if got, err := s.Bytes(1, 4); err != nil || string(got) != "\x02\x03\x04\x05" {
		t.Errorf("%q, %v", got, err)
	}
	c := s.Cursor(0, binary.BigEndian)
	if got := c.Uint16(); got != 0x0102 || c.Left() != 3 {
		t.Errorf("%x, %d left", got, c.Left())
	}
	if got := c.Uint32(); got != 0 || !errors.Is(c.Err(), ErrDamaged) || c.At != 2 {
		t.Errorf("%x, %v at %d", got, c.Err(), c.At)
	}
	if c.Uint8() != 0 {
		t.Error("a cursor reads on after an error")
	}
	c = s.Cursor(0, binary.BigEndian)
	if c.Skip(6); !errors.Is(c.Err(), ErrDamaged) {
		t.Errorf("skipped past the end: %v", c.Err())
	}
}

// Blocks that come in any order give the rows in theirs, and values that decode
// to the same text are one.
func TestBlocksJoinInOrder(t *testing.T) {
	b := NewBlocks(2)
	put := func(block int, numbers []float64, texts ...string) {
		d := NewDictionary(len(texts))
		for _, text := range texts {
			if text == "-" {
				d.AddMissing()
			} else {
				d.Add([]byte(text))
			}
		}
		b.Put(block, 0, Column{Numbers: numbers})
		b.Put(block, 1, Column{Texts: d.Texts()})
	}
	put(2, []float64{5}, "B")
	put(0, []float64{1, 2}, "a", "b")
	put(1, []float64{3, 4}, "-", "a")
	columns, err := b.Columns(context.Background(), func(column int) bool { return column == 1 }, strings.ToLower)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(columns[0].Numbers, []float64{1, 2, 3, 4, 5}) {
		t.Errorf("numbers %v", columns[0].Numbers)
	}
	if texts := columns[1].Texts; !slices.Equal(texts.Values, []string{"a", "b"}) || !slices.Equal(texts.Codes, []uint32{1, 2, 0, 1, 2}) {
		t.Errorf("texts %+v", texts)
	}
	none, err := NewBlocks(1).Columns(context.Background(), func(int) bool { return true }, nil)
	if err != nil || none[0].Texts == nil || none[0].Len() != 0 {
		t.Errorf("a column without rows is %+v, %v", none, err)
	}
}
