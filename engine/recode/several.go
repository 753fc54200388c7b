package recode

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Several makes all recodes of a recode file, one after the other, as one step.
type Several struct {
	Recodes   string   // the text of the recode file; see SaveRecodes
	Variables []string // every recode of the file is made for each of them instead of for its own; nil: for its own
}

var (
	_ method.Applier      = (*Several)(nil)
	_ method.Inapplicable = (*Several)(nil)
	_ method.Narrator     = (*Several)(nil)
)

// SeveralSpec describes recode-file for the catalog.
func SeveralSpec() method.Spec {
	return method.Spec{
		Name:  "recode-file",
		Title: "Recode by a saved recode file",
		Help: "Makes all recodes of a recode file that was saved before (export: recodes), in their order and as one step: " +
			"the recodes of one survey on the next one, or one recode on several variables with the same codes. The recodes " +
			"stand in the script, so that a replay needs no file.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4 (global recoding)",
		New:  func() method.Method { return &Several{} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Several) Params() []method.Param {
	return []method.Param{
		method.File(&m.Recodes, "recodes", "the text of the recode file").Needed(),
		method.Variables(&m.Variables, "variables", "make every recode of the file for each of these variables").Empty("for the variable that it names"),
	}
}

// All returns the recodes to make, in their order. Errors wrap ErrRecodeFile.
func (m *Several) All() ([]Saved, error) {
	saved, err := LoadRecodes([]byte(m.Recodes))
	if err != nil || len(m.Variables) == 0 {
		return saved, err
	}
	var all []Saved
	for i, one := range saved {
		for _, variable := range m.Variables {
			other, err := one.For(variable)
			if err != nil {
				return nil, fmt.Errorf("%w: recode %d for %q: %w", ErrRecodeFile, i+1, variable, err)
			}
			all = append(all, other)
		}
	}
	return all, nil
}

// Inapplicable says why a recode of the file cannot be made; see
// method.Inapplicable.
func (m *Several) Inapplicable(s *microdata.Scenario) string {
	saved, err := m.All()
	if err != nil {
		return "" // Apply says so
	}
	for _, one := range saved {
		recode, err := one.Method()
		if err != nil {
			continue
		}
		if reason := method.Refusal(recode, s); reason != "" {
			return reason
		}
	}
	return ""
}

// OnGroups says that the method works where rows stand for several records.
func (m *Several) OnGroups(*microdata.Scenario) string { return "" }

// Apply makes the recodes in their order; where one cannot be made, none is.
func (m *Several) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	saved, err := m.All()
	if err != nil {
		return method.Output{}, err
	}
	if len(saved) == 0 {
		return method.Output{}, fmt.Errorf("%w: it has no recodes", ErrRecodeFile)
	}
	meter.Start(int64(len(saved)))
	out := method.Output{Data: in.Data}
	for i, one := range saved {
		recode, err := one.Method()
		if err != nil {
			return method.Output{}, err
		}
		in.Data = out.Data
		made, err := method.Apply(ctx, recode, in, nil)
		if err != nil {
			return method.Output{}, fmt.Errorf("recode %d of the file: %w", i+1, err)
		}
		out.Data = made.Data
		out.Report.Changed += made.Report.Changed
		out.Report.Outside += made.Report.Outside
		for _, warning := range made.Report.Warnings {
			if warning != method.WarnNothing {
				out.Report.Warnings = append(out.Report.Warnings, one.Variable()+": "+warning)
			}
		}
		meter.Add(1)
	}
	out.Report.Title = "recode file: " + strings.Join(variablesOf(saved), ", ")
	out.Report.Effect = wording.Counted(len(saved), "recode") + ", " + wording.Counted(out.Report.Changed, "cell") + " changed"
	if out.Report.Changed == 0 {
		out.Report.Warnings = append(out.Report.Warnings, method.WarnNothing)
	}
	return out, ctx.Err()
}

// variablesOf returns the variables of recodes, each once.
func variablesOf(saved []Saved) []string {
	var names []string
	for _, one := range saved {
		if name := one.Variable(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Narrate says which variables were recoded.
func (m *Several) Narrate(*method.Report) string {
	saved, err := m.All()
	if err != nil {
		return "Variables were recoded."
	}
	return "Variables were recoded: " + strings.Join(variablesOf(saved), ", ") + "."
}
