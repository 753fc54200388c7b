package tui

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// fileParameter edits a parameter that is the text of a file: the path of the
// file is typed, and its text is taken, so that nothing depends on the file any
// more. A file that it names for another parameter is taken with it.
func fileParameter(label string, m method.Method, param method.Param, value *string) *formField {
	path := ""
	return &formField{
		label: label, help: param.Help + ": type the path of the file",
		value: func() string {
			if path != "" || *value == "" {
				return path
			}
			return wording.Counted(strings.Count(strings.TrimSpace(*value), "\n")+1, "line")
		},
		typed: func(text string) error {
			if text == "" {
				path, *value = "", ""
				return nil
			}
			content, err := fileio.ReadText(expandHome(text))
			if err != nil {
				return err
			}
			path, *value = text, content
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
		if into, text := p.Value.(*string); p.Name == other && text {
			*into = ""
			if name == "" {
				return
			}
			if content, err := fileio.ReadBeside(path, name); err == nil {
				*into = content
			}
		}
	}
}
