package pages

import (
	"context"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// Import shows the first records of a file as they will be read. How it is
// read was guessed; what the kind of file lets be chosen can be changed, and the
// table follows.
type Import struct {
	path    string
	name    string
	format  fileio.Format
	changed bool // the table is of another format, and is not being read
	form    dialogs.Form
	table   *fileio.Table
	err     error // why the file cannot be read like this
	column  int   // first column shown
}

// previewRecords is the number of records that the import page shows at most.
const previewRecords = 100

// NewImport opens on a file, with a format that was guessed and where the
// command line said so overridden. It reads the head of the file.
func NewImport(path, name string, format fileio.Format) *Import {
	p := &Import{path: path, name: name, format: format}
	for _, option := range fileio.Options(&p.format) {
		p.form.Fields = append(p.form.Fields, p.optionField(option))
	}
	p.table, p.err = fileio.Preview(path, format, previewRecords)
	return p
}

// optionField is the field of something that can be chosen about reading.
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
	field := &dialogs.Field{Label: option.Name, Help: option.Help, Value: func() string { return chosen().Name }}
	switch {
	case len(option.Choices) > 0:
		field.Change = func(by int) { field.Err = set(dialogs.Ring(option.Choices, chosen(), by).Value) }
	case option.Set != nil:
		field.Typed = set
	}
	return field
}

// Seek reads the head of the file again after a change of the format.
func (p *Import) Seek(views.State) func(ctx context.Context, budget time.Duration) func() {
	if !p.changed {
		return nil
	}
	p.changed = false
	path, format := p.path, p.format
	return func(context.Context, time.Duration) func() {
		table, err := fileio.Preview(path, format, previewRecords)
		return func() {
			if !p.changed { // else another format is looked at next
				p.table, p.err = table, err
			}
		}
	}
}

// Keys returns the keys of the page.
func (p *Import) Keys() []key.Binding {
	keys := append(p.form.Keys(), dialogs.Bind("shift+←→", "more columns", "shift+left", "shift+right"))
	if p.err == nil {
		keys = append(keys, dialogs.Bind("enter", "read the file", "enter"))
	}
	return keys
}

// Typing reports whether missing codes are being typed.
func (p *Import) Typing() bool { return p.form.Typing() }

// HandleKey changes the format; enter reads the file.
func (p *Import) HandleKey(msg tea.KeyPressMsg) dialogs.Effect {
	switch pressed := msg.String(); {
	case pressed == "enter" && p.err == nil && p.form.Err() == nil:
		p.form.Handle(msg)
		return dialogs.OpenFile{Path: p.path, Format: p.format}
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
	return dialogs.Stay{}
}

// View draws the fields and, below them, the first records.
func (p *Import) View(s views.State, width, height int) string {
	theme := s.Theme
	lines := []string{theme.Title.Render(views.Fit("Reading "+views.Safe(p.name), width)), ""}
	const records = 5 // lines of the table, from which on the fields have what they need
	lines = append(lines, p.form.WithUnder(theme, width, height-len(lines), func(room int) []string {
		if p.err != nil {
			return views.Wrapped(theme.Error.Render, p.err.Error(), width)
		}
		var under []string
		if p.table != nil {
			for _, warning := range p.table.Warnings {
				under = append(under, views.Wrapped(theme.Warning.Render, warning, width)...)
			}
			under = append(under, p.viewTable(theme, width, max(records, room-len(under)))...)
		}
		return under
	})...)
	return views.Within(theme, lines, width, height)
}

// viewTable draws names, kinds and records from the first shown column on.
func (p *Import) viewTable(theme *views.Theme, width, height int) []string {
	if len(p.table.Names) == 0 {
		return []string{theme.Faint.Render(views.Fit("the file has no columns", width))}
	}
	lines := make([]string, min(height, 2+len(p.table.Rows)))
	column, used := p.column, 0
	for ; column < len(p.table.Names) && used < width-1; column++ {
		size := 0
		for i := range lines {
			size = max(size, views.Width(views.Safe(p.cell(column, i))))
		}
		size = min(min(size, 24)+2, width-1-used)
		used += size
		for i := range lines {
			text := p.cell(column, i)
			switch {
			case i == 0:
				lines[i] += theme.Heading.Render(views.Fit(text, size))
			case i == 1:
				lines[i] += theme.Faint.Render(views.Fit(text, size))
			case p.table.Kinds[column] == microdata.Category || size <= 2:
				lines[i] += views.Fit(text, size)
			default:
				lines[i] += views.FitRight(text, size-2) + "  "
			}
		}
	}
	if column < len(p.table.Names) {
		lines[0] += theme.Heading.Render(strings.Repeat(" ", width-1-used) + "›")
	}
	return lines
}

// cell returns what stands in a line of the table: the name of a column, its kind,
// or the value of a record, which may have none.
func (p *Import) cell(column, line int) string {
	switch {
	case line == 0:
		return p.table.Names[column]
	case line == 1:
		return p.table.Kinds[column].String()
	case column < len(p.table.Rows[line-2]):
		return p.table.Rows[line-2][column]
	}
	return ""
}
