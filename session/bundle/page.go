package bundle

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Page returns the verdict as lines of a page that somebody signs.
func (v *Verdict) Page() []string {
	lines := []string{"Verification of " + v.Folder, ""}
	for _, result := range v.Results {
		mark := "yes  "
		if len(result.Problems) > 0 {
			mark = "NO   "
		}
		lines = append(lines, mark+result.What)
		for _, problem := range result.Problems {
			lines = append(lines, "       "+problem)
		}
	}
	lines = append(lines, "")
	if v.Holds() {
		lines = append(lines, v.figures()...)
	} else {
		lines = append(lines, "The bundle does not hold.")
	}
	if v.Stopped {
		lines = append(lines, "Nothing else was looked at.")
	}
	lines = append(lines, "", "Made by sdcdesk "+cmp.Or(v.Program, "(not known)"), "SHA-256 of the bundle: "+v.Hash)
	if v.Holds() {
		lines = append(lines, "", "Signed: "+strings.Repeat("_", 30)+"   Date: "+strings.Repeat("_", 14))
	}
	return lines
}

// figures tells what was counted.
func (v *Verdict) figures() []string {
	lines := []string{"In the safe file: " + wording.Counted(v.Figures.Records, "record")}
	for _, one := range v.Figures.Violators {
		lines = append(lines, fmt.Sprintf("  below k = %d: %s by default, %s conservative, %s own category", one.K,
			wording.Number(one.Default), wording.Number(one.Conservative), wording.Number(one.OwnCategory)))
	}
	for _, one := range v.Figures.Missing {
		if one.Cells > 0 {
			lines = append(lines, fmt.Sprintf("  %s: %s without a value", one.Variable, wording.Counted(one.Cells, "cell")))
		}
	}
	return lines
}
