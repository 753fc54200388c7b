package catalog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// longest is the maximum number of characters of a readable error.
const longest = 2000

// otherwise returns a JSON value with each of its texts in turn replaced by another text, and lists of that text,
// with thousands of elements if it is short.
func otherwise(value any, text string) (all []any) {
	switch value := value.(type) {
	case string:
		all = append(all, text)
	case []any:
		var many []any
		for range 1 + 20_000/len(text) {
			many = append(many, text)
		}
		all = append(all, many, append(many[:1:1], value...))
		for i, one := range value {
			for _, other := range otherwise(one, text) {
				list := append([]any{}, value...)
				list[i] = other
				all = append(all, list)
			}
		}
	case map[string]any:
		for name, one := range value {
			for _, other := range append(otherwise(one, text), nil) {
				object := map[string]any{text: 1}
				for name, one := range value {
					object[name] = one
				}
				if other != nil {
					delete(object, text)
					object[name] = other
				}
				all = append(all, object)
			}
		}
	}
	return all
}

// Whatever is entered for a parameter, an error about it is readable.
func TestErrorsCanBeRead(t *testing.T) {
	in := input(t)
	in.Data = in.Data.Select([]uint32{0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377})
	oneOf(t, 3, func(t *testing.T, spec method.Spec, m method.Method) {
		text, err := method.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		var params map[string]any
		if err := json.Unmarshal(text, &params); err != nil {
			t.Fatal(err)
		}
		for name, value := range params {
			for _, typed := range []string{strings.Repeat("ab", 20_000), strings.Repeat("a = b ", 7_000),
				strings.Repeat("age, ", 7_000), "age", "sex"} {
				for _, other := range otherwise(value, typed) {
					raw, err := json.Marshal(other)
					if err != nil {
						t.Fatal(err)
					}
					if err := attempt(t, spec, in, params, name, raw); err != nil && len(err.Error()) > longest {
						t.Errorf("%s = %.40s…: an error of %d characters: %.100s", name, raw, len(err.Error()), err)
					}
				}
			}
		}
		err = method.Decode(spec.New(), map[string]json.RawMessage{strings.Repeat("ab", 200_000): json.RawMessage("1")})
		if err == nil || len(err.Error()) > longest {
			t.Errorf("an unknown parameter: %.200v", err)
		}
	})
}

// attempt decodes and applies a method with other parameters.
func attempt(t *testing.T, spec method.Spec, in method.Input, params map[string]any, name string,
	raw json.RawMessage) error {
	values := map[string]json.RawMessage{name: raw}
	for other, value := range params {
		if other != name {
			values[other], _ = json.Marshal(value)
		}
	}
	m := spec.New()
	if err := method.Decode(m, values); err != nil {
		return err
	}
	_, err := method.Apply(t.Context(), m, in, nil)
	return err
}
