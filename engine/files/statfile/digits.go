package statfile

import (
	"regexp"
	"strconv"
)

// Digits is the display format of numbers, as far as all programs share it.
type Digits struct {
	Width, Decimals int
	Thousands       bool // separates thousands by commas
}

var (
	ofDigits = regexp.MustCompile(`^(?:%([1-9]\d*)\.(\d+)f(c?)|(?:F|(COMMA))?([1-9]\d*)(?:\.(\d+))?)$`)
	ofUsual  = regexp.MustCompile(`^(?:|A\d+|%-?\d+s|\$(?:CHAR)?\d*|%[1-9]\d*\.0g|F|BEST\d*|%(?:t[dc]|d)|POSIXct(?: UTC)?|(?:DATE|DATETIME|TIME)\d*(?:\.\d+)?)$`)
)

// DigitsOf parses a format of SPSS (F8.2, COMMA8.2), Stata (%8.2f, %8.2fc) or SAS (8.2, COMMA8.2); ok is false for
// formats that are not plain numbers.
func DigitsOf(format string) (d Digits, ok bool) {
	parts := ofDigits.FindStringSubmatch(format)
	if parts == nil {
		return d, false
	}
	d.Width, _ = strconv.Atoi(parts[1] + parts[5])
	d.Decimals, _ = strconv.Atoi(parts[2] + parts[6])
	d.Thousands = parts[3]+parts[4] != ""
	const most = 32 // accepted by all programs
	return d, d.Width > d.Decimals && d.Width <= most && d.Decimals <= most/2
}

// NoFormat adds the loss of a variable's format if it has a meaning, such as months or money, beyond digits and
// defaults.
func (l *Losses) NoFormat(name, format string) {
	if _, digits := DigitsOf(format); !digits && !ofUsual.MatchString(format) {
		l.Add("display formats are omitted", name+" ("+format+")")
	}
}
