package rscript

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// call is the equivalent of a step under construction.
type call struct {
	*object
	*Step
	form
	args  map[string]string // R values by parameter or other placeholder of the lines
	notes []string
}

// step writes the equivalent of a step, or why there is none.
func (o *object) step(number int, s *Step) error {
	var params map[string]any
	text, err := method.Encode(s.Method)
	if err == nil {
		err = json.Unmarshal(text, &params)
	}
	o.printf("\n# %d. %s (%s)\n", number, s.Spec.Title, s.Spec.Name)
	if !slices.Equal(s.Scenario.Keys, o.keys) {
		o.note("the key variables of this step were %s.", vector(s.Scenario.Keys))
	}
	c := &call{o, s, forms[s.Spec.Name], map[string]string{}, nil}
	for name, param := range params {
		c.args[name] = value(param)
	}
	if without := c.complete(); without != "" {
		o.note("%s: %s", without, text)
	} else {
		c.write(number)
	}
	o.suppressed = o.suppressed || strings.HasPrefix(s.Spec.Name, "suppress-")
	o.changed[method.TargetOf(s.Method)] = true
	return err
}

// complete sets the arguments of an equivalent. It returns why there is none, or "".
func (c *call) complete() (without string) {
	if c.lines == "" {
		return "sdcMicro has no equivalent of this method"
	}
	c.args["keys"], c.args["hid"] = vector(c.keys), vector(c.Scenario.Having(microdata.RoleHousehold))
	variables, _ := method.Masked(c.Method)
	defaults := c.Spec.New().Params()
	for i, p := range c.Method.Params() {
		if without := c.translate(&p, defaults[i].Value.String()); without != "" {
			return without
		}
		if names, _ := p.Named(); strings.HasPrefix(p.Name, "variable") {
			variables = names
		}
	}
	without = c.locate(variables)
	if without != "" || c.prepare == nil {
		return without
	}
	return c.prepare(c)
}

// translate returns sdcMicro's name for a choice, and notes a parameter that sdcMicro does not have.
func (c *call) translate(p *method.Param, standard string) (without string) {
	text := p.Value.String()
	switch {
	case strings.Contains(c.words, p.Name+"."):
		_, rest, ok := strings.Cut(" "+c.words+" ", " "+p.Name+"."+text)
		if !ok {
			return "its function in sdcMicro has no " + p.Name + " " + text
		}
		name, _, _ := strings.Cut(rest, " ")
		c.args[p.Name] = quote(cmp.Or(strings.TrimPrefix(name, "="), text))
	case p.Counts() && text != cmp.Or(neutral[p.Name], standard) && !strings.Contains(c.lines, "{"+p.Name+"}") &&
		!slices.Contains(strings.Fields(c.uses+" variable"), p.Name):
		c.differs(p.Name + " = " + c.args[p.Name] + " has no counterpart in sdcMicro")
	}
	return ""
}

// locate sets the arguments for the locations of variables in the object. It returns why there are none, or "".
func (c *call) locate(variables []string) (without string) {
	_, isMasking := method.Masked(c.Method)
	c.args["ok"], c.args["factor"] = "", ""
	for _, v := range variables {
		slot, isNumber := c.slot(v), slices.Contains(c.numbers, v)
		c.args["slot"], c.args["into"], c.args["object"], c.args["object.var"] = slot, slot, slot, slot
		if isNumber || slices.Contains(c.keys, v) {
			c.args["into"], c.args["object"], c.args["object.var"] = "sdc", "sdc, column = "+quote(v), "sdc, var = "+quote(v)
		}
		now, ok := c.Before.Column(v)
		switch {
		case !ok:
			without = "the data lack its variable"
		case isMasking && !isNumber, isNumber && strings.Contains(c.lines, "{factor}"):
			without = "sdcMicro masks numVars, and recodes other variables"
		case isMasking && now.MissingCount() > 0:
			c.args["ok"] = "ok"
		case now.Numeric():
			c.args["factor"] += slot + " <- as.factor(" + slot + ")\n"
		}
	}
	return without
}

// differs notes why the result can differ.
func (c *call) differs(why string) {
	c.notes = append(c.notes, why+", so the result can differ.")
}

// write writes the notes and lines of an equivalent.
func (c *call) write(number int) {
	for _, note := range c.notes {
		c.note("%s", note)
	}
	if c.Spec.Random(c.Method) {
		c.printf("set.seed(%d)  # sdcMicro draws its own random numbers: the values differ from those of sdcdesk\n", number)
	}
	if c.args["ok"] != "" && strings.Contains(c.lines, "{ok}") {
		c.printf("ok <- complete.cases(sdc@manipNumVars[%s])\n", c.args["variables"])
	}
	var places []string
	for name, value := range c.args {
		places = append(places, "{"+name+"}", value)
	}
	c.printf("%s\n", strings.TrimSpace(strings.NewReplacer(places...).Replace(c.lines)))
}
