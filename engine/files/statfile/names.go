package statfile

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NameRule says what names of variables a format takes.
type NameRule struct {
	Most       int               // bytes
	Characters int               // at most; 0: as many as there are bytes for
	First      string            // characters other than letters that a name may begin with
	Others     string            // characters other than letters and digits that may follow
	ASCII      bool              // letters are those of ASCII
	AnyCase    bool              // names that differ in capitals only are the same
	Reserved   func(string) bool // names that mean something else; nil: none
}

// NamesOf returns the names of the variables of a file as the format takes them.
func (r *NameRule) NamesOf(f *File) []string { return r.Names(f.Names()) }

// Names returns the names of the variables.
func (f *File) Names() []string {
	names := make([]string, len(f.Variables))
	for i := range names {
		names[i] = f.Variables[i].Name
	}
	return names
}

// Names returns the names as the format takes them: each as it is where it can
// be, else with underscores for what it may not have, cut, and with a number where
// another has the name already.
func (r *NameRule) Names(names []string) []string {
	out, taken, numbers := make([]string, len(names)), map[string]bool{}, map[string]int{}
	key := func(name string) string {
		if r.AnyCase {
			return strings.ToLower(name)
		}
		return name
	}
	for i, name := range names { // names that can stay have them first
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
			numbers[whole] = number // lower ones are taken
		}
		out[i] = made
		taken[key(made)] = true
	}
	return out
}

func (r *NameRule) allows(name string) bool {
	return name != "" && name == r.made(name) && (r.Reserved == nil || !r.Reserved(name))
}

// made returns a name in the characters and the length of the format.
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

// cut returns as much of a name as leaves room for some bytes of ASCII.
func (r *NameRule) cut(name string, room int) string {
	name = Cut(name, r.Most-room)
	if r.Characters > 0 {
		name = Characters(name, r.Characters-room)
	}
	return name
}

// Characters returns as much of a text as has at most so many characters.
func Characters(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i]
		}
	}
	return text
}

// AppendField appends a text in a field of so many bytes that blanks fill.
func AppendField(dst []byte, text string, size int) []byte {
	text = Cut(text, size)
	return append(append(dst, text...), strings.Repeat(" ", size-len(text))...)
}

// Cut returns as much of a text as has at most so many bytes, without half a
// character.
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
