package statfile

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Losses collects what a format cannot hold: sentences, each with the variables concerned. The zero value is ready
// to use.
type Losses struct {
	sentences []string
	names     [][]string
	said      map[lossOf]bool // for many thousands of variables
}

// lossOf is a variable listed with a sentence.
type lossOf struct {
	at   int
	name string
}

// Add adds a variable to a sentence; name is "" if the sentence is about the file.
func (l *Losses) Add(sentence, name string) {
	at := slices.Index(l.sentences, sentence)
	if at < 0 {
		at = len(l.sentences)
		l.sentences, l.names = append(l.sentences, sentence), append(l.names, nil)
	}
	if l.said == nil {
		l.said = map[lossOf]bool{}
	}
	if one := (lossOf{at, name}); name != "" && !l.said[one] {
		l.names[at], l.said[one] = append(l.names[at], name), true
	}
}

// Sentences returns the sentences in order of first addition, each with its first few variables.
func (l *Losses) Sentences() []string {
	const most = 5
	var out []string
	for i, sentence := range l.sentences {
		if names := l.names[i]; len(names) > 0 {
			few := slices.Clone(wording.FirstFew(names, most))
			for at, name := range few {
				few[at] = wording.Excerpt(name)
			}
			sentence += ": " + wording.Listed(few)
		}
		out = append(out, sentence)
	}
	return out
}

// ValuesOnly adds the losses of a format that holds only names and values.
func (l *Losses) ValuesOnly(f *File) {
	if f.Label != "" {
		l.Add("the file label is omitted", "")
	}
	l.NoNotes(f)
	l.NoWeight(f)
	for i := range f.Variables {
		v := &f.Variables[i]
		if v.Label != "" {
			l.Add("variable labels are omitted", v.Name)
		}
		if len(v.Labels) > 0 {
			l.Add("value labels are omitted, and the codes are kept", v.Name)
		}
		l.NoFormat(v.Name, v.Format)
		l.NoDeclarations(v)
		l.OneKindOfMissing(v)
	}
}

// NoNotes adds the losses of a format without notes.
func (l *Losses) NoNotes(f *File) {
	if len(f.Notes) > 0 {
		l.Add("the notes of the file are omitted", "")
	}
}

// NoWeight adds the losses of a format without a weight variable.
func (l *Losses) NoWeight(f *File) {
	if f.Weight != "" {
		l.Add("the declaration of the weight variable is omitted", f.Weight)
	}
}

// LabelAs returns the label of a variable that is written under a name: its original name if it has no label and
// is renamed.
func (v *Variable) LabelAs(name string) string {
	if v.Label == "" && name != v.Name {
		return v.Name
	}
	return v.Label
}

// Renamed adds a variable that is renamed, if the names differ.
func (l *Losses) Renamed(program, name, other string) {
	if name != other {
		l.Add("names that "+program+" does not accept are changed", name+" as "+other)
	}
}

// NoDeclarations adds the losses of a variable in a format without declared missing values and measurement levels.
func (l *Losses) NoDeclarations(v *Variable) {
	code := func(x Value) bool { _, missing := Tag(x.Number); return x.IsText || !missing }
	if slices.ContainsFunc(v.Missing, code) || v.MissingRange != nil {
		l.Add("declared missing codes become ordinary values, which distinguish records again", v.Name)
	}
	if v.Level != "" {
		l.Add("measurement levels are omitted", v.Name)
	}
}

// OneKindOfMissing adds the losses of a variable in a format with a single missing value.
func (l *Losses) OneKindOfMissing(v *Variable) {
	if slices.ContainsFunc(v.Column.Numbers, func(x float64) bool { letter, _ := Tag(x); return letter != 0 }) {
		l.Add("different kinds of missing values become one", v.Name)
	}
}

// PadsWithSpaces adds the losses of a variable in a format that pads texts with spaces.
func (l *Losses) PadsWithSpaces(v *Variable) {
	if v.Column.Texts != nil &&
		slices.ContainsFunc(v.Column.Texts.Values, func(text string) bool { return strings.HasSuffix(text, " ") }) {
		l.Add("trailing spaces of text values are removed; values that differ only in them become equal", v.Name)
	}
}

// NoTruths adds the losses of a variable in a format without truth values.
func (l *Losses) NoTruths(v *Variable) {
	if v.Kind == Boolean {
		l.Add("logical values become 1 and 0", v.Name)
	}
}
