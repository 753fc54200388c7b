package fileio

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// columnMaker makes the column of a variable of another program's file. Codes
// stay what they are; dates and times become text as ISO 8601 spells them.
type columnMaker struct {
	ctx      context.Context
	scratch  *store.Store // of the column; nil: the heap
	variable *statfile.Variable
	name     string
	declared string // what becomes of values declared missing
	said     *microdata.Description
	spelling microdata.Spelling
	// values declared missing are no category, since there are too many others
	apart bool
	kinds map[microdata.MissingSpelling]uint32 // of missing cells, by their place in the spelling
}

// usualKinds is a number of missing codes that a variable of few values has besides.
const usualKinds = 250

func (m *columnMaker) column() (*microdata.Column, error) {
	m.kinds, m.said = map[microdata.MissingSpelling]uint32{}, m.description()
	column, err := m.build()
	if err != nil {
		return nil, err
	}
	if len(m.spelling.Missing) < 2 {
		m.spelling.Of = microdata.Codes{}
	}
	return column.WithDescription(m.said), nil
}

// later returns a column as that of the variable, which another program gave its values.
func (m *columnMaker) later(now *microdata.Column) (*microdata.Column, error) {
	m.spelling = microdata.Spelling{}
	was, err := m.column()
	if err != nil {
		return nil, err
	}
	mark := microdata.Perturbed
	if slices.Contains(m.variable.Roles, microdata.RolePRAM) {
		mark = microdata.Drawn
	}
	return was.Later(now, slices.Contains(m.variable.Roles, microdata.RoleNumericKey), mark), nil
}

func (m *columnMaker) build() (*microdata.Column, error) {
	v := m.variable
	if v.Column.Texts != nil {
		return m.ofTexts(v.Column.Texts)
	}
	most := math.MaxInt32
	if v.Kind == statfile.Number {
		most = mostLevels + usualKinds
	}
	if few := v.Column.Few; few != nil {
		return m.ofNumbers(few.Values, microdata.CodesOf(few.Codes))
	}
	if values, codes, few := statfile.Distinct[uint32](m.ctx, m.scratch, v.Column.Numbers, most); few {
		v.Column.Free(m.scratch, nil)
		v.Column = statfile.Column{} // make room
		return m.ofNumbers(values, microdata.CodesOf(codes))
	}
	if err := m.ctx.Err(); err != nil {
		return nil, err
	}
	return m.asNumbers()
}

// description returns what the file says about the variable.
func (m *columnMaker) description() *microdata.Description {
	v := m.variable
	d := &microdata.Description{Label: v.Label, Level: v.Level, Width: v.Width, Format: v.Format, Layout: v.Layout,
		Stored: v.Storage, Content: contentOf(v.Kind), Numbers: v.Kind == statfile.Number, Roles: v.Roles, Related: v.Related,
		EmptyLevel: slices.Index(v.Listed, "") + 1}
	if slices.Contains(v.Roles, microdata.RoleKey) {
		d.Identifying = 1
	}
	for _, l := range v.Labels {
		if code := m.spelled(l.Value); code != "" {
			if d.Labels == nil {
				d.Labels = map[string]string{}
			}
			d.Labels[code] = l.Label
		}
	}
	for _, value := range v.Missing {
		d.Missing = append(d.Missing, m.spelled(value))
	}
	if r := v.MissingRange; r != nil {
		d.MissingRange = &[2]float64{r.From, r.To}
	}
	return d
}

// contentOf returns what values of a kind are.
func contentOf(kind statfile.Kind) microdata.Content {
	return map[statfile.Kind]microdata.Content{statfile.Date: microdata.Dates, statfile.DateTime: microdata.DateTimes,
		statfile.Time: microdata.Times, statfile.Boolean: microdata.Truths}[kind]
}

// spelled returns how a value is spelled as a code.
func (m *columnMaker) spelled(value statfile.Value) string {
	if value.IsText {
		return value.Text
	}
	return spelledNumber(contentOf(m.variable.Kind), value.Number)
}

// kind returns the place of a kind of missing cells among the spellings.
func (m *columnMaker) kind(spelling microdata.MissingSpelling) uint32 {
	place, known := m.kinds[spelling]
	if !known {
		place = uint32(len(m.spelling.Missing))
		m.kinds[spelling] = place
		m.spelling.Missing = append(m.spelling.Missing, spelling)
	}
	return place
}

// entry is a distinct value of a column.
type entry struct {
	level   microdata.Level
	missing bool                      // the cells are missing
	marked  bool                      // how the cells were spelled is noted
	spelled microdata.MissingSpelling // how, of those
}

