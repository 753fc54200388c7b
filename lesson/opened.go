package lesson

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
)

// checkMeasures returns an error for unknown measures, parameters of measures that are not active, and invalid
// paths of files.
func (l *Lesson) checkMeasures() error {
	for _, name := range l.Measures {
		if _, ok := catalog.Measures().Find(name); !ok {
			return fmt.Errorf("unknown measure %q; \"sdcdesk measures\" lists them", name)
		}
	}
	for name := range l.Params {
		if !slices.Contains(l.Measures, name) {
			return fmt.Errorf(`"params" has parameters of %q, which is not among "measures"`, wording.Excerpt(name))
		}
	}
	for path, sum := range l.Files {
		if err := checkPath(path, path, sum); err != nil {
			return err
		}
	}
	return nil
}

// Opened returns the measures that are active from the beginning, with the texts of their files. The error wraps
// ErrLesson.
func (l *Lesson) Opened() (opened []session.MeasureSpec, err error) {
	for _, name := range l.Measures {
		spec := session.MeasureSpec{Name: name}
		if spec.Params, err = l.params(name); err != nil {
			return nil, fmt.Errorf("%w: line 1: the parameters of %s: %w", ErrLesson, name, err)
		}
		opened = append(opened, spec)
	}
	return opened, nil
}

// params returns the parameters of a measure with the texts of their files, or nil if it has none.
func (l *Lesson) params(measure string) (json.RawMessage, error) {
	raw, given := l.Params[measure]
	if !given {
		return nil, nil
	}
	values := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &values); err != nil {
		return nil, errors.New(`they are written as {"name":value, …}`)
	}
	spec, _ := catalog.Measures().Find(measure)
	for _, param := range spec.New().Params() {
		if param.Kind != method.KindFile || values[param.Name] == nil {
			continue
		}
		path, _ := session.FileOf(values[param.Name])
		sum, listed := l.Files[path]
		if !listed {
			return nil, fmt.Errorf(`%q must be one of the "files" of the first line, with its SHA-256`, param.Name)
		}
		text, err := l.content(path, sum)
		if err != nil {
			return nil, fmt.Errorf("%s %w", wording.Excerpt(path), err)
		}
		if values[param.Name], err = json.Marshal(session.InlineFile{Name: path, Text: string(text)}); err != nil {
			return nil, err
		}
	}
	made, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	_, err = session.DecodeMeasure(spec, made)
	return made, err
}
