package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// MeasureSpec is an active measure with its parameters in the form of scripts; a file parameter is a path instead
// of a text. Active measures are a setting of the session, not a step.
type MeasureSpec struct {
	Name   string          `json:"measure"`
	Params json.RawMessage `json:"params,omitempty"`
}

// measureLine activates a measure, replacing one of the same name, or deactivates it.
type measureLine struct {
	Measure string          `json:"measure"`
	Params  json.RawMessage `json:"params,omitempty"`
	Closed  bool            `json:"closed,omitempty"`
	At      *time.Time      `json:"at,omitempty"`
}

// Measures returns the active measures in the order of activation.
func (s *Session) Measures() []MeasureSpec { return slices.Clone(s.measures) }

// OpenMeasure activates a measure, replacing one of the same name.
func (s *Session) OpenMeasure(spec MeasureSpec) error {
	return s.do(&measureLine{Measure: spec.Name, Params: spec.Params, At: now()})
}

// CloseMeasure deactivates a measure; it does nothing if the measure is not active.
func (s *Session) CloseMeasure(name string) error {
	if len(withoutMeasure(s.measures, name)) == len(s.measures) {
		return nil
	}
	return s.do(&measureLine{Measure: name, Closed: true, At: now()})
}

func withMeasure(open []MeasureSpec, spec MeasureSpec) []MeasureSpec {
	out := slices.Clone(open)
	if at := slices.IndexFunc(out, func(m MeasureSpec) bool { return m.Name == spec.Name }); at >= 0 {
		out[at] = spec
		return out
	}
	return append(out, spec)
}

func withoutMeasure(open []MeasureSpec, name string) []MeasureSpec {
	return slices.DeleteFunc(slices.Clone(open), func(m MeasureSpec) bool { return m.Name == name })
}

// obey activates or deactivates the measure. A measure that the program does not have is detected when it is
// computed.
func (l *measureLine) obey(s *state) error {
	switch {
	case l.Measure == "":
		return errors.New(`a measure needs its name: {"measure":"linkage","params":{}}`)
	case l.Closed:
		s.measures = withoutMeasure(s.measures, l.Measure)
	default:
		s.measures = withMeasure(s.measures, MeasureSpec{l.Measure, l.Params})
	}
	return nil
}

// InlineFile in parameters has the text of a file instead of its path.
type InlineFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// FileOf returns the path of a file in parameters, or the given file. given is nil for a path, and both are empty
// if it is neither.
func FileOf(raw json.RawMessage) (path string, given *InlineFile) {
	if json.Unmarshal(raw, &path) != nil && json.Unmarshal(raw, &given) != nil {
		return "", nil
	}
	return path, given
}

// fileText returns the text of a file in parameters.
func fileText(raw json.RawMessage) (string, error) {
	path, given := FileOf(raw)
	switch {
	case given != nil:
		return given.Text, nil
	case path != "":
		return fileio.ReadText(path)
	case string(raw) != `""`:
		return "", errors.New("give the path of a file")
	}
	return "", nil
}

// DecodeMeasure returns a measure with the parameters, and reads the files that they name. Paths are relative to
// the working directory.
func DecodeMeasure(spec measure.Spec, params json.RawMessage) (measure.Measure, error) {
	values := map[string]json.RawMessage{}
	if len(params) > 0 {
		if err := json.Unmarshal(params, &values); err != nil {
			return nil, fmt.Errorf("%w: the parameters of %s must be an object: %w", ErrMeasures, spec.Name, err)
		}
	}
	m := spec.New()
	for _, param := range m.Params() {
		raw, given := values[param.Name]
		if param.Kind != method.KindFile || !given {
			continue
		}
		text, err := fileText(raw)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %q: %w", ErrMeasures, spec.Name, param.Name, err)
		}
		values[param.Name], _ = json.Marshal(text) // a string can always be encoded
	}
	if err := method.Decode(m, values); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrMeasures, spec.Name, err)
	}
	return m, nil
}

// MeasureResult is the result of a measure for the current data, and for the original of the same records.
type MeasureResult struct{ Original, Current *measure.Entry }

// Measure computes an active measure, or returns the cached result for the same data and parameters. The error
// wraps ErrMeasures if there is no such measure or the parameters do not fit.
func (a *Analyst) Measure(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, spec MeasureSpec,
	meter *progress.Meter) (*MeasureResult, error) {
	found, ok := a.measures.Find(spec.Name)
	if !ok {
		return nil, fmt.Errorf("%w: unknown measure %q", ErrMeasures, wording.Excerpt(spec.Name))
	}
	m, err := DecodeMeasure(found, spec.Params)
	if err != nil {
		return nil, err
	}
	params, err := method.Encode(m)
	if err != nil {
		return nil, err
	}
	original := a.version(data.Source(), scenario)
	reported := func(of *measure.Version) (*measure.Entry, error) {
		return recalled(ctx, a, of.Data(), func() (*measure.Entry, error) {
			entry, err := found.Compute(ctx, measure.Input{Original: original, Current: of}, m, meter)
			return &entry, err
		}, spec.Name, params, scenario, hashText(original.Data()))
	}
	now, err := reported(a.version(data, scenario))
	if err != nil {
		return nil, err
	}
	was, err := reported(original)
	if errors.Is(err, measure.ErrTooLarge) {
		was.NotApplicable, err = err.Error(), nil
	}
	return &MeasureResult{was, now}, err
}
