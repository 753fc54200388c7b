package recode

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
	"github.com/sdcdesk/sdcdesk/engine/internal/strict"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// First fields of a recode file.
const (
	savedFormat  = "sdcdesk-recodes"
	savedVersion = 1
)

// ErrRecodeFile is wrapped by errors of reading and writing recode files.
var ErrRecodeFile = errors.New("recode file")

// RecodeFile is one recode of a recode file: a method of this package and its parameters as an object, including
// "variable". It has the form of a step of a script and is applied as one.
type RecodeFile struct {
	Step   string          `json:"step"`
	Params json.RawMessage `json:"params"`
}

// Specs returns the methods of this package in display order.
func Specs() []method.Spec {
	return []method.Spec{IntervalsSpec(), GroupSpec(), RenameSpec(), TopBottomSpec(),
		HierarchySpec(), ArgusFileSpec(), CodeLabelsSpec(), RoundSpec(), DatesSpec(), SplitSpec(), OrderSpec()}
}

// Method returns the method with its parameters set. Errors name the unknown, missing or invalid parameter.
func (s RecodeFile) Method() (method.Method, error) {
	specs := method.Catalog(Specs())
	spec, ok := specs.Find(s.Step)
	if !ok {
		return nil, fmt.Errorf("%q is not a recode; known recodes are %s", wording.Excerpt(s.Step),
			strings.Join(specs.Names(), ", "))
	}
	values, err := s.values()
	if err != nil {
		return nil, err
	}
	m := spec.New()
	return m, method.Decode(m, values)
}

func (s RecodeFile) values() (map[string]json.RawMessage, error) {
	values := map[string]json.RawMessage{}
	if len(s.Params) > 0 && json.Unmarshal(s.Params, &values) != nil || values == nil {
		return nil, errors.New(`"params" is no object of parameters`)
	}
	return values, nil
}

// For returns the same recode for another variable, with all parameters.
func (s RecodeFile) For(variable string) (RecodeFile, error) {
	values, err := s.values()
	if err != nil {
		return RecodeFile{}, err
	}
	if values["variable"], err = json.Marshal(variable); err != nil {
		return RecodeFile{}, err
	}
	if s.Params, err = json.Marshal(values); err != nil {
		return RecodeFile{}, err
	}
	m, err := s.Method()
	if err != nil {
		return RecodeFile{}, err
	}
	s.Params, err = method.Encode(m)
	return s, err
}

// Variable returns the variable of the recode, or "" if it names none.
func (s RecodeFile) Variable() (name string) {
	values, _ := s.values()
	_ = json.Unmarshal(values["variable"], &name) // a missing or non-text value leaves name empty
	return name
}

// savedFile is the JSON form of a recode file.
type savedFile struct {
	Format  string       `json:"format"`
	Version int          `json:"version"`
	Recodes []savedEntry `json:"recodes"`
}

// savedEntry is one entry of a file: a recode of the variable in its parameters, or of each of a list of
// variables.
type savedEntry struct {
	RecodeFile
	Variables []string `json:"variables"`
}

// SaveRecodes returns a recode file with the applied recodes in order, as JSON with one recode per line. It omits
// recodes of a variable before one that starts from the source values (by intervals, a hierarchy, or a mu-Argus
// file), because they have no effect. It returns an error if an element is not a recode or is invalid.
func SaveRecodes(standing []RecodeFile) ([]byte, error) {
	var lines []string
	for i, saved := range standing {
		if _, err := saved.Method(); err != nil {
			return nil, fmt.Errorf("%w: step %d: %w", ErrRecodeFile, i+1, err)
		}
		if slices.ContainsFunc(standing[i+1:], func(later RecodeFile) bool {
			return later.Variable() == saved.Variable() && later.fromSource()
		}) {
			continue
		}
		line, err := json.Marshal(saved)
		if err != nil {
			return nil, fmt.Errorf("%w: step %d: %w", ErrRecodeFile, i+1, err)
		}
		lines = append(lines, "\n"+string(line))
	}
	return fmt.Appendf(nil, "{\"format\":%q,\"version\":%d,\"recodes\":[%s\n]}\n", savedFormat, savedVersion,
		strings.Join(lines, ",")), nil
}

