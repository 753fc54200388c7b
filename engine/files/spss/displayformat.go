package spss

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// displayFormat is a display format: a type with a width and decimals.
type displayFormat struct {
	code            byte
	width, decimals int
}

// formatNames maps type codes of formats to names.
var formatNames = map[byte]string{
	1: "A", 2: "AHEX", 3: "COMMA", 4: "DOLLAR", 5: "F", 6: "IB", 7: "PIBHEX", 8: "P", 9: "PIB", 10: "PK", 11: "RB",
	12: "RBHEX",
	15: "Z", 16: "N", 17: "E", 20: "DATE", 21: "TIME", 22: "DATETIME", 23: "ADATE", 24: "JDATE", 25: "DTIME", 26: "WKDAY",
	27: "MONTH",
	28: "MOYR", 29: "QYR", 30: "WKYR", 31: "PCT", 32: "DOT", 33: "CCA", 34: "CCB", 35: "CCC", 36: "CCD", 37: "CCE",
	38: "EDATE", 39: "SDATE", 40: "MTIME", 41: "YMDHMS",
}

// Format type codes with a meaning for reading.
const (
	formatA        = 1
	formatComma    = 3
	formatF        = 5
	formatDate     = 20
	formatTime     = 21
	formatDateTime = 22
)

func unpackFormat(packed uint32) displayFormat {
	return displayFormat{code: byte(packed >> 16), width: int(packed >> 8 & 0xff), decimals: int(packed & 0xff)}
}

func (f displayFormat) packed() uint32 {
	return uint32(f.code)<<16 | uint32(min(f.width, 255))<<8 | uint32(f.decimals)
}

// String returns the format in SPSS notation: "F8.2", "DATE11".
func (f displayFormat) String() string {
	name, known := formatNames[f.code]
	switch {
	case !known:
		return ""
	case f.decimals > 0 || f.code == formatF:
		return fmt.Sprintf("%s%d.%d", name, f.width, f.decimals)
	default:
		return fmt.Sprintf("%s%d", name, f.width)
	}
}

// parseFormat parses a format in SPSS notation; ok is false for formats of other programs.
func parseFormat(text string) (f displayFormat, ok bool) {
	name := strings.TrimRight(text, "0123456789.")
	for code, known := range formatNames {
		if known == name {
			f.code = code
		}
	}
	width, decimals, some := strings.Cut(text[len(name):], ".")
	var err error
	if f.width, err = strconv.Atoi(width); err != nil || f.code == 0 || f.width < 1 {
		return f, false
	}
	if some {
		if f.decimals, err = strconv.Atoi(decimals); err != nil {
			return f, false
		}
	}
	return f, f.decimals >= 0 && f.decimals <= 16 && (f.width <= 40 || f.code == formatA)
}

// displayWords is the number of display words per variable: measurement level, width and alignment. Old files lack
// the width.
const displayWords = 3

// columnLayout is the width in characters and the alignment of a column.
type columnLayout struct{ width, side int }

func sides() []string { return []string{"left", "right", "centre"} }

// String returns the form that is stored: "8 right"; "" if invalid.
func (s columnLayout) String() string {
	const most = 255
	if s.width < 1 || s.width > most || s.side < 0 || s.side >= len(sides()) {
		return ""
	}
	return strconv.Itoa(s.width) + " " + sides()[s.side]
}

// parseColumnLayout parses the form of String; ok is false for that of another program.
func parseColumnLayout(text string) (s columnLayout, ok bool) {
	width, side, _ := strings.Cut(text, " ")
	s.width, _ = strconv.Atoi(width)
	s.side = slices.Index(sides(), side)
	return s, text != "" && s.String() == text
}

// held returns the format with a width that SPSS accepts, for a format of another program with the same name.
func (f displayFormat) held() displayFormat {
	least := map[string]int{"DATE": 9, "ADATE": 8, "EDATE": 8, "SDATE": 8, "JDATE": 5, "QYR": 6, "MOYR": 6, "WKYR": 8,
		"DATETIME": 17, "YMDHMS": 16,
		"TIME": 5, "MTIME": 5, "DTIME": 8, "WKDAY": 2, "MONTH": 3, "E": 6, "DOLLAR": 2, "PCT": 2}[formatNames[f.code]]
	if f.decimals > 0 {
		switch name := formatNames[f.code]; name {
		case "DATETIME", "YMDHMS", "TIME", "DTIME":
			least += len(":00.") + f.decimals
		case "MTIME":
			least += len(".") + f.decimals
		case "E":
			least = f.decimals + len("1.E+000")
		case "DOLLAR", "PCT":
			least = f.decimals + len(".$")
		default:
			least = max(least, f.decimals+len("."))
		}
	}
	f.width = max(f.width, least)
	return f
}

// kind returns the kind of numbers with this format.
func (f displayFormat) kind() statfile.Kind {
	switch formatNames[f.code] {
	case "DATE", "ADATE", "EDATE", "SDATE", "JDATE", "MOYR", "QYR", "WKYR":
		return statfile.Date
	case "DATETIME", "YMDHMS":
		return statfile.DateTime
	case "TIME", "DTIME", "MTIME":
		return statfile.Time
	default:
		return statfile.Number
	}
}

const (
	daySeconds = 86400
	epoch      = 12219379200 // seconds from 14 October 1582, the origin of SPSS dates, to 1970
)

// neutral converts a number of SPSS to the representation of package statfile.
func neutral(kind statfile.Kind, value float64) float64 {
	switch kind {
	case statfile.Date:
		return (value - epoch) / daySeconds
	case statfile.DateTime:
		return value - epoch
	default:
		return value
	}
}

// own is the inverse of neutral.
func own(kind statfile.Kind, value float64) float64 {
	switch kind {
	case statfile.Date:
		return float64(value*daySeconds) + epoch
	case statfile.DateTime:
		return value + epoch
	default:
		return value
	}
}
