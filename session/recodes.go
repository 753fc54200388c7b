package session

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/prepare"
	"github.com/sdcdesk/sdcdesk/engine/recode"
)

// WriteRecodes writes the recodes that stand as a recode file, to be applied to
// another file or other variables by the step recode-file; see StandingRecodes.
func (d Document) WriteRecodes(w io.Writer) error {
	steps := make([]recode.Saved, len(d.Steps))
	for i := range d.Steps {
		steps[i] = recode.Saved{Step: d.Steps[i].Spec.Step, Params: d.Steps[i].Spec.Params}
	}
	standing, err := StandingRecodes(steps)
	if err != nil {
		return err
	}
	text, err := recode.SaveRecodes(standing)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// StandingRecodes returns the recodes among some steps, in their order, those
// that a recode file brought one by one. What was made of a variable before it
// was reset is left out.
func StandingRecodes(steps []recode.Saved) ([]recode.Saved, error) {
	var standing []recode.Saved
	for _, step := range steps {
		switch {
		case isRecode(step.Step):
			standing = append(standing, step)
		case step.Step == prepare.ResetSpec().Name:
			reset := step.Variable()
			standing = slices.DeleteFunc(standing, func(earlier recode.Saved) bool { return earlier.Variable() == reset })
		case step.Step == recode.SeveralSpec().Name:
			m := recode.SeveralSpec().New()
			params := map[string]json.RawMessage{}
			if err := json.Unmarshal(step.Params, &params); err != nil {
				return nil, err
			}
			if err := method.Decode(m, params); err != nil {
				return nil, err
			}
			all, err := m.(*recode.Several).All()
			if err != nil {
				return nil, err
			}
			standing = append(standing, all...)
		}
	}
	return standing, nil
}

// isRecode reports whether a step of this name is one of a recode file.
func isRecode(step string) bool {
	return slices.ContainsFunc(recode.Specs(), func(spec method.Spec) bool { return spec.Name == step })
}