// fromSource reports whether the recode starts from the source values.
func (s RecodeFile) fromSource() bool {
	return slices.Contains([]string{IntervalsSpec().Name, HierarchySpec().Name, ArgusFileSpec().Name}, s.Step)
}

// LoadRecodes parses a recode file and returns its recodes in the order of application, with all parameters. An
// entry with a list "variables" gives one recode for each; its parameters name no variable. LoadRecodes does not
// check whether variables and levels exist. Errors wrap ErrRecodeFile and name the entry.
func LoadRecodes(text []byte) ([]RecodeFile, error) {
	var file savedFile
	if err := strict.Decode(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &file); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRecodeFile, plainJSON(err))
	}
	switch {
	case file.Format != savedFormat:
		return nil, fmt.Errorf("%w: \"format\" is %q; it must be %q", ErrRecodeFile, wording.Excerpt(file.Format),
			savedFormat)
	case file.Version != savedVersion:
		return nil, fmt.Errorf("%w: version %d is unknown; this program reads version %d", ErrRecodeFile,
			file.Version, savedVersion)
	}
	var recodes []RecodeFile
	for i, entry := range file.Recodes {
		some, err := entry.recodes()
		if err != nil {
			return nil, fmt.Errorf("%w: recode %d: %w", ErrRecodeFile, i+1, err)
		}
		recodes = append(recodes, some...)
	}
	return recodes, nil
}

// plainJSON describes a JSON error in plain words.
func plainJSON(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not valid JSON at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		return fmt.Errorf("%q has not the form that it should have", wording.Excerpt(kind.Field))
	default: // an unknown field or an unexpected end
		return errors.New(wording.Excerpt(strings.TrimPrefix(err.Error(), "json: ")))
	}
}

func (e savedEntry) recodes() ([]RecodeFile, error) {
	variables := e.Variables
	switch {
	case variables == nil:
		variables = []string{e.Variable()}
	case e.Variable() != "":
		return nil, errors.New(`"variables" and a "variable" among the parameters are both given; give one of them`)
	case len(variables) == 0:
		return nil, errors.New(`"variables" is empty; name the variables to recode`)
	}
	recodes := make([]RecodeFile, len(variables))
	for i, variable := range variables {
		var err error
		if recodes[i], err = e.For(variable); err != nil {
			return nil, err
		}
	}
	return recodes, nil
}

// RecodeAll applies all recodes of a recode file in order, as one step.
type RecodeAll struct {
	Recodes   string   // text of the recode file; see SaveRecodes
	Variables []string // variables to which every recode of the file is applied; nil: those named in the file
	Labels    string   // text of a code list for a mu-Argus file, or "" for no labels
}

var _ method.Applier = (*RecodeAll)(nil)

