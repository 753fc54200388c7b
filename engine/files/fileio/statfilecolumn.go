package fileio

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// statfileMaker builds the column of a variable from a file of another program. Codes stay as they are; dates and
// times become ISO 8601 text.
type statfileMaker struct {
	columnMaker
	variable *statfile.Variable
	declared string // treatment of declared missing values
	said     *microdata.Description
	// declared missing values are not a category, because there are too many others
	apart bool
}

// usualKinds is the number of missing codes allowed for beyond mostLevels values.
const usualKinds = 250

func (m *statfileMaker) column() (*microdata.Column, error) {
	m.said = m.description()
	column, err := m.build()
	if err != nil {
		return nil, err
	}
	return column.WithDescription(m.said), nil
}

// later returns the column with the changes that another program made to obtain now.
func (m *statfileMaker) later(now *microdata.Column) (*microdata.Column, error) {
	m.spelling, m.kinds = microdata.Spelling{}, nil
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

func (m *statfileMaker) build() (*microdata.Column, error) {
	v := m.variable
	if v.Column.Texts != nil {
		return m.ofTexts(v.Column.Texts)
	}
	most := math.MaxInt32
	if v.Kind == statfile.Number {
		most = mostLevels + usualKinds
	}
	few, ok := v.Column.Few, v.Column.Few != nil
	if !ok {
		few, ok = statfile.Distinct(m.ctx, m.scratch, v.Column.Numbers, most)
	}
	if !ok {
		return m.asNumbers(v.Column.Numbers)
	}
	store.Free(m.scratch, v.Column.Numbers)
	v.Column = statfile.Column{} // release memory
	return m.ofNumbers(few)
}

// description returns the description of the variable.
func (m *statfileMaker) description() *microdata.Description {
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

// contentOf returns the content type of a kind of variable.
func contentOf(kind statfile.Kind) microdata.Content {
	return map[statfile.Kind]microdata.Content{statfile.Date: microdata.Dates, statfile.DateTime: microdata.DateTimes,
		statfile.Time: microdata.Times, statfile.Boolean: microdata.Truths}[kind]
}

// spelled returns the code for a value.
func (m *statfileMaker) spelled(value statfile.Value) string {
	if value.IsText {
		return value.Text
	}
	return spelledNumber(contentOf(m.variable.Kind), value.Number)
}

// entry is a distinct value of a column.
type entry struct {
	level   microdata.Level
	missing bool                      // the cells are missing
	marked  bool                      // the spelling of the cells is recorded
	spelled microdata.MissingSpelling // that spelling
}

// entryOf returns the entry of a value under the treatment of declared missing values.
func (m *statfileMaker) entryOf(value statfile.Value) entry {
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
		e.spelled.Quoted = value.IsText // distinguishes an empty text from no text
	case !declared || m.declared == declaredApart:
	case m.declared == declaredCategory:
		e.marked = true // see chooseCategory
	default:
		e.missing, e.marked = true, true
	}
	return e
}

// missingCategory returns the code of the category of all declared missing values. If none occurs, it is the first
// of them, or an end of their range, or the first extended missing value.
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

// chooseCategory gives the category of all declared missing values the first code that occurs, in the order of
// declaration, then by number.
func (m *statfileMaker) chooseCategory(values []entry) {
	declared := func(code string) int { // position; codes declared by a range come last
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

// callCategory gives all declared missing values the chosen category.
func (m *statfileMaker) callCategory(values []entry) {
	for i := range values {
		if e := &values[i]; e.marked && !e.missing {
			if e.level.Label = m.said.MissingCode; m.variable.Kind == statfile.Number {
				e.level.Value = microdata.LabelNumber(e.level.Label)
			}
		}
	}
}

// callTogether labels the category of all declared missing values with the labels of those that occur.
func (m *statfileMaker) callTogether() {
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
	if more > 0 { // labelled codes first
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

// ofTexts builds a column from a dictionary.
func (m *statfileMaker) ofTexts(texts *statfile.Texts) (*microdata.Column, error) {
	places := make(map[string]int, len(m.variable.Listed))
	for place, text := range m.variable.Listed {
		places[text] = place
	}
	return m.ofValues(len(texts.Values), texts.Codes, func(code uint32) statfile.Value {
		return statfile.Value{Text: texts.Values[code-1], IsText: true}
	}, func(a, b microdata.Level) int {
		return cmp.Or(cmp.Compare(places[a.Label], places[b.Label]), strings.Compare(a.Label, b.Label))
	})
}

// ofNumbers builds a column from distinct numbers.
func (m *statfileMaker) ofNumbers(few *statfile.NumberDictionary) (*microdata.Column, error) {
	return m.ofValues(len(few.Values), few.Codes, func(code uint32) statfile.Value {
		return statfile.Value{Number: few.Values[code-1] + 0} // removes a negative zero
	}, func(a, b microdata.Level) int {
		if x, y := math.IsNaN(a.Value), math.IsNaN(b.Value); x != y {
			return cmp.Compare(map[bool]int{true: 1}[x], map[bool]int{true: 1}[y]) // .a after the numbers
		}
		return a.Compare(b)
	})
}

// ofValues builds a column from distinct values, given by code.
func (m *statfileMaker) ofValues(count int, codes microdata.Codes, value func(code uint32) statfile.Value,
	compare func(a, b microdata.Level) int) (*microdata.Column, error) {
	entries := make([]entry, count+1)
	entries[0] = entry{missing: true, marked: true}
	order := make([]uint32, 0, count)
	for code := uint32(1); int(code) <= count; code++ {
		if parallel.Stopped(m.ctx, int(code)) {
			return nil, m.ctx.Err()
		}
		entries[code] = m.entryOf(value(code))
		if !entries[code].missing {
			order = append(order, code)
		}
	}
	if m.declared == declaredCategory {
		m.chooseCategory(entries)
	}
	err := parallel.Sort(m.ctx, order, func(a, b uint32) int { return compare(entries[a].level, entries[b].level) })
	if err != nil {
		return nil, err
	}
	m.markEntries(entries, codes)
	if m.declared == declaredCategory {
		m.callTogether()
	}
	out := m.categories(codes, count, order, func(code uint32) microdata.Level { return entries[code].level })
	out.Ordered = m.inOrder(out.Levels)
	if m.variable.Kind == statfile.Text && m.variable.Listed == nil {
		out = out.Chronological()
	}
	return microdata.NewCategorical(m.name, m.kindOf(out.Levels), out), nil
}

// inOrder reports whether the order of the levels is meaningful. Numbers that the file declares nominal and labels
// completely are codes without an order; the measurement level alone does not decide, because programs set nominal
// for counts too.
func (m *statfileMaker) inOrder(levels []microdata.Level) bool {
	switch m.variable.Kind {
	case statfile.Text, statfile.Boolean:
		return m.variable.Listed != nil && m.variable.Level == microdata.Ordinal
	}
	return m.variable.Level != microdata.Nominal || len(levels) == 0 || slices.ContainsFunc(levels,
		func(level microdata.Level) bool { return m.said.Labels[level.Label] == "" })
}

// kindOf returns the kind of the levels; without levels, that of the variable in the file.
func (m *statfileMaker) kindOf(levels []microdata.Level) microdata.Kind {
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

// markEntries records the spelling of cells with marked entries.
func (m *statfileMaker) markEntries(entries []entry, codes microdata.Codes) {
	counts := codes.Counts(len(entries))
	kinds := make([]uint32, len(entries))
	for i := range entries {
		if entries[i].marked && counts[i] > 0 {
			kinds[i] = m.kind(entries[i].spelled)
		}
	}
	m.mark(codes, kinds)
}

// asNumbers builds a column from many distinct numbers.
func (m *statfileMaker) asNumbers(values []float64) (*microdata.Column, error) {
	err := m.markNumbers(values, func(value float64) (uint32, bool) {
		declared := len(m.variable.Missing) > 0 || m.variable.MissingRange != nil
		declared = declared && value == value && m.variable.Declared(statfile.Value{Number: value})
		m.apart = m.apart || declared && m.declared == declaredCategory
		if value == value && !(declared && m.declared == declaredMissing) {
			return 0, false
		}
		return m.kind(microdata.MissingSpelling{Text: spelledNumber("", value)}), true
	})
	if err != nil {
		return nil, err
	}
	kind, numbers := microdata.Whole, &microdata.Numbers{Values: values}
	if slices.ContainsFunc(values, func(value float64) bool { return value == value && value != math.Trunc(value) }) {
		kind, numbers.Decimals = microdata.Number, microdata.Shortest
	}
	return microdata.NewNumeric(m.name, kind, numbers), nil
}
