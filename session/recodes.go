package session

import (
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// WriteRecodes writes the applied recodes as a recode file, which the step recode-file applies to another file or
// to other variables; see StandingRecodes.
func (d Document) WriteRecodes(w io.Writer) error {
	steps := make([]recode.RecodeFile, len(d.Steps))
	for i := range d.Steps {
		steps[i] = recode.RecodeFile{Step: d.Steps[i].Spec.Step, Params: d.Steps[i].Spec.Params}
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

// StandingRecodes returns the recodes among some steps in their order; those of a recode file are separate.
// Recodes of a variable before it was reset are left out.
func StandingRecodes(steps []recode.RecodeFile) ([]recode.RecodeFile, error) {
	var standing []recode.RecodeFile
	for _, step := range steps {
		_, one := method.Catalog(recode.Specs()).Find(step.Step)
		switch {
		case one:
			standing = append(standing, step)
		case step.Step == prepare.ResetSpec().Name:
			reset := step.Variable()
			standing = slices.DeleteFunc(standing, func(earlier recode.RecodeFile) bool { return earlier.Variable() == reset })
		case step.Step == recode.SeveralSpec().Name:
			c, err := StepSpec{Step: step.Step, Params: step.Params}.in(nil)
			if err != nil {
				return nil, err
			}
			all, err := c.method.(*recode.RecodeAll).All()
			if err != nil {
				return nil, err
			}
			standing = append(standing, all...)
		}
	}
	return standing, nil
}
