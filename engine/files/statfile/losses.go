package statfile

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Losses gathers what a format cannot hold: sentences, each with the variables that
// it is about. The zero value is ready.
type Losses struct {
	sentences []string
	names     [][]string
	said      map[lossOf]bool // of many thousands of variables
}

// lossOf is a variable that the sentence at a place is about.
type lossOf struct {
	at   int
	name string
}

// Add says that a variable is concerned by a sentence; "" as its name: the file.
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

// Sentences returns the sentences in the order in which they were added first, each
// with the first few of its variables.
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

// ValuesOnly adds what a format loses that holds names and values alone.
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

// NoNotes adds what a format loses that has no room for notes.
func (l *Losses) NoNotes(f *File) {
	if len(f.Notes) > 0 {
		l.Add("the notes of the file are omitted", "")
	}
}

// NoWeight is that of a format which does not say what weights records.
func (l *Losses) NoWeight(f *File) {
	if f.Weight != "" {
		l.Add("the declaration of the weight variable is omitted", f.Weight)
	}
}

// LabelAs returns the label of a variable that is written under a name: what it was called
// before, where it has no label and gets another name.
func (v *Variable) LabelAs(name string) string {
	if v.Label == "" && name != v.Name {
		return v.Name
	}
	return v.Label
}

// Renamed adds that a variable gets another name, where it does.
func (l *Losses) Renamed(program, name, other string) {
	if name != other {
		l.Add("names that "+program+" does not accept are changed", name+" as "+other)
	}
}

// NoDeclarations adds what a format loses of a variable that declares no values missing
// and has no measurement levels.
func (l *Losses) NoDeclarations(v *Variable) {
	code := func(x Value) bool { _, missing := Tag(x.Number); return x.IsText || !missing }
	if slices.ContainsFunc(v.Missing, code) || v.MissingRange != nil {
		l.Add("declared missing codes become ordinary values, which distinguish records again", v.Name)
	}
	if v.Level != "" {
		l.Add("measurement levels are omitted", v.Name)
	}
}

// OneKindOfMissing is that of a format which has one missing value.
func (l *Losses) OneKindOfMissing(v *Variable) {
	if slices.ContainsFunc(v.Column.Numbers, func(x float64) bool { letter, _ := Tag(x); return letter != 0 }) {
		l.Add("different kinds of missing values become one", v.Name)
	}
}

// BlanksFill is that of a format which fills texts up with blanks.
func (l *Losses) BlanksFill(v *Variable) {
	if v.Column.Texts != nil &&
		slices.ContainsFunc(v.Column.Texts.Values, func(text string) bool { return strings.HasSuffix(text, " ") }) {
		l.Add("trailing spaces of text values are removed; values that differ only in them become equal", v.Name)
	}
}

// NoTruths is that of a format which has numbers for them.
func (l *Losses) NoTruths(v *Variable) {
	if v.Kind == Boolean {
		l.Add("logical values become 1 and 0", v.Name)
	}
}
