package method

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Value is a field of a method, like flag.Value. Its JSON form is that of the field; its text form is one line.
// Set parses the format of String. If it fails, it leaves the field unchanged and returns an error, worded for the
// screen, with what is expected.
type Value interface {
	String() string
	Set(text string) error
}

// Kind is the type of a parameter.
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
	KindImportance // an integer for each of some variables
	KindWritten    // a structured value typed in one line
	KindFile       // the content of a file, given by its path
)

// kinds lists for each kind the type in scripts and a sentence on what to type on the screen.
var kinds = [...]struct{ script, hint string }{
	KindNumber:     {"number", ""},
	KindText:       {"text", ""},
	KindSwitch:     {"boolean", ""},
	KindChoice:     {"", ""},
	KindVariable:   {"variable", ""},
	KindVariables:  {"variables", "Separate several with commas."},
	KindLevels:     {"labels", "Separate several with commas."},
	KindNumbers:    {"numbers", "Separate several with commas."},
	KindLabels:     {"labels", "Separate several with commas."},
	KindImportance: {"object, such as {\"age\":2}", `Written as "sex:1, age:2".`},
	KindWritten:    {"text or JSON", ""},
	KindFile:       {"file text", "Type its path."},
}

// Param is a parameter of a method, bound to a field of the method like a flag in package flag: the field holds
// the default until it is set.
type Param struct {
	Name     string // name in scripts
	Help     string // one line
	Kind     Kind
	Value    Value
	Required bool    // must be set, because the default is not valid
	Step     float64 // increment of the arrow keys; 0 if they do not change the value

	label                string   // on the screen; "": the name
	empty                string   // meaning of an empty value
	script               string   // other values that scripts accept
	choices              []string // for KindChoice
	former, formerChoice string   // a former spelling of a choice, accepted in scripts
	called               []string // names of the choices on the screen; nil for those in scripts
	min, max             *float64 // inclusive bounds of a number; nil if unbounded
	among                func(column *microdata.Column, scenario *microdata.Scenario) bool
	of                   *string // the variable of KindLevels
	refuses              func(variable string, scenario *microdata.Scenario) string
	counts               func() bool // nil if the parameter always has an effect
	masked               bool        // its value lists the variables that the method masks
	decoded              func(given func(name string) bool)
	otherFile            func(text string) (param, file string)
}

// Number binds a *float64 or *int, or a pointer to one of them for an optional number. The arrow keys change
// integers by one.
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

// Text binds an arbitrary text.
func Text(field *string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindText, Value: (*word)(field)}
}

// Switch binds a boolean.
func Switch(field *bool, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindSwitch, Value: (*yesNo)(field), choices: []string{"no", "yes"}}
}

// Choice binds a word out of a few.
func Choice(field *string, name, help string, choices ...string) Param {
	return Param{Name: name, Help: help, Kind: KindChoice, Value: (*word)(field), choices: choices}
}

// Labelled sets the name on the screen if it is not that in scripts. It returns the parameter.
func (p Param) Labelled(label string) Param {
	p.label = label
	return p
}

// Called sets the names of the choices on the screen, in order. It returns the parameter.
func (p Param) Called(names ...string) Param {
	p.called = names
	return p
}

// Formerly makes scripts and journals accept the former spelling of a choice. It returns the parameter.
func (p Param) Formerly(spelling, choice string) Param {
	p.former, p.formerChoice = spelling, choice
	return p
}

// CountsIf sets a function that reports whether the parameter has an effect with the current values of the others.
// It returns the parameter.
func (p Param) CountsIf(counts func() bool) Param {
	p.counts = counts
	return p
}

// Counts reports whether the parameter has an effect with the current values of the others.
func (p *Param) Counts() bool { return p.counts == nil || p.counts() }

// Masked marks the parameter as the list of variables that the method masks. It returns the parameter.
func (p Param) Masked() Param {
	p.masked = true
	return p
}

