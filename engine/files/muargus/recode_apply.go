package muargus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
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

// sortCodes sorts codes as mu-Argus orders those of a field of a width: with
// blanks before them, byte by byte.
func sortCodes(codes []string, width int) {
	slices.SortFunc(codes, func(x, y string) int { return strings.Compare(Pad(x, width), Pad(y, width)) })
}

// Apply says what becomes of the codes of a variable. Codes are compared byte
// by byte after blanks were put before them up to the width of the field, so
// that numbers compare as numbers and "01" is another code than "1". Codes that
// no rule names stay as they are; where two rules name one, the later counts.
// Missing values stay missing. Errors wrap ErrRange, ErrCodeLength or
// ErrMissingCode, with line and position, and nothing is recoded then.
func (r *Recode) Apply(c Coded) (*Recoded, error) {
	a := application{Recode: r, width: c.Width, missing: c.Missing, target: map[string]string{}}
	if a.guessed = a.width == 0; a.guessed {
		a.width = widest(c.Codes, c.Missing)
	}
	for _, rule := range r.Rules {
		for _, s := range rule.Sources {
			if err := a.check(s); err != nil {
				return nil, err
			}
		}
	}
	for _, code := range c.Codes {
		a.padded = append(a.padded, Pad(strings.Trim(code, " "), a.width))
	}
	slices.Sort(a.padded)
	for _, rule := range r.Rules {
		for _, s := range rule.Sources {
			a.assign(rule.New, s)
		}
	}
	return a.result(c), nil
}

// application is one recode of one variable.
type application struct {
	*Recode
	width   int
	guessed bool // the width is that of the longest code
	missing []string
	padded  []string          // codes of the data, ascending
	target  map[string]string // new code by the padded one, of those named singly or by a range, in the data or not

	overlapping, nonsense int
}

// check reports a source that no variable of this width and with these missing
// codes can have.
func (a *application) check(s Source) error {
	ends := []token{{s.Low, s.start}, {s.High, s.stop}}
	for _, end := range ends {
		if err := a.checkLength(end.text, s.line, end.position); err != nil {
			return err
		}
	}
	if s.Range && (s.Low == "" || s.High == "") {
		return nil
	}
	if Pad(s.Low, a.width) > Pad(s.High, a.width) {
		return problem(ErrRange, s.line, s.start, "the range ends before it begins; swap its ends")
	}
	for _, end := range ends {
		if slices.Contains(a.missing, end.text) {
			return problem(ErrMissingCode, s.line, end.position,
				"%q is a missing-value code of the variable, and missing values stay missing (mu-Argus: code 3003); remove it",
				wording.Excerpt(end.text))
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
		hint = "; write a hyphen instead of the dash"
	}
	if a.guessed {
		return problem(ErrCodeLength, line, position,
			"the code is longer than every code in the data; the longest has %s%s; if the field is wider, set its width",
			wording.Counted(a.width, "character"), hint)
	}
	return problem(ErrCodeLength, line, position, "the code is longer than the field, which has %s%s",
		wording.Counted(a.width, "character"), hint)
}

// assign gives the codes of one source a new code.
func (a *application) assign(code string, s Source) {
	from, to := 0, len(a.padded)
	if s.Low != "" || !s.Range {
		from, _ = slices.BinarySearch(a.padded, Pad(s.Low, a.width))
	}
	if s.High != "" || !s.Range {
		var found bool
		if to, found = slices.BinarySearch(a.padded, Pad(s.High, a.width)); found {
			to++
		}
	}
	named := a.padded[from:max(from, to)]
	if len(named) == 0 {
		a.nonsense++
	}
	if !s.Range {
		named = []string{Pad(s.Low, a.width)}
	}
	for _, padded := range named {
		if a.target[padded] != "" {
			a.overlapping++
		}
		a.target[padded] = code
	}
}

// result gathers the new codes.
func (a *application) result(c Coded) *Recoded {
	out := &Recoded{Missing: c.Missing, Of: make([]int, len(c.Codes))}
	if len(a.Missing) > 0 {
		out.Missing = a.Missing
	}
	untouched, lost := 0, 0
	now := make([]string, len(c.Codes))
	for i, code := range c.Codes {
		code = strings.Trim(code, " ")
		now[i] = a.target[Pad(code, a.width)]
		missing := slices.Contains(out.Missing, cmp.Or(now[i], code))
		if now[i] == "" {
			now[i] = code
			untouched++
			if missing {
				lost++
			}
		}
		if !missing {
			out.Codes = append(out.Codes, now[i])
		}
	}
	out.Width = widest(out.Codes, out.Missing)
	sortCodes(out.Codes, out.Width)
	out.Codes = slices.Compact(out.Codes)
	places := make(map[string]int, len(out.Codes))
	for i, code := range out.Codes {
		places[code] = i + 1
	}
	for i, code := range now {
		out.Of[i] = places[code] - 1
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
	add(untouched, "1 code is untouched: no rule contains it",
		"%s codes are untouched: no rule contains them")
	add(lost, "1 untouched code is now a missing-value code", "%s untouched codes are now missing-value codes")
	add(a.overlapping, "overlapping codes: 1 code occurs twice; the later rule applies",
		"overlapping codes: %s codes occur twice; the later rule applies")
	add(a.nonsense, "no sense codes: 1 code or range does not occur in the data",
		"no sense codes: %s codes or ranges do not occur in the data")
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
