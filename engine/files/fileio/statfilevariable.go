package fileio

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// writtenKind is what a numeric variable is written as.
type writtenKind int

const (
	becameNothing writtenKind = iota
	becameNumbers             // numbers with newly assigned codes
	becameText
)

// variableMaker converts a column to a variable of a file.
type variableMaker struct {
	data     *microdata.Dataset
	column   *microdata.Column
	spelling *microdata.Spelling
	scratch  *store.Store // memory of the cells; nil for the heap
	labelled bool         // the file can hold labels of numbers
	merged   bool         // declared missing values were read as one category
	category string
	levels   []microdata.Level // levels to be written; nil for a column stored as numbers
	values   []float64         // numbers of the levels; nil for texts
	now, was uint32            // code of category, now and in the source; 0 if it is not the same category
	became   writtenKind
	given    []string // newly assigned codes: "1-2 as 9"
}

func (m *variableMaker) variable() statfile.Variable {
	said, was := m.column.Described(), m.column.Source().Described()
	m.category = missingCategory(&was)
	if m.column.StoredAsNumbers() == nil { // for numbers, building categories would be expensive
		m.levels = m.column.Categories().Levels
	}
	if m.now, m.was = m.mergedCodes(); m.now != 0 {
		said = m.asItCame(said, was)
	}
	v := statfile.Variable{Name: m.column.Name(), Label: said.Label, Level: said.Level, Format: said.Format,
		Layout: said.Layout, Width: said.Width, Storage: said.Stored}
	if numbers := m.column.StoredAsNumbers(); numbers != nil {
		v.Column.Numbers = m.restored(numbers.Values)
	} else {
		m.choose(&v, &said)
		m.cells(&v)
	}
	m.describe(&v, &said)
	return v
}

// cells sets the cells of a column stored as a dictionary.
func (m *variableMaker) cells(v *statfile.Variable) {
	if m.values != nil {
		m.fill(v, m.values)
		return
	}
	m.fillTexts(v)
	if m.column.Described().Stored == storedFactor || m.column.Categories().Ordered {
		m.list(v)
	}
}

// choose decides how the levels are written.
func (m *variableMaker) choose(v *statfile.Variable, said *microdata.Description) {
	levels := m.levels
	values := make([]float64, len(levels)) // by level
	if said.Content != "" {
		if all(levels, func(i int) (ok bool) {
			// A year alone is not a date, even if it could be parsed as a number of days.
			values[i], ok = isoValue(said.Content, levels[i].Label)
			return ok && (!m.column.Recoded() || spelledNumber(said.Content, values[i]) == levels[i].Label)
		}) {
			v.Kind = map[microdata.Content]statfile.Kind{microdata.Dates: statfile.Date, microdata.DateTimes: statfile.DateTime,
				microdata.Times: statfile.Time, microdata.Truths: statfile.Boolean}[said.Content]
			m.values = values
			return
		}
		m.became = becameText
	} else if m.ofNumbers() {
		if m.codes(levels, values, said) {
			m.values = values
			return
		}
		m.became = becameText
	}
	v.Kind, v.Format, v.Storage = statfile.Text, "", ""
	if m.became == becameNothing && said.Content == "" {
		v.Format, v.Storage = said.Format, said.Stored
	} else {
		v.Width = 0
	}
}

// storedFactor is the storage type of R factors, which list all their levels.
const storedFactor = "factor"

// list lists the levels of a text variable in order: those that occur, and those that did not occur in the source
// either. Any other level would reveal that a record had it.
func (m *variableMaker) list(v *statfile.Variable) {
	listed, source := map[string]bool{}, m.column.Source().Categories()
	never := map[string]bool{}
	for i, level := range source.Levels {
		never[level.Label] = source.Counts()[i+1] == 0
	}
	occur := map[string]bool{}
	for _, text := range v.Column.Texts.Values {
		occur[text] = true
	}
	v.Listed = []string{}
	for _, level := range m.levels {
		if name := level.Label; (occur[name] || never[name]) && !listed[name] {
			listed[name] = true
			v.Listed = append(v.Listed, name)
		}
	}
	for _, text := range v.Column.Texts.Values { // missing codes
		if at := len(v.Listed); !listed[text] {
			if text == "" {
				at = m.emptyPlace(v.Listed)
			}
			v.Listed = slices.Insert(v.Listed, at, text)
		}
	}
}

