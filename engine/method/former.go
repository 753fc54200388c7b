package method

import (
	"encoding/json"
	"slices"
)

// Former is a default that a parameter had before a version of its method: a step of an
// earlier version that leaves the parameter out means that one.
type Former struct {
	Before int
	Param  string
	Value  string
}

// WithFormer adds the defaults of a version to the parameters of a step that leaves them out.
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
			values[former.Param], _ = json.Marshal(former.Value) // a text always can be
		}
	}
	return json.Marshal(values)
}

// SameSince returns the first version whose results are those of today with the same
// parameters: one that changed a default alone is counted with that before it.
func (s *Spec) SameSince(m Method) int {
	version := s.ResultsOf(m)
	for slices.ContainsFunc(s.Former, func(f Former) bool { return f.Before == version }) {
		version--
	}
	return version
}
