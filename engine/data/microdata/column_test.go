package microdata_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

func TestWidthOfCodes(t *testing.T) {
	for _, c := range []struct{ levels, bits int }{{0, 8}, {1, 8}, {255, 8}, {256, 32}, {1 << 20, 32}} {
		for _, n := range []int{0, 3} {
			codes := microdata.NewCodes(n, c.levels)
			if 8*codes.Bytes() != n*c.bits || codes.Small() != (c.bits == 8) || codes.Len() != n {
				t.Errorf("%d codes of %d levels: %d bytes, length %d; want %d bits", n, c.levels, codes.Bytes(), codes.Len(), c.bits)
			}
		}
	}
}

func TestCodesKeepWhatIsSet(t *testing.T) {
	for _, levels := range []int{255, 65535, 70000} {
		codes := microdata.NewCodes(4, levels)
		for record, code := range []uint32{0, 1, uint32(levels), 7} {
			codes.Set(record, code)
		}
		mapping := make([]uint32, levels+1)
		mapping[0], mapping[1], mapping[levels] = 2, 300, 1
		for _, after := range []int{3, 300, 70000} {
			if mapping[1] = 300; after < 300 {
				mapping[1] = 3
			}
			if got := codes.Mapped(after, mapping).Between(0, 4); !slices.Equal(got, []uint32{2, mapping[1], 1, 0}) {
				t.Errorf("%d levels mapped to %d: %v", levels, after, got)
			}
		}
		other := codes.Copy()
		other.Set(0, 5)
		if codes.At(0) != 0 || other.At(0) != 5 || codes.At(2) != uint32(levels) {
			t.Errorf("%d levels: the copy shares memory, or a code was lost", levels)
		}
	}
}

func TestCategoriesCount(t *testing.T) {
	categories := golden.Column(t, "v", []string{"b", "", "a", "b", "b", ""}).Categories()
	if got := categories.Counts(); !slices.Equal(got, []int{2, 1, 3}) {
		t.Errorf("counts %v", got)
	}
	if categories.Occurring() != 2 || categories.Smallest() != 1 {
		t.Errorf("%d occur, the smallest has %d", categories.Occurring(), categories.Smallest())
	}
	if code, ok := categories.CodeOf("b"); code != 2 || !ok {
		t.Errorf("code of b: %d, %v", code, ok)
	}
	if _, ok := categories.CodeOf(""); ok {
		t.Error("missing has a code")
	}
	empty := golden.Column(t, "v", []string{"", ""}).Categories()
	if empty.Occurring() != 0 || empty.Smallest() != 0 {
		t.Errorf("all missing: %d occur, the smallest has %d", empty.Occurring(), empty.Smallest())
	}
}

func TestDictionaryOfNumbers(t *testing.T) {
	column := golden.Column(t, "v", []string{"10", "-2", "", "3.5", "10", "10.0"})
	categories := column.Categories()
	labels := []string{}
	for _, level := range categories.Levels {
		labels = append(labels, level.Label)
	}
	if !slices.Equal(labels, []string{"-2", "3.5", "10"}) || !categories.Ordered {
		t.Errorf("levels %v, ordered %v", labels, categories.Ordered)
	}
	if got := texts(column); !slices.Equal(got, []string{"10", "-2", "", "3.5", "10", "10"}) {
		t.Errorf("spelled %q", got)
	}
	if column.Categories() != categories {
		t.Error("the dictionary is made twice")
	}
}

func texts(c *microdata.Column) []string {
	out := make([]string, c.Len())
	for record := range out {
		out[record] = c.Text(record)
	}
	return out
}

func bits(n int, records ...int) *microdata.Bits {
	b := microdata.NewBits(n)
	for _, record := range records {
		b.Set(record)
	}
	return b
}

// both returns a column stored as numbers and as a dictionary.
func both(t testing.TB) []*microdata.Column {
	return []*microdata.Column{
		golden.Column(t, "v", []string{"5", "12", "", "7", "12"}),
		golden.Column(t, "v", []string{"five", "twelve", "", "seven", "twelve"}),
	}
}

