package statfile

import (
	"cmp"
	"encoding/binary"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Charset decodes and encodes the texts of a file. Bytes that are invalid in the character set become U+FFFD and
// are counted; an incomplete character at the end, where a program cut the text, is removed and counted;
// characters that cannot be encoded become question marks. It is safe for concurrent use.
type Charset struct {
	name     string
	encoding encoding.Encoding // nil for UTF-8
	other    *Charset          // character set of texts that are not UTF-8; nil if none is accepted
	mixed    atomic.Bool       // some texts were in other
	lost     atomic.Int64
	cut      atomic.Int64 // number of texts that ended within a character
}

// Charset returns the character set of a file: the one requested, else the first known one of those that the file
// declares. If it declares none, each text is decoded as UTF-8 if valid, else as Windows-1252, because some
// programs write labels in one and values in the other.
func (s *Source) Charset(asked string, said ...string) (*Charset, error) {
	if asked != "" {
		if c, ok := NewCharset(asked); ok {
			return c, nil
		}
		return nil, s.Failure(ErrEncoding, "unknown encoding %q", wording.Excerpt(asked))
	}
	for _, name := range said {
		if c, ok := NewCharset(name); ok && name != "" {
			return c, nil
		}
	}
	other, _ := NewCharset("windows-1252")
	return &Charset{name: "utf-8", other: other}, nil
}

// NewCharset returns a character set by any of its usual names ("utf-8", "windows-1252", "CP850", "latin1") or by
// the number of a code page ("1252"); ok is false if it is unknown. The empty name is UTF-8.
func NewCharset(name string) (c *Charset, ok bool) {
	plain := strings.ToLower(strings.TrimSpace(name))
	if number, err := strconv.Atoi(plain); err == nil {
		plain = codePage(number)
	}
	switch plain {
	case "", "utf-8", "utf8":
		return &Charset{name: "utf-8"}, true
	case "us-ascii", "ascii", "ansi_x3.4-1968":
		plain = "windows-1252" // the usual meaning of bytes above 127
	case "latin1", "latin-1":
		plain = "iso-8859-1"
	}
	for _, spelled := range []string{plain, strings.Replace(plain, "cp", "ibm", 1),
		strings.Replace(plain, "cp", "windows-", 1)} {
		if found, err := ianaindex.IANA.Encoding(spelled); err == nil && found != nil {
			canonical, _ := ianaindex.MIME.Name(found)
			return &Charset{name: strings.ToLower(cmp.Or(canonical, spelled)), encoding: found}, true
		}
		if found, err := htmlindex.Get(spelled); err == nil {
			canonical, _ := htmlindex.Name(found)
			return &Charset{name: cmp.Or(canonical, spelled), encoding: found}, true
		}
	}
	return nil, false
}

// codePage returns the name of a code page of Windows or DOS.
func codePage(number int) string {
	switch {
	case number == 65001:
		return "utf-8"
	case number == 20127:
		return "us-ascii"
	case number > 28590 && number < 28606:
		return "iso-8859-" + strconv.Itoa(number-28590)
	case number >= 1250 && number <= 1258:
		return "windows-" + strconv.Itoa(number)
	case number == 932:
		return "shift_jis"
	case number == 936:
		return "gbk"
	case number == 949:
		return "euc-kr"
	case number == 950:
		return "big5"
	default:
		return "ibm" + strconv.Itoa(number)
	}
}

// Name returns the name for NewCharset; if some text was in the second character set, the name of that.
func (c *Charset) Name() string {
	if c.mixed.Load() {
		return c.other.name
	}
	return c.name
}

// UTF8 reports whether this is UTF-8.
func (c *Charset) UTF8() bool { return c.encoding == nil }

// Lost returns the number of decoded texts with invalid bytes.
func (c *Charset) Lost() int { return int(c.lost.Load()) }

// Warnings returns sentences about texts with invalid bytes or cut characters.
func (c *Charset) Warnings() (said []string) {
	if c.Lost() > 0 {
		said = append(said, wording.CountedAs(c.Lost(), "text value has", "text values have")+" bytes that are not valid in "+c.Name()+
			"; a mark replaces them: check the encoding of the file")
	}
	if cut := int(c.cut.Load()); cut > 0 {
		said = append(said, wording.CountedAs(cut, "text value ends", "text values end")+" within a character, because the program that wrote the file truncated the text: the incomplete character "+
			"is omitted")
	}
	return said
}

// Decode decodes a text.
func (c *Charset) Decode(text string) string {
	if ascii(text) {
		return text
	}
	if c.other != nil && !utf8.ValidString(text) {
		c.mixed.Store(true)
		return c.other.Decode(text)
	}
	decoded := text
	if c.encoding == nil {
		decoded = c.wholeLetters(text)
	} else {
		var err error
		if decoded, err = c.encoding.NewDecoder().String(text); err != nil {
			decoded = text
		}
	}
	if !utf8.ValidString(decoded) {
		decoded = strings.ToValidUTF8(decoded, "\ufffd")
	}
	if strings.ContainsRune(decoded, utf8.RuneError) {
		c.lost.Add(1)
	}
	return decoded
}

// wholeLetters removes an incomplete UTF-8 character at the end of a text.
func (c *Charset) wholeLetters(text string) string {
	start := len(text) - 1
	for start > 0 && len(text)-start < utf8.UTFMax && !utf8.RuneStart(text[start]) {
		start--
	}
	if start < 0 || utf8.FullRuneInString(text[start:]) {
		return text
	}
	c.cut.Add(1)
	return text[:start]
}

// Encode encodes a text; whole is false if it has characters that the character set lacks.
func (c *Charset) Encode(text string) (bytes string, whole bool) {
	if c.encoding == nil || ascii(text) {
		return text, true
	}
	encoder := c.encoding.NewEncoder()
	if bytes, err := encoder.String(text); err == nil {
		return bytes, true
	}
	var out strings.Builder
	for _, char := range text {
		encoder.Reset()
		if bytes, err := encoder.String(string(char)); err == nil {
			out.WriteString(bytes)
		} else {
			out.WriteByte('?')
		}
	}
	return out.String(), false
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// TrimSpaces returns a text without trailing spaces and zeros.
func TrimSpaces(text []byte) []byte {
	const eight = 0x2020202020202020
	for len(text) >= 8 && binary.LittleEndian.Uint64(text[len(text)-8:]) == eight {
		text = text[:len(text)-8]
	}
	for len(text) > 0 && (text[len(text)-1] == ' ' || text[len(text)-1] == 0) {
		text = text[:len(text)-1]
	}
	return text
}
