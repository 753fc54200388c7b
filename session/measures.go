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

// MeasureSpec is a measure that somebody opened, with its parameters as scripts give
// them; in the place of the text of a file its path stands. What is opened is a
// setting of the session, no step.
type MeasureSpec struct {
	Name   string          `json:"measure"`
	Params json.RawMessage `json:"params,omitempty"`
}

// measureLine opens a measure, in place of an open one of the same name, or closes
// it.
type measureLine struct {
	Measure string          `json:"measure"`
	Params  json.RawMessage `json:"params,omitempty"`
	Closed  bool            `json:"closed,omitempty"`
	At      *time.Time      `json:"at,omitempty"`
}

// Measures returns the measures that are open, in the order in which they were
// opened.
func (s *Session) Measures() []MeasureSpec { return slices.Clone(s.measures) }

// OpenMeasure opens a measure, in place of an open one of the same name.
func (s *Session) OpenMeasure(spec MeasureSpec) error {
	return s.do(&measureLine{Measure: spec.Name, Params: spec.Params, At: now()})
}

// CloseMeasure closes a measure; one that is not open is none.
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

// obey opens or closes the measure. One that the program does not have is found out when it is
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

// GivenFile stands in parameters in place of the path of a file: it has the text itself.
type GivenFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// FileOf returns the path of a file that stands in parameters, or the given file; given is
// nil where it is a path, and both are empty where it is neither.
func FileOf(raw json.RawMessage) (path string, given *GivenFile) {
	if json.Unmarshal(raw, &path) != nil && json.Unmarshal(raw, &given) != nil {
		return "", nil
	}
	return path, given
}

// fileText returns the text of a file that stands in parameters.
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

// DecodeMeasure returns a measure with the parameters; files that they name are
// read. A path is as from where the program was started.
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
		values[param.Name], _ = json.Marshal(text) // a text always can be
	}
	if err := method.Decode(m, values); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrMeasures, spec.Name, err)
	}
	return m, nil
}

// Measured is what a measure tells of the data, and of the same records as they were
// read.
type Measured struct{ Original, Current *measure.Entry }

// Measure computes an open measure, or remembers what it found of the same data with
// the same parameters. An error wraps ErrMeasures where there is no such measure or
// the parameters do not fit.
func (a *Analyst) Measure(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, spec MeasureSpec,
	meter *progress.Meter) (*Measured, error) {
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
	told := func(of *measure.Version) (*measure.Entry, error) {
		return recalled(ctx, a, of.Data(), func() (*measure.Entry, error) {
			entry, err := found.Compute(ctx, measure.Input{Original: original, Current: of}, m, meter)
			return &entry, err
		}, spec.Name, params, scenario, hashText(original.Data()))
	}
	now, err := told(a.version(data, scenario))
	if err != nil {
		return nil, err
	}
	was, err := told(original)
	if errors.Is(err, measure.ErrTooLarge) {
		was.NotApplicable, err = err.Error(), nil
	}
	return &Measured{was, now}, err
}
