package muargus_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"

	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
)

// applied returns the result of a recode as "old new" pairs in order; "-" is missing.
func applied(t *testing.T, text string, c muargus.CodeSource) ([]string, *muargus.Recoded) {
	t.Helper()
	recode, err := muargus.ParseRecode(text)
	if err != nil {
		t.Fatal(err)
	}
	result, err := recode.Apply(c)
	if err != nil {
		t.Fatal(err)
	}
	pairs := make([]string, len(c.Codes))
	for i, code := range c.Codes {
		pairs[i] = code + " -"
		if result.Of[i] >= 0 {
			pairs[i] = code + " " + result.Codes[result.Of[i]]
		}
	}
	return pairs, result
}

// ages returns one-digit and two-digit codes in a field of two characters.
func ages() muargus.CodeSource {
	return muargus.CodeSource{Codes: []string{"1", "2", "9", "10", "15", "01"}, Width: 2, Missing: []string{"99", "98"}}
}

func TestApply(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string // in the order of ages
		codes      []string
		warnings   []string
	}{
		{name: "ranges compare as padded text", text: "1: 1-9\n2: 10-15\n3:01", want: []string{"1", "1", "1", "2", "2", "3"},
			codes: []string{"1", "2", "3"}},
		{name: "an open beginning takes what blanks make small", text: "1:-9\n2:10-",
			want: []string{"1", "1", "1", "2", "2", "01"}, codes: []string{"1", "2", "01"},
			warnings: []string{"1 code is untouched"}},
		{name: "an open end", text: "7: 2 -", want: []string{"1", "7", "7", "7", "7", "7"}, codes: []string{"1", "7"},
			warnings: []string{"1 code is untouched"}},
		{name: "a mixture with blanks", text: "  7 : - 1 , 9 , 10 - 15,01 ", want: []string{"7", "2", "7", "7", "7", "7"},
			codes: []string{"2", "7"}, warnings: []string{"1 code is untouched"}},
		{name: "range ends need not occur", text: "5: 3-12\n6:1-2,15", want: []string{"6", "6", "5", "5", "6", "5"},
			codes: []string{"5", "6"}},
		{name: "the later rule applies", text: "1:-\"15\"\n2:9,10\n", want: []string{"1", "1", "2", "2", "1", "1"},
			codes:    []string{"1", "2"},
			warnings: []string{"overlapping codes: 2"}},
		{name: "twice in one rule", text: "1:1,1\n2:2-15", want: []string{"1", "2", "2", "2", "2", "2"},
			codes: []string{"1", "2"}, warnings: []string{"overlapping codes: 1"}},
		{name: "union over lines", text: "1:1-2\n2:9\n1:10-15,01", want: []string{"1", "1", "2", "1", "1", "1"},
			codes: []string{"1", "2"}},
		{name: "no sense", text: "1:1-15\n2:3\n3:16-20", want: []string{"1", "1", "1", "1", "1", "1"}, codes: []string{"1"},
			warnings: []string{"no sense codes: 2"}},
		{name: "quoted, hyphens and blanks", text: `"10-14": "1", 2-9,10-15` + "\n" + `"a b":"01"`,
			want:  []string{"10-14", "10-14", "10-14", "10-14", "10-14", "a b"},
			codes: []string{"a b", "10-14"}},
		{name: "untouched joins a new code", text: "2:1", want: []string{"2", "2", "9", "10", "15", "01"},
			codes:    []string{"2", "9", "01", "10", "15"},
			warnings: []string{"5 codes are untouched"}},
		{name: "a valid code may become missing", text: "98:1\n1:2-15", want: []string{"-", "1", "1", "1", "1", "1"},
			codes: []string{"1"}},
		{name: "an untouched code that is missing now", text: "1:1-2,10-,01\n<MISSING> 9",
			want: []string{"1", "1", "-", "1", "1", "1"}, codes: []string{"1"},
			warnings: []string{"1 code is untouched", "1 untouched code is now a missing-value code"}},
		{name: "case and comments", text: "// ages\r\n\r\n\t1:1-15\r\n<Missing>\t7 8\r\n<codelist> \"a b.cdl\"\r\n",
			want: []string{"1", "1", "1", "1", "1", "1"}, codes: []string{"1"}},
		{name: "an open end may be missing", text: "1:-98", want: []string{"1", "1", "1", "1", "1", "1"},
			codes: []string{"1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			pairs, result := applied(t, test.text, ages())
			for i, code := range ages().Codes {
				if want := code + " " + test.want[i]; pairs[i] != want {
					t.Errorf("%q, want %q", pairs[i], want)
				}
			}
			if diff := cmp.Diff(test.codes, result.Codes); diff != "" {
				t.Errorf("codes (-want +got):\n%s", diff)
			}
			if len(result.Warnings) != len(test.warnings) {
				t.Errorf("warnings %q, want %q", result.Warnings, test.warnings)
			}
			for i := range min(len(result.Warnings), len(test.warnings)) {
				if !strings.HasPrefix(result.Warnings[i], test.warnings[i]) {
					t.Errorf("warning %q, want %q", result.Warnings[i], test.warnings[i])
				}
			}
		})
	}
}

