package pram

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Step is what a step of a session did, as far as variables that PRAM drew anew go.
type Step struct {
	Restores string         // the variable that got its source values back; "": none
	Report   *method.Report // nil: it is not known
}

// Applications are the steps that drew a variable anew since it last got its source
// values back.
type Applications struct {
	Steps   []int                 // positions, from 1
	Reports []method.PRAMVariable // of the variable, one per step
}

// ApplicationsTo returns those among steps that drew a variable anew.
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

// Suits reports whether a variable has few enough categories for a matrix. A dictionary
// of very many is not walked through for that.
func Suits(c *microdata.Categories) bool {
	return len(c.Levels) <= 10*MaxLevels && c.Occurring() <= MaxLevels
}