// Decoded makes a value depend on other parameters: Decode calls complete after all given parameters are set;
// given reports whether a parameter was among them. It returns the parameter.
func (p Param) Decoded(complete func(given func(name string) bool)) Param {
	p.decoded = complete
	return p
}

// NamesFile declares that the content of a file of KindFile names the file of another parameter in the same
// folder; named returns "" if a content names none. It returns the parameter.
func (p Param) NamesFile(named func(text string) (param, file string)) Param {
	p.otherFile = named
	return p
}

// OtherFile returns the other parameter and the name of its file; see NamesFile.
func (p *Param) OtherFile(text string) (param, file string) {
	if p.otherFile == nil {
		return "", ""
	}
	return p.otherFile(text)
}

// Variable binds the name of a variable, which is required.
func Variable(field *string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindVariable, Value: (*word)(field), Required: true}
}

// Variables binds names of variables; nil means unset, unlike an empty list.
func Variables(field *[]string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindVariables, Value: (*words)(field)}
}

// Levels binds labels of categories of the variable that another parameter names.
func Levels(field *[]string, of *string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindLevels, Value: (*words)(field), of: of}
}

// Labels binds a list of new labels.
func Labels(field *[]string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindLabels, Value: (*words)(field)}
}

// Numbers binds a list of integers or of floating-point numbers.
func Numbers[T int | float64](field *[]T, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindNumbers, Value: (*numbers[T])(field)}
}

// Importance binds an integer for each of some variables.
func Importance(field *map[string]int, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindImportance, Value: (*places)(field)}
}

// Written binds a structured field that is typed in one line, such as "4:10, 3:20" for sizes with their k. Scripts
// accept this text, as a JSON string, in place of the JSON form.
func Written(field Value, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindWritten, Value: field}
}

// File binds the content of a file.
func File(field *string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindFile, Value: (*word)(field)}
}

// AtLeast sets an inclusive lower bound of a number. It returns the parameter.
func (p Param) AtLeast(bound float64) Param {
	p.min = &bound
	return p
}

// Between sets inclusive bounds of a number. It returns the parameter.
func (p Param) Between(low, high float64) Param {
	p.min, p.max = &low, &high
	return p
}

// By sets the increment of the arrow keys. It returns the parameter.
func (p Param) By(step float64) Param {
	p.Step = step
	return p
}

// Needed makes the parameter required. It returns the parameter.
func (p Param) Needed() Param {
	p.Required = true
	return p
}

// Optional makes a variable optional; meaning describes the effect of omitting it. It returns the parameter.
func (p Param) Optional(meaning string) Param {
	p.Required = false
	return p.Empty(meaning)
}

// Empty describes the effect of an empty value: null in scripts, or "" for a text. It returns the parameter.
func (p Param) Empty(meaning string) Param {
	p.empty = meaning
	return p
}

// InScripts adds to the help page what scripts accept beyond a field on the screen. It returns the parameter.
func (p Param) InScripts(text string) Param {
	p.script = text
	return p
}

// Among restricts a variable to those that some selects, such as KeyVariables. It returns the parameter.
func (p Param) Among(some func(column *microdata.Column, scenario *microdata.Scenario) bool) Param {
	p.among = some
	return p
}

// Refusing sets a function that returns the reason why a variable is not accepted, whatever its values, or "". It
// returns the parameter.
func (p Param) Refusing(reason func(variable string, scenario *microdata.Scenario) string) Param {
	p.refuses = reason
	return p
}

// KeyVariables selects the key variables of the scenario.
func KeyVariables(column *microdata.Column, scenario *microdata.Scenario) bool {
	return slices.Contains(scenario.Keys, column.Name())
}

// NumericVariables selects numeric variables whose values are amounts, not codes without an order.
func NumericVariables(column *microdata.Column, _ *microdata.Scenario) bool { return column.Amounts() }

