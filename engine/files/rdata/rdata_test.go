package rdata

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// object is a serialised object.
type object []byte

func words(numbers ...int) (out object) {
	for _, n := range numbers {
		out = binary.BigEndian.AppendUint32(out, uint32(int32(n)))
	}
	return out
}

func joined(parts ...object) object { return slices.Concat(parts...) }

const (
	classed = flagObject | flagAttributes
	tagged  = int(pairs) | flagTag
)

func chars(texts ...string) object {
	out := words(int(text), len(texts))
	for _, t := range texts {
		out = joined(out, words(int(char)|markUTF8<<levelShift, len(t)), object(t))
	}
	return out
}

func ints(flags int, numbers ...int) object {
	return joined(words(int(integer)|flags, len(numbers)), words(numbers...))
}

func doubles(flags int, numbers ...float64) object {
	out := words(int(real)|flags, len(numbers))
	for _, x := range numbers {
		out = binary.BigEndian.AppendUint64(out, math.Float64bits(x))
	}
	return out
}

// with returns pairs of names and objects; names are written each time.
func with(namesAndObjects ...any) (out object) {
	for pair := range slices.Chunk(namesAndObjects, 2) {
		name := pair[0].(string)
		out = joined(out, words(tagged, int(symbol), int(char), len(name)), object(name), pair[1].(object))
	}
	return joined(out, words(int(nothing)))
}

func dataFrame(names []string, columns ...object) object {
	return joined(words(int(list)|classed, len(columns)), joined(columns...),
		with("names", chars(names...), "class", chars("data.frame")))
}

func rds(o object) []byte { return joined(object("X\n"), words(2, 0x30600, 0x20300), o) }

func read(t *testing.T, content []byte, settings statfile.Settings) (*statfile.File, error) {
	t.Helper()
	in := statfile.NewSource("a.rds", bytes.NewReader(content), int64(len(content)))
	if _, known, err := (Format{}).Recognise(context.Background(), in); !known || err != nil {
		t.Fatalf("recognised: %v, %v", known, err)
	}
	return Format{}.Read(context.Background(), in, statfile.ReadOptions{Settings: settings}, nil)
}

func sequenceObject(first, length int) object {
	return joined(words(int(inFew)), words(int(pairs), int(symbol), int(char), 14), object("compact_intseq"),
		words(int(nothing)), doubles(0, float64(length), float64(first), 1), words(int(nothing)))
}

// sortedObject is a vector with R's wrapper for sorted vectors.
func sortedObject(numbers ...int) object {
	return joined(words(int(inFew)), words(int(pairs), int(symbol), int(char), 12), object("wrap_integer"),
		words(int(nothing)), words(int(pairs)), ints(0, numbers...), ints(0, 1, 1), words(int(nothing)))
}

func TestFactorsAndSequences(t *testing.T) {
	f, err := read(t, rds(dataFrame([]string{"id", "sex", "n"}, sequenceObject(5, 3),
		joined(ints(classed, 2, missingInt, 1), with("levels", chars("male", "female", "other"), "class", chars("factor"))),
		sortedObject(7, 8, 9))), nil)
	if err != nil || f.Rows != 3 || !slices.Equal(f.Variables[0].Column.Numbers, []float64{5, 6, 7}) {
		t.Fatalf("%+v, %v", f, err)
	}
	if len(f.Variables) != 3 || !slices.Equal(f.Variables[2].Column.Numbers, []float64{7, 8, 9}) {
		t.Fatalf("%+v, %q", f.Variables, f.Warnings)
	}
	sex := f.Variables[1]
	if codes := sex.Column.Texts.Codes.Between(0, 3); !slices.Equal(codes, []uint32{2, 0, 1}) ||
		!slices.Equal(sex.Listed, []string{"male", "female", "other"}) {
		t.Errorf("codes %v of %v", codes, sex.Listed)
	}
}

// A missing level, as created by addNA, is not an empty text: its cells are missing, and the other levels keep
// their codes.
func TestAMissingLevel(t *testing.T) {
	levels := joined(words(int(text), 3, int(char)|markUTF8<<levelShift, 1), object("a"), words(int(char), -1,
		int(char)|markUTF8<<levelShift, 1), object("b"))
	f, err := read(t, rds(dataFrame([]string{"x"}, joined(ints(classed, 3, 2, 1, missingInt), with("levels", levels, "class",
		chars("factor"))))), nil)
	if err != nil {
		t.Fatal(err)
	}
	x := f.Variables[0]
	if codes := x.Column.Texts.Codes.Between(0, 4); !slices.Equal(codes, []uint32{2, 0, 1, 0}) ||
		!slices.Equal(x.Listed, []string{"a", "b"}) || !slices.Equal(x.Column.Texts.Values, []string{"a", "b"}) {
		t.Errorf("codes %v of %q, listed %q", codes, x.Column.Texts.Values, x.Listed)
	}
}

