package method

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Value is a field of a method as a parameter sees it. Its JSON form is that of
// the field; its text form is one line. Set takes what String gives and on an
// error leaves the field as it was; the error says what is expected, in words of
// the screen.
type Value interface {
	String() string
	Set(text string) error
}

// Kind says what a parameter ranges over.
type Kind uint8

// The kinds.
const (
	KindNumber Kind = iota
	KindText
	KindSwitch     // yes or no
	KindChoice     // one of a few words
	KindVariable   // a variable of the file
	KindVariables  // variables of the file
	KindLevels     // categories of a variable
	KindNumbers    // a list of numbers
	KindLabels     // a list of new labels
	KindImportance // numbers of variables
	KindWritten    // several parts that are typed as one line
	KindFile       // the text of a file, which is given by its path
)

// kinds has for each kind what scripts take and what the screen adds to the help.
var kinds = [...]struct{ script, hint string }{
	KindNumber:     {"number", ""},
	KindText:       {"text", ""},
	KindSwitch:     {"true or false", ""},
	KindChoice:     {"", ""},
	KindVariable:   {"variable", ""},
	KindVariables:  {"variables", "; several with commas between"},
	KindLevels:     {"labels", "; several with commas between"},
	KindNumbers:    {"numbers", "; several with commas between"},
	KindLabels:     {"labels", "; several with commas between"},
	KindImportance: {"object, such as {\"age\":2}", `; written as "sex:1, age:2"`},
	KindWritten:    {"text, list or object", ""},
	KindFile:       {"text", ": type the path of the file"},
}

// Param is one parameter of a method, bound to the method's own field as a flag
// is in package flag: the field holds the default until it is set.
type Param struct {
	Name     string // its name in scripts
	Help     string // one line
	Kind     Kind
	Value    Value
	Required bool    // must be given: the default is no usable value
	Step     float64 // by which an arrow moves a number; 0: it is typed only

	empty                string   // what leaving it empty means
	script               string   // what scripts can write besides
	choices              []string // of KindChoice
	former, formerChoice string   // a former spelling of a choice, which scripts may have
	called               []string // what they are called on the screen; nil: as in scripts
	min, max             *float64 // bounds of a number, both included; nil: none
	among                func(column *microdata.Column, scenario *microdata.Scenario) bool
	of                   *string // the variable of KindLevels
	refuses              func(variable string, scenario *microdata.Scenario) string
	counts               func() bool // nil: always
	masked               bool        // its variables are those whose numbers the method masks
	decoded              func(given func(name string) bool)
	beside               func(text string) (param, file string)
}

// Number binds a *float64, a *int, or a pointer to one of them where there may be
// no number. Whole numbers are moved by one.
func Number[T int | float64 | *int | *float64](field *T, name, help string) Param {
	p := Param{Name: name, Help: help, Kind: KindNumber}
	switch field := any(field).(type) {
	case *int:
		p.Value, p.Step = numberAt(field), 1
	case *float64:
		p.Value = numberAt(field)
	case **int:
		p.Value = optionalAt(field)
	case **float64:
		p.Value = optionalAt(field)
	}
	return p
}

// Text binds a text that is any.
func Text(field *string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindText, Value: (*word)(field)}
}

// Switch binds what is so or not.
func Switch(field *bool, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindSwitch, Value: (*yesNo)(field), choices: []string{"no", "yes"}}
}

// Choice binds a word that is one of a few.
func Choice(field *string, name, help string, choices ...string) Param {
	return Param{Name: name, Help: help, Kind: KindChoice, Value: (*word)(field), choices: choices}
}

// Called gives the choices names for the screen, in their order. It returns the
// parameter.
func (p Param) Called(names ...string) Param {
	p.called = names
	return p
}

// Formerly accepts the former spelling of a choice in scripts and journals. It returns the
// parameter.
func (p Param) Formerly(spelling, choice string) Param {
	p.former, p.formerChoice = spelling, choice
	return p
}

// CountsIf says when the parameter has an effect: with some values of the others
// only. It returns the parameter.
func (p Param) CountsIf(counts func() bool) Param {
	p.counts = counts
	return p
}

// Counts reports whether the parameter has an effect as the others are.
func (p *Param) Counts() bool { return p.counts == nil || p.counts() }

// Masked says that the numbers of these variables are masked. It returns the parameter.
func (p Param) Masked() Param {
	p.masked = true
	return p
}

