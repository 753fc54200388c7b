package dialogs

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// HelpPage is a dialog with a help page.
type HelpPage interface {
	Dialog
	// Page returns the help page: the method of the dialog, its source, its parameters, and the keys.
	Page() *Text
}

var _ HelpPage = (*StepDialog)(nil)

// Page returns the page of the dialog's method, like "sdcdesk methods" in the words of scripts. It is nil for a
// dialog that makes its steps with several methods.
func (d *StepDialog) Page() *Text {
	if d.Method == nil {
		return nil
	}
	return NewMethodPage(d.spec, d.Method, d.Self.(Dialog).Keys())
}

// NewMethodPage returns the page of a method, with the keys of its dialog.
func NewMethodPage(spec method.Spec, m method.Method, keys []key.Binding) *Text {
	return newListedPage(spec.Title, spec.Help, spec.Cite, m.Params(), keys,
		"in scripts: "+spec.Name+"; sdcdesk methods "+spec.Name)
}

// newListedPage returns a page with a text, its source, parameters, keys and a last line, none if that is "".
func newListedPage(title, text, cite string, all []method.Param, keys []key.Binding, last string) *Text {
	keys = append(slices.Clone(keys), KeyLabels)
	var params []ListLine
	for _, p := range all {
		params = append(params, ListLine{Key: p.Label(), Text: p.ScreenHelp()})
	}
	if len(params) > 0 {
		params = append([]ListLine{{Text: "parameters"}}, params...)
	}
	shortcuts := ListKeys("keys", keys)
	d := newPage(title, func(s views.State, width int) []string {
		lines := wrappedLines(s.Plain, text, width)
		if cite != "" {
			lines = s.Faint.Append(append(lines, "", s.Heading.Render("source")), cite, width)
		}
		if len(params) > 0 {
			lines = append(append(lines, ""), viewListed(s.Theme, params, width)...)
		}
		lines = append(append(lines, ""), viewListed(s.Theme, shortcuts, width)...)
		if last != "" {
			lines = append(lines, "", s.Faint.Fit(last, width))
		}
		return lines
	})
	d.search(slices.Concat([]ListLine{{Key: "about", Text: text}, {Key: "source", Text: cite}}, params, shortcuts))
	return d
}

// wrappedLines wraps each line of a text separately.
func wrappedLines(style draw.Style, text string, width int) (lines []string) {
	for line := range strings.SplitSeq(text, "\n") {
		lines = style.Append(lines, line, width)
	}
	return lines
}

// viewListed draws the lines of a list; keys are as wide as the longest.
func viewListed(theme *draw.Theme, listed []ListLine, width int) []string {
	size := 0
	for _, line := range listed {
		size = max(size, draw.Width(line.Key))
	}
	size = min(size, max(4, width/3))
	var drawn []string
	for _, line := range listed {
		drawn = append(drawn, line.view(theme, size, width)...)
	}
	return drawn
}
