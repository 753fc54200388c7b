package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// ErrMeasures is wrapped where measures that are asked for are not there, or have
// parameters that do not fit.
var ErrMeasures = errors.New("measures")

// requestedMeasures are the measures that a run is asked for, in the order of the catalog.
type requestedMeasures []requestedMeasure

// requestedMeasure is a measure without values, with its parameters as they were given.
type requestedMeasure struct {
	measure.Entry
	params json.RawMessage
}

// beside returns measures that are open with those that are requested in the place of
// theirs, or behind them.
func (r requestedMeasures) beside(open []MeasureSpec) []MeasureSpec {
	for _, one := range r {
		open = withMeasure(open, MeasureSpec{one.Spec.Name, one.params})
	}
	return open
}

// readRequested finds the measures and sets the parameters of a file with a JSON
// object per measure; "" is no file.
func readRequested(catalog measure.Catalog, names []string, path string) (requestedMeasures, error) {
	params := map[string]json.RawMessage{}
	if path != "" {
		text, err := fileio.ReadText(path)
		if err != nil {
			return nil, fmt.Errorf("the parameters of the %w cannot be read: %w", ErrMeasures, err)
		}
		if err := json.Unmarshal([]byte(text), &params); err != nil {
			return nil, fmt.Errorf("the parameters of the %w are an object with one object per measure: %w", ErrMeasures, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%w: there are parameters for %s, which is not asked for", ErrMeasures, wording.Excerpt(name))
		}
	}
	for _, name := range names {
		if _, ok := catalog.Find(name); !ok {
			return nil, fmt.Errorf("%w: there is no measure %q; \"sdcdesk measures\" lists them", ErrMeasures,
				wording.Excerpt(name))
		}
	}
	var found requestedMeasures
	for _, spec := range catalog {
		if !slices.Contains(names, spec.Name) {
			continue
		}
		m, err := DecodeMeasure(spec, params[spec.Name])
		if err != nil {
			return nil, err
		}
		found = append(found, requestedMeasure{measure.Entry{Spec: spec, Measure: m}, params[spec.Name]})
	}
	return found, nil
}
