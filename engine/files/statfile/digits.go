package statfile

import (
	"regexp"
	"strconv"
)

// Digits says with how many digits numbers are shown: that much of a format all
// programs know.
type Digits struct {
	Width, Decimals int
	Thousands       bool // with commas between them
}

var (
	ofDigits = regexp.MustCompile(`^(?:%([1-9]\d*)\.(\d+)f(c?)|(?:F|(COMMA))?([1-9]\d*)(?:\.(\d+))?)$`)
	ofUsual  = regexp.MustCompile(`^(?:|A\d+|%-?\d+s|\$(?:CHAR)?\d*|%[1-9]\d*\.0g|F|BEST\d*|%(?:t[dc]|d)|POSIXct(?: UTC)?|(?:DATE|DATETIME|TIME)\d*(?:\.\d+)?)$`)
)

// DigitsOf reads a format of SPSS (F8.2, COMMA8.2), Stata (%8.2f, %8.2fc) or SAS (8.2,
// COMMA8.2); ok is false for those that say something else.
func DigitsOf(format string) (d Digits, ok bool) {
	parts := ofDigits.FindStringSubmatch(format)
	if parts == nil {
		return d, false
	}
	d.Width, _ = strconv.Atoi(parts[1] + parts[5])
	d.Decimals, _ = strconv.Atoi(parts[2] + parts[6])
	d.Thousands = parts[3]+parts[4] != ""
	const most = 32 // that all programs take
	return d, d.Width > d.Decimals && d.Width <= most && d.Decimals <= most/2
}

// NoFormat adds that the format of a variable is left out, where it says more than digits
// and is not what a program chooses by itself: that numbers are months, or money.
func (l *Losses) NoFormat(name, format string) {
	if _, digits := DigitsOf(format); !digits && !ofUsual.MatchString(format) {
		l.Add("display formats are omitted", name+" ("+format+")")
	}
}