func TestSuppress(t *testing.T) {
	for _, column := range both(t) {
		before := texts(column)
		first := column.Suppress(bits(5, 1, 2))
		if first.Text(1) != "" || first.Text(0) != before[0] || !slices.Equal(texts(column), before) {
			t.Errorf("suppressed %q of %q, now %q", texts(first), before, texts(column))
		}
		if got := first.Suppressed(); got.Count() != 1 || !got.Has(1) || got.Has(2) {
			t.Error("marks differ from the one cell that was there")
		}
		second := first.Suppress(bits(5, 1, 4))
		if got := second.Suppressed(); got.Count() != 2 || !got.Has(1) || !got.Has(4) {
			t.Error("marks of two suppressions are not those of both")
		}
		if second.Source() != column || second.Recoded() || column.Suppressed() != nil {
			t.Error("a suppressed column has another source, or counts as recoded")
		}
		if second.MissingCount() != 3 || column.MissingCount() != 1 {
			t.Errorf("missing %d and %d", second.MissingCount(), column.MissingCount())
		}
		if second.Categories().Counts()[0] != 3 {
			t.Error("the dictionary does not know of the suppression")
		}
	}
}

// groups is a recode of codes 1 and 2 into one level, and of missing into another.
func groups() (levels []microdata.Level, mapping []uint32) {
	return []microdata.Level{{Label: "low", Value: math.NaN()}, {Label: "none", Value: math.NaN()},
			{Label: "high", Value: math.NaN()}},
		[]uint32{2, 1, 1, 3}
}

func TestRegroup(t *testing.T) {
	levels, mapping := groups()
	for _, column := range both(t) {
		before := texts(column)
		recoded := column.Regroup(column, levels, mapping, true)
		if recoded.Text(2) != "none" || recoded.Kind() != microdata.Category || !recoded.Recoded() ||
			recoded.Source() != column {
			t.Errorf("recoded %q", texts(recoded))
		}
		if column.Recoded() || !slices.Equal(texts(column), before) {
			t.Error("the recode changed its input")
		}
		// A suppressed cell stays missing even if missing becomes a level.
		suppressed := column.Suppress(bits(5, 0))
		after := suppressed.Regroup(suppressed, levels, mapping, true)
		if after.Text(0) != "" || after.Text(2) != "none" || !after.Suppressed().Has(0) {
			t.Errorf("recoded after suppression %q", texts(after))
		}
		// A second recode that starts from the source uses its values again.
		again := after.Regroup(after.Unrecoded(), []microdata.Level{{Label: "all", Value: math.NaN()}}, []uint32{0, 1, 1, 1},
			false)
		if got := texts(again); !slices.Equal(got, []string{"", "all", "", "all", "all"}) {
			t.Errorf("second recode %q", got)
		}
	}
}

// MadeOf composes the recodes between two columns, and reports unknown after values were replaced.
func TestMadeOf(t *testing.T) {
	levels, mapping := groups()
	for _, column := range both(t) {
		recoded := column.Regroup(column, levels, mapping, true).Suppress(bits(5, 0, 1, 2, 3, 4))
		if codes, ok := recoded.Categories().MadeOf(column.Categories()); !ok || !slices.Equal(codes, mapping) {
			t.Errorf("%v, %v: want %v", codes, ok, mapping)
		}
		if codes, ok := recoded.WithCodes(recoded.Categories().Codes.Copy()).Categories().MadeOf(column.Categories()); !ok || !slices.Equal(codes, mapping) {
			t.Errorf("with other codes %v, %v: want %v", codes, ok, mapping)
		}
		ranges := microdata.NewCategorical("x", microdata.Category, &microdata.Categories{Levels: levels,
			Codes: microdata.CodesOf([]uint32{1, 2, 3, 3, 1})})
		if codes, ok := column.Regroup(ranges, levels, []uint32{0, 1, 2, 3}, true).Categories().MadeOf(column.Categories()); ok {
			t.Errorf("of values from elsewhere: %v", codes)
		}
	}
}

func TestUnrecoded(t *testing.T) {
	levels, mapping := groups()
	for _, column := range both(t) {
		if column.Unrecoded() != column {
			t.Error("a source column is not its own unrecoded column")
		}
		recoded := column.Regroup(column, levels, mapping, true)
		if recoded.Unrecoded() != column {
			t.Error("a recode alone does not lead back to the source")
		}
		suppressed := recoded.Suppress(bits(5, 3, 2))
		back := suppressed.Unrecoded()
		want := texts(column)
		want[3] = ""
		want[2] = ""
		if !slices.Equal(texts(back), want) || suppressed.Unrecoded() != back {
			t.Errorf("unrecoded %q, want %q", texts(back), want)
		}
		if only := column.Suppress(bits(5, 3)); only.Unrecoded() != only {
			t.Error("a column that is only suppressed is not its own unrecoded column")
		}
	}
}