// Decoded lets what is set depend on other parameters: Decode calls complete once all given
// parameters are set; given says whether the parameter of a name was among them. It returns
// the parameter.
func (p Param) Decoded(complete func(given func(name string) bool)) Param {
	p.decoded = complete
	return p
}

// NamesFile says that the text of a file, of the kind KindFile, names that of another parameter, to be found in the
// same folder; named returns "" for a text that names none. It returns the parameter.
func (p Param) NamesFile(named func(text string) (param, file string)) Param {
	p.beside = named
	return p
}

// FileBeside returns the other parameter and the name of its file, see NamesFile.
func (p *Param) FileBeside(text string) (param, file string) {
	if p.beside == nil {
		return "", ""
	}
	return p.beside(text)
}

// Variable binds the name of a variable, which must be given.
func Variable(field *string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindVariable, Value: (*word)(field), Required: true}
}

// Variables binds names of variables; nil is not the same as none.
func Variables(field *[]string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindVariables, Value: (*words)(field)}
}

// Levels binds labels of categories of a variable that another parameter names.
func Levels(field *[]string, of *string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindLevels, Value: (*words)(field), of: of}
}

// Labels binds a list of new labels.
func Labels(field *[]string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindLabels, Value: (*words)(field)}
}

// Numbers binds a list of numbers, whole ones or any.
func Numbers[T int | float64](field *[]T, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindNumbers, Value: (*numbers[T])(field)}
}

// Importance binds a whole number for each of some variables.
func Importance(field *map[string]int, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindImportance, Value: (*places)(field)}
}

// Written binds a field of several parts that is typed as one line, such as
// "4:10, 3:20" for sizes with their k. A script may have that text, as a JSON
// string, in the place of the JSON form.
func Written(field Value, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindWritten, Value: field}
}

// File binds the text of a file.
func File(field *string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindFile, Value: (*word)(field)}
}

// AtLeast bounds a number from below; the bound is included.
func (p Param) AtLeast(bound float64) Param {
	p.min = &bound
	return p
}

// Between bounds a number on both sides; the bounds are included.
func (p Param) Between(low, high float64) Param {
	p.min, p.max = &low, &high
	return p
}

// By lets arrows move a number by a step.
func (p Param) By(step float64) Param {
	p.Step = step
	return p
}

// Needed makes a parameter one that must be given.
func (p Param) Needed() Param {
	p.Required = true
	return p
}

// Optional lets a variable be left out, and says what that means.
func (p Param) Optional(meaning string) Param {
	p.Required = false
	return p.Empty(meaning)
}

// Empty says what leaving the parameter empty means: null in scripts, "" of a
// text.
func (p Param) Empty(meaning string) Param {
	p.empty = meaning
	return p
}

// InScripts adds to the help page what scripts can write and a field cannot.
func (p Param) InScripts(text string) Param {
	p.script = text
	return p
}

// Among limits a variable to some of the file, such as KeyVariables.
func (p Param) Among(some func(column *microdata.Column, scenario *microdata.Scenario) bool) Param {
	p.among = some
	return p
}

// Refusing says of which variables the parameter cannot be one, whatever their
// values: reason returns "" for others.
func (p Param) Refusing(reason func(variable string, scenario *microdata.Scenario) string) Param {
	p.refuses = reason
	return p
}

// KeyVariables are the key variables of the scenario.
func KeyVariables(column *microdata.Column, scenario *microdata.Scenario) bool {
	return slices.Contains(scenario.Keys, column.Name())
}

// NumericVariables are the numeric variables whose values are amounts, not codes without an order.
func NumericVariables(column *microdata.Column, _ *microdata.Scenario) bool { return column.Amounts() }

// DateVariables are the variables whose values in the file may be dates.
func DateVariables(column *microdata.Column, _ *microdata.Scenario) bool {
	categories := column.Unrecoded().Categories()
	return column.Kind() == microdata.Category && categories.Ordered && len(categories.Levels) > 0 &&
		len(microdata.AnyDate().Of(categories.Levels[0].Label)) > 0
}

// Label is the name of the parameter on the screen.
func (p *Param) Label() string { return strings.ReplaceAll(p.Name, "_", " ") }

// Shown spells the value for the screen: of a number that is left out what that means,
// of a choice what it is called.
func (p *Param) Shown() string {
	if at := slices.Index(p.choices, p.Value.String()); at >= 0 && at < len(p.called) {
		return p.called[at]
	}
	if text := p.Value.String(); p.Kind != KindNumber || text != none || p.empty == "" {
		return text
	}
	return p.empty
}

