package pages

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Import shows the first records of a file as they will be read. The format is a guess; the options of the file
// format can be changed, and the table is updated.
type Import struct {
	path    string
	name    string
	format  fileio.Format
	changed bool // the format has changed since the table was read
	form    dialogs.Form
	table   *fileio.Table
	all     *fileio.Table  // the table with all variables, as far as known
	err     error          // why the file cannot be read with this format
	column  int            // first visible column
	picked  *[]string      // names of the variables to read
	field   *dialogs.Field // the field for picked
	large   error          // why the file does not fit into memory, or nil
	folder  string         // folder of temporary files for the records; "": records are in memory
	scratch *dialogs.Field // the field for folder
}

// previewRecords is the maximum number of records on the import page.
const previewRecords = 100

// NewImport opens the page for a file with a guessed format, which the command line may override. It reads the
// head of the file.
func NewImport(ctx context.Context, path, name string, format fileio.Format) *Import {
	p := &Import{path: path, name: name, format: format}
	if err := fileio.Room(ctx, path, format); errors.Is(err, fileio.ErrMemory) && format.Scratch == nil {
		p.large, p.folder = err, proposed(path)
	}
	for _, option := range fileio.Options(&p.format) {
		p.form.Fields = append(p.form.Fields, p.optionField(option))
	}
	p.scratch = p.scratchField()
	p.form.Fields = append(p.form.Fields, p.scratch)
	p.show(fileio.Preview(ctx, path, format, previewRecords))
	return p
}

// show takes the head of the file, or the error of reading it.
func (p *Import) show(table *fileio.Table, err error) {
	if p.table, p.err = table, err; table != nil {
		if p.all = table.All; p.all == nil {
			p.all = table
		}
	}
}

// optionField returns the field of an option of the format.
func (p *Import) optionField(option fileio.Option) *dialogs.Field {
	set := func(value string) error {
		p.changed = true
		return option.Set(value)
	}
	chosen := func() fileio.Choice {
		at := slices.IndexFunc(option.Choices, func(c fileio.Choice) bool { return c.Value == option.Get() })
		if at < 0 {
			return fileio.Choice{Name: option.Get()}
		}
		return option.Choices[at]
	}
	field := &dialogs.Field{Label: cmp.Or(option.Label, option.Name), Help: option.Help, Value: func() string { return chosen().Name }}
	switch {
	case len(option.Choices) > 0:
		field.Change = func(by int) { field.Err = set(dialogs.Ring(option.Choices, chosen(), by).Value) }
	case option.Set != nil:
		field.Typed = set
	}
	if option.Picked != nil {
		p.field, p.picked = field, option.Picked
	}
	return field
}

// Seek reads the head of the file again after a change of the format.
func (p *Import) Seek(views.State) views.Piece {
	if !p.changed {
		return nil
	}
	p.changed = false
	path, format := p.path, p.format
	return func(ctx context.Context, _ time.Duration) func() {
		table, err := fileio.Preview(ctx, path, format, previewRecords)
		return func() {
			if !p.changed { // otherwise the format has changed again
				p.show(table, err)
			}
		}
	}
}

// Keys returns the keys of the page.
func (p *Import) Keys() []key.Binding {
	keys := p.form.Keys()
	if p.picks() {
		keys = append(keys, dialogs.KeyPick)
	}
	keys = append(keys, draw.Bind("shift+←→", "more columns", "shift+left", "shift+right"))
	if p.err == nil {
		keys = append(keys, draw.Bind("enter", "read file"))
	}
	return keys
}

// Typing reports whether missing codes are being typed.
func (p *Import) Typing() bool { return p.form.Typing() }

// HandleKey changes the format; enter reads the file.
func (p *Import) HandleKey(msg tea.KeyPressMsg, _ views.State) draw.Action {
	switch pressed := msg.String(); {
	case pressed == "enter" && p.err == nil && p.form.Err() == nil:
		p.form.Handle(msg)
		if p.scratch.Err = p.agree(); p.form.Err() != nil {
			return nil
		}
		return dialogs.OpenFile{Path: p.path, Format: p.format}
	case pressed == "space" && p.picks():
		return dialogs.Cover{Dialog: p.picker()}
	case pressed == "esc" && !p.Typing():
		return dialogs.Close{}
	case pressed == "shift+right":
		if p.table != nil {
			p.column = min(p.column+1, max(0, len(p.table.Names)-1))
		}
	case pressed == "shift+left":
		p.column = max(0, p.column-1)
	default:
		p.form.Handle(msg)
	}
	return nil
}

