package method

import (
	"encoding/json"
	"fmt"
)

// Members is a JSON object with its members in order; nil is null.
type Members []Member

// Member is a member of a JSON object.
type Member struct {
	Name  string
	Value any // must have a JSON form
}

// MarshalJSON encodes the object. An error names the member that cannot be encoded.
func (m Members) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	text := []byte{'{'}
	for i, member := range m {
		name, err := json.Marshal(member.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(member.Value)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", member.Name, err)
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, name...), ':'), value...)
	}
	return append(text, '}'), nil
}
