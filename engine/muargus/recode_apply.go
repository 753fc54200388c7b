package muargus

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Coded is a variable as a recode sees it: its original codes.
type Coded struct {
	Codes   []string // those in the data, each once, without missing codes
	Width   int      // characters of the field; 0: as wide as the longest code
	Missing []string // codes for missing values, at most two
}

// Recoded is what a recode makes of a variable.
type Recoded struct {
	Codes    []string // the new codes, untouched ones included, ascending as mu-Argus orders them
	Of       []int    // index into Codes for every code of the Coded; -1: it has become missing
	Missing  []string // codes for missing values now
	Width    int      // characters of the field now
	Warnings []string // in words; nil: all went as it should
}

// Pad returns a code with blanks before it up to a width in characters; a
// longer one stays as it is.
func Pad(code string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(code))) + code
}

// Apply says what becomes of the codes of a variable. Codes are compared byte
// by byte after blanks were put before them up to the width of the field, so
// that numbers compare as numbers and "01" is another code than "1". Codes that
// no rule names stay as they are; where two rules name one, the later counts.
// Missing values stay missing. Errors are a *Problem that wraps ErrRange,
// ErrCodeLength or ErrMissingCode, and nothing is recoded then.
func (r *Recode) Apply(c Coded) (*Recoded, error) {
	a := application{Recode: r, width: c.Width, missing: c.Missing}
	if a.guessed = a.width == 0; a.guessed {
		a.width = widest(c.Codes, c.Missing)
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	a.padded = make([]string, len(c.Codes))
	a.index = make(map[string]int, len(c.Codes))
	for i, code := range c.Codes {
		a.padded[i] = Pad(strings.Trim(code, " "), a.width)
		a.index[a.padded[i]] = i
	}
	a.assign()
	return a.result(c), nil
}

// application is one recode of one variable.
type application struct {
	*Recode
	width   int
	guessed bool // the width is that of the longest code
	missing []string
	padded  []string       // codes of the data
	index   map[string]int // from padded code to its place
	target  []string       // new code by place; "": untouched

	overlapping, nonsense int
}

// check reports sources that no variable of this width and with these missing
// codes can have.
func (a *application) check() error {
	for _, rule := range a.Rules {
		for _, s := range rule.Sources {
			if err := a.checkSource(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *application) checkSource(s Source) error {
	if s.HasLow {
		if err := a.checkLength(s.Low, s.line, s.start); err != nil {
			return err
		}
	}
	if s.HasHigh {
		if err := a.checkLength(s.High, s.line, s.stop); err != nil {
			return err
		}
	}
	if !s.HasLow || !s.HasHigh {
		return nil
	}
	if s.Range && Pad(s.Low, a.width) > Pad(s.High, a.width) {
		return problem(ErrRange, s.line, s.start, "the range ends before it begins; exchange its ends")
	}
	for _, end := range []struct {
		code     string
		position int
	}{{s.Low, s.start}, {s.High, s.stop}} {
		if slices.Contains(a.missing, end.code) {
			return problem(ErrMissingCode, s.line, end.position,
				"%q is a missing code of the variable, and missing values stay missing (mu-Argus: code 3003); leave it out", end.code)
		}
	}
	return nil
}

func (a *application) checkLength(code string, line, position int) error {
	if utf8.RuneCountInString(code) <= a.width {
		return nil
	}
	hint := ""
	if strings.ContainsAny(code, "\u2012\u2013\u2014\u2212") {
		hint = "; a dash stands where a hyphen should"
	}
	if a.guessed {
		return problem(ErrCodeLength, line, position, "the code is longer than any of the data, of which the longest has %s%s; where the field is wider, say its width",
			wording.Counted(a.width, "character"), hint)
	}
	return problem(ErrCodeLength, line, position, "the code is longer than the field, which has %s%s", wording.Counted(a.width, "character"), hint)
}

// assign gives every code of the data its new one.
func (a *application) assign() {
	a.target = make([]string, len(a.padded))
	order := make([]int, len(a.padded))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return strings.Compare(a.padded[x], a.padded[y]) })
	named := map[string]bool{} // codes named singly or by a range, in the data or not
	for _, rule := range a.Rules {
		for _, s := range rule.Sources {
			a.assignSource(rule.New, s, order, named)
		}
	}
}

// assignSource gives the codes of one source, found by their order, a new code.
func (a *application) assignSource(code string, s Source, order []int, named map[string]bool) {
	if !s.Range {
		padded := Pad(s.Low, a.width)
		place, known := a.index[padded]
		if named[padded] {
			a.overlapping++
		}
		named[padded] = true
		if !known {
			a.nonsense++
			return
		}
		a.target[place] = code
		return
	}
	search := func(end string) int {
		at, _ := slices.BinarySearchFunc(order, end, func(place int, end string) int { return strings.Compare(a.padded[place], end) })
		return at
	}
	from, to := 0, len(order)
	if s.HasLow {
		from = search(Pad(s.Low, a.width))
	}
	if s.HasHigh {
		high := Pad(s.High, a.width)
		if to = search(high); to < len(order) && a.padded[order[to]] == high {
			to++
		}
	}
	if from >= to {
		a.nonsense++
		return
	}
	for _, place := range order[from:to] {
		if named[a.padded[place]] {
			a.overlapping++
		}
		named[a.padded[place]] = true
		a.target[place] = code
	}
}

// result gathers the new codes.
func (a *application) result(c Coded) *Recoded {
	out := &Recoded{Missing: c.Missing, Of: make([]int, len(c.Codes))}
	if len(a.Missing) > 0 {
		out.Missing = a.Missing
	}
	untouched, lost := 0, 0
	code := func(place int) string {
		if a.target[place] != "" {
			return a.target[place]
		}
		return strings.Trim(c.Codes[place], " ")
	}
	for place := range c.Codes {
		if a.target[place] == "" {
			untouched++
			if slices.Contains(out.Missing, code(place)) {
				lost++
			}
		}
		if !slices.Contains(out.Missing, code(place)) {
			out.Codes = append(out.Codes, code(place))
		}
	}
	out.Width = widest(out.Codes, out.Missing)
	slices.SortFunc(out.Codes, func(x, y string) int { return strings.Compare(Pad(x, out.Width), Pad(y, out.Width)) })
	out.Codes = slices.Compact(out.Codes)
	places := make(map[string]int, len(out.Codes))
	for i, code := range out.Codes {
		places[code] = i
	}
	for place := range c.Codes {
		at, kept := places[code(place)]
		if !kept {
			at = -1
		}
		out.Of[place] = at
	}
	out.Warnings = a.warnings(untouched, lost)
	return out
}

// warnings says what may not be meant, without a code of the data.
func (a *application) warnings(untouched, lost int) []string {
	warnings := slices.Clone(a.Notes)
	add := func(n int, one, many string) {
		if n == 1 {
			warnings = append(warnings, one)
		} else if n > 1 {
			warnings = append(warnings, fmt.Sprintf(many, wording.Number(n)))
		}
	}
	add(untouched, "1 code is untouched: no rule names it, and it stays as it is", "%s codes are untouched: no rule names them, and they stay as they are")
	add(lost, "1 untouched code is now a missing code", "%s untouched codes are now missing codes")
	add(a.overlapping, "overlapping codes: 1 is named twice, and the later rule counts", "overlapping codes: %s are named twice, and the later rule counts")
	add(a.nonsense, "no sense codes: 1 code or range is nowhere in the data", "no sense codes: %s codes or ranges are nowhere in the data")
	return warnings
}

func widest(lists ...[]string) int {
	width := 0
	for _, codes := range lists {
		for _, code := range codes {
			width = max(width, utf8.RuneCountInString(strings.Trim(code, " ")))
		}
	}
	return width
}
