package session

import (
	"bytes"
	"io"
)

// ScriptOptions says how the steps are written as a script.
type ScriptOptions struct {
	Force bool // replace a file that exists
	Seeds bool // write the seeds: whoever has them can undo a perturbation
}

// ExportScript writes the steps that stand as a script for Run.
func (d Document) ExportScript(path string, o ScriptOptions) error {
	return d.WriteFile(path, o.Force, func(w io.Writer) error { return d.WriteScript(w, o.Seeds) })
}

// WriteScript writes the lines of the script. A scenario that was changed
// between steps is said again where it changed.
func (d Document) WriteScript(w io.Writer, seeds bool) error {
	file, err := marshal(d.Format)
	if err != nil {
		return err
	}
	said, err := marshalScenario(&d.Scenario)
	if err != nil {
		return err
	}
	last := said
	if len(d.Steps) > 0 {
		if said, err = marshalScenario(d.Steps[0].scenario); err != nil {
			return err
		}
	}
	lines := []any{headerLine{Format: formatName, Version: formatVersion}, scenarioLine{Scenario: said, File: file}}
	for i := range d.Steps {
		scenario, err := marshalScenario(d.Steps[i].scenario)
		if err != nil {
			return err
		}
		if !bytes.Equal(scenario, said) {
			lines, said = append(lines, scenarioLine{Scenario: scenario}), scenario
		}
		spec := d.Steps[i].Spec
		if !seeds {
			spec.Seed = 0
		}
		lines = append(lines, spec)
	}
	if !bytes.Equal(last, said) {
		lines = append(lines, scenarioLine{Scenario: last})
	}
	text, err := marshalLines(lines...)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
