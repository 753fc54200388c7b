package stata

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

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

func source(content []byte) *statfile.Source {
	return statfile.NewSource("a.dta", bytes.NewReader(content), int64(len(content)))
}

func read(t testing.TB, content []byte, o statfile.ReadOptions) *statfile.File {
	t.Helper()
	f, err := Format{}.Read(context.Background(), source(content), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func rewrite(t testing.TB, f *statfile.File, version string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := (Format{}).Write(context.Background(), &out, f, statfile.Settings{versionSetting: version},
		nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// old returns a file of format 104 or 105 as written by Stata 4 and 5: a byte with value labels, a double and a
// text of three bytes, with two records.
func old(version byte, order binary.ByteOrder) []byte {
	var out bytes.Buffer
	sign := byte(2)
	if order == binary.BigEndian {
		sign = 1
	}
	put := func(value any) { _ = binary.Write(&out, order, value) }
	text := func(text string, width int) { out.WriteString(text + strings.Repeat("\x00", width-len(text))) }
	out.Write([]byte{version, sign, 1, 0})
	put(uint16(3))
	put(uint32(2))
	text("Old survey", 32)
	format := 7
	if version >= 105 {
		text("12 Mar 1997 10:11", 18)
		format = 12
	}
	out.WriteString("bd\x82") // a text of 3 bytes is 0x7f + 3
	for _, name := range []string{"sex", "income", "place"} {
		text(name, 9)
	}
	out.Write(make([]byte, 2*4))
	for _, shown := range []string{"%8.0g", "%9.0g", "%3s"} {
		text(shown, format)
	}
	for _, name := range []string{"sexlab", "", ""} {
		text(name, 9)
	}
	for _, label := range []string{"Sex", "Income", ""} {
		text(label, 32)
	}
	if version >= 105 {
		out.Write([]byte{1, 3, 0})
		if order == binary.BigEndian {
			out.Truncate(out.Len() - 2)
			out.Write([]byte{0, 3})
		}
		out.WriteString("abc") // a characteristic
		out.Write(make([]byte, 3))
	}
	out.WriteByte(2)
	put(1.5)
	text("ab", 3)
	out.WriteByte(127) // missing
	put(math.Ldexp(1, 333))
	text("xyz", 3)
	put(uint16(2))
	text("sexlab", 9)
	out.WriteByte(0)
	put([]int16{1, 2})
	text("male", 8)
	text("female", 8)
	return out.Bytes()
}

func TestFilesOfTheOldestFormats(t *testing.T) {
	for _, version := range []byte{104, 105} {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			f := read(t, old(version, order), statfile.ReadOptions{})
			if f.Label != "Old survey" || f.Rows != 2 || len(f.Variables) != 3 {
				t.Fatalf("%d: %+v", version, f)
			}
			sex, income, place := &f.Variables[0], &f.Variables[1], &f.Variables[2]
			if sex.Label != "Sex" || fmt.Sprint(sex.Labels) != "[{{1  false} male} {{2  false} female}]" ||
				fmt.Sprint(sex.Column.Numbers) != "[2 NaN]" || sex.Format != "%8.0g" {
				t.Errorf("%d: %+v", version, sex)
			}
			if fmt.Sprint(income.Column.Numbers) != "[1.5 NaN]" || !slices.Equal(place.Column.Texts.Values, []string{"ab",
				"xyz"}) {
				t.Errorf("%d: %+v, %+v", version, income, place.Column.Texts)
			}
		}
	}
}

// A file that ends right after its records has lost its value labels, which is reported.
func TestFilesWithoutTheirLabels(t *testing.T) {
	const table = 2 + 9 + 1 + 2*2 + 2*8
	content := old(105, binary.LittleEndian)
	for size, want := range map[int]string{len(content): "",
		len(content) - table: "the file lacks value labels that its variables use, so it may be truncated: sex"} {
		f := read(t, content[:size], statfile.ReadOptions{})
		if got := strings.Join(f.Warnings, "; "); got != want || f.Rows != 2 {
			t.Errorf("%d of %d bytes: %d rows, %q", size, len(content), f.Rows, got)
		}
	}
	// A complete file may name undefined label tables.
	whole := rewrite(t, read(t, content, statfile.ReadOptions{}), "118")
	at := bytes.Index(whole, []byte("<value_labels>"))
	renamed := bytes.Replace(whole[at:], []byte("sex"), []byte("sey"), 1)
	f := read(t, append(whole[:at:at], renamed...), statfile.ReadOptions{})
	if len(f.Variables[0].Labels) != 0 || len(f.Warnings) != 0 {
		t.Errorf("labels %v, %q", f.Variables[0].Labels, f.Warnings)
	}
}

// Every storage type holds its limits and all missing values.
func TestLimitsOfNumbers(t *testing.T) {
	missing := []float64{statfile.Missing()}
	for letter := byte('a'); letter <= 'z'; letter++ {
		missing = append(missing, statfile.Extended(letter))
	}
	samples := map[string][]float64{
		"byte":   {-127, 0, 100},
		"int":    {-128, 101, 32740, -32767},
		"long":   {32741, -32768, 2147483620, -2147483647},
		"float":  {0.5, math.Ldexp(1, 126), -math.Ldexp(1, 127)},
		"double": {0.1, 2147483621, -2147483648, math.Copysign(0, -1), math.MaxFloat64 / 4, math.SmallestNonzeroFloat64},
	}
	samples["float"] = samples["float"][:2]
	for _, version := range []string{"114", "118"} {
		for stored, numbers := range samples {
			numbers = append(slices.Clone(numbers), missing...)
			f := &statfile.File{Rows: len(numbers),
				Variables: []statfile.Variable{{Name: "x", Storage: stored, Column: statfile.Column{Numbers: numbers}}}}
			if said := (Format{}).Lacks(f, nil); len(said) > 0 {
				t.Errorf("%s: %q", stored, said)
			}
			back := read(t, rewrite(t, f, version), statfile.ReadOptions{}).Variables[0]
			if back.Storage != stored {
				t.Errorf("%s is stored as %s", stored, back.Storage)
			}
			for i, want := range numbers {
				if got := back.Column.Numbers[i]; math.Float64bits(got) != math.Float64bits(want) {
					t.Errorf("%s, %s: %v is read as %v", version, stored, want, got)
				}
			}
		}
	}
}

// A storage type that does not hold a value is replaced by a larger one, and labels of values that are not
// integers are left out.
func TestBeyondTheLimitsOfNumbers(t *testing.T) {
	for _, test := range []struct {
		asked, stored string
		value         float64
	}{
		{"byte", "byte", 100}, {"byte", "int", 101}, {"byte", "byte", -127}, {"byte", "int", -128}, {"byte", "double", 0.5},
		{"int", "int", 32740}, {"int", "long", 32741}, {"int", "int", -32767}, {"int", "long", -32768},
		{"long", "long", 2147483620}, {"long", "double", 2147483621}, {"long", "long", -2147483647},
		{"long", "double", -2147483648},
		{"float", "float", 0.5}, {"float", "double", 0.1}, {"float", "double", math.Ldexp(1, 127)},
	} {
		f := &statfile.File{Rows: 1,
			Variables: []statfile.Variable{{Name: "x", Storage: test.asked,
				Column: statfile.Column{Numbers: []float64{test.value}},
				Labels: []statfile.ValueLabel{{Value: statfile.Value{Number: test.value}, Label: "it"}}}}}
		back := read(t, rewrite(t, f, "118"), statfile.ReadOptions{}).Variables[0]
		whole := test.stored != "double" && test.stored != "float"
		if back.Storage != test.stored || back.Column.Numbers[0] != test.value || (len(back.Labels) == 1) != whole {
			t.Errorf("%v asked to be %s is %v as %s, labels %v", test.value, test.asked, back.Column.Numbers[0], back.Storage,
				back.Labels)
		}
	}
}

func TestDisplayFormatsOfDates(t *testing.T) {
	for format, want := range map[string]statfile.Kind{"%td": statfile.Date, "%-tdD_m_Y": statfile.Date,
		"%d": statfile.Date, "%dD/N/CY": statfile.Date, "%tc": statfile.DateTime, "%tcHH:MM": statfile.DateTime,
		"%tC": statfile.Number, "%tm": statfile.Number, "%9.0g": statfile.Number, "": statfile.Number, "d": statfile.Number} {
		if got := dateFormat(format); got != want {
			t.Errorf("%s is %d, expected %d", format, got, want)
		}
	}
}

// What Stata cannot hold is reported, with what it becomes.
func TestLossesAreReported(t *testing.T) {
	text := func(values ...string) statfile.Column {
		codes := make([]uint32, len(values)+1)
		for i := range values {
			codes[i+1] = uint32(i + 1)
		}
		return statfile.Column{Texts: &statfile.Texts{Values: values, Codes: microdata.CodesOf(codes)}}
	}
	long := strings.Repeat("ü", 300)
	number := func(x float64) statfile.Value { return statfile.Value{Number: x} }
	f := &statfile.File{Rows: 3, Weight: "w", Variables: []statfile.Variable{
		{Name: "a b", Label: long, Level: "nominal", Column: text(long, "Łódź"), Kind: statfile.Text},
		{Name: "a_b", Missing: []statfile.Value{number(1)},
			Column: statfile.Column{Numbers: []float64{1, math.Inf(1), statfile.Extended('_')}}},
		{Name: "str5", Kind: statfile.Time, Column: statfile.Column{Numbers: []float64{1, 2, 3}},
			Labels: []statfile.ValueLabel{{Value: number(0.5), Label: "half"}, {Value: number(2), Label: "two"}}},
		{Name: "yes", Kind: statfile.Boolean, Column: statfile.Column{Numbers: []float64{1, 0, 1}}},
	}}
	said := strings.Join(Format{}.Lacks(f, statfile.Settings{versionSetting: "114"}), "\n")
	want := `the declaration of the weight variable is omitted: w
names that Stata does not accept are changed: a b as a_b_2 and str5 as str5_2
labels that are too long are truncated: a b
missing text values become empty: a b
characters that windows-1252 cannot encode become question marks: a b
text values of more than 244 bytes are truncated: a b
measurement levels are omitted: a b
numbers outside the range of Stata become missing: a_b
missing values ._ become .: a_b
declared missing codes become ordinary values, which distinguish records again: a_b
value labels of text, of numbers that are not integers and of numbers that are too large are omitted: str5
times of day become numbers of seconds: str5
logical values become 1 and 0: yes`
	if said != want {
		t.Errorf("told:\n%s\nexpected:\n%s", said, want)
	}
	back := read(t, rewrite(t, f, "114"), statfile.ReadOptions{})
	if v := &back.Variables[0]; v.Name != "a_b_2" || v.Label != long[:160] || v.Column.Texts.Values[0] != "" ||
		v.Column.Texts.Values[1] != long[:488] || v.Column.Texts.Values[2] != "?ódz" && v.Column.Texts.Values[2] != "?ód?" {
		t.Errorf("%+v %q", v, v.Column.Texts.Values)
	}
	if v := &back.Variables[2]; len(v.Labels) != 1 || v.Labels[0].Label != "two" {
		t.Errorf("%+v", v.Labels)
	}
	back = read(t, rewrite(t, f, "118"), statfile.ReadOptions{})
	if v := &back.Variables[0]; v.Storage != "str600" || v.Column.Texts.Values[2] != "Łódź" {
		t.Errorf("%+v", v)
	}
}

// Long texts, including those with zero bytes, survive the round trip in formats 118 and 119; the latter is for
// many variables.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("long ", 500)
	texts := func() statfile.Column {
		return statfile.Column{Texts: &statfile.Texts{Values: []string{"", long, "with a \x00 zero"},
			Codes: microdata.CodesOf([]uint8{2, 3, 1, 2})}}
	}
	f := &statfile.File{Rows: 4, Variables: []statfile.Variable{{Name: "t", Kind: statfile.Text, Column: texts()},
		{Name: "u", Kind: statfile.Text, Column: texts()}}}
	for _, more := range []int{0, maxVariables} {
		for i := range more {
			f.Variables = append(f.Variables, statfile.Variable{Name: fmt.Sprint("v", i),
				Column: statfile.Column{Numbers: make([]float64, 4)}})
		}
		back := read(t, rewrite(t, f, ""), statfile.ReadOptions{Columns: map[string]bool{"t": true, "u": true}})
		if want := []string{"118", "119"}[min(1, more)]; back.Settings[versionSetting] != want {
			t.Errorf("format %s", back.Settings[versionSetting])
		}
		for _, v := range back.Variables {
			var got []string
			for _, code := range v.Column.Texts.Codes.Between(0, 4) {
				got = append(got, v.Column.Texts.Values[code-1])
			}
			if !slices.Equal(got, []string{long, "with a \x00 zero", "", long}) || v.Storage != "strL" {
				t.Errorf("%s: %.30q", v.Storage, got)
			}
		}
	}
	err := Format{}.Write(context.Background(), &bytes.Buffer{}, f, statfile.Settings{versionSetting: "114"}, nil)
	if !errors.Is(err, statfile.ErrUnwritable) {
		t.Errorf("32,769 variables in format 114: %v", err)
	}
}

// A file of many blocks is read as written.
func TestManyBlocks(t *testing.T) {
	const rows = 100_000
	numbers, dictionary := make([]float64, rows), statfile.NewDictionary(rows)
	for i := range numbers {
		numbers[i] = float64(i) / 4
		dictionary.Add(fmt.Appendf(nil, "text %d", i%701))
	}
	f := &statfile.File{Rows: rows, Variables: []statfile.Variable{{Name: "x", Column: statfile.Column{Numbers: numbers}},
		{Name: "t", Kind: statfile.Text, Column: statfile.Column{Texts: dictionary.Texts()}}}}
	back := read(t, rewrite(t, f, "118"), statfile.ReadOptions{})
	if !slices.Equal(back.Variables[0].Column.Numbers, numbers) {
		t.Error("numbers are not read as they were written")
	}
	for i, code := range back.Variables[1].Column.Texts.Codes.Between(0, rows) {
		if got := back.Variables[1].Column.Texts.Values[code-1]; got != fmt.Sprintf("text %d", i%701) {
			t.Fatalf("row %d has %q", i+1, got)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Format{}).Read(cancelled, source(rewrite(t, f, "118")), statfile.ReadOptions{}, nil); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