// entryOf returns what becomes of a value. extended says whether an extended
// missing value can be a category.
func (m *columnMaker) entryOf(value statfile.Value) entry {
	label := m.spelled(value)
	e := entry{level: microdata.Level{Label: label, Value: math.NaN()}, spelled: microdata.MissingSpelling{Text: label}}
	letter, missing := byte(0), label == ""
	if !value.IsText {
		if letter, missing = statfile.Tag(value.Number); !missing && m.variable.Kind == statfile.Number {
			e.level.Value = value.Number
		}
	}
	switch declared := letter != 0 || m.variable.Declared(value); {
	case missing && letter == 0:
		e.missing, e.marked = true, true
		e.spelled.Quoted = value.IsText // an empty text, as no text is
	case !declared || m.declared == declaredApart:
	case m.declared == declaredCategory:
		e.marked = true // see chooseCategory
	default:
		e.missing, e.marked = true, true
	}
	return e
}

// missingCategory returns the code of the category of all values that are declared missing.
// Where none occurs it is the first of them, an end of their range, else the first extended
// one.
func missingCategory(said *microdata.Description) string {
	if said.MissingCode != "" {
		return said.MissingCode
	}
	if len(said.Missing) > 0 {
		return said.Missing[0]
	}
	if said.MissingRange != nil {
		for _, end := range said.MissingRange {
			if !math.IsInf(end, 0) {
				return spelledNumber(said.Content, end)
			}
		}
	}
	return ".a"
}

// chooseCategory gives the category of all declared missing values the code of the first of
// them that occurs, in the order in which they are declared, then of their numbers.
func (m *columnMaker) chooseCategory(values []entry) {
	declared := func(code string) int { // its place; beyond all others where a range has it
		if at := slices.Index(m.said.Missing, code); at >= 0 {
			return at
		}
		return len(m.said.Missing)
	}
	var codes []string
	for i := range values {
		if values[i].marked && !values[i].missing {
			codes = append(codes, values[i].spelled.Text)
		}
	}
	if len(codes) == 0 {
		return
	}
	m.said.MissingCode = slices.MinFunc(codes, func(a, b string) int {
		return cmp.Or(cmp.Compare(declared(a), declared(b)), compareCodes(a, b))
	})
	m.callCategory(values)
}

// callCategory gives all declared missing values the category of the code that was chosen.
func (m *columnMaker) callCategory(values []entry) {
	for i := range values {
		if e := &values[i]; e.marked && !e.missing {
			if e.level.Label = m.said.MissingCode; m.variable.Kind == statfile.Number {
				e.level.Value = microdata.LabelNumber(e.level.Label)
			}
		}
	}
}

// callTogether calls the category of all declared missing values by what those that occur
// mean.
func (m *columnMaker) callTogether() {
	category := missingCategory(m.said)
	var codes, names []string
	for _, kind := range m.spelling.Missing {
		if kind.Text != "" {
			codes = append(codes, kind.Text)
		}
	}
	slices.SortFunc(codes, compareCodes)
	const most = 8
	more := len(codes) - most
	if more > 0 { // those that mean something first
		slices.SortStableFunc(codes, func(a, b string) int {
			return cmp.Compare(min(1, len(m.said.Labels[b])), min(1, len(m.said.Labels[a])))
		})
		codes = codes[:most]
	}
	for _, code := range codes {
		if name := cmp.Or(m.said.Labels[code], code); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more > 0 {
		names = append(names, wording.Number(more)+" more")
	}
	labelled := slices.ContainsFunc(codes, func(code string) bool { return m.said.Labels[code] != "" })
	if label := strings.Join(names, ", "); labelled {
		m.said.MissingLabel = m.said.Labels[category]
		m.said = m.said.WithLabels(map[string]string{category: label})
	}
}

// ofTexts makes a column of a dictionary.
func (m *columnMaker) ofTexts(texts *statfile.Texts) (*microdata.Column, error) {
	entries := make([]entry, len(texts.Values)+1)
	entries[0] = entry{missing: true, marked: true}
	for i, text := range texts.Values {
		if parallel.Stopped(m.ctx, i) {
			return nil, m.ctx.Err()
		}
		entries[i+1] = m.entryOf(statfile.Value{Text: text, IsText: true})
	}
	places := make(map[string]int, len(m.variable.Listed))
	for place, text := range m.variable.Listed {
		places[text] = place
	}
	return m.ofEntries(entries, texts.Codes, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(places[a.level.Label], places[b.level.Label]),
			strings.Compare(a.level.Label, b.level.Label))
	})
}

