package recoding

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// How codes become coarser.
const (
	byCharacters = "first characters"
	byCut        = "characters cut off"
	byTable      = "table of levels"
)

// recodeHierarchy is the dialog that makes the codes of a variable coarser: by
// their first characters or by a table of levels. Left and right choose how
// coarse; the categories that come about and the what-if follow.
type recodeHierarchy struct {
	dialogs.StepDialog
	column *microdata.Column
	way    string
	number int // characters that are kept or cut off
	depth  int // level of the table
	table  recode.LevelTable
	path   string // of the file that the table was read from; "": it was typed
	// unlisted says what becomes of codes without a coarser level, as
	// recode.Hierarchy has it.
	unlisted string

	shown  string // the step that the categories were last made for
	levels []coarseLevel
	said   *microdata.Description // of the categories
}

// coarseLevel is a category that comes about, and its records.
type coarseLevel struct {
	label   string
	records int
}

func newRecodeHierarchy(s views.State, column *microdata.Column, back dialogs.Dialog) *recodeHierarchy {
	d := &recodeHierarchy{column: column, way: byCharacters, number: 1, depth: 1, unlisted: recode.UnlistedKeep}
	d.Self, d.Back, d.NeedK = d, back, s.K
	d.Heading, d.Hint = "Hierarchy of "+s.Titled(column.Name()),
		"The figures stand here as soon as there is a table of levels."
	for _, level := range column.Unrecoded().Categories().Levels {
		d.number = max(d.number, utf8.RuneCountInString(level.Label)-1)
	}
	how := dialogs.NewParameterField(s, nil, method.Choice(&d.way, "coarser by",
		"By the first characters of the codes, by cutting characters off "+
			"from the right, or by a table that gives the coarser levels of each code.", byCharacters, byCut, byTable))
	characters := dialogs.NewParameterField(s, nil, method.Number(&d.number, "characters",
		"How many characters are kept, or cut off.").
		Between(1, float64(d.number)))
	characters.Hidden = func() bool { return d.way == byTable }
	d.Fields = []*dialogs.Field{how, characters, d.fieldFile(), d.fieldTable(s), d.fieldDepth(), d.fieldUnlisted()}
	d.At = 1
	return d
}

func (d *recodeHierarchy) fieldFile() *dialogs.Field {
	field := &dialogs.Field{Label: "file",
		Help: "Type the path of a CSV file without a header: in each line a code, then its coarser levels, the finer " +
			"first. Or type the table below.",
		Value:  func() string { return d.path },
		Hidden: func() bool { return d.way != byTable }}
	begun := func(path string) error {
		d.table, d.path, d.depth = nil, path, 1
		return nil
	}
	return field.ReadsFile(begun, func(_, content string) (func() error, error) {
		table, err := recode.ReadLevelTable([]byte(content))
		return func() error {
			d.table = table
			return nil
		}, err
	})
}

func (d *recodeHierarchy) fieldTable(s views.State) *dialogs.Field {
	field := dialogs.NewParameterField(s, nil, method.Written(&d.table, "table",
		"Or type the rows: a code and its coarser levels with commas between, a semicolon after each row: 01, North, "+
			"all; 02, South, all."))
	set := field.Typed
	field.Typed = func(text string) error {
		d.table, d.path = nil, ""
		err := set(text)
		d.depth = max(1, min(d.depth, d.depths()))
		return err
	}
	field.Hidden = func() bool { return d.way != byTable }
	return field
}

func (d *recodeHierarchy) fieldDepth() *dialogs.Field {
	return &dialogs.Field{Label: "level", Help: "Which coarser level of the table; 1 is the finest.",
		Value:  func() string { return fmt.Sprintf("%d of %d", d.depth, d.depths()) },
		Change: func(by int) { d.depth = max(1, min(d.depths(), d.depth+by)) },
		Hidden: func() bool { return d.way != byTable || d.depths() == 0 }}
}

