// Package lesson has short lessons on disclosure control: scripts of texts and exercises for a file in the
// workbench. All and Find return lessons. A lesson is a file of JSON Lines: a head, the scenario of the file, and
// parts. A part shows a text, applies a step, asks for a figure, offers answers to choose from, or sets an
// exercise:
//
//	{"lesson":"ten-records","title":"Ten records from the guide","about":"…","data":"guide10"}
//	{"scenario":{"keys":["Residence","Gender"],"weight":"Weight"}}
//	{"say":"…"}
//	{"step":"suppress-kanonymity","params":{"k":3},"say":"…"}
//	{"ask":"How many …?","figure":{"measure":"kanonymity","name":"violators","k":2},"because":"…"}
//	{"choose":"Which …?","answers":[{"text":"…","right":true,"because":"…"},{"text":"…","because":"…"}]}
//	{"try":"…","with":["recode"],"want":[{"figure":{…},"at_most":0,"else":"…"}],"because":"…"}
//
// Answers are checked by the state of the session (figures, variables, rule and steps), not by the keys that were
// pressed. Records, scenario and methods are those of the lesson.
package lesson

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/session"
)

//go:embed lessons/*.jsonl lessons/*.csv
var scripts embed.FS

// order lists the lessons in the recommended order.
var order = []string{"ten-records", "k-anonymity", "recoding", "suppression", "pram", "masking", "intruder",
	"risk-utility", "tables", "report"}

// builtIn are the data embedded in the program.
var builtIn = []string{"guide10", "survey"}

// ErrLesson is wrapped if a lesson cannot be read.
var ErrLesson = errors.New("lesson")

// Lesson is a lesson.
type Lesson struct {
	Name     string                     `json:"lesson"`
	Title    string                     `json:"title"`
	About    string                     `json:"about"`    // what it teaches, in a sentence
	Data     string                     `json:"data"`     // "guide10", "survey", or the path of a file next to the script
	SHA256   string                     `json:"sha256"`   // of that file
	Measures []string                   `json:"measures"` // active from the beginning
	Params   map[string]json.RawMessage `json:"params"`   // parameters by measure; others have their defaults
	Files    map[string]string          `json:"files"`    // SHA-256, by path, of files next to the script that parameters name
	Scenario microdata.Scenario         `json:"-"`
	Parts    []Part                     `json:"-"`

	folder string // folder of the script; "": it is part of the program
}

// Part is a part of a lesson, with exactly one of Say, Ask, Choose and Try.
type Part struct {
	Say     string `json:"say"` // with Step: shown after the step was applied
	Ask     string `json:"ask"`
	Choose  string `json:"choose"`
	Try     string `json:"try"`
	Hint    string `json:"hint"`    // shown after a wrong answer
	Because string `json:"because"` // shown after the right one

	Figure  *Figure                    `json:"figure"`  // the right answer to Ask
	Wrong   []Mistake                  `json:"wrong"`   // common wrong answers
	Answers []Answer                   `json:"answers"` // the choices
	Want    []Requirement              `json:"want"`    // the conditions that solve the exercise
	With    []string                   `json:"with"`    // methods, or families of methods, for the exercise
	Step    string                     `json:"step"`    // a step that the lesson applies
	Params  map[string]json.RawMessage `json:"params"`
	Seed    uint64                     `json:"seed"`

	line int           // line of the script
	made method.Method // the method of Step with its parameters; nil: none
}

// Figure names a figure of the session.
type Figure struct {
	Measure  string `json:"measure"`
	Name     string `json:"name"` // of a figure, or of a record-level figure
	K        int    `json:"k"`
	Record   int    `json:"record"`   // number of the record, from 1; 0: of the file
	Original bool   `json:"original"` // of the data as read

	Table string   `json:"table"` // name of a table of the scenario, instead of a measure
	Cell  []string `json:"cell"`  // codes of a cell of the table; nil: the figure is one of the whole table
}

// Mistake is a common wrong answer.
type Mistake struct {
	Figure  *Figure  `json:"figure"`
	Value   *float64 `json:"value"` // a number in the lesson instead of a figure
	Because string   `json:"because"`
}

// Answer is one of the choices.
type Answer struct {
	Text    string `json:"text"`
	Right   bool   `json:"right"`
	Because string `json:"because"`
}

// Requirement is a condition on the session; Else says what is missing if it is not met.
type Requirement struct {
	Figure     *Figure        `json:"figure"`
	Categories string         `json:"categories"` // the number of categories of this variable
	Changed    string         `json:"changed"`    // the number of cells of this variable that differ from the original
	Missing    bool           `json:"missing"`    // the number of cells of key variables that became missing
	AtMost     *float64       `json:"at_most"`
	AtLeast    *float64       `json:"at_least"`
	Rule       microdata.Rule `json:"rule"` // of the scenario
	Step       string         `json:"step"` // a step of this method is applied
	Variable   string         `json:"variable"`
	Without    string         `json:"without"` // no step of this method is applied
	Else       string         `json:"else"`
}

// Names returns the names of the lessons.
func Names() []string { return slices.Clone(order) }

// All returns the lessons in the recommended order.
func All() ([]*Lesson, error) {
	var all []*Lesson
	for _, name := range order {
		l, err := Find(name)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// Find returns the lesson with a name, or that of a script given by its path (IsFile). The error wraps ErrLesson.
func Find(name string) (*Lesson, error) {
	if IsFile(name) {
		return open(name)
	}
	text, err := scripts.ReadFile(path.Join("lessons", name+".jsonl"))
	if err != nil {
		return nil, fmt.Errorf("%w %q does not exist; the lessons are %s", ErrLesson, name,
			strings.Join(order, ", "))
	}
	return Read(text)
}

// Read reads the script of a lesson. The error wraps ErrLesson and names the line.
func Read(text []byte) (*Lesson, error) {
	if err := readable(text); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLesson, err)
	}
	l := &Lesson{Scenario: microdata.NewScenario()}
	lines := bytes.Split(bytes.TrimRight(text, "\r\n \t"), []byte("\n"))
	for i, line := range lines {
		if err := l.read(i, line); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrLesson, i+1, err)
		}
	}
	if len(l.Parts) == 0 {
		return nil, fmt.Errorf("%w: line %d: the lesson ends here: after the head and the scenario, its parts must follow",
			ErrLesson, len(lines))
	}
	return l, nil
}

