package views

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Meaning returns the labels of variables, or of categories of the variable of, in their order. It returns "" if
// the file has no labels or labels are hidden.
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

// LabelsOf returns the labels of a column's codes, or nil if labels are hidden.
func (s State) LabelsOf(column *microdata.Column) map[string]string {
	if s.Bare {
		return nil
	}
	return column.Described().Labels
}

// WithCodeLabel returns a code of a column followed by its label, unless labels are hidden.
func (s State) WithCodeLabel(column *microdata.Column, code string) string {
	return s.WithMeaning(column.Description(), code)
}

// WithMeaning returns a code followed by its label in a description, unless labels are hidden.
func (s State) WithMeaning(said *microdata.Description, code string) string {
	if said == nil || s.Bare {
		return code
	}
	return said.Called(code)
}

// VariableLabel returns the label of a variable, or "" if the file has none or labels are hidden.
func (s State) VariableLabel(variable string) string {
	if column := s.Current.Column(variable); column != nil && !s.Bare {
		return column.Described().Label
	}
	return ""
}

// Titled returns the name of a variable with its label, for a heading.
func (s State) Titled(variable string) string {
	if label := s.VariableLabel(variable); label != "" {
		return variable + " · " + label
	}
	return variable
}

// Meanings returns the labels of variables, to append to a line that names the variables; "" if the file has none.
func (s State) Meanings(variables ...string) string {
	text := ""
	for i, name := range variables {
		if label := s.VariableLabel(name); label != "" && !slices.Contains(variables[:i], name) {
			text += " · " + name + ": " + label
		}
	}
	return text
}

// Meant returns the labels of the variables and categories that a step names, up to most, none if labels are hidden.
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

// MeantLines returns these labels as a line below the step, none if there are no labels.
func (s State) MeantLines(meanings []method.Meaning, width int) []string {
	if texts := s.Meant(meanings, width); len(texts) > 0 {
		return []string{s.Faint.Fit(" "+strings.Join(texts, " · "), width)}
	}
	return nil
}

// WithCode returns a code of a variable followed by its label.
func (s State) WithCode(variable, code string) string {
	if column := s.Current.Column(variable); column != nil {
		return s.WithCodeLabel(column, code)
	}
	return code
}

// WithMeanings lists categories, each followed by its label.
func (s State) WithMeanings(categories microdata.Combination) string {
	return wording.Joined(categories, ", ",
		func(one microdata.CategoryOf) string { return s.WithCode(one.Variable, one.Label) })
}

// WithCodes returns codes of a variable, each followed by its label unless labels are hidden.
func (s State) WithCodes(variable string, codes []string) []string {
	out := make([]string, len(codes))
	for i, code := range codes {
		out[i] = s.WithCode(variable, code)
	}
	return out
}

// OfVariables makes t a table of variables, one per row. Its cursor is the selected variable, and enter opens the
// variable. Labels are added by WithLabels.
func (s State) OfVariables(t draw.Table, names []string, selected string) draw.Table {
	t.Rows, t.Follows, t.Selected = len(names), true, slices.Index(names, selected)
	t.Choose = func(row int) draw.Action { return SelectVariable{names[row]} }
	t.Open = func(row int) draw.Action { return ShowVariable{names[row]} }
	return s.WithLabels(t, len(names), func(row int) string { return names[row] })
}

// Footnote returns a line under the rows of a table, none if the text is "".
func (s State) Footnote(text string) func(width, height int) []string {
	return func(width, height int) []string {
		if text == "" || height < 2 {
			return nil
		}
		return []string{"", s.Faint.Fit(" "+text, width)}
	}
}

// WithLabels adds a column of variable labels to a table whose rows each name a variable, if there is room and the
// file labels one of the variables of the first rows.
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
			return cells // a sentence instead of a row
		}
		return append(cells, draw.Cell{Text: s.VariableLabel(name(i)), Style: &s.Faint})
	}
	return t
}

// Marked returns the name of a variable with its marks.
func (s State) Marked(name string) string {
	return draw.Shortened(name) + draw.ChangeMark(s.Current.Column(name))
}

// MarkLegend explains the marks of variables; "" if no variable has a mark.
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