// emptyPlace returns the position of the empty text among the listed ones: after the levels that preceded it in
// the list of the source, or else at the end.
func (m *variableMaker) emptyPlace(listed []string) int {
	before := m.column.Source().Described().EmptyLevel - 1
	became, ok := m.column.Categories().MadeOf(m.column.Source().Categories())
	if before < 0 || !ok {
		return len(listed)
	}
	place := 0
	for _, code := range became[1:min(before+1, len(became))] {
		if code > 0 {
			place = max(place, slices.Index(listed, m.levels[code-1].Label)+1)
		}
	}
	return place
}

// ofNumbers reports whether the values are numbers, or were numbers before a recode made them categories, or were
// converted to numbers. A text variable remains one even if its categories are named by numbers.
func (m *variableMaker) ofNumbers() bool {
	source := m.column.Source()
	return source.Described().Numbers || source.Kind() != microdata.Category || m.column.Unrecoded().Kind() != microdata.Category ||
		slices.ContainsFunc(source.Categories().Levels, microdata.Level.NumberLevel)
}

func all(levels []microdata.Level, ok func(i int) bool) bool {
	for i := range levels {
		if !ok(i) {
			return false
		}
	}
	return true
}

// fill sets the numbers of the cells from the values of the levels.
func (m *variableMaker) fill(v *statfile.Variable, values []float64) {
	byCode := append([]float64{statfile.Missing()}, values...)
	all := m.column.Categories().Codes
	out := store.Make[float64](m.scratch, all.Len())
	for first, codes := range all.Blocks() {
		for i, code := range codes {
			out[first+i] = byCode[code]
		}
	}
	v.Column.Numbers = out
	m.restore(out, v.Kind)
}

// restored returns the numbers without negative zeros, as dictionaries are, and with missing values as in the
// source. It copies them if anything changes.
func (m *variableMaker) restored(numbers []float64) []float64 {
	negative := slices.ContainsFunc(numbers, func(x float64) bool { return x == 0 && math.Signbit(x) })
	if m.plain() && !negative {
		return numbers
	}
	out := store.Make[float64](m.scratch, len(numbers))
	copy(out, numbers)
	if negative {
		for i := range out {
			if out[i] == 0 {
				out[i] = 0
			}
		}
	}
	m.restore(out, statfile.Number)
	return out
}

// restore sets the missing cells of the source to their original codes. Newly missing cells are system missing.
func (m *variableMaker) restore(out []float64, kind statfile.Kind) {
	if m.plain() {
		return
	}
	byKind := make([]float64, len(m.spelling.Missing))
	for i, spelling := range m.spelling.Missing {
		byKind[i] = m.valueOf(m.column.Respelled(spelling.Text), kind)
	}
	source := m.column.Source()
	for row, value := range out {
		letter, missing := statfile.Tag(value)
		if missing = missing && letter == 0; missing {
			out[row] = statfile.Missing()
		}
		if missing && m.unchanged(source, row) || !missing && m.merges(row) {
			out[row] = byKind[m.place(row)]
		}
	}
}

// plain reports whether the source has no missing cell with a code.
func (m *variableMaker) plain() bool { return !spellsMissing(m.spelling) }

// unchanged reports whether a missing cell is missing in the source too, and was not suppressed after a step gave
// it a value.
func (m *variableMaker) unchanged(source *microdata.Column, row int) bool {
	return source.Missing(row) && !m.column.Suppressed().Has(row)
}

// mergedCodes returns the codes of the category of all declared missing values, now and in the source; 0, 0 if
// there is none or if other records joined it.
func (m *variableMaker) mergedCodes() (now, was uint32) {
	if !m.merged || len(m.spelling.Missing) == 0 {
		return 0, 0
	}
	source := m.column.Source().Categories()
	was, known := source.CodeOf(m.category)
	if !known {
		return 0, 0
	}
	said, categories := m.column.Described(), m.column.Categories()
	for i, level := range categories.Levels {
		if code, renamed := said.CodeOf[level.Label]; renamed && code == m.category || !renamed && level.Label == m.category {
			now = uint32(i + 1)
		}
	}
	if now != 0 && !m.ofNumbers() &&
		!slices.Contains([]string{m.category, m.column.Source().Described().Labels[m.category]},
			categories.Levels[now-1].Label) {
		return 0, 0 // renamed, so the name is written as text
	}
	for row := range categories.Codes.Len() {
		if now != 0 && categories.Codes.At(row) == now && source.Codes.At(row) != was {
			return 0, 0
		}
	}
	return now, was
}

