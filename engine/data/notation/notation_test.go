package notation

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// column returns a variable whose record i has level i+1, followed by a missing record.
func column(name string, kind microdata.Kind, ordered bool, labels ...string) *microdata.Column {
	categories := &microdata.Categories{Codes: microdata.NewCodes(len(labels)+1, len(labels)), Ordered: ordered}
	for i, label := range labels {
		value := microdata.LabelNumber(label)
		if kind == microdata.Category && ordered {
			value = math.NaN()
		}
		categories.Levels = append(categories.Levels, microdata.Level{Label: label, Value: value})
		categories.Codes.Set(i, uint32(i+1))
	}
	return microdata.NewCategorical(name, kind, categories)
}

// records returns the records, from 1, that meet a condition.
func records(t testing.TB, text string, columns ...*microdata.Column) []int {
	t.Helper()
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseCondition(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	found, err := c.Records(t.Context(), Scope{Data: data})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var all []int
	for record := range data.Len() {
		if found.Has(record) {
			all = append(all, record+1)
		}
	}
	return all
}

// A condition can use a code or its label; if a word is a code, it is taken as the code.
func TestMeaningsOfCodes(t *testing.T) {
	said := &microdata.Description{Labels: map[string]string{"1": "Male", "2": "Female", "3": "1", "4": "female",
		"9": "none here", "": "x"}}
	codes := column("sex", microdata.Whole, true, "1", "2", "3", "4").WithDescription(said)
	words := column("sex", microdata.Category, false, "1", "2", "3", "4").WithDescription(said)
	for text, want := range map[string][]int{
		"sex = Male": {1}, "sex = male": {1}, "sex = 1": {1}, "sex = '1'": {1}, "sex = Female": {2}, "sex = FEMALE": {2, 4},
		"sex in (male, 4)": {1, 4},
		"sex != male":      {2, 3, 4}, "sex contains EMA": {2, 4}, "sex contains 3": {3}, "not sex = male": {2, 3, 4, 5},
		"sex in (1, 3)": {1, 3}, "sex = '1.0'": {1},
	} {
		for _, column := range []*microdata.Column{codes, words} {
			if got := records(t, text, column); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
		}
	}
	if got := records(t, "sex <= Female", codes); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("ordered: %v", got)
	}
	children := column("c", microdata.Whole, true, "1", "2",
		"3").WithDescription(&microdata.Description{Labels: map[string]string{"1": "0", "2": "1", "3": "2+"}})
	for text, want := range map[string][]int{"c > 0": {1, 2, 3}, "c = 0": nil, "c = '0'": {1}, "c in (0, 1)": {1},
		"c = 2+": {3}} {
		if got := records(t, text, children); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	data, _ := microdata.NewDataset([]*microdata.Column{codes})
	for _, text := range []string{"sex = nothere", "sex != nothere", "sex in (male, nothere)"} {
		c, _ := ParseCondition(text)
		if _, err := c.Bind(Scope{Data: data}); err == nil {
			t.Errorf("%s: no error", text)
		}
	}
	data, _ = microdata.NewDataset([]*microdata.Column{words})
	c, _ := ParseCondition("sex = 'none here'")
	if _, err := c.Bind(Scope{Data: data}); err == nil {
		t.Error("a label of no category is taken")
	}
}

// A comparison with a number applies to whole intervals; comparisons with a missing value are false.
func TestIntervals(t *testing.T) {
	years := column("age", microdata.Category, true, "0-14", "15-24", "25-64", "65+")
	brackets := column("age", microdata.Category, true, "[0,14]", "(14,24]", "(24,64]", ">64")
	numbers := column("age", microdata.Whole, true, "9", "15", "30", "70")
	for _, test := range []struct {
		text   string
		column *microdata.Column
		want   []int
	}{
		{"age > 14", years, []int{2, 3, 4}},
		{"age >= 15", years, []int{2, 3, 4}},
		{"age < 15", years, []int{1}},
		{"age <= 64", years, []int{1, 2, 3}},
		{"age above 14 below 65", years, []int{2, 3}},
		{"not age > 14", years, []int{1, 5}},
		{"age < '25-64'", years, []int{1, 2}},
		{"age > 14", brackets, []int{2, 3, 4}},
		{"age <= 24", brackets, []int{1, 2}},
		{"age > 14", numbers, []int{2, 3, 4}},
		{"age <= 24", numbers, []int{1, 2}},
		{"age = 15.0", numbers, []int{2}},
		{"age != 15 and age is not missing", numbers, []int{1, 3, 4}},
		{"record > 3", numbers, []int{4, 5}},
	} {
		if got := records(t, test.text, test.column); !slices.Equal(got, test.want) {
			t.Errorf("%s: records %v, want %v", test.text, got, test.want)
		}
	}
	for _, text := range []string{"age > 20", "age >= 20", "age < 20", "age <= 20", "age < 70"} {
		c, err := ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		data, _ := microdata.NewDataset([]*microdata.Column{years})
		if _, err := c.Bind(Scope{Data: data}); !errors.Is(err, ErrCondition) ||
			!strings.Contains(err.Error(), "on both sides of") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// Labels are compared without case unless two differ by case only; a quoted number is a label.
func TestLabels(t *testing.T) {
	codes := column("x", microdata.Category, false, "1", "01", "a", "A", "Low")
	for text, want := range map[string][]int{
		`x = a`:          {3},
		`x = "A"`:        {4},
		`x = low`:        {5},
		`x in (a, LOW)`:  {3, 5},
		`x in a, LOW`:    {3, 5},
		`x = "01"`:       {2},
		`x = 1`:          {1, 2},
		`x contains A`:   {3, 4},
		`x != a`:         {1, 2, 4, 5},
		`x missing`:      {6},
		`x suppressed`:   nil,
		`X = a or x=low`: {3, 5},
	} {
		if got := records(t, text, codes); !slices.Equal(got, want) {
			t.Errorf("%s: records %v, want %v", text, got, want)
		}
	}
	c, err := ParseCondition("x in (a, b)")
	if err != nil {
		t.Fatal(err)
	}
	data, _ := microdata.NewDataset([]*microdata.Column{codes})
	if _, err := c.Bind(Scope{Data: data}); err == nil || !strings.Contains(err.Error(), `x has no category "b"`) {
		t.Errorf("error %v", err)
	}
}

func TestConditionForms(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                            "",
		`null`:                          "",
		`""`:                            "",
		`{"variable":"age","above":15}`: "age > 15",
		`{"variable":"age","above":5,"below":16.5}`:                  "age > 5 and age < 16.5",
		`{"variable":"my age","levels":["1","a b","c","and","q\""]}`: `"my age" in ("1", "a b", c, "and", "q""")`,
		`"age above 5  below 16"`:                                    "age > 5 and age < 16",
		`"region in Arden, 'Hollow Isles'"`:                          `region in (Arden, "Hollow Isles")`,
		`"not (a=1 or b≥2) and c is missing"`:                        `not (a = 1 or b >= 2) and c missing`,
		`"a = 1 or (b = 2 and (c = 3 or d = 4))"`:                    `a = 1 or b = 2 and (c = 3 or d = 4)`,
		`"a is not in (x, y)"`:                                       `not (a in (x, y))`,
	} {
		var c Condition
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := c.Canonical(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		written, err := json.Marshal(c)
		var again Condition
		if err == nil {
			err = json.Unmarshal(written, &again)
		}
		if err != nil || again.Canonical() != want {
			t.Errorf("%s: comes back from %s as %s, error %v", text, written, again.Canonical(), err)
		}
	}
	for text, want := range map[string]string{
		`{"varible":"w"}`:  `no field "varible"`,
		`{"variable":"w"}`: "w needs levels or a bound",
		`{"above":3}`:      "names no variable",
		`{"variable":"w","levels":["a"],"above":1}`: "levels and bounds",
		`"age abov 15"`: "age must be followed by one of",
	} {
		var c Condition
		if err := json.Unmarshal([]byte(text), &c); !errors.Is(err, ErrCondition) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// The number of terms is unlimited, but the nesting depth is limited, so that no input can exhaust the stack.
func TestNestingIsLimited(t *testing.T) {
	const most = 99 // around a term
	terms := strings.Repeat("age > 1 and (sex = 2 or not age < 3) and ", 500) + "age > 1"
	nested := func(open, shut string, depth int) string {
		return strings.Repeat(open, depth) + "age > 1" + strings.Repeat(shut, depth)
	}
	for _, text := range []string{terms, nested("(", ")", most), nested("not ", "", most), nested("not (", ")", most/2)} {
		if _, err := ParseCondition(text); err != nil {
			t.Errorf("%.40s…: %v", text, err)
		}
	}
	for _, text := range []string{nested("(", ")", most+1), nested("not ", "", most+1), nested("not (", ")", 1<<20)} {
		if _, err := ParseCondition(text); !errors.Is(err, ErrCondition) ||
			!strings.Contains(err.Error(), "too many brackets") {
			t.Errorf("%.40s…: %v", text, err)
		}
	}
}

func TestWords(t *testing.T) {
	words, err := Words(`a>=3 and "b ""c"<>'d''e'`, conditionSigns...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, word := range words {
		got = append(got, word.Text)
	}
	if want := []string{"a", ">=", "3", "and", `b "c`, "<>", "d'e"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// Any label survives Quote and parsing, alone and in a list.
func TestQuoteComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.String(), 1, 4).Draw(t, "labels")
		quoted := make([]string, len(labels))
		for i, label := range labels {
			quoted[i] = Quote(label, ";/,")
		}
		rows, ok := Rows(strings.Join(quoted, " / "), '/', ';')
		if !ok || len(rows) != 1 {
			t.Fatalf("%q: %d rows", quoted, len(rows))
		}
		if len(labels) == 1 && labels[0] == "" {
			labels = nil // an empty row
		}
		if !slices.Equal(rows[0], labels) {
			t.Fatalf("%q comes back as %q", labels, rows[0])
		}
	})
}

// Any text is parsed or rejected; the canonical form of a parsed condition has the same meaning.
func FuzzCondition(f *testing.F) {
	for _, text := range []string{"a > 60 and b = 'x y'", "not (a < .05) or a missing", "a in (b, 'c d')", "a ≤ 3",
		"\xff = \x00", "((((", "not not not a changed",
		"a above 5 below 16", `a in "x", y`, "a in ' 0'", `a = "`, "a is not contains b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCondition(text)
		if err != nil {
			if !errors.Is(err, ErrCondition) {
				t.Fatal(err)
			}
			return
		}
		again, err := ParseCondition(c.Canonical())
		if err != nil || again.Canonical() != c.Canonical() {
			t.Errorf("%q is %q, which comes back as %q, error %v", text, c.Canonical(), again.Canonical(), err)
		}
	})
}