// SeveralSpec describes recode-file for the catalog.
func SeveralSpec() method.Spec {
	return method.Spec{
		Name:  "recode-file",
		Title: "Saved recodes",
		Help: "Applies all recodes of a saved recode file (export dialog: recodes) as one step. It repeats the recodes of one " +
			"survey on the next, or one recode on several variables with the same codes. A mu-Argus recode file (.grc) is applied to " +
			"the variables you list. The script contains the recodes, so a replay needs no file.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4",
		Sample: `{"recodes":"{\"format\":\"sdcdesk-recodes\",\"version\":1,\"recodes\":[{\"step\":\"recode-round\",\"params\":{\"variable\":\"income\",\"base\":500}},` +
			`{\"step\":\"recode-group\",\"variables\":[\"ethnic\"],\"params\":{\"levels\":[\"Kesh\",\"other\"]}}]}"}`,
		New:      method.From(RecodeAll{}),
		Refuses:  method.With((*RecodeAll).refusal),
		Propose:  method.With((*RecodeAll).propose),
		OnGroups: method.AnyRows,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *RecodeAll) Params() []method.Param {
	return []method.Param{
		method.File(&m.Recodes, "recodes", "saved or mu-Argus recode file").Needed().
			NamesFile(codeListOf),
		method.Variables(&m.Variables, "variables",
			"variables to which every recode is applied").Empty("the variable that each recode names"),
		method.File(&m.Labels, "labels", "code list of a mu-Argus file").Empty("none"),
	}
}

// All returns the recodes to apply, in order. Errors wrap ErrRecodeFile.
func (m *RecodeAll) All() ([]RecodeFile, error) {
	if !strings.HasPrefix(strings.TrimLeft(m.Recodes, "\ufeff \t\r\n"), "{") {
		return m.ofArgus()
	}
	saved, err := LoadRecodes([]byte(m.Recodes))
	if err != nil || len(m.Variables) == 0 {
		return saved, err
	}
	var all []RecodeFile
	for i, one := range saved {
		for _, variable := range m.Variables {
			other, err := one.For(variable)
			if err != nil {
				return nil, fmt.Errorf("%w: recode %d for %q: %w", ErrRecodeFile, i+1, wording.Excerpt(variable), err)
			}
			all = append(all, other)
		}
	}
	return all, nil
}

// ofArgus returns the recodes of a mu-Argus file, which names no variable.
func (m *RecodeAll) ofArgus() (all []RecodeFile, err error) {
	if _, err := muargus.ParseRecode(m.Recodes); err != nil {
		return nil, fmt.Errorf("%w: it is neither a saved recode file nor a valid mu-Argus file: %w", ErrRecodeFile, err)
	}
	if len(m.Variables) == 0 {
		return nil, fmt.Errorf("%w: a mu-Argus file does not name its variables; list the variables to recode", ErrRecodeFile)
	}
	for _, variable := range m.Variables {
		one := &ArgusFile{Variable: variable, Recode: m.Recodes, Labels: m.Labels}
		params, err := method.Encode(one)
		if err != nil {
			return nil, err
		}
		all = append(all, RecodeFile{Step: ArgusFileSpec().Name, Params: params})
	}
	return all, nil
}

// refusal returns why a recode of the file cannot be applied, or "".
func (m *RecodeAll) refusal(s *microdata.Scenario) string {
	saved, _ := m.All() // Apply reports the error
	for _, one := range saved {
		if recode, err := one.Method(); err == nil {
			if reason := (&method.Spec{}).Refusal(recode, s); reason != "" { // recodes refuse only because of their parameters
				return reason
			}
		}
	}
	return ""
}

// Apply applies the recodes in order, or none if one of them fails.
func (m *RecodeAll) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, err error) {
	saved, err := m.All()
	if err != nil {
		return out, err
	}
	if len(saved) == 0 {
		return out, fmt.Errorf("%w: the file has no recodes", ErrRecodeFile)
	}
	meter.Start(int64(len(saved)))
	out = method.Output{Data: in.Data}
	for i, one := range saved {
		recode, err := one.Method()
		if err != nil {
			return out, err
		}
		in.Data = out.Data
		made, err := method.Apply(ctx, recode, in, nil)
		if err != nil {
			return out, fmt.Errorf("recode %d of the file: %w", i+1, err)
		}
		out.Data = made.Data
		out.Report.Changed += made.Report.Changed
		out.Report.Outside += made.Report.Outside
		for _, warning := range made.Report.Warnings {
			if warning != method.WarnNothing {
				out.Report.Warnings = append(out.Report.Warnings, one.Variable()+": "+warning)
			}
		}
		meter.Add(1)
	}
	out.Report.Title = "recode file: " + strings.Join(variablesOf(saved), ", ")
	out.Report.Effect = wording.Counted(len(saved), "recode") + ", " + wording.Counted(out.Report.Changed, "cell") +
		" changed"
	if out.Report.Changed == 0 {
		out.Report.Warnings = append(out.Report.Warnings, method.WarnNothing)
	}
	return out, ctx.Err()
}

// variablesOf returns the distinct variables of recodes.
func variablesOf(saved []RecodeFile) []string {
	var names []string
	for _, one := range saved {
		if name := one.Variable(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Narrate names the recoded variables.
func (m *RecodeAll) Narrate(*method.Report) string {
	saved, err := m.All()
	if err != nil {
		return "Variables were recoded."
	}
	return "Variables were recoded: " + strings.Join(variablesOf(saved), ", ") + "."
}
