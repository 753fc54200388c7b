package method

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// WarnNothing is the warning of a step that changes no cell.
const WarnNothing = "changes nothing"

// WarnKeys returns a warning about the figures that are no longer meaningful once the variables are randomised, or
// nil if none of them is a key variable.
func WarnKeys(scenario *microdata.Scenario, variables []string) []string {
	keys := slices.DeleteFunc(slices.Clone(variables),
		func(name string) bool { return !scenario.Has(name, microdata.RoleKey) })
	switch len(keys) {
	case 0:
		return nil
	case 1:
		return []string{"k-anonymity and risk no longer apply: " + keys[0] + " is a key variable"}
	}
	return []string{"k-anonymity and risk no longer apply: " + strings.Join(keys, ", ") + " are key variables"}
}

// ByStrata appends the strata, if any, to the title of a step.
func ByStrata(title string, strata []string) string {
	if len(strata) > 0 {
		title += " by " + strings.Join(strata, ", ")
	}
	return title
}

// cutNames abbreviates long names of variables in the sentences of a report.
func (r *Report) cutNames(data *microdata.Dataset) {
	var names []string
	for _, column := range data.Columns() {
		if name := column.Name(); wording.Excerpt(name) != name {
			names = append(names, name, wording.Excerpt(name))
		}
	}
	if names == nil {
		return
	}
	cut := strings.NewReplacer(names...).Replace
	r.Title, r.Effect = cut(r.Title), cut(r.Effect)
	for i := range r.Warnings {
		r.Warnings[i] = cut(r.Warnings[i])
	}
}

// ChangesNothing reports whether the step changed no cell.
func (r *Report) ChangesNothing() bool { return slices.Contains(r.Warnings, WarnNothing) }

// Report reports the changes that a method made, as figures. Only fields that apply to the method are set. The
// JSON form is used in journals and summaries and contains no value of a record.
type Report struct {
	Title   string `json:"title"`             // title of the step: "intervals age: 0-4, 5-14, 15-24"
	Effect  string `json:"effect"`            // effect in words: "12 cells suppressed"
	Changed int    `json:"changed"`           // number of changed cells
	Outside int    `json:"outside,omitempty"` // number of cells that a recode made missing
	Table   Counts `json:"table,omitempty"`   // levels of a recoded variable
	Made    string `json:"made,omitempty"`    // name of the variable that the step added
	Kind    string `json:"kind,omitempty"`    // new type of a converted variable, in words

	Selection *Selection `json:"selection,omitempty"` // of a step that removed or reordered records

	PRAM []PRAMVariable `json:"pram,omitempty"` // of a step that randomised categories

	Unsafe []UnsafeVariable `json:"unsafe,omitempty"` // of a step that protects small cells of cross tables

	Regions *Regions `json:"regions,omitempty"` // of a step that gave groups of records equal values

	Unmasked *Unmasked `json:"unmasked,omitempty"` // of a masking step, about records with missing values

	Groups *Groups `json:"groups,omitempty"` // of a step that replaced numbers by values of their groups

	Swaps *Swaps `json:"swaps,omitempty"` // of a record swapping step

	*Suppression
	Warnings []string `json:"warnings,omitempty"`
}

// Kept returns the report as stored in a session file: without counts by category, stratum and level, and without
// record numbers. Otherwise the counts of a variable with a distinct level per record would reveal its values.
func (r Report) Kept() Report {
	r.Table = nil
	r.PRAM, r.Unsafe = slices.Clone(r.PRAM), slices.Clone(r.Unsafe)
	for i := range r.PRAM {
		r.PRAM[i].Strata = nil
	}
	for i := range r.Unsafe {
		r.Unsafe[i].Categories = nil
	}
	if r.Suppression != nil {
		cells := *r.Suppression
		cells.Strata, r.Suppression = nil, &cells
	}
	if r.Swaps != nil {
		swaps := *r.Swaps
		swaps.Records, r.Swaps = nil, &swaps
	}
	return r
}

// Selection is the number of records before and after a step. If both are equal, the step changed their order
// only.
type Selection struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// UnsafeVariable counts the small cells of the cross tables that contain a variable, by number of variables from
// 1.
type UnsafeVariable struct {
	Variable string `json:"variable"`
	Before   []int  `json:"before"`
	After    []int  `json:"after"`
	// categories that were in such cells before, in the order of the levels
	Categories []UnsafeCategory `json:"categories,omitempty"`
}

// UnsafeCategory counts the small cells that contain a category.
type UnsafeCategory struct {
	Category string `json:"category"`
	Before   []int  `json:"before"`
	After    []int  `json:"after"`
}

