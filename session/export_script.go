package session

import (
	"bytes"
	"encoding/json"
	"io"
)

// WriteScript writes the steps that stand as a script for Run. A scenario that was
// changed between steps is said again where it changed. Whoever has the seeds can
// undo a perturbation.
func (d Document) WriteScript(w io.Writer, seeds bool) error {
	file, err := marshal(d.Format)
	if err != nil {
		return err
	}
	lines := []any{headerLine{Format: formatName, Version: formatVersion}}
	var said json.RawMessage
	for i := range len(d.Steps) + 1 {
		scenario := &d.Scenario
		if i < len(d.Steps) {
			scenario = d.Steps[i].scenario
		}
		text, err := marshalScenario(scenario)
		if err != nil {
			return err
		}
		if !bytes.Equal(text, said) {
			lines, said, file = append(lines, scenarioLine{Scenario: text, File: file}), text, nil
		}
		if i == len(d.Steps) {
			break
		}
		spec := d.Steps[i].Spec
		if !seeds {
			spec.Seed = 0
		}
		lines = append(lines, spec)
	}
	text, err := marshalLines(lines...)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
