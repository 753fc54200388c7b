// Package union counts violators of k-anonymity for an intruder who has two releases of one
// source, and can match their records.
//
// Such an intruder knows of each cell the categories of the source that both releases leave
// possible. The combined category of a cell is therefore the pair of its categories in both
// releases. If a cell is missing in one of them, what the other has determines its pair if
// all categories of the source that became the other's category became one category here,
// or were made missing here by a recode. Otherwise the pair is known in part.
//
//   - Two cells are compatible if some category of the source is possible for both: if
//     neither half of their pairs differs, and where each has only the half that the other
//     lacks, if these halves have a category of the source in common.
//   - A key is complete if both halves of all its pairs are known. A half that is not known is
//     missing in the sense of the rules in package keys.
//
// With that the rules count as they do in one release, and a release together with itself
// has the violators that it has by itself. A local recode gives one category of the source
// several categories; which halves go together is then taken from the records.
package union

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Release is what one release has: data without the variables that are not released. Rows
// are records.
type Release struct {
	Data     *microdata.Dataset
	Scenario *microdata.Scenario
}

// Count has the records that violate k-anonymity in each release by itself, by its own key
// variables, and by what both reveal. The records of Both are those of either release.
type Count struct {
	K    int `json:"k"`
	A    int `json:"a"`
	B    int `json:"b"`
	Both int `json:"together"`
}

// Result has the violators of two releases, by k.
type Result struct {
	Keys        []string // key variables of either scenario that a release has
	Rule        microdata.Rule
	Alpha       float64
	Records     int     // in either release
	Counts      []Count // nil: not assessed
	NotAssessed string  // why not; "": assessed
}

// Of counts the violators of two releases by the rule of a, for each k of either scenario.
// It takes time in the number of records, and of distinct keys with missing halves. Errors:
// that of ctx.
func Of(ctx context.Context, a, b Release) (*Result, error) {
	r := &Result{Rule: a.Scenario.Rule, Alpha: a.Scenario.Alpha}
	for _, name := range slices.Concat(a.Scenario.Keys, b.Scenario.Keys) {
		_, inA := a.Data.Column(name)
		_, inB := b.Data.Column(name)
		if (inA || inB) && !slices.Contains(r.Keys, name) {
			r.Keys = append(r.Keys, name)
		}
	}
	if r.NotAssessed = r.missing(a, b); r.NotAssessed != "" {
		return r, nil
	}
	l := link(a.Data, b.Data)
	r.Records = len(l.a)
	var halves []*microdata.Column
	for _, name := range r.Keys {
		p, err := newPairs(ctx, name, a.Data, b.Data, l)
		if err != nil {
			return nil, err
		}
		halves = append(halves, p.columns()...)
	}
	if len(halves) > keys.MostVariables {
		r.NotAssessed = fmt.Sprintf("the key variables of both releases have %d parts, more than %d", len(halves), keys.MostVariables)
		return r, nil
	}
	return r, r.count(ctx, a, b, halves)
}

// missing says why violators are not counted; "": they are.
func (r *Result) missing(releases ...Release) string {
	if len(r.Keys) == 0 {
		return "neither release has key variables"
	}
	for i, of := range releases {
		name := string(rune('A' + i))
		keys := microdata.Scenario{Keys: r.Keys}
		switch reason := risk.NotApplicable(&keys, of.Data.Origins()); {
		case of.Data.Grouped():
			return "the records are not held in memory"
		case reason != "":
			return name + ": " + reason
		}
	}
	return ""
}

// count counts with the columns of the combined keys.
func (r *Result) count(ctx context.Context, a, b Release, both []*microdata.Column) error {
	ks := slices.Concat(a.Scenario.K, b.Scenario.K)
	slices.Sort(ks)
	for _, k := range slices.Compact(ks) {
		r.Counts = append(r.Counts, Count{K: k})
	}
	for i, columns := range [][]*microdata.Column{released(a), released(b), both} {
		if len(columns) == 0 {
			continue
		}
		table, err := keys.New(ctx, columns, nil)
		if err != nil {
			return err
		}
		f, err := table.Frequencies(ctx, r.Rule, r.Alpha)
		if err != nil {
			return err
		}
		for j := range r.Counts {
			c := &r.Counts[j]
			*[]*int{&c.A, &c.B, &c.Both}[i] = table.Violators(f, c.K)
		}
	}
	return nil
}

// released returns the key variables that a release has.
func released(of Release) (columns []*microdata.Column) {
	for _, name := range of.Scenario.Keys {
		if column, ok := of.Data.Column(name); ok {
			columns = append(columns, column)
		}
	}
	return columns
}

// Sentence says what the counts mean, or why there are none.
func (r *Result) Sentence() string {
	if r.NotAssessed != "" {
		return "Violators for both releases together are not assessed: " + r.NotAssessed + "."
	}
	return fmt.Sprintf("For an intruder who has A and B and can match their records: violators among %s, key variables %s, rule %s.", wording.Counted(r.Records, "record"), wording.Listed(r.Keys), r.Rule)
}

// Table returns the counts as texts, heads in the first row; nil if there are none.
func (r *Result) Table() (rows [][]string) {
	for _, c := range r.Counts {
		if rows == nil {
			rows = [][]string{{"violators", "A", "B", "A and B together"}}
		}
		rows = append(rows, []string{fmt.Sprintf("k = %d", c.K), wording.Number(c.A), wording.Number(c.B), wording.Number(c.Both)})
	}
	return rows
}
