package method

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// Meaning is what the file says of a variable that a step names, or of a category of
// one.
type Meaning struct {
	Name     string // of the variable, or the category
	Label    string // what it is
	Category bool
}

// String spells it: "region: Region of residence", "1 Arden".
func (m Meaning) String() string {
	if m.Category {
		return m.Name + " " + m.Label
	}
	return m.Name + ": " + m.Label
}

// Meanings returns what the data say of what the parameters name, in their order.
func Meanings(m Parameterised, data *microdata.Dataset) []Meaning {
	var all []Meaning
	known := map[Meaning]bool{} // an order names each of perhaps very many categories
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
