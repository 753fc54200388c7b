package muargus

import (
	"maps"
	"slices"
	"strings"
)

// CodeList has the labels of codes, in the order of the file (.cdl).
type CodeList []Label

// Label is a code with what it means.
type Label struct{ Code, Text string }

// ParseCodeList reads a code list: a code, a comma and a label a line. Blanks
// and double quotes around either are left out, lines without a comma or code
// too. Text after a second comma is lost, as in mu-Argus; of a code that is
// given twice the last label counts, at the first place. Nothing is an error.
func ParseCodeList(text string) CodeList {
	var list CodeList
	places := map[string]int{}
	for _, l := range textLines(text) {
		code, label, ok := strings.Cut(l.text, ",")
		code = unquoted(code)
		if !ok || code == "" {
			continue
		}
		label, _, _ = strings.Cut(label, ",")
		label = unquoted(label)
		if place, known := places[code]; known {
			list[place].Text = label
			continue
		}
		places[code] = len(list)
		list = append(list, Label{code, label})
	}
	return list
}

// unquoted returns a text without blanks and double quotes around it.
func unquoted(text string) string {
	return strings.Trim(strings.ReplaceAll(strings.Trim(text, " "), `"`, ""), " ")
}

// Map returns the labels by code; nil for none.
func (c CodeList) Map() map[string]string {
	if len(c) == 0 {
		return nil
	}
	labels := make(map[string]string, len(c))
	for _, label := range c {
		labels[label.Code] = label.Text
	}
	return labels
}

// CodeListOf returns the list of labels by code, codes ascending as mu-Argus
// orders them.
func CodeListOf(labels map[string]string) CodeList {
	codes := slices.Collect(maps.Keys(labels))
	width := widest(codes)
	slices.SortFunc(codes, func(x, y string) int { return strings.Compare(Pad(x, width), Pad(y, width)) })
	list := make(CodeList, len(codes))
	for i, code := range codes {
		list[i] = Label{code, labels[code]}
	}
	return list
}

// Text returns the file of the list, labels in quotes. A comma in a label,
// which would end it, becomes a semicolon; quotes and line breaks are left out.
func (c CodeList) Text() string {
	var text strings.Builder
	for _, label := range c {
		plain := strings.NewReplacer(",", ";", `"`, "", "\r", " ", "\n", " ").Replace(label.Text)
		text.WriteString(label.Code + `,"` + plain + `"` + lineEnd)
	}
	return text.String()
}
