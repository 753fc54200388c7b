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
	chosen := func() int {
		return slices.IndexFunc(option.Choices, func(c fileio.Choice) bool { return c.Value == option.Get() })
	}
	field := &dialogs.Field{Label: option.Name, Help: option.Help, Value: func() string {
		if at := chosen(); at >= 0 {
			return option.Choices[at].Name
		}
		return option.Get()
	}}
	switch n := len(option.Choices); {
	case n > 0:
		field.Change = func(by int) { field.Err = set(option.Choices[(chosen()+by+n)%n].Value) }
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
	lines = append(lines, p.form.View(theme, width)...)
	lines = append(lines, "")
	if p.err != nil {
		lines = append(lines, views.Wrapped(theme.Error.Render, p.err.Error(), width)...)
	} else if p.table != nil {
		for _, warning := range p.table.Warnings {
			lines = append(lines, views.Wrapped(theme.Warning.Render, warning, width)...)
		}
		lines = append(lines, p.viewTable(theme, width, max(1, height-len(lines)))...)
	}
	return strings.Join(dialogs.FitLines(lines, width, height), "\n")
}

// viewTable draws names, kinds and records from the first shown column on.
func (p *Import) viewTable(theme *views.Theme, width, height int) []string {
	if len(p.table.Names) == 0 {
		return []string{theme.Faint.Render(views.Fit("the file has no columns", width))}
	}
	lines := make([]string, min(height, 2+len(p.table.Rows)))
	used := 0
	for column := p.column; column < len(p.table.Names) && used < width; column++ {
		size := min(p.columnWidth(column, len(lines)), width-used)
		for i := range lines {
			lines[i] += p.viewCell(theme, column, i, size)
		}
		used += size
	}
	return lines
}

// columnWidth returns the cells a column needs for the lines that are shown.
func (p *Import) columnWidth(column, lines int) int {
	size := max(views.Width(views.Safe(p.table.Names[column])), views.Width(p.table.Kinds[column].String()))
	for _, record := range p.table.Rows[:max(0, min(lines-2, len(p.table.Rows)))] {
		if column < len(record) {
			size = max(size, views.Width(views.Safe(record[column])))
		}
	}
	return min(size, 24) + 2
}

func (p *Import) viewCell(theme *views.Theme, column, line, size int) string {
	switch line {
	case 0:
		return theme.Heading.Render(views.Fit(p.table.Names[column], size))
	case 1:
		return theme.Faint.Render(views.Fit(p.table.Kinds[column].String(), size))
	}
	record := p.table.Rows[line-2]
	if column >= len(record) {
		return strings.Repeat(" ", size)
	}
	if p.table.Kinds[column] == microdata.Category || size <= 2 {
		return views.Fit(record[column], size)
	}
	return views.FitRight(record[column], size-2) + "  "
}