func TestMissingCodes(t *testing.T) {
	for _, test := range []struct {
		directive string
		missing   []string
		width     int
		comma     bool
	}{
		{"", []string{"99", "98"}, 2, false},
		{"<MISSING>", []string{"99", "98"}, 2, false},
		{"<MISSING> 8 9", []string{"8", "9"}, 1, false},
		{"<MISSING> 8 8", []string{"8"}, 1, false},
		{"<missing> 98, 99", []string{"98", "99"}, 2, true},
		{"<MISSING> 8,9", []string{"8", "9"}, 1, true},
		{`<MISSING> "8,9"`, []string{"8,9"}, 3, false},
		{`<MISSING> ,9`, []string{"9"}, 1, true},
		{"<MISSING> 8 9\n<MISSING> 7", []string{"7"}, 1, false},
	} {
		_, result := applied(t, "1:-15\n"+test.directive, ages())
		if diff := cmp.Diff(test.missing, result.Missing); diff != "" || result.Width != test.width {
			t.Errorf("%s: width %d, want %d; missing codes (-want +got):\n%s", test.directive, result.Width, test.width, diff)
		}
		if comma := slices.ContainsFunc(result.Warnings,
			func(w string) bool { return strings.Contains(w, "comma") }); comma != test.comma {
			t.Errorf("%s: a comma was reported: %v", test.directive, comma)
		}
	}
}

func TestRecodeErrors(t *testing.T) {
	for _, test := range []struct {
		text           string
		is             error
		line, position int
	}{
		{"1 1,2", muargus.ErrSyntax, 1, 3},
		{"1", muargus.ErrSyntax, 1, 2},
		{"\n  1:1 2", muargus.ErrSyntax, 2, 7},
		{"1:", muargus.ErrSyntax, 1, 3},
		{"1:1,", muargus.ErrSyntax, 1, 5},
		{"1:,1", muargus.ErrSyntax, 1, 3},
		{"1:1--3", muargus.ErrSyntax, 1, 5},
		{"1:-", muargus.ErrSyntax, 1, 4},
		{"1:-,2", muargus.ErrSyntax, 1, 4},
		{"1:--2", muargus.ErrSyntax, 1, 4},
		{`1:5-""`, muargus.ErrSyntax, 1, 7},
		{`1:""-`, muargus.ErrSyntax, 1, 6},
		{"a b:1", muargus.ErrSyntax, 1, 3},
		{"-1:1", muargus.ErrSyntax, 1, 1},
		{`"1:1`, muargus.ErrSyntax, 1, 1},
		{`1:"1`, muargus.ErrSyntax, 1, 3},
		{`1:"1"2`, muargus.ErrSyntax, 1, 6},
		{`"  ":1`, muargus.ErrSyntax, 1, 5},
		{":1", muargus.ErrSyntax, 1, 1},
		{"1:1 // first", muargus.ErrSyntax, 1, 5},
		{"1:1\n<MISSING> 7 8 9", muargus.ErrSyntax, 2, 15},
		{"1:1\n<CODELIST>", muargus.ErrSyntax, 2, 0},
		{"1:1\n<UNKNOWN> 7", muargus.ErrSyntax, 2, 11},
		{"", muargus.ErrEmpty, 0, 0},
		{"// nothing\n<MISSING> 9", muargus.ErrEmpty, 0, 0},
		{"1:1\n2:9-1", muargus.ErrRange, 2, 3},
		{"1:10-9", muargus.ErrRange, 1, 3},
		{"1:1,100", muargus.ErrCodeLength, 1, 5},
		{"1:1-100", muargus.ErrCodeLength, 1, 5},
		{"1:20\u201330", muargus.ErrCodeLength, 1, 3},
		{"1:1,99", muargus.ErrMissingCode, 1, 5},
		{"1:10-98", muargus.ErrMissingCode, 1, 6},
		{"98:98", muargus.ErrMissingCode, 1, 4},
	} {
		recode, err := muargus.ParseRecode(test.text)
		if err == nil {
			_, err = recode.Apply(ages())
		}
		want := ""
		if test.line > 0 {
			want = fmt.Sprintf("line %d", test.line)
		}
		if test.position > 0 {
			want += fmt.Sprintf(", position %d", test.position)
		}
		if want != "" {
			want += ": "
		}
		if dash := strings.Contains(test.text, "\u2013"); dash != strings.Contains(fmt.Sprint(err), "instead of the dash") {
			t.Errorf("%q: error %v", test.text, err)
		}
		if want += test.is.Error() + ": "; !errors.Is(err, test.is) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", test.text, err, want)
		}
	}
}

// Without a width the field is as wide as the longest code.
func TestWidthOfCodes(t *testing.T) {
	pairs, result := applied(t, "a:9-10\nlonger:2-8", muargus.CodeSource{Codes: []string{"2", "9", "10"}})
	if diff := cmp.Diff([]string{"2 longer", "9 a", "10 a"}, pairs); diff != "" || result.Width != 6 {
		t.Errorf("width %d; (-want +got):\n%s", result.Width, diff)
	}
}

