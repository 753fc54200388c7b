package statfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
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
	for _, value := range []float64{Missing(), math.NaN(), math.Float64frombits(0xfff8000000000061),
		math.Float64frombits(0x7ff8000000000001)} {
		if letter, missing := Tag(value); letter != 0 || !missing {
			t.Errorf("%x has the tag %q, %v", math.Float64bits(value), letter, missing)
		}
	}
}

// If a file declares no encoding, each text is decoded as UTF-8 or else Windows-1252.
func TestCharsetOfAFile(t *testing.T) {
	in := NewSource("a.dta", bytes.NewReader(nil), 0)
	c, err := in.Charset("", "", "no such thing")
	if err != nil || c.Decode("Zürich") != "Zürich" || c.Name() != "utf-8" || c.Decode("Z\xfcrich") != "Zürich" ||
		c.Name() != "windows-1252" || c.Warnings() != nil {
		t.Errorf("%s, %v", c.Name(), err)
	}
	if c, err = in.Charset("", "", "850"); err != nil || c.Name() != "ibm850" {
		t.Errorf("%v, %v", c, err)
	}
	if c, err = in.Charset("utf-8", "850"); err != nil || c.Decode("a\xff") != "a\ufffd" || len(c.Warnings()) != 1 {
		t.Errorf("%q, %v", c.Warnings(), err)
	}
	if _, err = in.Charset("no such thing"); !errors.Is(err, ErrEncoding) ||
		err.Error() != `a.dta: unknown encoding "no such thing"` {
		t.Error(err)
	}
}

// Thousands of names with the same beginning become distinct short names.
func TestManyNamesThatBeginAlike(t *testing.T) {
	names := make([]string, 20_000)
	for i := range names {
		names[i] = fmt.Sprint("question_number_", i)
	}
	rule := NameRule{Most: 8, ASCII: true, AnyCase: true, Others: "_"}
	seen := map[string]bool{}
	for i, name := range rule.Names(names) {
		if len(name) > 8 || seen[name] {
			t.Fatalf("%s becomes %q", names[i], name)
		}
		seen[name] = true
	}
	if got := rule.Names([]string{"question_1", "QUESTION_2", "questi_3", "question"}); !slices.Equal(got,
		[]string{"questi_2", "QUESTI_4", "questi_3", "question"}) {
		t.Errorf("%q", got)
	}
}