func TestKindAfterRegroup(t *testing.T) {
	column := golden.Column(t, "v", []string{"1", "2", "3"})
	for _, c := range []struct {
		values []float64
		want   microdata.Kind
	}{{[]float64{1, 20}, microdata.Whole}, {[]float64{1, 2.5}, microdata.Number},
		{[]float64{1, math.NaN()}, microdata.Category}} {
		levels := make([]microdata.Level, len(c.values))
		for i, value := range c.values {
			levels[i] = microdata.Level{Label: fmt.Sprint(value), Value: value}
		}
		recoded := column.Regroup(column, levels, []uint32{0, 1, 1, 2}, true)
		if recoded.Kind() != c.want || recoded.Numeric() && recoded.Float(2) != c.values[1] {
			t.Errorf("levels %v: %s", c.values, recoded.Kind())
		}
	}
}

func TestDatasetErrors(t *testing.T) {
	a, b := golden.Column(t, "a", []string{"1"}), golden.Column(t, "b", []string{"1", "2"})
	if _, err := microdata.NewDataset([]*microdata.Column{a, a}); !errors.Is(err, microdata.ErrDuplicateName) {
		t.Error(err)
	}
	if _, err := microdata.NewDataset([]*microdata.Column{a, b}); !errors.Is(err, microdata.ErrLengths) {
		t.Error(err)
	}
	if d, err := microdata.NewDataset(nil); err != nil || d.Len() != 0 {
		t.Error(d, err)
	}
}

func TestWithSharesOtherColumns(t *testing.T) {
	data := golden.Data(t, "guide10")
	column, _ := data.Column("Gender")
	changed := column.Suppress(bits(10, 3))
	after := data.With(changed)
	for i, c := range after.Columns() {
		if was := data.Columns()[i]; (c == was) == (c.Name() == "Gender") {
			t.Errorf("column %s shared: %v", c.Name(), c == was)
		}
	}
	if now, _ := data.Column("Gender"); now != column {
		t.Error("With changed the dataset it was asked of")
	}
	defer func() {
		if recover() == nil {
			t.Error("With took a column of another length")
		}
	}()
	data.With(golden.Column(t, "Gender", []string{"x"}))
}

func TestHash(t *testing.T) {
	data := golden.Data(t, "survey")
	// The hash must be equal on every machine; changing it makes old journals invalid.
	if got := fmt.Sprintf("%x", data.Hash())[:16]; got != surveyHash {
		t.Errorf("hash of the survey begins %s, want %s", got, surveyHash)
	}
	if data.Hash() != golden.Data(t, "survey").Hash() {
		t.Error("equal data have different hashes")
	}
	seen := map[[32]byte]string{data.Hash(): "as read"}
	for _, name := range []string{"age", "sex", "income"} {
		column, _ := data.Column(name)
		record := slices.IndexFunc(texts(column), func(text string) bool { return text != "" })
		after := data.With(column.Suppress(bits(data.Len(), record)))
		if was, taken := seen[after.Hash()]; taken {
			t.Errorf("one cell of %s suppressed has the hash of %s", name, was)
		}
		seen[after.Hash()] = name
		if data.With(column).Hash() != data.Hash() {
			t.Errorf("the same %s has another hash", name)
		}
	}
}

const surveyHash = "219361726fdb2cf1"

func TestHashesOfEqualStepsAreEqual(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		column := golden.Column(t, "v", rapid.SliceOfN(rapid.SampledFrom([]string{"", "1", "2", "3"}), 1, 20).Draw(rt,
			"cells"))
		cells := microdata.NewBits(column.Len())
		for record := range column.Len() {
			if rapid.Bool().Draw(rt, "suppress") {
				cells.Set(record)
			}
		}
		a, b := column.Suppress(cells), column.Suppress(cells)
		if a.Hash() != b.Hash() || a == b {
			rt.Fatal("equal steps give different hashes")
		}
		if (a.Hash() == column.Hash()) != reflect.DeepEqual(texts(a), texts(column)) {
			rt.Fatal("the hash does not tell whether cells differ")
		}
	})
}

// If numbers of decimals differ, each number is hashed with its own, and missing cells with those of the first
// number, as in existing journals.
func TestHashOfDifferentDecimals(t *testing.T) {
	values := []float64{math.NaN(), 1.5, 0, -2.25, 1.0 / 3, 1e-5, 1e18, math.NaN(), 123456789.5}
	column := microdata.NewNumeric("x", microdata.Number, &microdata.Numbers{Values: values, Decimals: microdata.Shortest})
	const want = "05c60baf2a0e5f1697102a446fb0066c9024cdc1cdbbb1f94476dfc647b454c2"
	if got := fmt.Sprintf("%x", column.Hash()); got != want {
		t.Errorf("hash %s", got)
	}
}
