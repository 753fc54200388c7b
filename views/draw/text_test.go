package draw

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/views/viewtest/nasty"
)

func TestSafe(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "plain label", "plain label"},
		{"letters of other scripts", "Ärger 日本 Ελλάδα", "Ärger 日本 Ελλάδα"},
		{"escape sequence", "\x1b[31mred", "␛[31mred"},
		{"C1 control sequence", "\u009b31m", "\ufffd31m"},
		{"bytes that are no text", "a\xffb", "a\ufffdb"},
		{"line breaks and tabs", "a\r\nb\tc", "a↵↵b→c"},
		{"delete", "a\x7f", "a␡"},
		{"turned direction", "\u202eabc\u202c", "·abc·"},
		{"no width", "a\u200b\u200d\ufeffb", "a···b"},
		{"joined emoji", "👩‍👧", "👩·👧"},
		{"combining mark", "e\u0301", "e\u0301"},
		{"combining mark without a letter", "\u0301a", "·a"},
		{"too many combining marks", "e" + strings.Repeat("\u0301", 50) + "f", "e" + strings.Repeat("\u0301", 4) + "·f"},
	}
	for _, test := range tests {
		if got := Safe(test.text); got != test.want {
			t.Errorf("%s: %q, not %q", test.name, got, test.want)
		}
	}
}

// The fast path of Width agrees with a terminal: two such characters next to each other take two cells.
func TestWidthOfSimpleCharacters(t *testing.T) {
	var simple []rune
	for r := rune(0); r < 0x30000; r++ {
		if _, ok := simpleWidth(string(r)); ok {
			simple = append(simple, r)
		}
	}
	if len(simple) < 900 {
		t.Fatalf("%d characters", len(simple))
	}
	for i := 0; i < len(simple); i += 8 {
		var b strings.Builder
		for _, r := range simple {
			b.WriteRune(simple[i])
			b.WriteRune(r)
		}
		if got := ansi.StringWidth(b.String()); got != 2*len(simple) {
			t.Fatalf("%U: %d cells, not %d", simple[i], got, 2*len(simple))
		}
	}
	parts := []string{"\x1b[1;38:2::1;2;3m", "\x1b[m", "\x1b[2J", "\x1b", "\x1b[", "\x1b]0;x\x07", "m", "1", "a\u0301",
		"日", "👩‍👧", "⏎", "│", "▸", "é", "\r\n", "\u200d", "↔\ufe0f"}
	for _, first := range parts {
		for _, second := range parts {
			for _, third := range parts {
				if text := first + second + third; Width(text) != ansi.StringWidth(text) {
					t.Errorf("%q: %d cells, not %d", text, Width(text), ansi.StringWidth(text))
				}
			}
		}
	}
}

func FuzzSafe(f *testing.F) {
	for _, text := range nasty.Labels {
		f.Add(text, 10)
	}
	f.Fuzz(func(t *testing.T, text string, width int) {
		safe := Safe(text)
		if !utf8.ValidString(safe) {
			t.Fatalf("%q is no valid text", safe)
		}
		for _, r := range safe {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || Hidden(r) {
				t.Fatalf("%q keeps %U of %q", safe, r, text)
			}
		}
		if Safe(safe) != safe {
			t.Fatalf("%q becomes %q when made safe again", safe, Safe(safe))
		}
		width = 1 + int(uint(width)%300)
		for _, fitted := range []string{Fit(text, width), FitRight(text, width)} {
			if got := Width(fitted); got != width {
				t.Fatalf("%q has %d cells, not %d", fitted, got, width)
			}
		}
	})
}

func TestFit(t *testing.T) {
	tests := []struct {
		text        string
		width       int
		left, right string
	}{
		{"age", 5, "age  ", "  age"},
		{"household", 5, "hous…", "hous…"},
		{"宽宽宽", 4, "宽… ", " 宽…"},
		{"宽", 1, "…", "…"},
		{"", 3, "   ", "   "},
		{"age", 0, "", ""},
	}
	for _, test := range tests {
		if got := Fit(test.text, test.width); got != test.left {
			t.Errorf("Fit(%q, %d) is %q, not %q", test.text, test.width, got, test.left)
		}
		if got := FitRight(test.text, test.width); got != test.right {
			t.Errorf("FitRight(%q, %d) is %q, not %q", test.text, test.width, got, test.right)
		}
	}
}

