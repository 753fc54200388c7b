package statfile

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Losses gathers what a format cannot hold: sentences, each with the variables that
// it is about. The zero value is ready.
type Losses struct {
	sentences []string
	names     [][]string
}

// Add says that a variable is concerned by a sentence; "" as its name: the file.
func (l *Losses) Add(sentence, name string) {
	at := slices.Index(l.sentences, sentence)
	if at < 0 {
		at = len(l.sentences)
		l.sentences, l.names = append(l.sentences, sentence), append(l.names, nil)
	}
	if name != "" && !slices.Contains(l.names[at], name) {
		l.names[at] = append(l.names[at], name)
	}
}

// Sentences returns the sentences in the order in which they were added first, each
// with the first few of its variables.
func (l *Losses) Sentences() []string {
	const most = 5
	var out []string
	for i, sentence := range l.sentences {
		if names := l.names[i]; len(names) > 0 {
			sentence += ": " + strings.Join(names[:min(most, len(names))], ", ")
			if more := len(names) - most; more > 0 {
				sentence += " and " + wording.Number(more) + " more"
			}
		}
		out = append(out, sentence)
	}
	return out
}

// ValuesOnly adds what a format loses that holds names and values alone.
func (l *Losses) ValuesOnly(f *File) {
	if f.Label != "" || len(f.Notes) > 0 {
		l.Add("the label and the notes of the file are left out", "")
	}
	if f.Weight != "" {
		l.Add("which variable weights the records is left out", "")
	}
	for i := range f.Variables {
		v := &f.Variables[i]
		if v.Label != "" {
			l.Add("labels of variables are left out", v.Name)
		}
		if len(v.Labels) > 0 {
			l.Add("value labels are left out, and the codes stay", v.Name)
		}
		if len(v.Missing) > 0 || v.MissingRange != nil {
			l.Add("codes declared missing become values like others", v.Name)
		}
		if slices.ContainsFunc(v.Column.Numbers, func(x float64) bool { letter, _ := Tag(x); return letter != 0 }) {
			l.Add("missing values of several kinds become one", v.Name)
		}
	}
}
