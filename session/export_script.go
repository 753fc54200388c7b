package session

import (
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// WriteScript writes the steps that stand as a script for Run. A scenario that was
// changed between steps is said again where it changed. Whoever has the seeds can
// undo a perturbation.
func (d Document) WriteScript(w io.Writer, seeds bool) error {
	lines := []any{headerLine{Format: formatName, Version: formatVersion}}
	var last *microdata.Scenario
	file := &d.Format
	for i := range len(d.Steps) + 1 {
		scenario := &d.Scenario
		if i < len(d.Steps) {
			scenario = d.Steps[i].scenario
		}
		if same, err := sameScenario(scenario, last); err != nil {
			return err
		} else if !same {
			lines, last, file = append(lines, said(scenario, file, nil)), scenario, nil
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
	if !seeds && slices.ContainsFunc(d.Steps, func(step Step) bool { return step.Spec.Seed != 0 }) {
		text = append([]byte(seedsLeftOut+"\n"), text...)
	}
	_, err = w.Write(text)
	return err
}

// seedsLeftOut is the first line of a script whose random steps have no seeds. Readers
// of scripts skip it.
const seedsLeftOut = "# The seeds of the random steps are left out: run again, these steps draw other values than in the session."
