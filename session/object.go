package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// field is one member of a JSON object.
type field struct {
	name  string
	value json.RawMessage
}

// objectFields returns the members of a JSON object in their order. Empty text and null are the empty object; a
// duplicate name is an error.
func objectFields(text []byte) ([]field, error) {
	if trimmed := bytes.TrimSpace(text); len(trimmed) == 0 || string(trimmed) == "null" {
		return nil, nil
	}
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, notJSON(err, len(text))
	}
	decoder := json.NewDecoder(bytes.NewReader(text)) // valid JSON, so there are no errors
	if start, _ := decoder.Token(); start != json.Delim('{') {
		return nil, errors.New("must be a JSON object: {...}")
	}
	var fields []field
	for decoder.More() {
		name, _ := decoder.Token()
		member := field{name: name.(string)}
		_ = decoder.Decode(&member.value)
		if slices.ContainsFunc(fields, func(f field) bool { return f.name == member.name }) {
			return nil, fmt.Errorf("has a duplicate field %q", wording.Excerpt(member.name))
		}
		fields = append(fields, member)
	}
	return fields, nil
}

// notJSON reports where a text of that length stops being JSON, without quoting any of it.
func notJSON(err error, length int) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && int(syntax.Offset) < length {
		return fmt.Errorf("is not valid JSON at character %d", syntax.Offset)
	}
	return errors.New("is not valid JSON: it is truncated")
}

// decodeFields sets the fields of the struct that target points to. what names the object in errors. A field that
// the struct lacks, or with a wrong type, is an error that names the field.
func decodeFields(what string, fields []field, target any) error {
	value := reflect.ValueOf(target).Elem()
	names := fieldNames(value.Type())
	for _, given := range fields {
		i := slices.Index(names, given.name)
		if i < 0 {
			return fmt.Errorf("unknown field %q in %s; known fields are %s", wording.Excerpt(given.name), what,
				strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "" }), ", "))
		}
		into := value.Field(i)
		if err := json.Unmarshal(given.value, into.Addr().Interface()); err != nil ||
			isNull(given.value) && !canBeNull(into.Type()) {
			return fmt.Errorf("field %q in %s must be %s", given.name, what, formOf(into.Type()))
		}
	}
	return nil
}

func isNull(value json.RawMessage) bool { return string(bytes.TrimSpace(value)) == "null" }

// canBeNull reports whether null is valid for a type, meaning none. For a number it would silently keep the
// default.
func canBeNull(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.String:
		return true
	case reflect.Slice:
		return t.Elem().Kind() == reflect.String || t.Elem().Kind() == reflect.Struct ||
			t == reflect.TypeFor[json.RawMessage]()
	default:
		return false
	}
}

// decodeObject is decodeFields for the members of a JSON object.
func decodeObject(what string, text []byte, target any) error {
	fields, err := objectFields(text)
	if err != nil {
		return fmt.Errorf("%s %w", what, err)
	}
	return decodeFields(what, fields, target)
}

// fieldNames returns the JSON names of a struct's fields by their index, ""
// for those without.
func fieldNames(structure reflect.Type) []string {
	names := make([]string, structure.NumField())
	for i := range names {
		name, _, _ := strings.Cut(structure.Field(i).Tag.Get("json"), ",")
		if name != "-" {
			names[i] = name
		}
	}
	return names
}

// formOf describes in words the JSON of a type.
func formOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[*time.Time]():
		return "a time such as 2024-05-31T12:00:00Z"
	case t == reflect.TypeFor[json.RawMessage]():
		return "JSON"
	case t.Kind() != reflect.Slice:
		return method.FormOf(t)
	case t.Elem().Kind() == reflect.String:
		return "a list of texts"
	case t.Elem().Kind() == reflect.Struct:
		return "a list of objects with some of the fields " + strings.Join(fieldNames(t.Elem()), ", ")
	default:
		return "a list of integers"
	}
}