// ofNumbers makes a column of distinct values and codes, from 0, for them.
func (m *columnMaker) ofNumbers(values []float64, codes microdata.Codes) (*microdata.Column, error) {
	entries := make([]entry, len(values))
	for i, value := range values {
		if parallel.Stopped(m.ctx, i) {
			return nil, m.ctx.Err()
		}
		if value == 0 {
			value = 0 // no negative zero
		}
		entries[i] = m.entryOf(statfile.Value{Number: value})
	}
	return m.ofEntries(entries, codes, func(a, b *entry) int {
		if x, y := math.IsNaN(a.level.Value), math.IsNaN(b.level.Value); x != y {
			return cmp.Compare(map[bool]int{true: 1}[x], map[bool]int{true: 1}[y]) // .a behind the numbers
		}
		return a.level.Compare(b.level)
	})
}

// ofEntries makes a column of distinct values; a code stands for the entry of its
// number.
func (m *columnMaker) ofEntries(entries []entry, codes microdata.Codes,
	compare func(a, b *entry) int) (*microdata.Column, error) {
	if m.declared == declaredCategory {
		m.chooseCategory(entries)
	}
	order := make([]int, 0, len(entries))
	for i := range entries {
		if !entries[i].missing {
			order = append(order, i)
		}
	}
	if err := parallel.Sort(m.ctx, order, func(a, b int) int { return compare(&entries[a], &entries[b]) }); err != nil {
		return nil, err
	}
	var levels []microdata.Level
	final := make([]uint32, len(entries))
	for _, i := range order {
		if level := entries[i].level; len(levels) == 0 || levels[len(levels)-1].Label != level.Label {
			levels = append(levels, level)
		}
		final[i] = uint32(len(levels))
	}
	m.mark(entries, codes)
	if m.declared == declaredCategory {
		m.callTogether()
	}
	kind := m.kindOf(levels)
	return microdata.NewCategorical(m.name, kind, &microdata.Categories{Levels: levels, Codes: codes.Settled(m.scratch, len(levels), final),
		Ordered: m.variable.Kind != statfile.Text && m.variable.Kind != statfile.Boolean ||
			m.variable.Listed != nil && m.variable.Level == microdata.Ordinal}), nil
}

// kindOf returns what levels are; a column without any is one of what the file
// says.
func (m *columnMaker) kindOf(levels []microdata.Level) microdata.Kind {
	kind := microdata.Whole
	if m.variable.Kind != statfile.Number {
		return microdata.Category
	}
	for _, level := range levels {
		switch {
		case !level.NumberLevel():
			return microdata.Category
		case level.Value != math.Trunc(level.Value):
			kind = microdata.Number
		}
	}
	return kind
}

// mark notes how the cells of marked entries are spelled.
func (m *columnMaker) mark(entries []entry, codes microdata.Codes) {
	counts := codes.Counts(len(entries))
	kinds := make([]uint32, len(entries))
	for i := range entries {
		if entries[i].marked && counts[i] > 0 {
			kinds[i] = m.kind(entries[i].spelled)
		}
	}
	if len(m.spelling.Missing) < 2 {
		return
	}
	m.spelling.Of = codes.Mapped(len(m.spelling.Missing)-1, kinds).CopyIn(m.scratch)
}

// asNumbers makes a column of numbers of which there are many.
func (m *columnMaker) asNumbers() (*microdata.Column, error) {
	values, kind := m.variable.Column.AsNumbers(m.scratch), microdata.Whole
	plain := len(m.variable.Missing) == 0 && m.variable.MissingRange == nil || m.declared != declaredMissing
	joins := m.declared == declaredCategory
	var places []uint32 // of the kinds of missing cells
	for row, value := range values {
		if parallel.Stopped(m.ctx, row) {
			return nil, m.ctx.Err()
		}
		if value == value && (plain || !m.variable.Declared(statfile.Value{Number: value})) {
			m.apart = m.apart || joins && m.variable.Declared(statfile.Value{Number: value})
			if value != math.Trunc(value) {
				kind = microdata.Number
			}
			continue
		}
		place := m.kind(microdata.MissingSpelling{Text: spelledNumber("", value)})
		if place > 0 && places == nil {
			places = store.Make[uint32](m.scratch, len(values))
		}
		if place > 0 {
			places[row] = place
		}
		values[row] = math.NaN()
	}
	if places != nil {
		most := len(m.spelling.Missing) - 1
		m.spelling.Of = microdata.CodesOf(places).Mapped(most, stat.InOrder(most+1)).CopyIn(m.scratch)
		store.Free(m.scratch, places)
	}
	numbers := &microdata.Numbers{Values: values}
	if kind == microdata.Number {
		numbers.Uniform = microdata.OddSpelling
	}
	return microdata.NewNumeric(m.name, kind, numbers)
}