// Regions describes the groups with equal values that a step made, and the information loss.
type Regions struct {
	Count          int     `json:"count"`
	Mean           float64 `json:"mean"` // records per region
	Smallest       int     `json:"smallest"`
	Largest        int     `json:"largest"`
	Penalty        float64 `json:"penalty"`        // normalised certainty penalty in [0,1]; see the method
	Discernibility int     `json:"discernibility"` // sum of the squared sizes
}

// Suppression is the report of a suppression.
type Suppression struct {
	Cells   Counts `json:"cells"`            // newly suppressed cells by variable
	Total   int    `json:"total"`            // sum of Cells
	Linked  Counts `json:"linked,omitempty"` // newly suppressed cells of linked variables, not in Total
	Price   int    `json:"price"`            // weighted cost, 1 per cell without importance
	Bound   *int   `json:"bound"`            // lower bound on the weighted cost; null if unknown
	Touched int    `json:"touched"`          // records with a newly suppressed cell
	Above   int    `json:"above,omitempty"`  // records with a risk above the threshold, for suppression by risk
	// violators of the method's k, within the strata if Strata is set
	Left      ViolatorsLeft `json:"left"`
	Proven    bool          `json:"proven,omitempty"`    // the weighted cost equals the lower bound
	Algorithm string        `json:"algorithm,omitempty"` // name of the algorithm
	Rule      string        `json:"rule,omitempty"`      // the suppression rule
	K         int           `json:"k,omitempty"`

	Iterations int `json:"iterations,omitempty"` // iterations of a thorough search

	// violators by size of combination of key variables, if k was required for combinations
	Subsets []SubsetLeft `json:"subsets,omitempty"`

	Strata []StratumCells `json:"strata,omitempty"` // cells by stratum, if k was required within strata

	// Budgets lists the violators left with other budgets, from no cell to all that k needs; nil for a step
	// without a budget.
	Budgets []Budget `json:"-"`
}

// Budget is the number of violators of k, under the conservative rule, that a number of suppressed cells leaves.
type Budget struct{ Cells, Violators int }

// StratumCells is the number of cells suppressed in a stratum.
type StratumCells struct {
	Stratum microdata.Combination `json:"stratum"` // its categories; missing values as "missing"
	Records int                   `json:"records"`
	Cells   Counts                `json:"cells"` // newly suppressed cells by key variable
}

// ViolatorsLeft is the number of remaining violators under three rules. If k was required within strata, a record is a
// violator if fewer than k records of its stratum protect it; in the whole file there are at most as many
// violators, and mostly fewer.
type ViolatorsLeft struct {
	Default      int `json:"default"`
	Conservative int `json:"conservative"`
	OwnCategory  int `json:"own-category"`
}

// SubsetLeft is the number of remaining violators in combinations of Size key variables. A record that violates
// k-anonymity in several combinations counts once.
type SubsetLeft struct {
	Size         int           `json:"size"`
	K            int           `json:"k"`
	Combinations int           `json:"combinations"`
	Left         ViolatorsLeft `json:"left"`
}

// Count is a named count: the records of a level, the newly suppressed cells of a variable.
type Count struct {
	Name  string
	Count int
}

// Counts is a list of counts in the order of levels or key variables. Its JSON form is an object in this order.
type Counts []Count

// CountsOf returns the numbers of records of the levels; counts is by code, with missing first.
func CountsOf(levels []microdata.Level, counts []int) Counts {
	table := make(Counts, len(levels))
	for i, level := range levels {
		table[i] = Count{Name: level.Label, Count: counts[i+1]}
	}
	return table
}

// MarshalJSON encodes the counts as an object in their order.
func (c Counts) MarshalJSON() ([]byte, error) {
	members := make(Members, len(c))
	for i := range c {
		members[i] = Member{c[i].Name, c[i].Count}
	}
	return members.MarshalJSON()
}

// UnmarshalJSON decodes the format of MarshalJSON.
func (c *Counts) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var count int
		if err := decoder.Decode(&count); err != nil {
			return err
		}
		label, _ := name.(string)
		*c = append(*c, Count{label, count})
	}
	return nil
}

// Names returns the names of nonzero counts.
func (c Counts) Names() (names []string) {
	for i := range c {
		if c[i].Count != 0 {
			names = append(names, c[i].Name)
		}
	}
	return names
}

// Sum returns the sum of the counts.
func (c Counts) Sum() int {
	sum := 0
	for i := range c {
		sum += c[i].Count
	}
	return sum
}
