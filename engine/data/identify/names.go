package identify

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Lexicon lists words to find in variable names, separated by spaces: whole words, prefixes ending in a star, and,
// with a leading minus, words that rule a match out. Words are in lower case, without accents; the empty lexicon
// matches every name.
type Lexicon string

// NamedLike reports whether the name of a variable contains a word of the lexicon.
func NamedLike(name string, words Lexicon) bool { return words.Match(Words(name)) }

// Match reports whether the lexicon matches the words of a name, as returned by Words.
func (l Lexicon) Match(words []string) bool {
	found := l == ""
	for entry := range strings.FieldsSeq(string(l)) {
		stem, isStem := strings.CutSuffix(entry, "*")
		for _, word := range words {
			if entry[0] == '-' && entry[1:] == word {
				return false
			}
			found = found || word == entry || isStem && strings.HasPrefix(word, stem)
		}
	}
	return found
}

const (
	mostOfName = 1 << 10 // bytes of a name that are examined
	mostJoined = 4       // adjacent words that are joined into one
)

// Words splits a name at punctuation, digits and capitals, in lower case and without accents. Joins of adjacent
// words are included: "First_Name2" gives first, firstname, name.
func Words(name string) []string {
	single := split(strip(strings.ToValidUTF8(name[:min(len(name), mostOfName)], " ")))
	if len(single) > mostOfName/8 {
		return single
	}
	var words []string
	for first := range single {
		for last := first; last < min(first+mostJoined, len(single)); last++ {
			words = append(words, strings.Join(single[first:last+1], ""))
		}
	}
	return words
}

// split returns the words of a name without accents.
func split(name string) (words []string) {
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		start, before := 0, ' '
		for at, r := range word {
			if unicode.IsUpper(r) && unicode.IsLower(before) {
				words, start = append(words, strings.ToLower(word[start:at])), at
			}
			before = r
		}
		words = append(words, strings.ToLower(word[start:]))
	}
	return words
}

// Fold returns a text in lower case and without accents.
func Fold(text string) string { return strings.ToLower(strip(text)) }

// strip returns a text without accents; letters that do not decompose are replaced by their usual transliteration.
func strip(text string) string {
	if isASCII(text) {
		return text
	}
	var out strings.Builder
	for _, r := range norm.NFD.String(text) {
		if with, ok := plainLetters[r]; ok {
			out.WriteString(with)
		} else if !unicode.Is(unicode.M, r) {
			out.WriteRune(r)
		}
	}
	return out.String()
}

var plainLetters = map[rune]string{'ß': "ss", 'ø': "o", 'Ø': "O", 'æ': "ae", 'Æ': "Ae", 'ł': "l", 'Ł': "L", 'đ': "d", 'Đ': "D",
	'ð': "d", 'Ð': "D", 'þ': "th", 'Þ': "Th", 'ı': "i", 'œ': "oe", 'Œ': "Oe", 'ς': "σ"}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
