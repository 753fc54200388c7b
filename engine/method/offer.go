package method

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Offer is what a parameter can be picked from: variables of the file that fit it, or
// categories of one.
type Offer struct {
	Names   []string
	Of      *microdata.Column // whose categories they are; nil: they are variables
	Several bool              // the parameter takes more than one
	Chosen  []string          // that it has now, in their order
}

// Offers returns what the parameter can be picked from with the data; ok is false
// where it is none to be picked, or the variable of its categories is not there. Of
// variables those that are keys come first.
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

// mayBeVariable reports whether the text is the name of a variable, or empty.
func (p *Param) mayBeVariable() bool { return p.Kind == KindText && p.among != nil }

// Named returns the names in the value: of variables, or of categories of the variable
// that is returned with them; nil where it names none.
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

// Pick gives the parameter what was picked; an error is in words of the screen.
func (p *Param) Pick(names []string) error {
	if _, several := p.Value.(*words); several {
		if len(names) == 0 {
			names = nil // not chosen, which is not the same as none
		}
		return p.Value.Set(WrittenList(names))
	}
	if len(names) == 0 {
		return p.Value.Set("")
	}
	return p.Value.Set(names[0])
}

// fitting returns the variables that the parameter can be, those that are keys first.
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

// CategoryOf makes a text one that is a category of a variable that another parameter
// names.
func (p Param) CategoryOf(of *string) Param {
	p.of = of
	return p
}

// OrderedVariables are the numeric variables and those whose categories have an
// order.
func OrderedVariables(column *microdata.Column, _ *microdata.Scenario) bool {
	return column.InOrder()
}
