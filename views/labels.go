package views

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Meaning returns what variables are, or what categories of one mean, in their order;
// "" where the file does not say it, or where it is hidden.
func (s State) Meaning(names []string, of string) string {
	var meanings []string
	column := s.Current.Column(of)
	for _, name := range names {
		meaning := ""
		if of == "" {
			meaning = s.VariableLabel(name)
		} else if column != nil {
			meaning = s.LabelsOf(column)[name]
		}
		if meaning != "" && meaning != name {
			meanings = append(meanings, draw.Shortened(meaning))
		}
	}
	return strings.Join(meanings, ", ")
}

// LabelsOf returns what the codes of a column mean; nil where that is hidden.
func (s State) LabelsOf(column *microdata.Column) map[string]string {
	if s.Bare {
		return nil
	}
	return column.Described().Labels
}

// WithCodeLabel returns a code of a column followed by what it means, unless that
// is hidden.
func (s State) WithCodeLabel(column *microdata.Column, code string) string {
	return s.WithMeaning(column.Description(), code)
}

// WithMeaning returns a code followed by what a description says that it means,
// unless that is hidden.
func (s State) WithMeaning(said *microdata.Description, code string) string {
	if said == nil || s.Bare {
		return code
	}
	return said.Called(code)
}

// VariableLabel returns what a variable is, in words; "" where the file does not
// say it, or where it is hidden.
func (s State) VariableLabel(variable string) string {
	if column := s.Current.Column(variable); column != nil && !s.Bare {
		return column.Described().Label
	}
	return ""
}

// Titled returns the name of a variable with what it is, for a heading.
func (s State) Titled(variable string) string {
	if label := s.VariableLabel(variable); label != "" {
		return variable + " · " + label
	}
	return variable
}

// Meanings says what variables are, where the file says it, behind a line that names
// them; "" where it says it of none.
func (s State) Meanings(variables ...string) string {
	text := ""
	for i, name := range variables {
		if label := s.VariableLabel(name); label != "" && !slices.Contains(variables[:i], name) {
			text += " · " + name + ": " + label
		}
	}
	return text
}

// Meant says what the first so many variables and categories are that a step names,
// where the file says it and it is not hidden.
func (s State) Meant(meanings []method.Meaning, most int) []string {
	if s.Bare {
		return nil
	}
	texts := make([]string, min(len(meanings), most))
	for i, meaning := range meanings[:len(texts)] {
		texts[i] = draw.Label(meaning.String())
	}
	return texts
}

// MeantLines is the same in a line below the step, none where there is nothing to say.
func (s State) MeantLines(meanings []method.Meaning, width int) []string {
	if texts := s.Meant(meanings, width); len(texts) > 0 {
		return []string{s.Faint.Fit(" "+strings.Join(texts, " · "), width)}
	}
	return nil
}

// WithCode returns a code of a variable followed by what it means.
func (s State) WithCode(variable, code string) string {
	if column := s.Current.Column(variable); column != nil {
		return s.WithCodeLabel(column, code)
	}
	return code
}

// WithMeanings lists categories, each followed by what it means.
func (s State) WithMeanings(categories microdata.Combination) string {
	return wording.Joined(categories, ", ",
		func(one microdata.CategoryOf) string { return s.WithCode(one.Variable, one.Label) })
}

// WithCodes returns codes of a variable, each followed by what it means, unless that
// is hidden.
func (s State) WithCodes(variable string, codes []string) []string {
	out := make([]string, len(codes))
	for i, code := range codes {
		out[i] = s.WithCode(variable, code)
	}
	return out
}

// OfVariables makes a table with a row for each variable one whose cursor is the selected
// variable, and which opens it. What the variables are is added as WithLabels does.
func (s State) OfVariables(t draw.Table, names []string, selected string) draw.Table {
	t.Rows, t.Follows, t.Selected = len(names), true, slices.Index(names, selected)
	t.Choose = func(row int) draw.Action { return SelectVariable{names[row]} }
	t.Open = func(row int) draw.Action { return ShowVariable{names[row]} }
	return s.WithLabels(t, len(names), func(row int) string { return names[row] })
}

// Footnote returns a line under the rows of a table; none where the text is "".
func (s State) Footnote(text string) func(width, height int) []string {
	return func(width, height int) []string {
		if text == "" || height < 2 {
			return nil
		}
		return []string{"", s.Faint.Fit(" "+text, width)}
	}
}

// WithLabels adds to a table whose rows each name a variable what they are, where the
// file says it of one of the first so many and there is room.
func (s State) WithLabels(t draw.Table, first int, name func(row int) string) draw.Table {
	labelled := false
	for row := 0; row < first && !labelled; row++ {
		labelled = s.VariableLabel(name(row)) != ""
	}
	if !labelled {
		return t
	}
	row := t.Row
	t.Columns = append(t.Columns, draw.Column{Head: "label", Least: 20, Most: 48, Rank: 10})
	if t.Sum != nil {
		t.Sum = append(t.Sum, draw.Cell{})
	}
	t.Row = func(i int) []draw.Cell {
		cells := row(i)
		if len(cells) == 1 {
			return cells // a sentence
		}
		return append(cells, draw.Cell{Text: s.VariableLabel(name(i)), Style: &s.Faint})
	}
	return t
}

// Marked returns the name of a variable with its marks.
func (s State) Marked(name string) string {
	return draw.Shortened(name) + draw.ChangeMark(s.Current.Column(name))
}

// MarkLegend says what the marks of variables mean; "" where none has one.
func (s State) MarkLegend(names []string) string {
	recoded, perturbed := false, false
	for _, name := range names {
		if column := s.Current.Column(name); column != nil {
			recoded, perturbed = recoded || column.Recoded(), perturbed || column.Origin() != 0
		}
	}
	switch {
	case recoded && perturbed:
		return draw.RecodedMark + " recoded  " + draw.PerturbedMark + " perturbed or randomised"
	case recoded:
		return draw.RecodedMark + " recoded"
	case perturbed:
		return draw.PerturbedMark + " perturbed or randomised"
	}
	return ""
}
