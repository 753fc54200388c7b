package session

import (
	"io"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recode"
)

// ExportRecodes writes the recodes that stand as a recode file, to be applied to
// another file or other variables by the step recode-file. What a later recode of the same variable
// replaced is left out; steps that are no recodes are too.
func (d Document) ExportRecodes(path string, force bool) error {
	return writeFile(path, force, d.sourcePath(), d.WriteRecodes)
}

// WriteRecodes writes the recode file; see ExportRecodes.
func (d Document) WriteRecodes(w io.Writer) error {
	var standing []recode.Saved
	for i := range d.Steps {
		spec := d.Steps[i].Spec
		if isRecode(spec.Step) {
			standing = append(standing, recode.Saved{Step: spec.Step, Params: spec.Params})
		} else if _, m, err := spec.Method(); err == nil {
			if several, ok := m.(*recode.Several); ok {
				all, err := several.All()
				if err != nil {
					return err
				}
				standing = append(standing, all...)
			}
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
