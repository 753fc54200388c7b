package method

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// Meaning is the label that the file has for a variable or category named by a step.
type Meaning struct {
	Name     string // of the variable or category
	Label    string // variable label or value label
	Category bool
}

// String formats a meaning: "region: Region of residence", "1 Arden".
func (m Meaning) String() string {
	if m.Category {
		return m.Name + " " + m.Label
	}
	return m.Name + ": " + m.Label
}

// Meanings returns the labels, in order, of the variables and categories that the parameters name.
func Meanings(m Parameterised, data *microdata.Dataset) []Meaning {
	var all []Meaning
	known := map[Meaning]bool{} // a map, because an order may list very many categories
	for _, p := range m.Params() {
		names, of := p.Named()
		for _, name := range names {
			one := Meaning{Name: name, Category: of != ""}
			if column, ok := data.Column(of); ok && one.Category {
				one.Label = column.Described().Labels[name]
			} else if column, ok := data.Column(name); ok && !one.Category {
				one.Label = column.Described().Label
			}
			if one.Label != "" && one.Label != name && !known[one] {
				all, known[one] = append(all, one), true
			}
		}
	}
	return all
}
