package muargus

import (
	"maps"
	"slices"
	"strings"
)

// ParseCodeList parses a code list (.cdl), with a code, a comma and a label per line, and returns the labels by
// code, or nil if there are none. It removes surrounding spaces and double quotes, and skips lines without a comma
// or code. As in mu-Argus, it ignores text after a second comma, and the last label of a repeated code counts. It
// never fails.
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

// unquoted returns a text without surrounding spaces and double quotes.
func unquoted(text string) string {
	return strings.Trim(strings.ReplaceAll(strings.Trim(text, " "), `"`, ""), " ")
}

// CodeListText returns the code list for labels by code, with codes in the order of mu-Argus and quoted labels.
// Commas in labels, which would end them, become semicolons; quotes and line breaks are removed. Codes that
// contain any of these, or begin like a comment, are left out, because they would be read differently.
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
