package dialogs

import (
	"encoding/json"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// OpenMeasure opens a measure with its parameters.
type OpenMeasure struct{ Measure session.MeasureSpec }

// Measure is the dialog of every measure: a form of its parameters. Enter activates the measure, which is computed
// in the background now and after every step.
type Measure struct {
	formDialog
	spec    measure.Spec
	measure measure.Measure
	paths   map[string]string          // of file parameters
	texts   map[string]json.RawMessage // of files stored with their text, by name
}

var _ HelpPage = (*Measure)(nil)

// NewMeasure opens the dialog of a measure with the given parameters; nil: the defaults. Parameters that no longer
// fit keep their defaults.
func NewMeasure(s views.State, spec measure.Spec, params json.RawMessage) *Measure {
	d := &Measure{spec: spec, measure: spec.New(), paths: map[string]string{}, texts: map[string]json.RawMessage{}}
	d.Heading, d.explained = wording.Capital(spec.Title), true
	given := map[string]json.RawMessage{}
	_ = json.Unmarshal(params, &given) // after an error, none are given
	for _, param := range d.measure.Params() {
		if raw, ok := given[param.Name]; ok && param.Kind == method.KindFile {
			path, file := session.FileOf(raw)
			if d.paths[param.Name] = path; file != nil {
				d.paths[param.Name], d.texts[file.Name] = file.Name, raw
			}
			delete(given, param.Name)
		}
	}
	if method.Decode(d.measure, given) != nil {
		d.measure = spec.New()
	}
	for _, param := range d.measure.Params() {
		if param.Kind == method.KindFile {
			d.Fields = append(d.Fields, d.pathField(&param))
		} else {
			d.Fields = append(d.Fields, NewParameterField(s, d.measure, param))
		}
	}
	return d
}

// pathField is the field of a file parameter: its path, which the session stores. The file is read whenever the
// measure is computed.
func (d *Measure) pathField(param *method.Param) *Field {
	name := param.Name
	return &Field{name: name, Label: param.Label(), Help: param.ScreenHelp(),
		Value: func() string { return d.paths[name] },
		Typed: func(text string) error { d.paths[name] = text; return nil }}
}

// problem returns the error of the parameters, or nil.
func (d *Measure) problem() error {
	if err := d.Err(); err != nil {
		return err
	}
	return method.Validate(d.measure)
}

// made returns the measure with its parameters in the form stored by the session.
func (d *Measure) made() (session.MeasureSpec, error) {
	text, err := method.Encode(d.measure)
	if err != nil {
		return session.MeasureSpec{}, err
	}
	params := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &params); err != nil {
		return session.MeasureSpec{}, err
	}
	for name, path := range d.paths {
		if params[name] = d.texts[path]; params[name] == nil {
			params[name], _ = json.Marshal(ExpandHome(path)) // a string can always be encoded
		}
	}
	text, err = json.Marshal(params)
	return session.MeasureSpec{Name: d.spec.Name, Params: text}, err
}

// Keys returns the keys of the form and of its lists.
func (d *Measure) Keys() []key.Binding {
	return d.keys("activate the measure", d.listKeys(false)...)
}

// HandleKey edits the fields; enter activates the measure.
func (d *Measure) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	if effect := d.list(msg, s, s.Scenario, nil, func() {}); effect != nil {
		return effect
	}
	return d.handle(msg, func() draw.Action {
		if d.problem() != nil {
			return nil
		}
		spec, err := d.made()
		if err != nil {
			return nil
		}
		return OpenMeasure{spec}
	})
}

// Ready returns the measure with its parameters; ok is false if it cannot be computed.
func (d *Measure) Ready(s views.State) (made session.MeasureSpec, ok bool) {
	if d.problem() != nil || d.notApplicable(s) != "" {
		return made, false
	}
	made, err := d.made()
	return made, err == nil
}

// notApplicable returns the reason why the measure does not apply to the data, or "".
func (d *Measure) notApplicable(s views.State) string {
	version := measure.NewVersion(s.Current.Data, s.Scenario, nil)
	return d.spec.NotApplicable(measure.Input{Current: version,
		Original: measure.NewVersion(s.Current.Data.Source(), s.Scenario, nil)}, d.measure)
}

// View draws the fields and the description of the measure, or the reason why it does not apply.
func (d *Measure) View(s views.State, width, height int) string {
	var under []string
	switch err := d.problem(); {
	case d.Err() != nil:
		under = nil // the field shows the error
	case err != nil:
		under = s.Error.Wrapped(err.Error(), width)
	default:
		if reason := d.notApplicable(s); reason != "" {
			under = s.Warning.Wrapped("Not applicable: "+reason+".", width)
		}
	}
	lines := d.WithUnder(s, width, height, func(room int) []string {
		if len(under) == 0 && d.Err() == nil {
			return wholeSentences(s.Theme, d.spec.Help, width, room)
		}
		return under
	})
	return draw.Within(s.Theme, lines, width, height)
}

// Size returns the size of a page of text.
func (d *Measure) Size() (width, height int) { return 84, max(18, min(32, len(d.Visible())+16)) }

// Page explains the measure.
func (d *Measure) Page() *Text {
	return newListedPage(wording.Capital(d.spec.Title), d.spec.Help, d.spec.Cite, d.spec.New().Params(), d.Keys(),
		"in summaries: --measures "+d.spec.Name+"; sdcdesk measures "+d.spec.Name)
}

// wholeSentences returns the first sentences of a text that fit into height lines, with a note where the others
// are.
func wholeSentences(theme *draw.Theme, text string, width, height int) []string {
	lines := wrappedLines(theme.Faint, text, width)
	for len(lines) > height && text != "" {
		at := max(strings.LastIndex(strings.TrimSuffix(text, "."), ". "), strings.LastIndex(text, ".\n"))
		if at < 0 {
			return nil
		}
		text = text[:at+1]
		lines = wrappedLines(theme.Faint, text+" (? for more)", width)
	}
	return lines
}
