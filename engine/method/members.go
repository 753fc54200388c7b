package method

import (
	"encoding/json"
	"fmt"
)

// Members are a JSON object that keeps its order; nil is null.
type Members []Member

// Member is one member of an object.
type Member struct {
	Name  string
	Value any // with a JSON form
}

// MarshalJSON writes the object. The error names the member without a JSON form.
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
