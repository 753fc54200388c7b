package pram

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Step describes a step of a session with respect to variables perturbed by PRAM.
type Step struct {
	Restores string         // variable restored to its source values, or ""
	Report   *method.Report // nil: unknown
}

// Applications are the steps that applied PRAM to a variable since it was last restored to its source values.
type Applications struct {
	Steps   []int                 // positions, from 1
	Reports []method.PRAMVariable // report on the variable for each step
}

// ApplicationsTo returns the steps that applied PRAM to a variable.
func ApplicationsTo(variable string, steps []Step) (a Applications) {
	for i, step := range steps {
		if step.Restores == variable {
			a = Applications{}
		}
		if step.Report == nil {
			continue
		}
		for _, report := range step.Report.PRAM {
			if report.Variable == variable {
				a.Steps, a.Reports = append(a.Steps, i+1), append(a.Reports, report)
			}
		}
	}
	return a
}

// Suits reports whether a variable has few enough categories for a matrix. It does not iterate over very large
// dictionaries.
func Suits(c *microdata.Categories) bool {
	return len(c.Levels) <= 10*MaxLevels && c.Occurring() <= MaxLevels
}
