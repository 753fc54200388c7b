package sas

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Seconds and days from 1960, the origin of SAS dates, to 1970.
const (
	daySeconds = 86400
	epochDays  = 3653
)

// kindOf returns the kind of numbers with a SAS format.
func kindOf(format string) statfile.Kind {
	name := strings.ToUpper(strings.TrimRight(format, "0123456789."))
	in := func(names ...string) bool { return slices.Contains(names, name) }
	starts := func(starts ...string) bool {
		return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(name, start) })
	}
	switch {
	case in("DATETIME", "DATEAMPM", "TOD") || starts("E8601DT", "B8601DT", "E8601DZ", "B8601DZ", "IS8601DT", "DTDATE",
		"DTWKDATX", "NLDATM", "MDYAMPM"):
		return statfile.DateTime
	case in("TIME", "HHMM", "HOUR", "MMSS", "TIMEAMPM") || starts("E8601TM", "B8601TM", "E8601TZ", "NLTIM"):
		return statfile.Time
	case in("DATE", "DAY", "WEEKDATE", "WEEKDATX", "WORDDATE", "WORDDATX", "JULIAN", "JULDAY", "MONYY", "NLDATE", "MINGUO",
		"NENGO",
		"DOWNAME", "MONNAME", "MONTH", "QTR", "QTRR", "WEEKDAY", "WEEKV", "YEAR") ||
		starts("DDMMYY", "MMDDYY", "YYMMDD", "E8601DA", "B8601DA", "IS8601DA", "YYMON", "MMYY", "YYMM", "YYQ"):
		return statfile.Date
	default:
		return statfile.Number
	}
}

// neutral converts a number of SAS to the representation of package statfile.
func neutral(kind statfile.Kind, value float64) float64 {
	switch kind {
	case statfile.Date:
		return value - epochDays
	case statfile.DateTime:
		return value - epochDays*daySeconds
	default:
		return value
	}
}

// own is the inverse of neutral.
func own(kind statfile.Kind, value float64) float64 {
	switch kind {
	case statfile.Date:
		return value + epochDays
	case statfile.DateTime:
		return value + epochDays*daySeconds
	default:
		return value
	}
}

// formatText returns a format with its width and decimals.
func formatText(name string, width, decimals int) string {
	if name == "" && width == 0 {
		return ""
	}
	if width > 0 {
		name += strconv.Itoa(width)
	}
	if decimals > 0 {
		name += "." + strconv.Itoa(decimals)
	}
	return name
}

// parseFormat splits a format into its name, width and decimals.
func parseFormat(format string) (name string, width, decimals int) {
	before, after, _ := strings.Cut(format, ".")
	name = strings.TrimRight(before, "0123456789")
	width, _ = strconv.Atoi(before[len(name):])
	decimals, _ = strconv.Atoi(after)
	return name, width, decimals
}

// fromIBM decodes a floating-point number of IBM mainframes, of two to eight bytes: a sign, a base-16 exponent of
// seven bits, a fraction. Missing values have a letter, a point or an underscore in the first byte, followed by
// zeros.
func fromIBM(bytes []byte) float64 {
	var bits uint64
	if len(bytes) == 8 {
		bits = binary.BigEndian.Uint64(bytes)
	} else {
		for i, b := range bytes {
			bits |= uint64(b) << (56 - 8*i)
		}
	}
	const fraction = 1<<56 - 1
	if bits&fraction == 0 {
		switch first := byte(bits >> 56); {
		case first == '.':
			return statfile.Missing()
		case first == '_':
			return statfile.Extended('_')
		case first >= 'A' && first <= 'Z':
			return statfile.Extended(first | 0x20)
		}
		return 0
	}
	power := 4*(int(bits>>56&0x7f)-64) - 56 // from -312 to 196
	value := float64(bits&fraction) * math.Float64frombits(uint64(1023+power)<<52)
	if bits>>63 != 0 {
		return -value
	}
	return value
}

// The range of IBM floating-point numbers.
var (
	largestIBM  = math.Ldexp(1-math.Ldexp(1, -53), 252)
	smallestIBM = math.Ldexp(1, -260)
)

// toIBM is the inverse of fromIBM. It keeps all 53 bits of a number; exact is false if the exponent does not fit,
// and the number becomes the largest or zero.
func toIBM(value float64) (bits uint64, exact bool) {
	if letter, missing := statfile.Tag(value); missing {
		switch letter {
		case 0:
			return '.' << 56, true
		case '_':
			return '_' << 56, true
		default:
			return uint64(letter&^0x20) << 56, true
		}
	}
	if value == 0 {
		return 0, true
	}
	sign := uint64(0)
	if value < 0 {
		sign, value = 1<<63, -value
	}
	if value < smallestIBM {
		return 0, false
	}
	if exact = value <= largestIBM; !exact {
		value = largestIBM
	}
	fraction, exponent := math.Frexp(value) // value = fraction * 2^exponent, fraction in [0.5, 1)
	hex := (exponent + 3) >> 2              // the smallest power of 16 above it
	mantissa := uint64(math.Ldexp(fraction, 56-(4*hex-exponent)))
	return sign | uint64(hex+64)<<56 | mantissa, exact
}
