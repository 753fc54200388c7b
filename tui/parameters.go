package tui

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/wording"
	"github.com/sdcdesk/sdcdesk/views"
)

// newParameterField returns the field of a parameter. A variable begins with the
// selected one where the method works on it.
func newParameterField(s views.State, m method.Method, param method.Param) *formField {
	if param.Kind == method.KindFile {
		return fileField(m, param)
	}
	field := &formField{name: param.Name, label: param.Label(), help: param.ScreenHelp(), value: param.Value.String}
	choices := param.Choices(s.Current.Data, s.Scenario)
	set := func(choice string) { field.err = param.Value.Set(choice) }
	switch {
	case param.Kind == method.KindVariable && slices.Contains(choices, s.Selected.Variable):
		set(s.Selected.Variable)
	case param.Kind == method.KindVariable && len(choices) > 0:
		set(choices[0])
	}
	if choices != nil {
		field.change = func(by int) { set(ring(choices, param.Value.String(), by)) }
		return field
	}
	field.typed = func(text string) error { return param.SetText(text, s.Current.Data) }
	if param.Step > 0 {
		field.change = param.Move
	}
	return field
}

// ring returns the choice that is so many places behind another; the first comes
// after the last.
func ring[T comparable](choices []T, now T, by int) T {
	if len(choices) == 0 {
		return now
	}
	at := max(0, slices.Index(choices, now))
	return choices[(at+by+len(choices))%len(choices)]
}

// fileField edits a parameter that is the text of a file: the path of the file is
// typed, and its text is taken, so that nothing depends on the file any more. A
// file that it names for another parameter is taken with it.
func fileField(m method.Method, param method.Param) *formField {
	path := ""
	return &formField{
		name: param.Name, label: param.Label(), help: param.ScreenHelp(),
		value: func() string {
			text := param.Value.String()
			if path != "" || text == "" {
				return path
			}
			return wording.Counted(strings.Count(strings.TrimSpace(text), "\n")+1, "line")
		},
		typed: func(text string) error {
			if text == "" {
				path = ""
				return param.Value.Set("")
			}
			content, err := fileio.ReadText(expandHome(text))
			if err == nil {
				err = param.Value.Set(content)
			}
			if err != nil {
				return err
			}
			path = text
			takeAccompanying(m, param.Name, expandHome(text))
			return nil
		},
	}
}

// takeAccompanying reads the file that the file of a parameter names for another
// one. Where it cannot be read, that parameter is empty: it can be typed.
func takeAccompanying(m method.Method, param, path string) {
	accompanied, ok := m.(method.Accompanied)
	if !ok {
		return
	}
	other, name := accompanied.Accompanies(param)
	for _, p := range m.Params() {
		if p.Name != other {
			continue
		}
		content := ""
		if name != "" {
			if text, err := fileio.ReadBeside(path, name); err == nil {
				content = text
			}
		}
		if p.Value.Set(content) != nil {
			return // it is not the text of a file
		}
	}
}
