// Package rscript writes the steps of a session as an R script for sdcMicro (Templ, Kowarik and Meindl 2015,
// Journal of Statistical Software 67(4)): one call for each step with an equivalent function, and a comment if
// there is none or if its result differs.
package rscript

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Script is the input for an R script.
type Script struct {
	File     string // name of the source file without its folder, or "" if the data are not in a file
	Format   fileio.Format
	Base     *microdata.Dataset  // original data
	Scenario *microdata.Scenario // scenario of the base
	Remove   []string            // variables that are not released, including those that a step makes
	Steps    []Step
}

// Step is an applied step.
type Step struct {
	Spec     *method.Spec
	Method   method.Method
	Scenario *microdata.Scenario
	Before   *microdata.Dataset // data before the step
}

// Write writes the script as ASCII text.
func (s *Script) Write(w io.Writer) error {
	o := &object{Script: s, keys: s.Scenario.Keys, changed: map[string]bool{}}
	o.printf(`# R script for sdcMicro, written by sdcdesk.
# A comment "# sdcdesk:" marks a step without an equivalent in sdcMicro, or a result that can differ.
# Packages: sdcMicro; haven as well for files of SPSS, Stata and SAS.
library(sdcMicro)
record_order <- "no"

# Source: run the script in the folder of the file
`)
	o.read()
	o.create()
	for i := range s.Steps {
		if err := o.step(i+1, &s.Steps[i]); err != nil {
			return err
		}
	}
	o.printf(`
# Frequencies, risk and protected file
sdc <- calcRisks(sdc)
print(sdc, type = "kAnon")
print(sdc, type = "risk")
print(summary(freq(sdc, type = "fk")))
released <- extractManipData(sdc, randomizeRecords = record_order)
released <- released[setdiff(names(released), %s)]
write.csv(released, "released.csv", row.names = FALSE, na = "")
`, vector(s.Remove))
	_, err := io.WriteString(w, o.text.String())
	return err
}

// object is the sdcMicro object that the script builds, as far as it is written.
type object struct {
	*Script
	text                  strings.Builder
	keys, numbers, linked []string        // its variables
	changed               map[string]bool // variables recoded by a step
	suppressed            bool            // whether a step suppressed cells
}

func (o *object) printf(format string, values ...any) { fmt.Fprintf(&o.text, format, values...) }

// note writes a one-line comment.
func (o *object) note(format string, values ...any) {
	o.printf("# sdcdesk: %s\n", escaped(fmt.Sprintf(format, values...), ""))
}

// distinct returns the distinct names for which keep returns true.
func distinct(names []string, keep func(string) bool) (out []string) {
	for _, name := range names {
		if keep(name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// create writes the call of createSdcObj.
func (o *object) create() {
	scenario := o.Scenario
	var numbers, ghosts, needed []string
	for i := range o.Steps {
		masked, _ := method.Masked(o.Steps[i].Method)
		numbers = append(numbers, masked...)
		for _, p := range o.Steps[i].Method.Params() {
			names, _ := p.Named()
			needed = append(needed, names...)
		}
	}
	o.numbers = distinct(slices.Concat(scenario.Numeric, numbers), func(v string) bool {
		column, ok := o.Base.Column(v)
		return ok && column.Numeric() && !slices.Contains(o.keys, v)
	})
	for _, key := range o.keys {
		if linked := scenario.Linked[key]; len(linked) > 0 {
			ghosts = append(ghosts, fmt.Sprintf("list(%s, %s)", quote(key), vector(linked)))
			o.linked = append(o.linked, linked...)
		}
	}
	excluded := distinct(o.Remove, func(v string) bool {
		_, ok := o.Base.Column(v)
		return ok && len(scenario.RolesOf(v)) == 1 && !slices.Contains(needed, v)
	})
	if scenario.Rule != microdata.RuleDefault && scenario.Rule != microdata.RuleConservative {
		o.note("sdcMicro has no rule %s for missing values; frequencies and risks can differ.", scenario.Rule)
	}
	strata := vector(scenario.Strata)
	if !o.stratified(scenario.Strata) {
		o.note("%s, not %s.", notStratified, strata)
		strata = null
	}
	o.printf("sdc <- createSdcObj(dat,\n  keyVars = %s,\n  numVars = %s,\n  ghostVars = %s,\n  weightVar = %s,\n  hhId = %s,\n"+
		"  strataVar = %s,\n  excludeVars = %s,\n  alpha = %s)\n", vector(o.keys), vector(o.numbers), list(ghosts, "list"),
		vector(scenario.Having(microdata.RoleWeight)), vector(scenario.Having(microdata.RoleHousehold)), strata,
		vector(excluded), alpha(scenario.Rule, scenario))
}

// alpha returns sdcMicro's parameter alpha for a rule for missing values.
func alpha(rule microdata.Rule, scenario *microdata.Scenario) string {
	if rule == microdata.RuleConservative {
		return "0"
	}
	return method.FormatNumber(scenario.Alpha)
}

// slot returns the location of a variable's current values in the object.
func (o *object) slot(variable string) string {
	for i, variables := range [][]string{o.keys, o.numbers, o.linked, {variable}} {
		if slices.Contains(variables, variable) {
			return "sdc@" + []string{"manipKeyVars", "manipNumVars", "manipGhostVars", "origData"}[i] + "[[" + quote(variable) + "]]"
		}
	}
	return ""
}
