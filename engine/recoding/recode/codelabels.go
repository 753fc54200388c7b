package recode

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// CodeLabels replaces codes with their labels in a code list (.cdl of mu-Argus). The order of the levels stays.
// Codes without a label stay as they are; if a label is already taken, the code is appended, so that levels are
// never merged.
type CodeLabels struct {
	Variable string
	Labels   string // text of the code list, or "" for the labels that came with the file
}

// CodeLabelsSpec describes recode-labels for the catalog.
func CodeLabelsSpec() method.Spec {
	return method.Spec{
		Name:  "recode-labels",
		Title: "Labels for codes",
		Help: "Replaces codes with their labels, such as 1 with \"male\". The labels come from a mu-Argus code list (.cdl) " +
			"with lines such as \"1,male\", or from the input file. Codes without a label are unchanged. Risk does not " +
			"change. SPSS and Stata files keep the codes of numeric variables and get these labels.",
		Cite:    "mu-ARGUS version 5.1 manual, section 4.2",
		Key:     "r",
		Sample:  `{"variable":"sex","labels":"female,woman\nmale,man"}`,
		New:     method.From(CodeLabels{}),
		Propose: method.With((*CodeLabels).propose),
	}
}

// Narrate states that codes were replaced by labels.
func (m *CodeLabels) Narrate(*method.Report) string {
	return fmt.Sprintf("Codes of %s were replaced by their labels.", m.Variable)
}

// Params returns the parameters, bound to the fields of m.
func (m *CodeLabels) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable),
		method.File(&m.Labels, "labels", "code list").Empty("the labels of the input file"),
	}
}

// Regroup returns the mapping that keeps every level in place.
func (m *CodeLabels) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	labels := muargus.ParseCodeList(m.Labels)
	if m.Labels == "" {
		labels = target.Described().Labels
	}
	if len(labels) == 0 {
		return r, method.ParamError("\"labels\": the file has no labels for %q; give a code list with lines such as \"1,male\"",
			m.Variable)
	}
	categories := target.Categories()
	taken, labelled := map[string]bool{}, 0
	for _, level := range categories.Levels {
		if err := checkLabel("labels", labels[level.Label]); err != nil {
			return r, err
		}
		if labels[level.Label] == "" {
			taken[level.Label] = true
		}
	}
	after := slices.Clone(categories.Levels)
	for i, level := range categories.Levels {
		meaning := labels[level.Label]
		if meaning == "" {
			continue
		}
		label := meaning
		if taken[label] {
			label += " (" + level.Label + ")"
		}
		for n := 2; taken[label]; n++ {
			label = fmt.Sprintf("%s (%s, %d)", meaning, level.Label, n)
		}
		if taken[label] = true; label != level.Label {
			labelled++
			after[i] = microdata.Level{Label: label, Value: math.NaN()} // a word, even if it looks like a number
		}
	}
	r = mapped(target, target, after)
	r.Title = "labels for the codes of " + m.Variable
	r.Effect = fmt.Sprintf("%s of %s with a label", wording.Number(labelled), wording.Counted(len(r.Levels), "code"))
	r.Description = target.Description().Renamed(categories.Levels, r.Levels, codesOf(target), r.Ordered)
	r.Description.Width = 0 // labels are wider than codes
	return r, nil
}
