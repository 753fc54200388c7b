// Package rscript writes the steps of a session as an R script for sdcMicro (Templ, Kowarik and Meindl 2015, Journal of
// Statistical Software 67(4)): one call for each step where sdcMicro has an equivalent function, and a comment where it
// has none or where its result differs.
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

// Script is what an R script is made of.
type Script struct {
	File     string // name of the source file, without its folder; "": the data are in none
	Format   fileio.Format
	Base     *microdata.Dataset  // as it was read
	Scenario *microdata.Scenario // that fits the base
	Remove   []string            // variables that are not released, also those that a step makes
	Steps    []Step
}

// Step is an applied step.
type Step struct {
	Spec     *method.Spec
	Method   method.Method
	Scenario *microdata.Scenario
	Before   *microdata.Dataset // the data that it was applied to
}

// Write writes the script as ASCII text.
func (s *Script) Write(w io.Writer) error {
	o := &object{Script: s, keys: s.Scenario.Keys, changed: map[string]bool{}}
	o.printf(`# R script for sdcMicro, written by sdcdesk.
# A comment "# sdcdesk:" marks a step without equivalent in sdcMicro, or a result that can differ.
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

// object is the sdcMicro object that a script makes, as far as it is written.
type object struct {
	*Script
	text                  strings.Builder
	keys, numbers, linked []string        // its variables
	changed               map[string]bool // variables that a step recoded
	suppressed            bool            // a step suppressed cells
}

func (o *object) printf(format string, values ...any) { fmt.Fprintf(&o.text, format, values...) }

// note writes a comment on one line.
func (o *object) note(format string, values ...any) {
	o.printf("# sdcdesk: %s\n", escaped(fmt.Sprintf(format, values...), ""))
}

// distinct returns the names for which keep holds, each once.
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

// alpha returns the parameter alpha with which sdcMicro counts missing values by a rule.
func alpha(rule microdata.Rule, scenario *microdata.Scenario) string {
	if rule == microdata.RuleConservative {
		return "0"
	}
	return method.FormatNumber(scenario.Alpha)
}

// slot returns where the object has the present values of a variable.
func (o *object) slot(variable string) string {
	for i, variables := range [][]string{o.keys, o.numbers, o.linked, {variable}} {
		if slices.Contains(variables, variable) {
			return "sdc@" + []string{"manipKeyVars", "manipNumVars", "manipGhostVars", "origData"}[i] + "[[" + quote(variable) + "]]"
		}
	}
	return ""
}
