package recode

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Treatment of codes that a hierarchy does not list.
const (
	UnlistedError   = "error"   // report an error
	UnlistedKeep    = "keep"    // keep them as levels
	UnlistedMissing = "missing" // make them missing
)

// Hierarchy recodes the codes of a variable to coarser levels, by a table of levels or by characters of the codes.
// Exactly one of Levels, Table, Digits and Cut is set.
//
// It starts from the source values, so another depth replaces an earlier one; suppressed cells stay suppressed. A
// coarser level takes the position of its first code. An ordered variable stays ordered if each level consists of
// neighbours.
type Hierarchy struct {
	Variable string
	Levels   hierarchy.Table // codes with their coarser levels; nil: not used
	// the same as CSV text, see hierarchy.Read; decoded parameters use Levels; or "" if not used
	Table  string
	Depth  int // level of the table to use, from 1 for the finest
	Digits int // number of leading characters of a code to keep; shorter codes stay; 0: not used
	Cut    int // number of characters to cut from the right; 0: not used
	// treatment of codes that are not in the table, or empty after the cut: UnlistedError, UnlistedKeep or
	// UnlistedMissing
	Unlisted string
}

// HierarchySpec describes recode-hierarchy for the catalog.
func HierarchySpec() method.Spec {
	return method.Spec{
		Name:  "recode-hierarchy",
		Title: "Recoding by a hierarchy",
		Help: "Replaces codes with coarser levels of a hierarchy, such as municipalities with regions. The hierarchy is a " +
			"table with one row per code and its coarser levels, typed or read from a CSV or ARX file. An empty cell " +
			"makes its code missing. Codes that are hierarchical themselves need no table: see digits and cut. The " +
			"recode starts from the original values, so a second recode replaces the first.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4; Sweeney " +
			"(2002), domain generalization hierarchies",
		Key:     "r",
		Sample:  `{"variable":"region","digits":1}`,
		New:     method.From(Hierarchy{Depth: 1, Unlisted: UnlistedError}),
		Propose: method.With((*Hierarchy).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Hierarchy) Params() []method.Param {
	if m.Depth == 0 && len(m.Levels) == 0 && m.Table == "" {
		m.Depth = 1 // not used; makes the written parameters valid
	}
	if m.Unlisted == "" {
		m.Unlisted = UnlistedError
	}
	return []method.Param{
		variableParam(&m.Variable),
		method.Written(&m.Levels, "levels", "one row per code: code and coarser levels: 01, North, all; 02, South, all"),
		method.File(&m.Table, "table", "CSV file of levels, one line per code").Decoded(m.Levels.Taking(&m.Table)),
		method.Number(&m.Depth, "depth", "level of the table; 1 is the finest").AtLeast(1).By(1).
			CountsIf(func() bool { return m.Digits+m.Cut == 0 }),
		method.Number(&m.Digits, "digits", "number of leading characters of each code to keep, instead of a table. 0 turns it off").Labelled("leading characters").AtLeast(0).By(1),
		method.Number(&m.Cut, "cut", "number of trailing characters of each code to remove, instead of a table. 0 turns it off").Labelled("trailing characters").AtLeast(0).By(1),
		method.Choice(&m.Unlisted, "unlisted", "what to do with codes that are not in the table", UnlistedError,
			UnlistedKeep, UnlistedMissing),
	}
}

// Regroup returns the mapping of the source codes to their coarser levels.
func (m *Hierarchy) Regroup(in method.Input, target *microdata.Column) (r method.Regrouping, err error) {
	from := target.Unrecoded()
	coarser, err := m.coarser(from)
	if err != nil {
		return r, err
	}
	categories, unlisted, records := from.Categories(), 0, 0
	after := slices.Clone(categories.Levels)
	for i, level := range categories.Levels {
		if label, listed := coarser(level); listed {
			after[i] = coarse(from, level, label)
			continue
		}
		if m.Unlisted != UnlistedKeep {
			after[i] = microdata.Level{}
		}
		if count := categories.Counts()[i+1]; count > 0 {
			unlisted++
			records += count
		}
	}
	if unlisted > 0 && m.Unlisted != UnlistedKeep && m.Unlisted != UnlistedMissing {
		return r, fmt.Errorf("recode-hierarchy %w: %s of %q, with %s, %s no coarser level; add them to the table, or set \"unlisted\" to "+
			"keep or missing",
			method.ErrInput, wording.Counted(unlisted, "code"), m.Variable, wording.Counted(records, "record"),
			wording.Verb(unlisted, "have"))
	}
	r = mapped(target, from, after)
	r.Title, r.Lost = m.title(), "have no coarser level"
	if m.Digits+m.Cut == 0 {
		named(&r, labelsOf(after)...)
	}
	if table, err := m.Levels.Or(m.Table); err == nil {
		if err := table.Nested(); err != nil {
			r.Warnings = append(r.Warnings, "the levels of the table are not nested: "+err.Error())
		}
	}
	if unlisted > 0 && m.Unlisted == UnlistedKeep {
		r.Warnings = append(r.Warnings, wording.Does(unlisted, "code",
			"have no coarser level")+" and "+wording.Verb(unlisted, "stay unchanged"))
	}
	return r, nil
}

// coarser returns the function that maps the label and the number of a code to its coarser level. ok is false if
// the hierarchy does not list the code.
func (m *Hierarchy) coarser(from *microdata.Column) (func(microdata.Level) (label string, ok bool), error) {
	given := 0
	for _, is := range []bool{len(m.Levels) > 0, m.Table != "", m.Digits != 0, m.Cut != 0} {
		if is {
			given++
		}
	}
	table, err := m.Levels.Or(m.Table)
	switch {
	case given != 1:
		return nil, method.ParamError("\"levels\", \"table\", \"digits\" or \"cut\": give exactly one of them")
	case err != nil:
		return nil, method.ParamError("%w", err)
	case len(table) > 0:
		if err := table.Check(m.Depth); err != nil {
			return nil, method.ParamError("%w", err)
		}
		rows := table.Rows(from.Numeric())
		return func(code microdata.Level) (string, bool) {
			row, ok := rows(code)
			if !ok {
				return "", false
			}
			return row[m.Depth], true
		}, nil
	case from.Kind() == microdata.Number:
		return nil, fmt.Errorf("recode-hierarchy %w: %q has numbers with decimals, not codes; recode it by intervals",
			method.ErrInput, m.Variable)
	}
	for _, level := range from.Categories().Levels {
		if signed(level.Label) {
			return nil, fmt.Errorf("recode-hierarchy %w: %q has numbers with a sign, not codes; recode it by "+
				"intervals", method.ErrInput, m.Variable)
		}
	}
	return func(code microdata.Level) (string, bool) {
		characters := charactersOf(code.Label)
		left := len(characters) - m.Cut
		if m.Digits > 0 {
			left = min(m.Digits, len(characters))
		}
		return strings.Join(characters[:max(0, left)], ""), left > 0
	}, nil
}

// charactersOf splits a text into user-perceived characters: a letter with its combining accents is one.
func charactersOf(text string) []string {
	characters := make([]string, 0, len(text))
	for text != "" {
		character, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		if character == "" {
			return append(characters, text)
		}
		characters, text = append(characters, character), text[len(character):]
	}
	return characters
}

// coarse returns the level with a label that replaces a code.
func coarse(from *microdata.Column, level microdata.Level, label string) microdata.Level {
	switch {
	case label == level.Label:
		return level
	case from.Numeric():
		return levelOf(label)
	}
	return microdata.Level{Label: label, Value: math.NaN()}
}

func (m *Hierarchy) title() string {
	how := ""
	switch {
	case m.Digits > 0:
		how = "first " + wording.Counted(m.Digits, "character")
	case m.Cut > 0:
		how = wording.Counted(m.Cut, "character") + " cut"
	default:
		table, _ := m.Levels.Or(m.Table) // already parsed without an error
		how = fmt.Sprintf("depth %d of %d", m.Depth, len(table[0])-1)
	}
	return fmt.Sprintf("hierarchy %s: %s", m.Variable, how)
}

// Narrate states that codes were recoded, and whether some had no coarser level.
func (m *Hierarchy) Narrate(*method.Report) string {
	return fmt.Sprintf("The codes of %s were replaced by a coarser level of a hierarchy; codes without one are missing.", m.Variable)
}
