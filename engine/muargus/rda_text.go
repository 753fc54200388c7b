package muargus

import (
	"fmt"
	"strings"
)

// Text returns the description as a file. ParseDescription reads it as the
// same again, but for the alignment in fixed fields.
func (d *Description) Text() string {
	var text strings.Builder
	add := func(format string, args ...any) { text.WriteString(fmt.Sprintf(format, args...) + lineEnd) }
	if d.Separator != "" {
		add(`<SEPARATOR> "%s"`, d.Separator)
	}
	if d.Names {
		add("<NAMESINFRONT>")
	}
	if d.SPSS {
		add("<SPSS>")
	}
	for i := range d.Variables {
		d.Variables[i].write(add, d.Separator != "")
	}
	return text.String()
}

func (v *Variable) write(add func(format string, args ...any), free bool) {
	name := spellWord(v.Name)
	if strings.HasPrefix(name, "//") {
		name = `"` + name + `"`
	}
	head := fmt.Sprintf("%s %d", name, v.Start)
	if free {
		head = name
	}
	head += fmt.Sprintf(" %d", v.Width)
	for _, code := range v.Missing {
		head += ` "` + code + `"`
	}
	add("%s", head)
	for _, flag := range []struct {
		set     bool
		keyword string
	}{{v.Recodable, "RECODABLE"}, {v.Truncable, "TRUNCABLE"}, {v.Numeric, "NUMERIC"}, {v.Weight, "WEIGHT"},
		{v.HouseholdID, "HOUSE_ID"}, {v.Household, "HOUSEHOLD"}} {
		if flag.set {
			add("    <%s>", flag.keyword)
		}
	}
	if v.Decimals > 0 {
		add("    <DECIMALS> %d", v.Decimals)
	}
	if v.CodeList != "" {
		add(`    <CODELIST> "%s"`, v.CodeList)
	}
	if v.IDLevel > 0 {
		add("    <IDLEVEL> %d", v.IDLevel)
	}
	if v.Priority != nil {
		add("    <SUPPRESSPRIORITY> %d", *v.Priority)
	}
	for _, related := range v.Related {
		add("    <RELATED> %s", spellWord(related))
	}
}
