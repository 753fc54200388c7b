package muargus

import (
	"maps"
	"slices"
	"strings"
)

// ParseCodeList reads a code list (.cdl), a code, a comma and a label a line, and
// returns the labels by code; nil for none. Blanks and double quotes around either
// are left out, lines without a comma or code too. Text after a second comma is
// lost, as in mu-Argus; of a code that is given twice the last label counts.
// Nothing is an error.
func ParseCodeList(text string) map[string]string {
	var labels map[string]string
	for _, l := range textLines(text) {
		code, label, ok := strings.Cut(l.text, ",")
		if code = unquoted(code); !ok || code == "" {
			continue
		}
		if labels == nil {
			labels = map[string]string{}
		}
		label, _, _ = strings.Cut(label, ",")
		labels[code] = unquoted(label)
	}
	return labels
}

// unquoted returns a text without blanks and double quotes around it.
func unquoted(text string) string {
	return strings.Trim(strings.ReplaceAll(strings.Trim(text, " "), `"`, ""), " ")
}

// CodeListText returns the code list of labels by code, codes ascending as
// mu-Argus orders them and labels in quotes. A comma in a label, which would end
// it, becomes a semicolon; quotes and line breaks are left out. So are codes with any
// of these, or that begin as a comment does: they would be read as others.
func CodeListText(labels map[string]string) string {
	codes := slices.DeleteFunc(slices.Collect(maps.Keys(labels)), func(code string) bool {
		return strings.ContainsAny(code, ",\"\r\n") || strings.HasPrefix(strings.TrimLeft(code, " "), "//")
	})
	sortCodes(codes, widest(codes))
	var text strings.Builder
	for _, code := range codes {
		plain := strings.NewReplacer(",", ";", `"`, "", "\r", " ", "\n", " ").Replace(labels[code])
		text.WriteString(code + `,"` + plain + `"` + lineEnd)
	}
	return text.String()
}
