package recode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/internal/strict"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The first fields of a recode file.
const (
	savedFormat  = "sdcdesk-recodes"
	savedVersion = 1
)

// ErrRecodeFile is wrapped by errors of reading and writing recode files.
var ErrRecodeFile = errors.New("recode file")

// Saved is one recode of a recode file: a method of this package and its
// parameters, an object with "variable" among them. It has the form of a step
// of a script, so that it is applied as one.
type Saved struct {
	Step   string          `json:"step"`
	Params json.RawMessage `json:"params"`
}

// Specs returns the methods of this package in the order in which they are
// shown.
func Specs() []method.Spec {
	return []method.Spec{IntervalsSpec(), GroupSpec(), RenameSpec(), TopBottomSpec(),
		HierarchySpec(), ArgusFileSpec(), CodeLabelsSpec(), RoundSpec(), SplitSpec(), OrderSpec()}
}

// Method returns the method with its parameters set. The error names what is
// unknown, missing or out of range.
func (s Saved) Method() (method.Method, error) {
	specs := method.Catalog(Specs())
	spec, ok := specs.Find(s.Step)
	if !ok {
		return nil, fmt.Errorf("%q is no recode; known are %s", s.Step, strings.Join(specs.Names(), ", "))
	}
	values, err := s.values()
	if err != nil {
		return nil, err
	}
	m := spec.New()
	return m, method.Decode(m, values)
}

// values returns the parameters by name.
func (s Saved) values() (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	if len(s.Params) > 0 && json.Unmarshal(s.Params, &values) != nil || values == nil {
		return nil, errors.New(`"params" is no object of parameters`)
	}
	return values, nil
}

// For returns the same recode of another variable, every parameter written out.
func (s Saved) For(variable string) (Saved, error) {
	values, err := s.values()
	if err != nil {
		return Saved{}, err
	}
	if values["variable"], err = json.Marshal(variable); err != nil {
		return Saved{}, err
	}
	if s.Params, err = json.Marshal(values); err != nil {
		return Saved{}, err
	}
	m, err := s.Method()
	if err != nil {
		return Saved{}, err
	}
	s.Params, err = method.Encode(m)
	return s, err
}

// Variable returns the variable that the recode names; "" where it names none.
func (s Saved) Variable() (name string) {
	values, _ := s.values()
	_ = json.Unmarshal(values["variable"], &name) // what is not there, or no text, is no name
	return name
}

// savedFile is the JSON form of a recode file.
type savedFile struct {
	Format  string       `json:"format"`
	Version int          `json:"version"`
	Recodes []savedEntry `json:"recodes"`
}

// savedEntry is a recode of a file: of the variable that its parameters name,
// or of each of a list of variables.
type savedEntry struct {
	Saved
	Variables []string `json:"variables"`
}

// SaveRecodes returns a recode file of the recodes that stand, in their order:
// JSON, one recode a line. Recodes of a variable before one that starts from
// its source values (by intervals, by a hierarchy, by a file of mu-Argus) have
// no effect any more and are left out. It is an error where one is no recode or cannot be read.
func SaveRecodes(standing []Saved) ([]byte, error) {
	var lines []string
	for i, saved := range standing {
		if _, err := saved.Method(); err != nil {
			return nil, fmt.Errorf("%w: step %d: %w", ErrRecodeFile, i+1, err)
		}
		if replacedLater(saved.Variable(), standing[i+1:]) {
			continue
		}
		line, err := json.Marshal(saved)
		if err != nil {
			return nil, fmt.Errorf("%w: step %d: %w", ErrRecodeFile, i+1, err)
		}
		lines = append(lines, "\n"+string(line))
	}
	return fmt.Appendf(nil, "{\"format\":%q,\"version\":%d,\"recodes\":[%s\n]}\n", savedFormat, savedVersion, strings.Join(lines, ",")), nil
}

// replacedLater reports whether a later recode of the variable starts from the
// source values.
func replacedLater(variable string, later []Saved) bool {
	return slices.ContainsFunc(later, func(s Saved) bool {
		return s.Variable() == variable && slices.Contains([]string{IntervalsSpec().Name, HierarchySpec().Name, ArgusFileSpec().Name}, s.Step)
	})
}

// LoadRecodes reads a recode file and returns its recodes in the order in which
// they are to be applied, with every parameter written out. An entry with
// "variables", a list, gives one recode for each of them; its parameters name no
// variable. Whether the variables and levels exist shows when a recode is
// applied. Errors wrap ErrRecodeFile and say which entry.
func LoadRecodes(text []byte) ([]Saved, error) {
	var file savedFile
	if err := strict.Decode(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &file); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecodeFile, plainJSON(err))
	}
	switch {
	case file.Format != savedFormat:
		return nil, fmt.Errorf("%w: its \"format\" is %q; it must be %q", ErrRecodeFile, file.Format, savedFormat)
	case file.Version != savedVersion:
		return nil, fmt.Errorf("%w: version %d is not known; this program reads version %d", ErrRecodeFile, file.Version, savedVersion)
	}
	var recodes []Saved
	for i, entry := range file.Recodes {
		some, err := entry.recodes()
		if err != nil {
			return nil, fmt.Errorf("%w: recode %d: %w", ErrRecodeFile, i+1, err)
		}
		recodes = append(recodes, some...)
	}
	return recodes, nil
}

// plainJSON says where a text has not this form.
func plainJSON(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("it cannot be read at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Errorf("%q has not the form that it should have", kind.Field)
	default: // an unknown field, or an end too early
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
}

// recodes returns the recodes of an entry.
func (e savedEntry) recodes() ([]Saved, error) {
	variables := e.Variables
	switch {
	case variables == nil:
		variables = []string{e.Variable()}
	case e.Variable() != "":
		return nil, errors.New(`"variables" and a "variable" among the parameters are both given; give one of them`)
	case len(variables) == 0:
		return nil, errors.New(`"variables" is empty; name the variables to recode`)
	}
	recodes := make([]Saved, len(variables))
	for i, variable := range variables {
		var err error
		if recodes[i], err = e.For(variable); err != nil {
			return nil, err
		}
	}
	return recodes, nil
}
