package method

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// WarnNothing is the warning of a step that left every cell as it was.
const WarnNothing = "changes nothing"

// WarnKeys says which figures mean nothing once values of the variables are drawn; nil where
// none of them is a key variable.
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

// ByStrata ends the title of a step that works within strata; without any it stays.
func ByStrata(title string, strata []string) string {
	if len(strata) > 0 {
		title += " by " + strings.Join(strata, ", ")
	}
	return title
}

// cutNames cuts names of variables that are longer than a line can show in the sentences
// of a report.
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

// ChangesNothing reports whether the step left every cell as it was.
func (r *Report) ChangesNothing() bool { return slices.Contains(r.Warnings, WarnNothing) }

// Report tells what a method changed, in numbers. Only what applies to the
// method is set; the JSON form is that of journals and summaries and has no
// value of any record.
type Report struct {
	Title   string `json:"title"`             // the step in one line: "intervals age: 0-4, 5-14, 15-24"
	Effect  string `json:"effect"`            // what it did: "12 cells suppressed"
	Changed int    `json:"changed"`           // cells that differ from before
	Outside int    `json:"outside,omitempty"` // cells a recode made missing
	Table   Counts `json:"table,omitempty"`   // levels of a recoded variable
	Made    string `json:"made,omitempty"`    // the variable that the step added
	Kind    string `json:"kind,omitempty"`    // what a converted variable is now, in words

	Selection *Selection `json:"selection,omitempty"` // of a step that took records out or put them into another order

	PRAM []PRAMVariable `json:"pram,omitempty"` // of a step that drew categories anew

	Unsafe []UnsafeVariable `json:"unsafe,omitempty"` // of a step against cells of few records in cross tables

	Regions *Regions `json:"regions,omitempty"` // of a step that gave groups of records the same values

	Unmasked *Unmasked `json:"unmasked,omitempty"` // of a step that masked numbers where records lack a value

	Groups *Groups `json:"groups,omitempty"` // of a step that replaced numbers by those of their groups

	Swaps *Swaps `json:"swaps,omitempty"` // of a step that swapped places

	*Suppression
	Warnings []string `json:"warnings,omitempty"`
}

// Kept returns the report as a session file keeps it: without counts of single categories,
// strata and levels, and without numbers of records. A variable with as many levels as
// records would else put the records there.
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

// Selection tells how many records a step found and left. Where both are equal
// it changed their order only.
type Selection struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// UnsafeVariable counts the cells of few records in the cross tables that a
// variable is in, by their number of variables from 1 on.
type UnsafeVariable struct {
	Variable string `json:"variable"`
	Before   []int  `json:"before"`
	After    []int  `json:"after"`
	// those that stood in such cells before, in the order of the levels
	Categories []UnsafeCategory `json:"categories,omitempty"`
}

// UnsafeCategory counts the cells of few records that a category stands in.
type UnsafeCategory struct {
	Category string `json:"category"`
	Before   []int  `json:"before"`
	After    []int  `json:"after"`
}

// Regions tells into which groups of equal values a step put the records, and
// what that loses.
type Regions struct {
	Count          int     `json:"count"`
	Mean           float64 `json:"mean"` // records per region
	Smallest       int     `json:"smallest"`
	Largest        int     `json:"largest"`
	Penalty        float64 `json:"penalty"`        // normalised certainty penalty in [0,1], see the method
	Discernibility int     `json:"discernibility"` // sum of the squared sizes
}

// Suppression is the report of a suppression.
type Suppression struct {
	Cells   Counts `json:"cells"`            // newly missing cells per variable
	Total   int    `json:"total"`            // their sum
	Linked  Counts `json:"linked,omitempty"` // newly missing cells of linked variables, not in the total
	Price   int    `json:"price"`            // their price, 1 a cell without importance
	Bound   *int   `json:"bound"`            // no method can do with a lower price; null: not known
	Touched int    `json:"touched"`          // records with a newly missing cell
	Above   int    `json:"above,omitempty"`  // records with a risk above the threshold, where that decided
	// violators of the method's k; where Strata is given those within the strata
	Left      Left   `json:"left"`
	Proven    bool   `json:"proven,omitempty"`    // price and bound meet
	Algorithm string `json:"algorithm,omitempty"` // the algorithm that was used
	Rule      string `json:"rule,omitempty"`      // the protection rule
	K         int    `json:"k,omitempty"`

	Iterations int `json:"iterations,omitempty"` // that a thorough search made

	// what is left in combinations of key variables, where k was asked for in these
	Subsets []SubsetLeft `json:"subsets,omitempty"`

	Strata []StratumCells `json:"strata,omitempty"` // the same by stratum, where k was asked for in strata

	// Budgets tells what other budgets than the step's would leave, from no cell to all
	// that k needs; nil where the step has none.
	Budgets []Budget `json:"-"`
}

// Budget is how many violators of k, under the conservative rule, so many cells leave.
type Budget struct{ Cells, Violators int }

// StratumCells is what one stratum lost. With strata the violators left are
// those within the strata.
type StratumCells struct {
	Stratum microdata.Combination `json:"stratum"` // its categories; missing values as "missing"
	Records int                   `json:"records"`
	Cells   Counts                `json:"cells"` // newly missing cells per key variable
}

// Left counts the violators that are left under three rules. Where k was asked
// for in strata a record counts as a violator if fewer than k records of its own
// stratum protect it: in the whole file there are no more, and mostly fewer.
type Left struct {
	Default      int `json:"default"`
	Conservative int `json:"conservative"`
	OwnCategory  int `json:"own-category"`
}

// SubsetLeft is what is left in the combinations of so many key variables. A
// record that violates k in several of them counts once.
type SubsetLeft struct {
	Size         int  `json:"size"`
	K            int  `json:"k"`
	Combinations int  `json:"combinations"`
	Left         Left `json:"left"`
}

// Count is a number by its name: the records of a level, the newly missing cells
// of a variable.
type Count struct {
	Name  string
	Count int
}

// Counts are in the order of the levels, or of the key variables. In JSON they are
// an object that keeps this order.
type Counts []Count

// CountsOf returns the records of levels, where counts has those of missing first.
func CountsOf(levels []microdata.Level, counts []int) Counts {
	table := make(Counts, len(levels))
	for i, level := range levels {
		table[i] = Count{Name: level.Label, Count: counts[i+1]}
	}
	return table
}

// MarshalJSON writes the counts as an object in their own order.
func (c Counts) MarshalJSON() ([]byte, error) {
	members := make(Members, len(c))
	for i := range c {
		members[i] = Member{c[i].Name, c[i].Count}
	}
	return members.MarshalJSON()
}

// UnmarshalJSON reads what MarshalJSON wrote.
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

// Names returns the names of those that are not 0.
func (c Counts) Names() (names []string) {
	for i := range c {
		if c[i].Count != 0 {
			names = append(names, c[i].Name)
		}
	}
	return names
}

// Sum returns the number over all names.
func (c Counts) Sum() int {
	sum := 0
	for i := range c {
		sum += c[i].Count
	}
	return sum
}
