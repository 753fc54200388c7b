package method

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Editor says how a parameter is edited on the screen.
type Editor uint8

// The editors.
const (
	EditNumber     Editor = iota // *int, *float64 or, where there may be none, **float64
	EditText                     // *string
	EditSwitch                   // *bool
	EditChoice                   // *string, one of Choices
	EditVariable                 // *string, a variable of the file
	EditVariables                // *[]string or nil, variables of the file
	EditLevels                   // *[]string, levels of the parameter Variable
	EditNumbers                  // *[]float64
	EditLabels                   // *[]string or nil
	EditImportance               // *map[string]int, key variable to importance
	EditWritten                  // a Written: typed as one line of text
	EditFile                     // *string, the text of a file: typed as the path of the file
)

// Accompanied is a method with a parameter of the editor EditFile whose file
// names another one, to be found in the same folder, for another such parameter.
type Accompanied interface {
	// Accompanies returns the other parameter and the name of its file; "" where
	// the file given for the parameter names none.
	Accompanies(param string) (other, file string)
}

// Written is a parameter of several parts that can be typed as one line of
// text, such as "4:10, 3:20" for sizes with their k. Set takes what String
// gives, and "" for none; its error says what is expected. A script may have that
// text, as a JSON string, in the place of the JSON form.
type Written interface {
	String() string
	Set(text string) error
}

// Param is one parameter of a method, bound to the method's own field.
type Param struct {
	Name     string // its name in scripts
	Help     string // one line
	Value    any    // pointer to the method's field; the field holds the default until it is set
	Editor   Editor
	Choices  []string // for EditChoice
	Min, Max *float64 // bounds of a number, both included; nil: none
	Required bool     // must be given: the default is no usable value
}

// Bound returns a pointer to x, for Min and Max.
func Bound(x float64) *float64 { return &x }

// Decode sets the method's parameters from their JSON form. A parameter left
// out keeps its default; an unknown one, or one out of range, is an error that
// names it and wraps ErrParam. A Written takes its text as well, as a JSON
// string; Encode writes the JSON form.
func Decode(m Method, values map[string]json.RawMessage) error {
	params := m.Params()
	known := make([]string, len(params))
	for i := range params {
		known[i] = params[i].Name
	}
	for _, name := range sortedNames(values) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%w %q is unknown; known are %s", ErrParam, name, strings.Join(known, ", "))
		}
	}
	for i := range params {
		raw, given := values[params[i].Name]
		if given {
			if err := params[i].decode(raw); err != nil {
				return err
			}
		} else if params[i].Required {
			return fmt.Errorf("%w %q is missing: %s", ErrParam, params[i].Name, params[i].Help)
		}
	}
	if completer, ok := m.(Completer); ok {
		completer.Complete(func(name string) bool { _, given := values[name]; return given })
	}
	return Validate(m)
}

func sortedNames(values map[string]json.RawMessage) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (p *Param) decode(raw json.RawMessage) error {
	if written, ok := p.Value.(Written); ok {
		var text string
		if !isNull(raw) && json.Unmarshal(raw, &text) == nil {
			if err := written.Set(text); err != nil {
				return fmt.Errorf("%w %q: %w", ErrParam, p.Name, err)
			}
			return nil
		}
	}
	field := reflect.TypeOf(p.Value).Elem()
	if field.Kind() == reflect.Slice {
		if element, bad := badElement(raw, field.Elem()); bad {
			return fmt.Errorf("%w %q: element %d cannot be read as %s: %s", ErrParam, p.Name, element, formOf(field.Elem()), p.Help)
		}
	}
	err := json.Unmarshal(raw, p.Value)
	if err != nil && !strings.HasPrefix(err.Error(), "json: ") { // the value's own words
		return fmt.Errorf("%w %q: %w", ErrParam, p.Name, err)
	}
	if err != nil || isNull(raw) && !canBeNull(field) {
		return fmt.Errorf("%w %q cannot be read as %s: %s", ErrParam, p.Name, formOf(field), p.Help)
	}
	return nil
}

func isNull(raw json.RawMessage) bool { return string(bytes.TrimSpace(raw)) == "null" }

// canBeNull reports whether null means none for a field; for others it would
// leave the default in silence.
func canBeNull(field reflect.Type) bool {
	switch field.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return true
	default:
		return false
	}
}

// badElement returns the number, from 1, of the first element of a list that
// is not of the type; bad is false where there is none or it is no list.
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

// formOf says in words what JSON a field takes.
func formOf(field reflect.Type) string {
	if field.Kind() == reflect.Pointer {
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "a whole number"
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

// Validate checks choices and bounds of all parameters of a method, and that
// numbers are finite.
func Validate(m Method) error {
	for _, p := range m.Params() {
		if err := p.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (p *Param) validate() error {
	switch value := p.Value.(type) {
	case *string:
		if p.Editor == EditChoice && !slices.Contains(p.Choices, *value) {
			return fmt.Errorf("%w %q is %q; it must be one of %s", ErrParam, p.Name, *value, strings.Join(p.Choices, ", "))
		}
		if p.Required && *value == "" {
			return fmt.Errorf("%w %q is empty: %s", ErrParam, p.Name, p.Help)
		}
	case *int:
		return p.validateNumber(float64(*value))
	case *float64:
		return p.validateNumber(*value)
	case **float64:
		if *value != nil {
			return p.validateNumber(**value)
		}
	case *[]float64:
		for i, x := range *value {
			if !isFinite(x) {
				return fmt.Errorf("%w %q: element %d is %v; it must be a finite number", ErrParam, p.Name, i+1, x)
			}
		}
	}
	return nil
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func (p *Param) validateNumber(value float64) error {
	if !isFinite(value) {
		return fmt.Errorf("%w %q is %v; it must be a finite number", ErrParam, p.Name, value)
	}
	if p.Min != nil && value < *p.Min {
		return fmt.Errorf("%w %q is %v; it must be at least %v", ErrParam, p.Name, value, *p.Min)
	}
	if p.Max != nil && value > *p.Max {
		return fmt.Errorf("%w %q is %v; it must be at most %v", ErrParam, p.Name, value, *p.Max)
	}
	return nil
}

// Encode returns the JSON object of all parameters, in their order.
func Encode(m Method) (json.RawMessage, error) {
	text := []byte{'{'}
	for i, p := range m.Params() {
		name, err := json.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.Value)
		if err != nil {
			return nil, fmt.Errorf("%w %q: %w", ErrParam, p.Name, err)
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, name...), ':'), value...)
	}
	return append(text, '}'), nil
}
