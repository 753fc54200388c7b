package session

import (
	"encoding/json"
	"io"
	"path/filepath"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/rscript"
)

// WriteScript writes the applied steps as a script for Run, and all scenarios of the
// session. A scenario that was changed between steps is said again where it changed.
// Whoever has the seeds can undo a perturbation.
func (d Document) WriteScript(w io.Writer, seeds bool) error {
	format := d.Source.Format()
	out := &scriptLines{lines: []any{headerLine{Format: formatName, Version: formatVersion}}, file: &format,
		set: newScenarioSet()}
	for i := range d.Scenarios {
		out.put(&d.Scenarios[i].Scenario, d.Scenarios[i].Name)
	}
	for i := range d.Steps {
		if err := out.follow(d.Steps[i].scenario); err != nil {
			return err
		}
		spec := d.Steps[i].Spec
		if !seeds {
			spec.Seed = 0
		}
		line, err := lineOfStep(spec, i, d.Steps[i].redone)
		if err != nil {
			return err
		}
		out.lines = append(out.lines, line)
	}
	if err := out.end(&d); err != nil {
		return err
	}
	text, err := marshalLines(out.lines...)
	if err != nil {
		return err
	}
	if !seeds && slices.ContainsFunc(d.Steps, func(step Step) bool { return step.Spec.Seed != 0 }) {
		text = append([]byte(seedsLeftOut+"\n"), text...)
	}
	_, err = w.Write(text)
	return err
}

// WriteRScript writes the applied steps as an R script for sdcMicro. It has no seeds.
func (d Document) WriteRScript(w io.Writer) error {
	script := rscript.Script{Format: d.Source.Format(), Base: d.Base, Scenario: Fitted(&d.Scenario, d.Base),
		Remove: d.Scenario.Remove}
	if file := d.Source.File(); file != "" && !InDatabase(d.Source) {
		script.File = filepath.Base(file)
	}
	before := d.Base
	for i := range d.Steps {
		step := &d.Steps[i]
		script.Steps = append(script.Steps, rscript.Step{Spec: step.entry, Method: step.method, Scenario: step.scenario, Before: before})
		if step.data != nil {
			before = step.data
		}
	}
	return script.Write(w)
}

// scriptLines are the lines of a script, and the scenarios that they come to.
type scriptLines struct {
	lines []any
	file  *fileio.Format // not said yet; nil: it was
	set   *scenarioSet
	said  bool // a scenario was
}

// lineOfStep returns the line of a step. What of the scenario the data bear was not found out
// yet of one that stands on top of a change: it is told as the change that it was.
func lineOfStep(spec StepSpec, position int, redone bool) (any, error) {
	if !redone {
		return spec, nil
	}
	text, err := marshal(spec)
	return changeLine{Change: changeEdit, From: position, Steps: []json.RawMessage{text}}, err
}

// put says a scenario; without a name, the one in force.
func (o *scriptLines) put(scenario *microdata.Scenario, name string) {
	line := said(scenario, o.file, nil)
	line.Name = name
	o.lines, o.file, o.set, o.said = append(o.lines, line), nil, o.set.put(name, scenario), true
}

// follow puts a scenario in force, by its name where it has one.
func (o *scriptLines) follow(scenario *microdata.Scenario) error {
	if o.said && sameScenario(scenario, o.set.inForce()) {
		return nil
	}
	for _, one := range o.set.all {
		if one.name != "" && sameScenario(scenario, one.scenario) {
			return o.use(one.name)
		}
	}
	o.put(scenario, "")
	return nil
}

// use puts the scenario of a name in force.
func (o *scriptLines) use(name string) (err error) {
	if o.set.name() != name {
		o.lines = append(o.lines, scenariosLine{Scenarios: scenariosUse, Name: name})
		o.set, err = o.set.use(name)
	}
	return err
}

// end says the scenarios as they are now.
func (o *scriptLines) end(d *Document) error {
	if len(d.Scenarios) == 0 {
		return o.follow(&d.Scenario)
	}
	for i := range d.Scenarios {
		one := &d.Scenarios[i]
		at, err := o.set.find(one.Name)
		if err != nil {
			return err
		}
		if !sameScenario(&one.Scenario, o.set.all[at].scenario) {
			o.put(&one.Scenario, one.Name)
		}
	}
	for i := range d.Scenarios {
		if d.Scenarios[i].InForce {
			return o.use(d.Scenarios[i].Name)
		}
	}
	return nil
}

// putInForce makes the document's scenario the one in force among those of the session;
// where none of them says the same, it is the only one.
func (d *Document) putInForce() {
	found := false
	for i := range d.Scenarios {
		same := sameScenario(&d.Scenarios[i].Scenario, &d.Scenario)
		d.Scenarios[i].InForce = same && !found
		found = found || same
	}
	if !found {
		d.Scenarios = nil
	}
}

// seedsLeftOut is the first line of a script whose random steps have no seeds. Readers
// of scripts skip it.
const seedsLeftOut = "# The seeds of the random steps are omitted: running these steps again draws values that differ from the " +
	"session."