func (d *recodeHierarchy) fieldUnlisted() *dialogs.Field {
	ways := []string{recode.UnlistedKeep, recode.UnlistedMissing, recode.UnlistedError}
	return &dialogs.Field{Label: "other codes",
		Help: "What becomes of codes that the table does not list, or of which nothing is left.",
		Value: func() string {
			return [...]string{"stay", "become missing", "are an error"}[slices.Index(ways, d.unlisted)]
		},
		Change: func(by int) { d.unlisted = dialogs.Ring(ways, d.unlisted, by) },
		Hidden: func() bool { return d.way == byCharacters }}
}

// depths returns the number of coarser levels of the table.
func (d *recodeHierarchy) depths() int {
	if len(d.table) == 0 {
		return 0
	}
	return len(d.table[0]) - 1
}

// recode returns the recode; nil while there is no table.
func (d *recodeHierarchy) recode() *recode.Hierarchy {
	m := &recode.Hierarchy{Variable: d.column.Name(), Unlisted: d.unlisted}
	switch {
	case d.way == byCharacters:
		m.Digits = d.number
	case d.way == byCut:
		m.Cut = d.number
	case d.depths() == 0:
		return nil
	default:
		m.Levels, m.Depth = d.table, d.depth
	}
	return m
}

// Made returns the step along the hierarchy; false where there is none or a field has an error.
func (d *recodeHierarchy) Made() (step session.StepSpec, ok bool) {
	m := d.recode()
	if m == nil || d.Err() != nil {
		return step, false
	}
	return dialogs.StepOf("recode-hierarchy", m), true
}

// follow makes the categories that come about.
func (d *recodeHierarchy) follow(s views.State) {
	step, ok := d.Made()
	if d.shown == string(step.Params) {
		return
	}
	d.shown, d.levels = string(step.Params), nil
	if !ok {
		return
	}
	r, err := method.Regroup(d.recode(), method.Input{Data: s.Current.Data, Scenario: s.Scenario})
	if err != nil {
		return // the what-if says why
	}
	d.levels, d.said = make([]coarseLevel, len(r.Levels)), r.Said()
	for i, level := range r.Levels {
		d.levels[i].label = level.Label
	}
	for code, count := range r.From.Categories().Counts() {
		if to := r.Mapping[code]; to != 0 {
			d.levels[to-1].records += count
		}
	}
}

// Under draws the categories that come about.
func (d *recodeHierarchy) Under(s views.State, width, height int) []string {
	d.follow(s)
	var lines []string
	if len(d.levels) > 0 {
		lines = append(lines, s.Theme.Heading.Fit(d.story(), width))
	}
	return append(lines, d.viewLevels(s, width, height-len(lines))...)
}

// story says how much coarser the variable becomes.
func (d *recodeHierarchy) story() string {
	before := len(d.column.Unrecoded().Categories().Levels)
	if before == 1 {
		return "the only category stays one"
	}
	return draw.Count(before) + " categories become " + draw.Count(len(d.levels))
}

// viewLevels draws the categories that come about, as many as there is room for.
func (d *recodeHierarchy) viewLevels(s views.State, width, height int) []string {
	theme := s.Theme
	shown := d.levels[:min(len(d.levels), max(0, height))]
	more := len(d.levels) - len(shown)
	if more > 0 && len(shown) > 0 {
		shown, more = shown[:len(shown)-1], more+1
	}
	largest := 1
	for _, level := range d.levels {
		largest = max(largest, level.records)
	}
	labelWidth := min(28, max(8, width/3))
	var lines []string
	for _, level := range shown {
		lines = append(lines, theme.Plain.Fit("  "+s.WithMeaning(d.said, level.label), labelWidth)+" "+
			dialogs.Bar(theme, level.records, largest, width-labelWidth-1))
	}
	if more > 0 && height > 0 {
		lines = append(lines, theme.Faint.Fit("  … "+draw.Count(more)+" more", width))
	}
	return lines
}

// Rows asks for the fields and the categories.
func (d *recodeHierarchy) Rows() int { return len(d.levels) + 10 }
