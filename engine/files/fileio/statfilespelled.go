package fileio

import (
	"math"
	"strconv"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// spelledNumber formats a number with as many decimals as needed, or as the date, time or truth value that it is;
// extended missing values are ".a" and so on, the system missing value is "".
func spelledNumber(content microdata.Content, value float64) string {
	if letter, missing := statfile.Tag(value); missing {
		if letter == 0 {
			return ""
		}
		return "." + string(rune(letter))
	}
	if content != "" {
		if text, ok := isoText(content, value); ok {
			return text
		}
	}
	if size := math.Abs(value); size != 0 && (size >= 1e21 || size < 1e-9) {
		return strconv.FormatFloat(value, 'g', -1, 64)
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

// Layouts of dates and times for package time.
const (
	isoDate     = time.DateOnly
	isoDateTime = "2006-01-02T15:04:05.999999"
)

const daySeconds = 86400

// isoText formats a date, time or truth value; ok is false if the value is out of range.
func isoText(content microdata.Content, value float64) (text string, ok bool) {
	seconds := value
	switch content {
	case microdata.Truths:
		return map[float64]string{0: "false", 1: "true"}[value], value == 0 || value == 1
	case microdata.Times:
		return statfile.Clock(value)
	case microdata.Dates:
		seconds *= daySeconds
	}
	whole := math.Floor(seconds)
	at := time.Unix(int64(max(min(whole, 1e12), -1e12)), int64(math.Round((seconds-whole)*1e6))*1e3).UTC()
	if year := at.Year(); year < 1 || year > 9999 {
		return "", false
	}
	if content == microdata.Dates && value == math.Floor(value) {
		return at.Format(isoDate), true
	}
	return at.Format(isoDateTime), true
}

// isoValue parses the format of spelledNumber for a content type.
func isoValue(content microdata.Content, text string) (value float64, ok bool) {
	switch content {
	case microdata.Truths:
		return map[string]float64{"true": 1}[text], text == "true" || text == "false"
	case microdata.Times:
		if value, ok = statfile.ClockSeconds(text); ok {
			return value, true
		}
	default:
		for _, layout := range []string{isoDate, isoDateTime} {
			if at, err := time.Parse(layout, text); err == nil {
				seconds := float64(at.Unix()) + float64(at.Nanosecond())/1e9
				if content == microdata.Dates {
					return seconds / daySeconds, true
				}
				return seconds, true
			}
		}
	}
	value = microdata.LabelNumber(text) // an out-of-range date is formatted as a number
	return value, value == value
}
