package muargus

import "strings"

// lineEnd ends the lines of all files written, as mu-Argus ends them.
const lineEnd = "\r\n"

// Text returns the recode file. ParseRecode reads it as the same recode again,
// but for notes, as long as no code has a double quote or a line break.
func (r *Recode) Text() string {
	var text strings.Builder
	for _, rule := range r.Rules {
		text.WriteString(spellCode(rule.New, ':'))
		text.WriteString(": ")
		for i, source := range rule.Sources {
			if i > 0 {
				text.WriteString(", ")
			}
			text.WriteString(source.String())
		}
		text.WriteString(lineEnd)
	}
	if len(r.Missing) > 0 {
		text.WriteString("<MISSING>")
		for _, code := range r.Missing {
			text.WriteString(" " + spellWord(code))
		}
		text.WriteString(lineEnd)
	}
	if r.CodeList != "" {
		text.WriteString(`<CODELIST> "` + r.CodeList + `"` + lineEnd)
	}
	return text.String()
}

// String returns the source as it is written: "5", "2-5", "-5", "2-".
func (s Source) String() string {
	text := ""
	if s.HasLow {
		text = spellCode(s.Low, ',')
	}
	if !s.Range {
		return text
	}
	text += "-"
	if s.HasHigh {
		text += spellCode(s.High, ',')
	}
	return text
}

// spellCode puts a code in quotes where it needs them.
func spellCode(code string, end byte) string {
	// At the beginning of a line these would be something else than a code.
	keyword := strings.HasPrefix(code, "<") || strings.HasPrefix(code, "//") || strings.HasPrefix(code, "\ufeff")
	if code == "" || strings.ContainsAny(code, " -\t"+string(end)) || keyword && !strings.Contains(code, `"`) {
		return `"` + code + `"`
	}
	return code
}

// spellWord puts a word in quotes where a blank or comma would end it.
func spellWord(word string) string {
	if word == "" || strings.ContainsAny(word, " ,\t<") && !strings.Contains(word, `"`) {
		return `"` + word + `"`
	}
	return word
}