// picks reports whether the field of the variables is in focus and the variables are known.
func (p *Import) picks() bool {
	return p.all != nil && !p.Typing() && p.form.Field() == p.field
}

// picker opens the list of the variables of the file. Choosing all is the same as none.
func (p *Import) picker() dialogs.Dialog {
	variables := make([]dialogs.Variable, len(p.all.Names))
	for i, name := range p.all.Names {
		variables[i] = dialogs.Variable{Name: name, Label: p.all.Described(i).Label,
			Kind: microdata.TypeOf(p.all.Kinds[i], p.all.Described(i))}
	}
	return dialogs.NewVariablePicker("Variables to read", variables, *p.picked, func(names []string) error {
		if len(names) == len(variables) {
			names = nil
		}
		*p.picked, p.changed, p.field.Err, p.field.Refused = names, true, nil, ""
		return nil
	})
}

// View draws the fields and, below them, the first records.
func (p *Import) View(s views.State, width, height int) string {
	theme := s.Theme
	lines := []string{theme.Title.Fit("Import "+draw.Safe(p.name), width), ""}
	const records = 5 // minimum lines of the table if the fields need more room
	lines = append(lines, p.form.WithUnder(s, width, height-len(lines), func(room int) []string {
		if p.err != nil {
			return theme.Error.Wrapped(p.err.Error(), width)
		}
		var under []string
		if p.large != nil {
			under = theme.Warning.Append(under, draw.Safe(p.proposal()), width)
		}
		if p.table != nil {
			for _, warning := range p.table.Warnings {
				under = theme.Warning.Append(under, warning, width)
			}
			under = append(under, p.viewTable(s, width, max(records, room-len(under)))...)
		}
		return under
	})...)
	return draw.Within(theme, lines, width, height)
}

// viewTable draws names, labels, types and records from the first visible column on.
func (p *Import) viewTable(s views.State, width, height int) []string {
	theme, table := s.Theme, p.table
	if len(table.Names) == 0 {
		return []string{theme.Faint.Fit("the file has no columns", width)}
	}
	heads := 2
	for i := range table.Names {
		if !s.Bare && table.Described(i).Label != "" {
			heads = 3
		}
	}
	lines := make([]string, min(height, heads+len(table.Rows)))
	const widest = 24
	column, used := p.column, 0
	for ; column < len(table.Names) && used < width-1; column++ {
		size := 0
		for i := range lines {
			size = max(size, draw.Width(draw.Safe(p.cell(s, column, i, heads))))
		}
		size = min(min(size, widest)+2, width-1-used)
		used += size
		left := table.Kinds[column] == microdata.Category || size <= 2 ||
			!s.Bare && len(table.Described(column).Labels) > 0
		for i := range lines {
			text := p.cell(s, column, i, heads)
			if draw.Width(draw.Safe(text)) > widest {
				text = draw.Fit(text, widest)
			}
			switch {
			case i == 0:
				lines[i] += theme.Heading.Fit(text, size)
			case i < heads:
				lines[i] += theme.Faint.Fit(text, size)
			case left:
				lines[i] += draw.Fit(text, size)
			default:
				lines[i] += draw.FitRight(text, size-2) + "  "
			}
		}
	}
	if column < len(table.Names) {
		lines[0] += theme.Heading.Render(strings.Repeat(" ", width-1-used) + "›")
	}
	return lines
}

// cell returns a cell of the table: the name of a column, its label if there are three heading lines, its type, or
// the value of a record, if it has one, with its label.
func (p *Import) cell(s views.State, column, line, heads int) string {
	d := p.table.Described(column)
	switch {
	case line == 0:
		return p.table.Names[column]
	case line == heads-1:
		return microdata.TypeOf(p.table.Kinds[column], p.table.Described(column))
	case line < heads:
		return d.Label
	case column >= len(p.table.Rows[line-heads]):
		return ""
	}
	text := p.table.Rows[line-heads][column]
	if meaning := d.Labels[text]; meaning != "" && meaning != text && !s.Bare {
		return text + " " + meaning
	}
	return text
}
