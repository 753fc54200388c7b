package session

import (
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/rscript"
)

// WriteScript writes the applied steps as a script for Run, with all scenarios of the session. A scenario that
// changed between steps is written again there. With the seeds, a reader can reverse perturbations.
func (d Document) WriteScript(w io.Writer, seeds bool) error {
	omitted := false
	if !seeds {
		d, omitted = d.withoutSeeds()
	}
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
		line, err := lineOfStep(d.Steps[i].Spec, i, d.Steps[i].redone)
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
	if omitted {
		text = append([]byte(seedsLeftOut+"\n"), text...)
	}
	_, err = w.Write(text)
	return err
}

// WriteRScript writes the applied steps as an R script for sdcMicro, without seeds.
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

// scriptLines are the lines of a script, and the scenarios that they result in.
type scriptLines struct {
	lines []any
	file  *fileio.Format // nil once it was written
	set   *scenarioSet
	said  bool // a scenario was written
}

// lineOfStep returns the line of a step. If redone is set, the step was replayed after a change and may have used
// only a part of the scenario, so it is written as a change.
func lineOfStep(spec StepSpec, position int, redone bool) (any, error) {
	if !redone {
		return spec, nil
	}
	text, err := marshal(spec)
	return changeLine{Change: changeEdit, From: position, Steps: []json.RawMessage{text}}, err
}

// put writes a scenario; without a name, the active one.
func (o *scriptLines) put(scenario *microdata.Scenario, name string) {
	line := said(scenario, o.file, nil)
	line.Name = name
	o.lines, o.file, o.set, o.said = append(o.lines, line), nil, o.set.put(name, scenario), true
}

// follow activates a scenario, by name if it has one.
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

// use activates the scenario with a name.
func (o *scriptLines) use(name string) (err error) {
	if o.set.name() != name {
		o.lines = append(o.lines, scenariosLine{Scenarios: scenariosUse, Name: name})
		o.set, err = o.set.use(name)
	}
	return err
}

// end writes the final scenarios.
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

// putInForce activates the scenario of the session that equals the document's; if there is none, the document's
// scenario is the only one.
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

// seedsLeftOut is the first line of a script whose random steps and tables have no seeds. Readers of scripts skip it.
const seedsLeftOut = "# The seeds of the random steps are omitted: running these steps again draws values that differ from the " +
	"session."
