package identify

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// addressed matches a form of address followed by a name.
var addressed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(Mr|Mrs|Ms|Dr|Mme|Herr|Frau)\b\.? \p{Lu}\p{Ll}+`)
})

const (
	mostNameWords = 4  // words of a name, including particles such as "de"
	likeNames     = 80 // percent of the values that must look like names
	knownNames    = 15 // percent of the values that must contain a known name
)

// Names reports whether the distinct values of a variable are like names of persons: most are one to three
// capitalised words without digits. known reports whether enough of them contain a common first or family name.
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

// particles are the uncapitalised words of names.
var particles = map[string]bool{"de": true, "der": true, "den": true, "van": true, "von": true, "zu": true, "la": true, "da": true,
	"do": true, "dos": true, "di": true, "del": true, "bin": true, "ben": true, "el": true, "al": true, "af": true, "av": true,
	"ter": true, "ten": true, "le": true, "y": true}

// nameWords returns the words of a text that could be the name of a person, or nil if it could not.
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

// capitalisedWord reports whether a word consists of letters, the first in upper case or of a script without case.
func capitalisedWord(word string) bool {
	lower, letters := false, 0
	for at, r := range word {
		switch {
		case unicode.IsLetter(r) || unicode.Is(unicode.M, r):
			if at == 0 && unicode.IsLower(r) {
				// a particle written together with the name, as in deVries
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

// saints are words before a name that mark the name of a place.
var saints = map[string]bool{"san": true, "santa": true, "santo": true, "sao": true, "saint": true, "sainte": true, "sankt": true,
	"st": true, "st.": true, "ste": true, "port": true, "mount": true, "lake": true}

// familiar reports whether one of the words is a known name.
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

// named reports whether a text contains a known first name before another capitalised word.
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

// Capitalised returns a word with its first letter capitalised.
func Capitalised(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}