// asItCame restores the original label of the code of the category of all declared missing values, unless the user
// changed it.
func (m *variableMaker) asItCame(said, was microdata.Description) microdata.Description {
	levels := m.column.Categories().Levels
	name, together := levels[m.now-1].Label, was.Labels[m.category]
	if name != m.category && name != together {
		return said
	}
	label := said.Labels[name]
	if name == together || label == together {
		label = was.MissingLabel
	}
	m.levels = slices.Clone(levels)
	m.levels[m.now-1] = m.column.Source().Categories().Levels[m.was-1]
	return *said.WithLabels(map[string]string{name: "", m.category: label})
}

// merges reports whether a cell is in the category of all declared missing values, now and in the source.
func (m *variableMaker) merges(row int) bool {
	return m.now != 0 && m.column.Categories().Codes.At(row) == m.now &&
		m.column.Source().Categories().Codes.At(row) == m.was &&
		m.spelling.Missing[m.place(row)].Text != ""
}

// place returns the index of the source's spelling of a record's missing cell.
func (m *variableMaker) place(row int) int {
	if m.spelling.Of.Len() == 0 {
		return 0
	}
	return int(m.spelling.Of.At(m.data.SourceRecord(row)))
}

// valueOf returns the number of a code, or the system missing value if it is not a number.
func (m *variableMaker) valueOf(code string, kind statfile.Kind) float64 {
	if value, ok := m.value(code, kind); ok && !value.IsText {
		return value.Number
	}
	return statfile.Missing()
}

// value parses a code of a kind of variable.
func (m *variableMaker) value(code string, kind statfile.Kind) (statfile.Value, bool) {
	if kind == statfile.Text {
		return statfile.Value{Text: code, IsText: true}, true
	}
	if microdata.ExtendedMissing(code) {
		return statfile.Value{Number: statfile.Extended(code[1])}, true
	}
	if content := contentOf(kind); content != "" {
		number, ok := isoValue(content, code)
		return statfile.Value{Number: number}, ok
	}
	number := microdata.LabelNumber(code)
	return statfile.Value{Number: number}, number == number
}

// fillTexts sets the texts of the cells from the levels that occur.
func (m *variableMaker) fillTexts(v *statfile.Variable) {
	categories := m.column.Categories()
	texts := statfile.NewDictionary(0)
	byCode := make([]uint32, len(categories.Levels)+1)
	for code, count := range categories.Counts() {
		if code > 0 && count > 0 {
			byCode[code] = texts.Code([]byte(m.levels[code-1].Label))
		}
	}
	byKind := make([]uint32, len(m.spelling.Missing)+1)
	for i, spelling := range m.spelling.Missing {
		if text := m.column.Respelled(spelling.Text); text != "" || spelling.Quoted {
			byKind[i] = texts.Code([]byte(text))
		}
	}
	v.Column.Texts = texts.Texts()
	codes := categories.Codes.Mapped(len(v.Column.Texts.Values), byCode).CopyIn(m.scratch)
	v.Column.Texts.Codes = codes
	if m.now == 0 && !slices.ContainsFunc(byKind, func(code uint32) bool { return code > 0 }) {
		return
	}
	source := m.column.Source()
	for row := range codes.Len() {
		if code := categories.Codes.At(row); code == 0 && m.unchanged(source, row) || code != 0 && m.merges(row) {
			codes.Set(row, byKind[m.place(row)])
		}
	}
}

// describe adds the value labels and missing declarations that apply to what is written.
func (m *variableMaker) describe(v *statfile.Variable, said *microdata.Description) {
	for code, label := range said.Labels {
		if value, ok := m.value(code, v.Kind); ok {
			v.Labels = append(v.Labels, statfile.ValueLabel{Value: value, Label: label})
		}
	}
	slices.SortFunc(v.Labels, func(a, b statfile.ValueLabel) int {
		x, _ := statfile.Tag(a.Value.Number)
		y, _ := statfile.Tag(b.Value.Number)
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a.Value.Number, b.Value.Number),
			strings.Compare(a.Value.Text, b.Value.Text))
	})
	for _, code := range said.Missing {
		if value, ok := m.value(code, v.Kind); ok {
			v.Missing = append(v.Missing, value)
		}
	}
	if r := said.MissingRange; r != nil && v.Kind != statfile.Text {
		v.MissingRange = &statfile.Range{From: r[0], To: r[1]}
	}
}
