package muargus

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Text formats the recode file. ParseRecode reads it back unchanged, except for notes, unless a code contains a
// double quote or a line break.
func (r *Recode) Text() string {
	var text strings.Builder
	for _, rule := range r.Rules {
		text.WriteString(spellCode(rule.New, ':') + ": " + wording.Joined(rule.Sources, ", ", Source.String) + lineEnd)
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

// String formats the source as in a file: "5", "2-5", "-5", "2-".
func (s Source) String() string {
	if !s.Range {
		return spellCode(s.Low, ',')
	}
	text := "-"
	if s.Low != "" {
		text = spellCode(s.Low, ',') + text
	}
	if s.High != "" {
		text += spellCode(s.High, ',')
	}
	return text
}

// spellCode quotes a code if needed.
func spellCode(code string, end byte) string {
	// these have another meaning at the beginning of a line
	keyword := strings.HasPrefix(code, "<") || strings.HasPrefix(code, "//") || strings.HasPrefix(code, "\ufeff")
	if code == "" || strings.ContainsAny(code, " -\t"+string(end)) || keyword && !strings.Contains(code, `"`) {
		return `"` + code + `"`
	}
	return code
}