// Several data frames are offered, the largest first; for other objects the error names their type.
func TestDataFramesAreChosen(t *testing.T) {
	small, large := dataFrame([]string{"x"}, ints(0, 1)), dataFrame([]string{"y"}, ints(0, 1, 2))
	content := joined(object("RDX2\nX\n"), words(2, 0x30600, 0x20300), with("a", small, "b", large))
	for name, want := range map[string]string{"": "y", "a": "x"} {
		f, err := read(t, content, statfile.Settings{objectSetting: name})
		if err != nil || f.Variables[0].Name != want || f.Settings[objectsSetting] != "b\na" {
			t.Errorf("%q: %+v, %v", name, f, err)
		}
	}
	if _, err := read(t, content, statfile.Settings{objectSetting: "c"}); err == nil {
		t.Error("one that is not there is read")
	}
	matrix := joined(ints(flagAttributes, 1, 2, 3, 4), with("dim", ints(0, 2, 2)))
	if _, err := read(t, rds(matrix), nil); err == nil || !strings.Contains(err.Error(), "a matrix of 2 × 2") {
		t.Errorf("a matrix: %v", err)
	}
}

// An sdcMicro object contains its original data, with roles, and its changed data.
func TestObjectOfSdcMicro(t *testing.T) {
	content := rds(joined(words(int(s4)|classed), with(
		"origData", dataFrame([]string{"sex", "w", "income"}, ints(0, 1, 2), ints(0, 9, 9), ints(0, 7, 8)),
		"keyVars", ints(0, 1), "weightVar", ints(0, 2), "numVars", ints(0, 3),
		"manipKeyVars", dataFrame([]string{"sex"}, ints(0, 1, missingInt)),
		"ghostVars", joined(words(int(list), 1, int(list), 2), ints(0, 1), ints(0, 3)),
		"manipGhostVars", dataFrame([]string{"income"}, ints(0, 7, missingInt)), "class", chars(sdcClass))))
	f, err := read(t, content, nil)
	if err != nil || f.Variables[0].Column.Numbers[1] != 2 || f.Variables[0].Was != nil || len(f.Warnings) != 1 ||
		!strings.Contains(f.Warnings[0], `"manipulated"`) {
		t.Fatalf("%+v, %v", f, err)
	}
	for i, want := range []microdata.Role{microdata.RoleKey, microdata.RoleWeight, microdata.RoleNumericKey} {
		if got := f.Variables[i].Roles; !slices.Equal(got, []microdata.Role{want}) {
			t.Errorf("%s: %v, expected %v", f.Variables[i].Name, got, want)
		}
	}
	if related := f.Variables[0].Related; !slices.Equal(related, []string{"income"}) {
		t.Errorf("suppressed with sex: %q", related)
	}
	f, err = read(t, content, statfile.Settings{objectSetting: "as it has become"})
	if err != nil || len(f.Variables) != 3 || !math.IsNaN(f.Variables[0].Column.Numbers[1]) || len(f.Warnings) > 0 ||
		f.Variables[0].Was == nil || f.Variables[0].Was.Column.Numbers[1] != 2 || f.Variables[1].Was != nil ||
		f.Variables[2].Was == nil || !math.IsNaN(f.Variables[2].Column.Numbers[1]) {
		t.Fatalf("%+v, %v", f, err)
	}
}

// Claims of a file take no memory, and deep nesting is an error.
func TestClaimsOfR(t *testing.T) {
	const huge = math.MaxInt32
	deep := bytes.Repeat(words(int(list), 1), 1<<20)
	for name, o := range map[string]object{"integers": words(int(integer), huge), "texts": words(int(text), huge),
		"a list": words(int(list), huge), "a text": words(int(text), 1, int(char), huge), "depth": deep,
		"a long vector": words(int(real), -1, 1<<20, 0), "a reference": words(int(reference) | 9<<8),
		"a sequence": dataFrame([]string{"x"}, sequenceObject(1, huge))} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := read(t, rds(o), nil)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.HasPrefix(err.Error(), "a.rds") {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
			t.Errorf("%s: %d MB were allocated", name, taken>>20)
		}
	}
}

// countedReader counts the bytes read.
type countedReader struct {
	*bytes.Reader
	read int
}

func (c *countedReader) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(b, at)
	c.read += n
	return n, err
}

// A long data frame is recognised from its start; a list that may contain several is read completely.
func TestLongFramesAreKnownByTheirStart(t *testing.T) {
	const rows = 1 << 18
	long := ints(0, make([]int, rows)...)
	small := dataFrame([]string{"x"}, ints(0, 1))
	for name, c := range map[string]struct {
		content []byte
		objects string
		start   bool
	}{
		"a frame":            {rds(dataFrame([]string{"a", "b", "c", "d"}, long, long, long, long)), "", true},
		"a list of others":   {rds(joined(words(int(list), 4), ints(0, 1), long, small, small)), "[[3]]\n[[4]]", false},
		"a list of lists":    {rds(joined(words(int(list), 2), dataFrame([]string{"a"}, long), small)), "[[1]]\n[[2]]", false},
		"objects with names": {joined(object("RDX2\nX\n"), words(2, 0x30600, 0x20300), with("a", long, "b", small, "c", small)), "b\nc", false},
	} {
		counted := &countedReader{Reader: bytes.NewReader(c.content)}
		in := statfile.NewSource("a.rds", counted, int64(len(c.content)))
		settings, known, err := Format{}.Recognise(context.Background(), in)
		if !known || err != nil || settings[objectsSetting] != c.objects {
			t.Errorf("%s: %v, %v, %v", name, settings, known, err)
		}
		if start := counted.read < len(c.content); start != c.start {
			t.Errorf("%s: %d of %d bytes were read", name, counted.read, len(c.content))
		}
	}
}
