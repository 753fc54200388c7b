package session

import (
	"fmt"
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recode"
)

// ExportRecodes writes the recodes that stand as a recode file, to be applied to
// another file or other variables. What a later recode of the same variable
// replaced is left out; steps that are no recodes are too.
func (d Document) ExportRecodes(path string, force bool) error {
	return writeFile(path, force, d.sourcePath(), d.WriteRecodes)
}

// WriteRecodes writes the recode file; see ExportRecodes.
func (d Document) WriteRecodes(w io.Writer) error {
	var standing []recode.Saved
	for i := range d.Steps {
		if spec := d.Steps[i].Spec; isRecode(spec.Step) {
			standing = append(standing, recode.Saved{Step: spec.Step, Params: spec.Params})
		}
	}
	text, err := recode.SaveRecodes(standing)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// isRecode reports whether a step of this name is one of a recode file.
func isRecode(step string) bool {
	return slices.ContainsFunc(recode.Specs(), func(spec method.Spec) bool { return spec.Name == step })
}

// ReadRecodes returns the steps of a recode file, to be made one after the
// other as if each were typed. With variables, every recode of the file is made
// for each of them instead of for its own. Errors wrap recode.ErrRecodeFile.
func ReadRecodes(text []byte, variables ...string) ([]StepSpec, error) {
	saved, err := recode.LoadRecodes(text)
	if err != nil {
		return nil, err
	}
	var steps []StepSpec
	for i, one := range saved {
		if len(variables) == 0 {
			steps = append(steps, StepSpec{Step: one.Step, Params: one.Params})
		}
		for _, variable := range variables {
			other, err := one.For(variable)
			if err != nil {
				return nil, fmt.Errorf("%w: recode %d for %q: %w", recode.ErrRecodeFile, i+1, variable, err)
			}
			steps = append(steps, StepSpec{Step: other.Step, Params: other.Params})
		}
	}
	return steps, nil
}
