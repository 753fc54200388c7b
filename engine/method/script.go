package method

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Decode sets the parameters of a method from their JSON form. An omitted parameter keeps its default; an unknown
// or invalid one is an error that names it and wraps ErrParam. A parameter of KindWritten also accepts its text as
// a JSON string; Encode always writes the JSON form.
func Decode(m Parameterised, values map[string]json.RawMessage) error {
	params := m.Params()
	known := make([]string, len(params))
	for i := range params {
		known[i] = params[i].Name
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) {
			return ParamError("%q is unknown; known are %s", wording.Excerpt(name),
				strings.Join(known, ", "))
		}
	}
	for i := range params {
		raw, given := values[params[i].Name]
		if given {
			if err := params[i].decode(raw); err != nil {
				return err
			}
		} else if params[i].Required {
			return ParamError("%q is missing: %s", params[i].Name, params[i].ScriptHelp())
		}
	}
	for _, p := range params {
		if p.decoded != nil {
			p.decoded(func(name string) bool { _, given := values[name]; return given })
		}
	}
	return Validate(m)
}

// field returns a pointer to the value with the JSON form of the parameter.
func (p *Param) field() any {
	if n, ok := p.Value.(*number); ok {
		return n.at
	}
	return p.Value
}

func (p *Param) decode(raw json.RawMessage) error {
	if p.Kind == KindWritten {
		var text string
		if !isNull(raw) && json.Unmarshal(raw, &text) == nil {
			if err := p.Value.Set(text); err != nil {
				return ParamError("%q: %w", p.Name, err)
			}
			return nil
		}
	}
	field := reflect.TypeOf(p.field()).Elem()
	if field.Kind() == reflect.Slice {
		if element, bad := badElement(raw, field.Elem()); bad {
			return ParamError("%q: element %d cannot be read as %s: %s", p.Name, element,
				FormOf(field.Elem()), p.ScriptHelp())
		}
	}
	err := json.Unmarshal(raw, p.field())
	if err != nil {
		_, unknown, ok := strings.Cut(err.Error(), "unknown field ")
		switch {
		case ok:
			return ParamError("%q has no part %s: %s", p.Name, wording.Excerpt(unknown), p.ScriptHelp())
		case !strings.HasPrefix(err.Error(), "json: "): // an error of the value's own decoder
			return ParamError("%q: %w", p.Name, err)
		}
	}
	if err != nil || isNull(raw) && !p.canBeNull() {
		return ParamError("%q cannot be read as %s: %s", p.Name, FormOf(field), p.ScriptHelp())
	}
	if p.former != "" && p.Value.String() == p.former {
		return p.Value.Set(p.formerChoice)
	}
	return nil
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

// canBeNull reports whether null is a value of the field; in other fields it would silently keep the default.
func (p *Param) canBeNull() bool { return canBeNull(reflect.TypeOf(p.field()).Elem()) }

func canBeNull(field reflect.Type) bool {
	switch field.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	default:
		return false
	}
}

// badElement returns the position, from 1, of the first element of a list that does not have the type; bad is
// false if all do or raw is not a list.
func badElement(raw json.RawMessage, element reflect.Type) (number int, bad bool) {
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		return 0, false
	}
	for i, one := range elements {
		if json.Unmarshal(one, reflect.New(element).Interface()) != nil || isNull(one) && !canBeNull(element) {
			return i + 1, true
		}
	}
	return 0, false
}

// FormOf describes the JSON type of a field in words.
func FormOf(field reflect.Type) string {
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	default:
		return "a text"
	}
}

// Validate checks the choices and bounds of all parameters, and that numbers are finite.
func Validate(m Parameterised) error {
	for _, p := range m.Params() {
		if err := p.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Param) validate() error {
	if n, ok := p.Value.(*number); ok {
		if x, given := n.get(); given {
			return p.validateNumber(x)
		}
		return nil
	}
	if list, ok := p.Value.(*numbers[float64]); ok {
		for i, x := range *list {
			if !isFinite(x) {
				return ParamError("%q: element %d is %v; it must be a finite number", p.Name, i+1, x)
			}
		}
	}
	text := p.Value.String()
	if p.Kind == KindChoice && !slices.Contains(p.choices, text) {
		return ParamError("%q is %q; it must be one of %s", p.Name, wording.Excerpt(text),
			strings.Join(p.choices, ", "))
	}
	if _, ok := p.Value.(*word); ok && p.Required && text == "" {
		return ParamError("%q is empty: %s", p.Name, p.ScriptHelp())
	}
	return nil
}

func (p *Param) validateNumber(value float64) error {
	switch {
	case !isFinite(value):
		return ParamError("%q is %v; it must be a finite number", p.Name, value)
	case p.min != nil && value < *p.min:
		return ParamError("%q is %v; it must be at least %v", p.Name, value, *p.min)
	case p.max != nil && value > *p.max:
		return ParamError("%q is %v; it must be at most %v", p.Name, value, *p.max)
	}
	return nil
}

// Said returns the text of an error of a method for the screen, with the labels of fields instead of the names of
// parameters.
func Said(err error, m Method) string {
	text := strings.ReplaceAll(err.Error(), ErrParam.Error()+` "`, `"`)
	for _, p := range m.Params() {
		text = strings.ReplaceAll(text, strconv.Quote(p.Name), p.Label())
	}
	return text
}

// Encode returns the JSON object of all parameters, in order.
func Encode(m Parameterised) (json.RawMessage, error) {
	members := Members{}
	for _, p := range m.Params() {
		members = append(members, Member{p.Name, p.field()})
	}
	text, err := members.MarshalJSON()
	if err != nil {
		return nil, ParamError("%w", err)
	}
	return text, nil
}

// Example returns a line of a script with a method's sample and all its other parameters.
func Example(spec *Spec) (string, error) {
	m, sample := spec.New(), map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(spec.Sample), &sample); err != nil {
		return "", err
	}
	if err := Decode(m, sample); err != nil {
		return "", err
	}
	params, err := Encode(m)
	return fmt.Sprintf(`{"step":%q,"params":%s}`, spec.Name, params), err
}