func (l *Lesson) read(i int, line []byte) error {
	switch i {
	case 0:
		if err := decode(line, l); err != nil {
			return err
		}
		return l.checkHead()
	case 1:
		return decode(line, &struct{ Scenario *microdata.Scenario }{&l.Scenario})
	}
	part := Part{}
	if err := decode(line, &part); err != nil {
		return err
	}
	part.line = i + 1
	err := errors.Join(part.check(), part.checkNames())
	l.Parts = append(l.Parts, part)
	return err
}

// decode parses a line and rewords its errors in plain words.
func decode(line []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil && decoder.More():
		return errors.New("there is text after the end: each line must have one pair of braces")
	case err == nil:
		return nil
	case errors.As(err, &wrongType):
		return fmt.Errorf("%q has a value of the wrong kind, such as a number where a text belongs", wrongType.Field)
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		return fmt.Errorf("lessons have no field %s", strings.TrimPrefix(err.Error(), "json: unknown field "))
	case strings.HasPrefix(err.Error(), "json: "), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.As(err, new(*json.SyntaxError)):
		return errors.New(`the line is not complete, or not written as {"name":value, …}`)
	}
	return err
}

// checkHead returns an error for a lesson without name or title, or whose data cannot be found.
func (l *Lesson) checkHead() error {
	switch {
	case l.Name == "" || l.Title == "":
		return errors.New(`the first line needs "lesson", its name, and "title"`)
	case slices.Contains(builtIn, l.Data):
		return l.checkMeasures()
	}
	return cmp.Or(checkPath("data", l.Data, l.SHA256), l.checkMeasures())
}

// check returns an error for a part that does nothing, or several things.
func (p *Part) check() error {
	does := 0
	for _, text := range []string{p.Say, p.Ask, p.Choose, p.Try} {
		if text != "" {
			does++
		}
	}
	right := 0
	for _, a := range p.Answers {
		if a.Right {
			right++
		}
	}
	switch {
	case does != 1:
		return errors.New(`a part has one of "say", "ask", "choose" and "try"`)
	case p.Ask != "" && p.Figure == nil:
		return errors.New(`"ask" needs a figure`)
	case p.Choose != "" && (right != 1 || len(p.Answers) < 2):
		return errors.New(`"choose" needs answers, of which one is right`)
	case p.Try != "" && (len(p.Want) == 0 || len(p.With) == 0 && !p.ofTables()):
		return errors.New(`"try" needs what is wanted, and with which methods`)
	}
	return nil
}

// ofTables reports whether an exercise is one on tables, which needs no method.
func (p *Part) ofTables() bool {
	return !slices.ContainsFunc(p.Want, func(w Requirement) bool { return w.Figure == nil || w.Figure.Table == "" })
}

// figures returns all figures that the part names.
func (p *Part) figures() (all []*Figure) {
	for _, m := range p.Wrong {
		all = append(all, m.Figure)
	}
	for _, w := range p.Want {
		all = append(all, w.Figure)
	}
	return slices.DeleteFunc(append(all, p.Figure), func(f *Figure) bool { return f == nil })
}

// checkNames returns an error for unknown measures, methods and parameters.
func (p *Part) checkNames() error {
	for _, f := range p.figures() {
		if f.Table != "" {
			if tableFigures[f.Name] == nil && cellFigures[f.Name] == nil {
				return fmt.Errorf("tables have no figure %q", f.Name)
			}
			continue
		}
		if _, ok := catalog.Measures().Find(f.Measure); !ok {
			return fmt.Errorf("unknown measure %q; \"sdcdesk measures\" lists them", f.Measure)
		}
	}
	wanted := slices.Clone(p.With)
	for _, w := range p.Want {
		wanted = append(wanted, w.Step, w.Without)
	}
	for _, name := range wanted {
		if name != "" && !slices.ContainsFunc(catalog.Methods(), func(s method.Spec) bool { return ofMethod(s.Name, name) }) {
			return fmt.Errorf("unknown method %q; \"sdcdesk methods\" lists them", name)
		}
	}
	if p.Step == "" {
		return nil
	}
	spec, known := catalog.Methods().Find(p.Step)
	if !known {
		return fmt.Errorf("unknown method %q; \"sdcdesk methods\" lists them", p.Step)
	}
	p.made = spec.New()
	return method.Decode(p.made, p.Params)
}

// variables returns the variables that are parameters of the part's step.
func (p *Part) variables() (names []string) {
	if p.made == nil {
		return nil
	}
	for _, param := range p.made.Params() {
		if param.Kind == method.KindVariable || param.Kind == method.KindVariables {
			named, _ := param.Named()
			names = append(names, named...)
		}
	}
	return names
}

// Made returns the step that the part applies; ok is false if there is none.
func (p *Part) Made() (step session.StepSpec, ok bool) {
	if p.Step == "" {
		return step, false
	}
	params, err := json.Marshal(p.Params)
	return session.StepSpec{Step: p.Step, Params: params, Seed: p.Seed, Problem: err}, true
}

// Text returns the text of the part.
func (p *Part) Text() string { return p.Say + p.Ask + p.Choose + p.Try }
