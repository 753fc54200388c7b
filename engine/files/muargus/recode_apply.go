package muargus

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// CodeSource is the input of a recode: the original codes of a variable.
type CodeSource struct {
	Codes   []string // distinct codes in the data, without missing codes
	Width   int      // width of the field in characters; 0 for the longest code
	Missing []string // at most two missing codes
}

// Recoded is the result of a recode.
type Recoded struct {
	Codes    []string // new codes, including unchanged ones, in the order of mu-Argus
	Of       []int    // index into Codes for every code of the Coded; -1 if it becomes missing
	Missing  []string // new missing codes
	Width    int      // new width of the field in characters
	Warnings []string // in words; nil if there are none
}

// Pad returns a code padded on the left with spaces to a width in characters; a longer one is unchanged.
func Pad(code string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(code))) + code
}

// sortCodes sorts codes of a field of a width in the order of mu-Argus: padded on the left with spaces, byte by
// byte.
func sortCodes(codes []string, width int) {
	slices.SortFunc(codes, func(x, y string) int { return strings.Compare(Pad(x, width), Pad(y, width)) })
}

// Apply recodes the codes of a variable. Codes are compared byte by byte after padding on the left to the width of
// the field, so that integers compare by value but "01" differs from "1". Codes that no rule names are unchanged;
// if several rules name a code, the last one counts. Missing values stay missing. Errors wrap ErrRange,
// ErrCodeLength or ErrMissingCode, with line and position, and nothing is recoded.
func (r *Recode) Apply(c CodeSource) (*Recoded, error) {
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

// application is the state of applying a recode to a variable.
type application struct {
	*Recode
	width   int
	guessed bool // width is that of the longest code
	missing []string
	padded  []string          // padded codes of the data, in ascending order
	target  map[string]string // new code by padded code, including single codes that are not in the data

	overlapping, nonsense int
}

// check returns an error if a source is invalid for this width and these missing codes.
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

// assign maps the codes of a source to a new code.
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

// result returns the result of the recode.
func (a *application) result(c CodeSource) *Recoded {
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

// warnings returns warnings about what may be a mistake, without codes of the data.
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
