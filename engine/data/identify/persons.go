package identify

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// addressed finds a form of address with a name.
var addressed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(Mr|Mrs|Ms|Dr|Mme|Herr|Frau)\b\.? \p{Lu}\p{Ll}+`)
})

const (
	mostNameWords = 4  // of a name, particles such as "de" counted
	likeNames     = 80 // percent of the values that must look like names
	knownNames    = 15 // percent that must have a name that is known
)

// Names says whether different values of a variable look like names of persons: most are
// one to three capitalised words without digits. Known says that enough of them have a
// first name or a family name that is common somewhere.
func (p *Patterns) Names(values []string) (like, known bool) {
	named, familiar := 0, 0
	for _, value := range values {
		words := nameWords(value)
		if len(words) == 0 {
			continue
		}
		named++
		if p.familiar(words) {
			familiar++
		}
	}
	like = named > 0 && 100*named >= likeNames*len(values)
	return like, like && 100*familiar >= knownNames*named
}

// particles are words of names that are no capitalised ones.
var particles = map[string]bool{"de": true, "der": true, "den": true, "van": true, "von": true, "zu": true, "la": true, "da": true,
	"do": true, "dos": true, "di": true, "del": true, "bin": true, "ben": true, "el": true, "al": true, "af": true, "av": true,
	"ter": true, "ten": true, "le": true, "y": true}

// nameWords returns the words of a text that could be the name of a person, else none.
func nameWords(text string) []string {
	words := strings.Fields(strings.ReplaceAll(text, ",", " "))
	if len(words) == 0 || len(words) > mostNameWords {
		return nil
	}
	capitalised := 0
	for _, word := range words {
		switch {
		case particles[word]:
		case capitalisedWord(word):
			capitalised++
		default:
			return nil
		}
	}
	if capitalised == 0 || capitalised > mostNameWords-1 {
		return nil
	}
	return words
}

// capitalisedWord reports whether a word has letters alone, the first in upper case or of
// a script without cases.
func capitalisedWord(word string) bool {
	lower, letters := false, 0
	for at, r := range word {
		switch {
		case unicode.IsLetter(r) || unicode.Is(unicode.M, r):
			if at == 0 && unicode.IsLower(r) {
				// As in deVries: a particle that is written with the name.
				rest := strings.TrimLeftFunc(word, unicode.IsLower)
				if rest == "" || !particles[word[:len(word)-len(rest)]] {
					return false
				}
			}
			letters++
			lower = lower || unicode.IsLower(r) || !unicode.IsUpper(r)
		case r != '-' && r != '\'' && r != '’' && r != '.':
			return false
		}
	}
	return letters > 0 && (lower || strings.HasSuffix(word, ".") || letters > 3)
}

// saints precede names in those of places.
var saints = map[string]bool{"san": true, "santa": true, "santo": true, "sao": true, "saint": true, "sainte": true, "sankt": true,
	"st": true, "st.": true, "ste": true, "port": true, "mount": true, "lake": true}

// familiar reports whether one of some words is a name that is known.
func (p *Patterns) familiar(words []string) bool {
	if saints[Fold(words[0])] {
		return false
	}
	for _, word := range words {
		for part := range strings.SplitSeq(Fold(word), "-") {
			if p.words["given"][part] || p.words["family"][part] {
				return true
			}
		}
	}
	return false
}

// named reports whether a text has a known first name before another capitalised word.
func (p *Patterns) named(text string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) && r != '\'' && r != '’' && r != '-'
	})
	for i := range len(words) - 1 {
		if !capitalisedWord(words[i]) || !p.words["given"][Fold(words[i])] || i > 0 && saints[Fold(words[i-1])] {
			continue
		}
		next := i + 1
		for next < len(words)-1 && particles[words[next]] {
			next++
		}
		if capitalisedWord(words[next]) {
			return true
		}
	}
	return false
}

// Capitalised returns a word with its first letter in upper case.
func Capitalised(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}
