package statfile

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NameRule specifies which variable names a format allows.
type NameRule struct {
	Most       int               // maximum bytes
	Characters int               // maximum characters; 0 for no limit besides Most
	First      string            // allowed first characters besides letters
	Others     string            // allowed further characters besides letters and digits
	ASCII      bool              // only ASCII letters are allowed
	AnyCase    bool              // names are case-insensitive
	Reserved   func(string) bool // reports whether a name is reserved; nil if none is
}

// NamesOf returns the names of the variables of a file, changed to fit the format.
func (r *NameRule) NamesOf(f *File) []string { return r.Names(f.Names()) }

// Names returns the names of the variables.
func (f *File) Names() []string {
	names := make([]string, len(f.Variables))
	for i := range names {
		names[i] = f.Variables[i].Name
	}
	return names
}

// Names returns names that fit the format: unchanged if possible, else with underscores for characters that are
// not allowed, shortened, and numbered if they are not unique.
func (r *NameRule) Names(names []string) []string {
	out, taken, numbers := make([]string, len(names)), map[string]bool{}, map[string]int{}
	key := func(name string) string {
		if r.AnyCase {
			return strings.ToLower(name)
		}
		return name
	}
	for i, name := range names { // valid names have priority
		if r.allows(name) && !taken[key(name)] {
			out[i] = name
			taken[key(name)] = true
		}
	}
	for i, name := range names {
		if out[i] != "" {
			continue
		}
		whole := r.made(name)
		made := whole
		for number := max(2, numbers[whole]); taken[key(made)] || !r.allows(made); number++ {
			suffix := "_" + strconv.Itoa(number)
			made = r.cut(whole, len(suffix)) + suffix
			numbers[whole] = number // lower numbers are taken
		}
		out[i] = made
		taken[key(made)] = true
	}
	return out
}

func (r *NameRule) allows(name string) bool {
	return name != "" && name == r.made(name) && (r.Reserved == nil || !r.Reserved(name))
}

// made returns a name with allowed characters and length.
func (r *NameRule) made(name string) string {
	var out strings.Builder
	for _, char := range name {
		letter := unicode.IsLetter(char) && char != utf8.RuneError
		digit := unicode.IsDigit(char)
		if r.ASCII && char >= utf8.RuneSelf {
			letter, digit = false, false
		}
		switch {
		case out.Len() == 0 && !letter && !strings.ContainsRune(r.First, char):
			if out.WriteString("v_"); digit || strings.ContainsRune(r.Others, char) {
				out.WriteRune(char)
			}
		case letter, digit, strings.ContainsRune(r.Others, char):
			out.WriteRune(char)
		default:
			out.WriteByte('_')
		}
	}
	if out.Len() == 0 {
		return "v"
	}
	return r.cut(out.String(), 0)
}

// cut shortens a name to leave room for so many ASCII bytes.
func (r *NameRule) cut(name string, room int) string {
	name = Cut(name, r.Most-room)
	if r.Characters > 0 {
		name = Characters(name, r.Characters-room)
	}
	return name
}

// Characters returns a text cut to at most most characters.
func Characters(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}

// AppendField appends a text padded with spaces to size bytes.
func AppendField(dst []byte, text string, size int) []byte {
	text = Cut(text, size)
	return append(append(dst, text...), strings.Repeat(" ", size-len(text))...)
}

// Cut returns a text cut to at most most bytes, at a whole character.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	most = max(0, most)
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