// DateVariables selects variables whose values in the file may be dates.
func DateVariables(column *microdata.Column, _ *microdata.Scenario) bool {
	categories := column.Unrecoded().Categories()
	return column.Kind() == microdata.Category && categories.Ordered && len(categories.Levels) > 0 &&
		len(microdata.AnyDate().Of(categories.Levels[0].Label)) > 0
}

// Label returns the name of the parameter on the screen.
func (p *Param) Label() string { return cmp.Or(p.label, strings.ReplaceAll(p.Name, "_", " ")) }

// Shown formats the value for the screen: a choice by its name there, an omitted number by what that means.
func (p *Param) Shown() string {
	if at := slices.Index(p.choices, p.Value.String()); at >= 0 && at < len(p.called) {
		return p.called[at]
	}
	if text := p.Value.String(); p.Kind != KindNumber || text != none || p.empty == "" {
		return text
	}
	return p.empty
}

// ScreenHelp returns the help text of a field on the screen, as sentences. Other parameters have their names on the
// screen in it. Names of choices at its beginning, with a colon or comma, stay in lower case.
func (p *Param) ScreenHelp() string {
	help := strings.ReplaceAll(p.Help, "_", " ")
	sentences := []string{help, kinds[p.Kind].hint}
	switch {
	case p.empty != "":
		sentences = append(sentences, "Empty: "+p.empty)
	case p.canBeNull() && p.Kind == KindNumber:
		sentences = append(sentences, "Empty: none")
	}
	text := wording.Sentences(sentences...)
	if first, _, _ := strings.Cut(help, " "); strings.HasSuffix(first, ":") || strings.HasSuffix(first, ",") {
		return first + text[len(first):]
	}
	return text
}

// ScriptHelp returns the help text on the help page of the method.
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

// Facts returns the type, choices, bounds and default of the parameter in scripts.
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

// Choices returns the values that can be selected: words, or variables with key variables first; nil if the value
// is typed.
func (p *Param) Choices(data *microdata.Dataset, scenario *microdata.Scenario) []string {
	if p.Kind != KindVariable {
		return p.choices
	}
	return p.fitting(data, scenario)
}

// SetText sets the parameter to a typed text and checks it against the data. If it fails, it leaves the parameter
// unchanged and returns an error worded for the screen.
func (p *Param) SetText(text string, data *microdata.Dataset) error {
	was := p.Value.String()
	err := p.Value.Set(text)
	switch {
	case err == nil:
		if err = p.known(data); err == nil && p.Kind == KindNumber && p.validate() != nil {
			err = p.expected()
		}
		if err != nil && p.Value.Set(was) != nil {
			return err // the value before cannot be restored from its text
		}
		return err
	case p.Kind == KindNumber:
		return p.expected()
	case p.Kind == KindWritten:
		return err
	}
	return fmt.Errorf("%s: %w", p.Label(), err)
}

// expected returns the error that describes a valid number.
func (p *Param) expected() error {
	text := p.Label() + " is a number"
	if n, ok := p.Value.(*number); ok && n.whole {
		text = p.Label() + " is an integer"
	}
	switch {
	case p.min != nil && p.max != nil:
		return fmt.Errorf("%s from %v to %v", text, *p.min, *p.max)
	case p.min != nil:
		return fmt.Errorf("%s of at least %v", text, *p.min)
	}
	return fmt.Errorf("%s", text)
}

// known returns an error if the value names a variable or category that is not in the data.
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
				return nil // the error is in the parameter with the variable
			}
			if _, ok := column.Categories().CodeOf(name); !ok {
				return fmt.Errorf("%s has no category %q", column.Name(), wording.Excerpt(name))
			}
		}
	}
	return nil
}

// Move changes a number by so many steps, rounded to a multiple of the step and limited to its bounds.
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
		x = steps / perUnit // exact decimals for steps such as 0.05
	}
	if p.min != nil {
		x = math.Max(x, *p.min)
	}
	if p.max != nil {
		x = math.Min(x, *p.max)
	}
	n.set(x, true)
}