// ScreenHelp is the help beside a field.
func (p *Param) ScreenHelp() string {
	text := p.Help + kinds[p.Kind].hint
	switch {
	case p.empty != "":
		text += "; empty: " + p.empty
	case p.canBeNull() && p.Kind == KindNumber:
		text += "; empty: none"
	}
	return text
}

// ScriptHelp is the help on the page of the method.
func (p *Param) ScriptHelp() string {
	text := p.Help
	if p.empty != "" {
		word := "empty"
		if p.canBeNull() {
			word = "null"
		}
		text += "; " + word + ": " + p.empty
	}
	if p.script != "" {
		text += "; " + p.script
	}
	return text
}

// Facts say what scripts give for the parameter: its kind, choices, bounds and
// default.
func (p *Param) Facts() []string {
	facts := []string{kinds[p.Kind].script}
	if p.Kind == KindChoice {
		facts[0] = strings.Join(p.choices, ", ")
	}
	switch {
	case p.min != nil && p.max != nil:
		facts[0] = FormatNumber(*p.min) + " to " + FormatNumber(*p.max)
	case p.min != nil:
		facts[0] += " from " + FormatNumber(*p.min)
	case p.max != nil:
		facts[0] += " to " + FormatNumber(*p.max)
	}
	if p.Required {
		return append(facts, "required")
	}
	switch text, err := json.Marshal(p.field()); {
	case err != nil, slices.Contains([]string{"null", `""`, "{}"}, string(text)):
		return facts
	default:
		return append(facts, "default "+string(text))
	}
}

// Choices returns the texts that the parameter can have with the data: words, or
// variables, those that are keys first; nil where it is typed.
func (p *Param) Choices(data *microdata.Dataset, scenario *microdata.Scenario) []string {
	if p.Kind != KindVariable {
		return p.choices
	}
	return p.fitting(data, scenario)
}

// SetText takes a text that was typed for the parameter, for use with the data.
// Where it does not fit, the parameter is as it was, and the error says so in
// words of the screen.
func (p *Param) SetText(text string, data *microdata.Dataset) error {
	was := p.Value.String()
	err := p.Value.Set(text)
	switch {
	case err == nil:
		if err = p.known(data); err == nil && p.Kind == KindNumber && p.validate() != nil {
			err = p.expected()
		}
		if err != nil && p.Value.Set(was) != nil {
			return err // what the field had before cannot be typed either
		}
		return err
	case p.Kind == KindNumber:
		return p.expected()
	case p.Kind == KindWritten:
		return err
	}
	return fmt.Errorf("%s: %w", p.Label(), err)
}

// expected says what a number must be.
func (p *Param) expected() error {
	text := p.Label() + " is a number"
	if n, ok := p.Value.(*number); ok && n.whole {
		text = p.Label() + " is an integer"
	}
	switch {
	case p.min != nil && p.max != nil:
		return fmt.Errorf("%s from %v to %v", text, *p.min, *p.max)
	case p.min != nil:
		return fmt.Errorf("%s from %v on", text, *p.min)
	}
	return fmt.Errorf("%s", text)
}

// known reports a variable or category that the data do not have.
func (p *Param) known(data *microdata.Dataset) error {
	names, ok := p.Value.(interface{ names() []string })
	if !ok {
		return nil
	}
	for _, name := range names.names() {
		switch p.Kind {
		case KindVariables, KindImportance, KindWritten:
			if _, ok := data.Column(name); !ok {
				return fmt.Errorf("the file has no variable %q", wording.Excerpt(name))
			}
		case KindLevels:
			column, ok := data.Column(*p.of)
			if !ok {
				return nil // the variable is what is wrong
			}
			if _, ok := column.Categories().CodeOf(name); !ok {
				return fmt.Errorf("%s has no category %q", column.Name(), wording.Excerpt(name))
			}
		}
	}
	return nil
}

// Move changes a number by so many of its steps, to a multiple of the step; it
// stops at its bounds.
func (p *Param) Move(by int) {
	n, ok := p.Value.(*number)
	x, given := 0.0, false
	if ok {
		x, given = n.get()
	}
	if !given {
		return
	}
	steps := math.Round(x/p.Step) + float64(by)
	x = steps * p.Step
	if perUnit := math.Round(1 / p.Step); perUnit > 1 {
		x = steps / perUnit // a twentieth leaves no dust
	}
	if p.min != nil {
		x = math.Max(x, *p.min)
	}
	if p.max != nil {
		x = math.Min(x, *p.max)
	}
	n.set(x, true)
}