func TestNumbers(t *testing.T) {
	tests := []struct{ got, want string }{
		{Count(0), "0"}, {Count(999), "999"}, {Count(4127), "4,127"}, {Count(1234567), "1,234,567"}, {Count(-1000), "-1,000"},
		{wording.Amount(84.8412), "84.84"}, {wording.Amount(384.81), "384.81"}, {wording.Amount(12345.6), "12,346"},
		{wording.Amount(0.0128), "0.0128"}, {wording.Amount(0), "0.00"}, {wording.Amount(312.845 - 2e-13), "312.85"},
		{wording.Amount(1234.5 - 4e-13), "1,235"}, {wording.Amount(100 - 2e-14), "100.00"},
		{Count(wording.Rounded(340346.5 - 2e-10)), "340,347"}, {wording.Frequency(3 + 4e-15), "3"},
		{wording.Frequency(9e13), "90,000,000,000,000"},
		{wording.Amount(math.NaN()), "–"}, {wording.Amount(1e300), "1e+300"},
		{wording.Probability(0.0251), "0.0251"}, {wording.ShortProbability(0.0251), "0.025"},
		{wording.ShortProbability(1), "1.000"}, {wording.Probability(math.Inf(1)), "–"},
		{wording.Frequency(3), "3"}, {wording.Frequency(45.5), "45.5"}, {wording.Frequency(1234.5), "1,235"},
		{wording.Frequency(1e18), "1e+18"}, {wording.Frequency(math.NaN()), "–"},
		{Duration(300 * time.Microsecond), "< 1 ms"}, {Duration(4 * time.Millisecond), "4 ms"},
		{Duration(1200 * time.Millisecond), "1.2 s"}, {Duration(127 * time.Second), "2:07"},
		{Short(3702), "3702"}, {Short(12_345), "12k"}, {Short(1_234_567), "1.2M"}, {Short(45_000_000), "45M"},
		{Signed(-1945), "-1,945"}, {Signed(3), "+3"}, {Signed(0), "0"},
		{wording.Counted(1, "cell"), "1 cell"}, {wording.Counted(3442, "cell"), "3,442 cells"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%q, not %q", test.got, test.want)
		}
	}
}

func TestBars(t *testing.T) {
	for share, want := range map[float64]string{0: "    ", 1: "████", 0.5: "██  ", 0.0001: "▏   ", 0.40625: "█▋  ",
		7: "████", math.NaN(): "    ", math.Inf(1): "████", -1: "    "} {
		if got := Bar(share, 4); got != want {
			t.Errorf("Bar(%v) is %q, not %q", share, got, want)
		}
	}
	theme := NewTheme(true, false)
	l := NewLine(8, nil)
	l.bar(theme, &theme.Bar, 0.25, 0.75, 8)
	if got, want := ansi.Strip(l.String()), "██░░░░  "; got != want {
		t.Errorf("the bar with its original is %q, not %q", got, want)
	}
}

// Under the cursor a bar keeps its colour, on the ground of the row.
func TestBarUnderTheCursor(t *testing.T) {
	theme := NewTheme(false, true)
	l := NewLine(5, &theme.Selected)
	l.bar(theme, &theme.Bar, 0.5, 0.5, 4)
	l.Text(&theme.Plain, "x")
	if got, want := l.String(), theme.Bar.on(theme.Selected.ground).Render("██  ")+theme.Selected.Render("x"); got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestUprightBlocksOfHistory(t *testing.T) {
	tests := []struct {
		numbers []int
		width   int
		height  int
		want    []string
	}{
		{[]int{8, 4, 0}, 3, 1, []string{"█▄▁"}},
		{[]int{16, 4}, 2, 2, []string{"█ ", "█▄"}},
		{[]int{2, 1}, 4, 1, []string{"█ ▄ "}},
		{[]int{1, 2, 3}, 2, 1, []string{"▅█"}}, // the last ones
		{[]int{0, 0}, 2, 1, []string{"▁▁"}},
		{nil, 4, 1, []string{""}},
	}
	for _, test := range tests {
		got := Upright(test.numbers, test.width, test.height)
		if strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("upright(%v, %d, %d) is %q, not %q", test.numbers, test.width, test.height, got, test.want)
		}
	}
}

func TestPointsStandBelowEachOther(t *testing.T) {
	rows := [][]Cell{{{Text: "49"}, {Text: "49"}}, {{Text: "1,235"}, {Text: "1,235"}}, {{Text: "49.2"}, {Text: "3"}},
		{{Text: "–"}, {Text: "–"}}}
	alignPoints(rows, 0)
	alignPoints(rows, 1)
	for i, want := range [][2]string{{"49.0", "49"}, {"1,235  ", "1,235"}, {"49.2", "3"}, {"–", "–"}} {
		if got := [2]string{rows[i][0].Text, rows[i][1].Text}; got != want {
			t.Errorf("row %d has %q, not %q", i, got, want)
		}
	}
}

// A text with characters that are special for terminals has room for their replacements.
func TestTextOfALineWithSignsForTerminals(t *testing.T) {
	theme := NewTheme(true, true)
	for text, shown := range map[string]string{"\x1b[31mred: ": "␛[31mred: ", "\x07": "␇", "a\nb": "a↵b", "plain": "plain"} {
		l := NewLine(30, nil)
		l.Text(&theme.Faint, text)
		l.Text(&theme.Plain, "|")
		if got := strings.TrimRight(ansi.Strip(l.String()), " "); got != shown+"|" {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

// What does not fit is left out as a whole and marked.
func TestJoined(t *testing.T) {
	for cells, want := range map[int]string{20: "file  12 keys …", 21: "file  12 keys  weight", 16: "file  12 keys …",
		15: "file  12 keys …", 14: "file …", 3: "file …"} {
		if got := Joined(cells, "  ", "file", "12 keys", "weight"); got != want {
			t.Errorf("%d cells: %q, want %q", cells, got, want)
		}
	}
}
