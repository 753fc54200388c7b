package fileio

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"
)

// headSize is the number of bytes of a file from which its format is guessed.
const headSize = 1 << 18

// sampleRecords is the number of records from which a format is guessed.
const sampleRecords = 200

// Guess returns the format that the first bytes of a file suggest. Missing contains only the empty field: the user
// decides on codes such as NA.
func Guess(head []byte) Format {
	f := NewFormat()
	f.Encoding = guessEncoding(head)
	text := decodeHead(head, f.Encoding)
	f.LineEnding = guessLineEnding(text)
	f.Quote = guessQuote(text)
	f.Delimiter = guessDelimiter(text, f)
	records := sample(text, f)
	f.Decimal = guessDecimal(records)
	f.Header = guessHeader(records, f.Decimal[0])
	return f
}

// complete returns the format with its open fields guessed from the head of a file.
func (f Format) complete(head []byte) (Format, error) {
	if err := f.Validate(); err != nil {
		return f, err
	}
	f.Encoding = withMark(cmp.Or(f.Encoding, guessEncoding(head)), head)
	text := decodeHead(head, f.Encoding)
	if f.LineEnding == "" || f.LineEnding == CR {
		f.LineEnding = guessLineEnding(text)
	}
	if f.Missing == nil {
		f.Missing = []string{""}
	}
	if f.described() {
		f.applyDescription()
		return f, f.Validate()
	}
	f.Quote = cmp.Or(f.Quote, `"`)
	if f.Delimiter == "" {
		f.Delimiter = guessDelimiter(text, f)
	}
	if f.Decimal == "" {
		f.Decimal = guessDecimal(sample(text, f))
	}
	return f, f.Validate()
}

// decodeHead decodes the head of a file to UTF-8, cut at a whole character, without a byte order mark.
func decodeHead(head []byte, encoding string) []byte {
	head = bytes.TrimPrefix(head, byteOrderMark(encoding))
	decode := decoding(encoding)
	if decode == nil {
		return head
	}
	out := make([]byte, 3*len(head)+utf8.UTFMax)
	written, _, _ := decode.Transform(out, head, false)
	return out[:written]
}

