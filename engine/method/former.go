package method

import (
	"encoding/json"
	"slices"
)

// Former is the default that a parameter had before a version of its method. A step of an earlier version that
// omits the parameter means that value.
type Former struct {
	Before int
	Param  string
	Value  string
}

// WithFormer adds the defaults of a version to the parameters of a step that omits them.
func (s *Spec) WithFormer(version int, params json.RawMessage) (json.RawMessage, error) {
	if !slices.ContainsFunc(s.Former, func(f Former) bool { return version < f.Before }) {
		return params, nil
	}
	var values map[string]json.RawMessage
	if len(params) > 0 {
		if err := json.Unmarshal(params, &values); err != nil {
			return params, err
		}
	}
	if values == nil {
		values = map[string]json.RawMessage{}
	}
	for _, former := range s.Former {
		if _, given := values[former.Param]; !given && version < former.Before {
			values[former.Param], _ = json.Marshal(former.Value) // a string always has a JSON form
		}
	}
	return json.Marshal(values)
}

// SameSince returns the first version whose results equal today's for the same parameters; versions that changed
// only a default do not count as different.
func (s *Spec) SameSince(m Method) int {
	version := s.ResultsOf(m)
	for slices.ContainsFunc(s.Former, func(f Former) bool { return f.Before == version }) {
		version--
	}
	return version
}
