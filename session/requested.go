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

// ErrMeasures is wrapped if requested measures do not exist or have parameters that do not fit.
var ErrMeasures = errors.New("measures")

// readRequested returns the measures requested for a run in the order of the catalog, with the parameters from a
// file that has a JSON object per measure; path "" is no file.
func readRequested(catalog measure.Catalog, names []string, path string) ([]MeasureSpec, error) {
	params := map[string]json.RawMessage{}
	if path != "" {
		text, err := fileio.ReadText(path)
		if err != nil {
			return nil, fmt.Errorf("the parameters of the %w cannot be read: %w", ErrMeasures, err)
		}
		if err := json.Unmarshal([]byte(text), &params); err != nil {
			return nil, fmt.Errorf("the parameters of the %w must be an object with one object per measure: %w", ErrMeasures, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%w: parameters are given for %s, which is not requested", ErrMeasures, wording.Excerpt(name))
		}
	}
	for _, name := range names {
		if _, ok := catalog.Find(name); !ok {
			return nil, fmt.Errorf("%w: unknown measure %q; \"sdcdesk measures\" lists them", ErrMeasures,
				wording.Excerpt(name))
		}
	}
	var found []MeasureSpec
	for _, spec := range catalog {
		if !slices.Contains(names, spec.Name) {
			continue
		}
		if _, err := DecodeMeasure(spec, params[spec.Name]); err != nil {
			return nil, err
		}
		found = append(found, MeasureSpec{spec.Name, params[spec.Name]})
	}
	return found, nil
}
