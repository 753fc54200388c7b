package method

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Offer lists what can be selected for a parameter: suitable variables of the file, or categories of a variable.
type Offer struct {
	Names   []string
	Of      *microdata.Column // variable of the categories; nil if variables are offered
	Several bool              // the parameter accepts several
	Chosen  []string          // current selection, in its order
}

// Offers returns what can be selected for the parameter; ok is false if the parameter has no such list, or if the
// variable of its categories is not in the data. Key variables come first.
func (p *Param) Offers(data *microdata.Dataset, scenario *microdata.Scenario) (o Offer, ok bool) {
	_, o.Several = p.Value.(*words)
	o.Chosen, _ = p.Named()
	switch {
	case p.of != nil:
		if o.Of, ok = data.Column(*p.of); ok {
			for _, level := range o.Of.Categories().Levels {
				o.Names = append(o.Names, level.Label)
			}
		}
		return o, ok
	case p.Kind == KindVariable || p.Kind == KindVariables || p.mayBeVariable():
		o.Names = p.fitting(data, scenario)
		return o, true
	}
	return o, false
}

// mayBeVariable reports whether the value is the name of a variable or empty.
func (p *Param) mayBeVariable() bool { return p.Kind == KindText && p.among != nil }

// Named returns the names in the value, and the variable of which they are categories, or "" if they are
// variables; names is nil if the value contains none.
func (p *Param) Named() (names []string, of string) {
	if p.of != nil {
		if of = *p.of; of == "" {
			return nil, ""
		}
	}
	switch value := p.Value.(type) {
	case *word:
		if *value != "" && (p.Kind == KindVariable || p.of != nil || p.mayBeVariable()) {
			names = []string{string(*value)}
		}
	case interface{ names() []string }:
		if p.Kind != KindLabels {
			names = slices.Clone(value.names())
		}
	}
	return names, of
}

// Pick sets the parameter to the selected names. An error is worded for the screen.
func (p *Param) Pick(names []string) error {
	if _, several := p.Value.(*words); several {
		if len(names) == 0 {
			names = nil // nil means unset, unlike an empty list
		}
		return p.Value.Set(WrittenList(names))
	}
	if len(names) == 0 {
		return p.Value.Set("")
	}
	return p.Value.Set(names[0])
}

// fitting returns the variables that the parameter accepts, key variables first.
func (p *Param) fitting(data *microdata.Dataset, scenario *microdata.Scenario) []string {
	names := slices.Clone(scenario.Keys)
	for _, column := range data.Columns() {
		if !slices.Contains(names, column.Name()) {
			names = append(names, column.Name())
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		column, ok := data.Column(name)
		return !ok || p.among != nil && !p.among(column, scenario) ||
			p.refuses != nil && p.refuses(name, scenario) != ""
	})
}

// CategoryOf restricts a text to the categories of the variable that another parameter names. It returns the
// parameter.
func (p Param) CategoryOf(of *string) Param {
	p.of = of
	return p
}

// OrderedVariables selects numeric variables and variables with ordered categories.
func OrderedVariables(column *microdata.Column, _ *microdata.Scenario) bool {
	return column.InOrder()
}