// Without a width, the error for a longer code compares it with the codes of the data.
func TestLongCodeWithoutAWidth(t *testing.T) {
	recode, err := muargus.ParseRecode("1:100")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recode.Apply(muargus.CodeSource{Codes: []string{"2", "10"}}); !errors.Is(err, muargus.ErrCodeLength) ||
		!strings.Contains(err.Error(), "the longest has 2 characters") {
		t.Error(err)
	}
}

// Apply agrees with an oracle that applies every rule and source in turn and compares codes one by one.
func TestApplyAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.StringMatching(`[0-9a]{1,2}`)
		codes := rapid.SliceOfNDistinct(code, 0, 12, rapid.ID[string]).Draw(t, "codes")
		var text strings.Builder
		type source struct {
			low, high, to string
			single        bool
		}
		var sources []source
		for range rapid.IntRange(1, 4).Draw(t, "rules") {
			to := code.Draw(t, "new")
			low, high := code.Draw(t, "low"), code.Draw(t, "high")
			if muargus.Pad(low, 2) > muargus.Pad(high, 2) {
				low, high = high, low
			}
			switch rapid.IntRange(0, 3).Draw(t, "form") {
			case 0:
				fmt.Fprintf(&text, "%s: %s\n", to, low)
				sources = append(sources, source{low, low, to, true})
			case 1:
				fmt.Fprintf(&text, "%s: %s-%s\n", to, low, high)
				sources = append(sources, source{low, high, to, false})
			case 2:
				fmt.Fprintf(&text, "%s: -%s\n", to, high)
				sources = append(sources, source{"", high, to, false})
			default:
				fmt.Fprintf(&text, "%s: %s-\n", to, low)
				sources = append(sources, source{low, "zz", to, false})
			}
		}
		recode, err := muargus.ParseRecode(text.String())
		if err != nil {
			t.Fatal(err)
		}
		result, err := recode.Apply(muargus.CodeSource{Codes: codes, Width: 2})
		if err != nil {
			t.Fatal(err)
		}
		for i, code := range codes {
			want := code
			for _, s := range sources {
				if padded := muargus.Pad(code, 2); padded >= muargus.Pad(s.low, 2) && padded <= muargus.Pad(s.high, 2) {
					want = s.to
				}
			}
			if got := result.Codes[result.Of[i]]; got != want {
				t.Fatalf("%q became %q, want %q, by %q", code, got, want, text.String())
			}
		}
		if !slices.IsSortedFunc(result.Codes, func(x, y string) int {
			return strings.Compare(muargus.Pad(x, result.Width), muargus.Pad(y, result.Width))
		}) {
			t.Fatalf("codes %q do not ascend", result.Codes)
		}
	})
}

// ignoringPlaces compares recodes except for notes and line numbers.
func ignoringPlaces(a, b *muargus.Recode) string {
	return cmp.Diff(plain(a), plain(b))
}

func plain(r *muargus.Recode) []string {
	text := []string{r.CodeList, strings.Join(r.Missing, "|")}
	for _, rule := range r.Rules {
		line := rule.New + "="
		for _, s := range rule.Sources {
			line += fmt.Sprintf("[%q %q %v]", s.Low, s.High, s.Range)
		}
		text = append(text, line)
	}
	return text
}

// FuzzParseRecode: parsing never panics, and a recode survives the round trip.
func FuzzParseRecode(f *testing.F) {
	for _, seed := range []string{"1: -20\r\n2: 21-30\r\n<MISSING> 8,9\r\n<CODELIST> Age.cdl\r\n",
		`"a-b": "1 ", 2-3,-4,5-`, "1:1--3", "<5:1", `1:"`, "//\n1:\"//\"", "\ufeff1:1", "1:<MISSING>",
		"<MISSING> \"\" 9\n9:9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		recode, err := muargus.ParseRecode(text)
		if err != nil {
			if !errors.Is(err, muargus.ErrEmpty) && !strings.HasPrefix(err.Error(), "line ") {
				t.Fatalf("error %v has no place", err)
			}
			return
		}
		_, _ = recode.Apply(muargus.CodeSource{Codes: []string{"1", "2", "30", "4 5"}, Missing: []string{"9"}})
		if strings.Contains(strings.ReplaceAll(recode.Text(), lineEnd, ""), "\r") {
			return // a carriage return in a code is lost at the end of a line
		}
		again, err := muargus.ParseRecode(recode.Text())
		if err != nil {
			t.Fatalf("written as %q and not read: %v", recode.Text(), err)
		}
		for _, rule := range recode.Rules {
			if quoteInside(rule) {
				return // an unquoted code may contain quotes but cannot be quoted
			}
		}
		if diff := ignoringPlaces(recode, again); diff != "" {
			t.Fatalf("written as %q and read as another recode:\n%s", recode.Text(), diff)
		}
	})
}

const lineEnd = "\r\n"

func quoteInside(r muargus.Rule) bool {
	quote := strings.Contains(r.New, `"`)
	for _, s := range r.Sources {
		quote = quote || strings.Contains(s.Low+s.High, `"`)
	}
	return quote
}