// guessEncoding distinguishes UTF-8, UTF-16 and Windows-1252 by a byte order mark, the zeros of UTF-16, and
// invalid UTF-8.
func guessEncoding(head []byte) string {
	for _, encoding := range []string{UTF8BOM, UTF16LEBOM, UTF16BEBOM} {
		if bytes.HasPrefix(head, byteOrderMark(encoding)) {
			return encoding
		}
	}
	var zeros [2]int // at even and at odd offsets
	for i, b := range head[:min(len(head), 1<<13)] {
		if b == 0 {
			zeros[i%2]++
		}
	}
	if units := min(len(head), 1<<13) / 2; units > 1 {
		if 10*zeros[1] >= 4*units && 10*zeros[0] < units {
			return UTF16LE
		}
		if 10*zeros[0] >= 4*units && 10*zeros[1] < units {
			return UTF16BE
		}
	}
	if invalidUTF8(head) < len(head) {
		return Windows1252
	}
	return UTF8
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or the length. A character cut off at the
// end counts as valid.
func invalidUTF8(text []byte) int {
	if at := wholeUTF8(text); utf8.FullRune(text[at:]) {
		return at
	}
	return len(text)
}

// wholeUTF8 returns the length of the longest prefix of whole UTF-8 characters.
func wholeUTF8(text []byte) int {
	if utf8.Valid(text) {
		return len(text)
	}
	for at := 0; ; {
		char, size := utf8.DecodeRune(text[at:])
		if char == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

// guessLineEnding returns the line ending. Some programs end lines with CR, and the last with CRLF.
func guessLineEnding(text []byte) string {
	i := bytes.IndexByte(text, '\n')
	switch first := bytes.IndexByte(text, '\r'); {
	case i > 0 && i == len(text)-1 && first >= 0 && first < i-1 && bytes.Count(text[:first], []byte{'"'})%2 == 0:
		return CR
	case i > 0 && text[i-1] == '\r':
		return CRLF
	case i < 0 && first >= 0 && first < len(text)-1:
		return CR
	default:
		return LF
	}
}

// guessQuote returns the double quote, unless only single quotes occur at the beginning and end of fields.
func guessQuote(text []byte) string {
	if bytes.IndexByte(text, '"') >= 0 {
		return `"`
	}
	edge := func(i int) bool {
		return i < 0 || i == len(text) || bytes.IndexByte([]byte(",;\t|\r\n"), text[i]) >= 0
	}
	opened, closed := 0, 0
	for i, b := range text {
		if b != '\'' {
			continue
		}
		if edge(i - 1) {
			opened++
		}
		if edge(i + 1) {
			closed++
		}
	}
	if opened >= 4 && 10*closed >= 9*opened && 10*opened >= 9*closed {
		return "'"
	}
	return `"`
}

// guessDelimiter returns the delimiter with which most records have the same number of fields as the first, and
// more than one.
func guessDelimiter(text []byte, f Format) string {
	best, chosen := 0.0, ","
	for _, f.Delimiter = range []string{",", ";", "\t", "|"} {
		if score := consistency(sample(text, f)); score > best {
			best, chosen = score, f.Delimiter
		}
	}
	return chosen
}

// consistency is the share of records with the most frequent number of fields, larger for more fields; 0 if that
// number is one.
func consistency(records [][]string) float64 {
	counts := map[int]int{}
	for _, record := range records {
		counts[len(record)]++
	}
	most, width := 0, 0
	for _, record := range records { // not over the map, whose order is random
		if n := counts[len(record)]; n > most {
			most, width = n, len(record)
		}
	}
	if width < 2 {
		return 0
	}
	share := float64(most) / float64(len(records))
	return float64(share*share*share) + float64(min(width, 1000))/10000
}

// sample returns the fields of the first records as text, decoded.
func sample(text []byte, f Format) [][]string {
	if f.Decimal == "" {
		f.Decimal = "."
	}
	records := excerpted(text, f.dialect(), sampleRecords, false).records
	if n := len(records); n > 2 && n < sampleRecords {
		records = records[:n-1] // the last record may be cut off
	}
	return records
}

// guessDecimal returns the comma if more fields are numbers with a comma than with a point.
func guessDecimal(records [][]string) string {
	points, commas := 0, 0
	for _, record := range records {
		for _, cell := range record {
			if decimalNumber(cell, '.') {
				points++
			} else if decimalNumber(cell, ',') {
				commas++
			}
		}
	}
	if commas > points {
		return ","
	}
	return "."
}

func decimalNumber(cell string, mark byte) bool {
	_, decimals, ok := parseNumber([]byte(cell), mark)
	return ok && decimals != 0 && slices.Contains([]byte(cell), mark)
}

// guessHeader reports whether the first record contains the names of the variables: a text is above numbers, or no
// field of the first record is a number.
func guessHeader(records [][]string, mark byte) bool {
	if len(records) == 0 {
		return true
	}
	numbersFirst := false
	for i, name := range records[0] {
		if _, _, ok := parseNumber([]byte(name), mark); ok {
			numbersFirst = true
		} else if name != "" && !slices.Contains([]string{"NA", "NaN", "NULL", "null", ".", "-", "N/A"}, name) &&
			numbersBelow(records[1:], i, mark) {
			return true
		}
	}
	return !numbersFirst
}

// numbersBelow reports whether all fields of a column below the first record are numbers or empty, and some are
// numbers.
func numbersBelow(records [][]string, column int, mark byte) bool {
	some := false
	for _, record := range records {
		if column >= len(record) || record[column] == "" {
			continue
		}
		if _, _, ok := parseNumber([]byte(record[column]), mark); !ok {
			return false
		}
		some = true
	}
	return some
}