// A text cut within a character ends with the character before; invalid bytes are marked.
func TestTextsCutWithinALetter(t *testing.T) {
	for _, text := range []struct{ bytes, want string }{{"ba\u0c28\xe0\xb0", "ba\u0c28"}, {"\xc3", ""}, {"a\xf0\x9f\x98", "a"},
		{"a\xff", "a\ufffd"}, {"a\xb0", "a\ufffd"}, {"\xb0\xb0\xb0\xb0\xb0", "\ufffd"}, {"é", "é"}, {"\xff\xe0\xb0", "\ufffd"}} {
		c, _ := NewCharset("utf-8")
		if got := c.Decode(text.bytes); got != text.want {
			t.Errorf("%q is read as %q, expected %q", text.bytes, got, text.want)
		}
		if said := strings.Join(c.Warnings(), "; "); strings.Contains(said, "1 text value ends within a character") == utf8.ValidString(text.bytes) &&
			!strings.Contains(text.want, "\ufffd") {
			t.Errorf("%q: %s", text.bytes, said)
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

// Blocks added in any order give the rows in order, and values that decode to the same text are merged.
func TestBlocksJoinInOrder(t *testing.T) {
	b := NewBlocks(NewSource("a", nil, 0), 2, -1, false, strings.ToLower)
	put := func(row int, numbers []float64, texts ...string) {
		d := NewDictionary(len(texts))
		for _, text := range texts {
			if text == "-" {
				d.AddMissing()
			} else {
				d.Add([]byte(text))
			}
		}
		b.Put(row, 0, Column{Numbers: numbers})
		b.Put(row, 1, Column{Texts: d.Texts()})
		clear(numbers) // their memory may be reused
	}
	put(4, []float64{5}, "B")
	put(0, []float64{1, 2}, "a", "b")
	put(2, []float64{3, 4}, "-", "a")
	columns, err := b.Columns(context.Background(), func(column int) bool { return column == 1 })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(columns[0].Numbers, []float64{1, 2, 3, 4, 5}) {
		t.Errorf("numbers %v", columns[0].Numbers)
	}
	if texts := columns[1].Texts; !slices.Equal(texts.Values, []string{"b", "a"}) ||
		!slices.Equal(texts.Codes.Between(0, 5), []uint32{2, 1, 0, 2, 1}) {
		t.Errorf("texts %+v", texts)
	}
	none, err := NewBlocks(NewSource("a", nil, 0), 1, 0, false, nil).Columns(context.Background(), func(int) bool { return true })
	if err != nil || none[0].Texts == nil || none[0].Len() != 0 {
		t.Errorf("a column without rows is %+v, %v", none, err)
	}
}

// Numbers with few distinct values are kept as codes, unless the blocks together have many.
func TestBlocksOfFewNumbers(t *testing.T) {
	for _, distinct := range []int{1, 200, 256, 257, 300} {
		want := make([]float64, 600)
		b := NewBlocks(NewSource("a", nil, 0), 1, 600, true, nil)
		for _, block := range []int{1, 2, 0} {
			numbers := make([]float64, 200)
			for i := range numbers {
				numbers[i] = float64((200*block + i) % distinct)
			}
			numbers[block] = Extended('b')
			copy(want[200*block:], numbers)
			b.Put(200*block, 0, Column{Numbers: numbers})
		}
		columns, err := b.Columns(context.Background(), func(int) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		got := columns[0].Numbers
		if few := columns[0].Few; (few != nil) != (distinct < 256) {
			t.Errorf("%d numbers: kept as few: %v", distinct, few != nil)
		} else if few != nil {
			for _, code := range few.Codes.Between(0, few.Codes.Len()) {
				got = append(got, few.Values[code-1])
			}
		}
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Errorf("%d numbers are %v", distinct, got)
		}
	}
}

func TestLonger(t *testing.T) {
	for _, test := range []struct{ to, most, room int }{
		{10, -1, 20}, {10, 5, 20}, {10, 10, 10}, {10, 300, 300}, {10, 1000, 160}, {10, 1 << 40, 160},
		{1 << 20, 1 << 40, 3 << 20}, {1 << 20, 2 << 20, 2 << 20}, {1 << 20, -1, 2 << 20},
	} {
		got := Longer(nil, []int{1, 2, 3}, test.to, test.most)
		if len(got) != test.to || cap(got) != test.room || !slices.Equal(got[:3], []int{1, 2, 3}) {
			t.Errorf("%d of %d: %v in memory of %d, expected %d", test.to, test.most, got[:3], cap(got), test.room)
		}
		if again := Longer(nil, got, 5, test.most); &again[0] != &got[0] || len(again) != test.to {
			t.Errorf("%d elements become %d in other memory", len(got), len(again))
		}
	}
}

// A block without rows leaves nothing.
func TestBlockWithoutRows(t *testing.T) {
	b := NewBlocks(NewSource("a", nil, 0), 2, 0, true, nil)
	b.Put(0, 0, Column{})
	b.Put(0, 1, Column{Texts: NewDictionary(0).Texts()})
	columns, err := b.Columns(context.Background(), func(column int) bool { return column == 1 })
	if err != nil || columns[0].Numbers == nil || columns[0].Len() != 0 || columns[1].Texts == nil ||
		columns[1].Len() != 0 {
		t.Errorf("%+v, %v", columns, err)
	}
}

// A claimed number of rows takes no memory that the actual rows do not need.
func TestBlocksTrustNoNumberOfRows(t *testing.T) {
	for _, rows := range []int{-1, 0, 1000, 1 << 40} {
		b := NewBlocks(NewSource("a", nil, 0), 1, rows, true, nil)
		for from := 1000; from >= 0; from -= 500 {
			numbers := make([]float64, 500)
			for i := range numbers {
				numbers[i] = float64(from + i)
			}
			b.Put(from, 0, Column{Numbers: numbers})
			if taken := cap(b.columns[0].numbers); taken > 2*mostAhead*1500 {
				t.Errorf("1,500 of %d rows take %d numbers", rows, taken)
			}
		}
		columns, err := b.Columns(context.Background(), func(int) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		got := columns[0].Numbers
		if len(got) != 1500 || cap(got) > 1700 {
			t.Errorf("1,500 of %d rows: %d numbers in memory of %d", rows, len(got), cap(got))
		}
		for i, x := range got {
			if x != float64(i) {
				t.Fatalf("%d rows: row %d is %g", rows, i, x)
			}
		}
	}
}

func TestDistinctNumbersOfManyRows(t *testing.T) {
	numbers := make([]float64, 50_000)
	for i := range numbers {
		numbers[i] = float64(i * i % 1009)
	}
	found, few := Distinct(t.Context(), nil, numbers, 1009)
	if !few || found.Codes.Len() != len(numbers) {
		t.Fatalf("few: %v", few)
	}
	for i := range numbers {
		if got := found.Values[found.Codes.At(i)-1]; got != numbers[i] {
			t.Fatalf("number %d is %v, expected %v", i, got, numbers[i])
		}
	}
	if _, few := Distinct(t.Context(), nil, numbers, len(found.Values)-1); few {
		t.Error("more values than wanted are few")
	}
}

// The codes of a dictionary become wider when there are too many texts.
func TestDictionaryOfManyTexts(t *testing.T) {
	d := NewDictionary(0)
	for i := range 600 {
		d.Add([]byte{byte(i), byte(i >> 8)})
		d.AddMissing()
	}
	texts := d.Texts()
	for i := range 600 {
		if code := texts.Codes.At(2 * i); texts.Values[code-1] != string([]byte{byte(i), byte(i >> 8)}) ||
			texts.Codes.At(2*i+1) != 0 {
			t.Fatalf("row %d has code %d", 2*i, code)
		}
	}
}

// Memory for a larger column is refused before it is allocated, and old memory is returned to the budget.
func TestNumbersAreRefusedEarly(t *testing.T) {
	const rows = 1 << 20
	part := make([]float64, rows/4)
	for i := range part {
		part[i] = float64(i)
	}
	for bytes, refused := range map[int64]bool{8 * rows * 3 / 4: true, 8 * rows: false} {
		in := NewSource("a", nil, 0).Within(NewBudget("a", bytes))
		b := NewBlocks(in, 1, rows, true, nil)
		b.Put(0, 0, Column{Numbers: part})
		if err := in.Err(); (err != nil) != refused {
			t.Errorf("a quarter of %d numbers in %d bytes: %v", rows, bytes, err)
		}
		for row := len(part); row < rows && !refused; row += len(part) {
			b.Put(row, 0, Column{Numbers: part})
		}
		if columns, err := b.Columns(t.Context(), func(int) bool { return false }); (err != nil) != refused ||
			!refused && len(columns[0].Numbers) != rows {
			t.Errorf("%d numbers in %d bytes: %v", rows, bytes, err)
		}
	}
}

// Distinct stops when its context ends.
func TestDistinctStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, few := Distinct(ctx, nil, make([]float64, 10), 5); few {
		t.Error("numbers were looked at after the end")
	}
}
