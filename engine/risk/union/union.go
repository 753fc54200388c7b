// Package union counts violators of k-anonymity for an intruder who has two releases of one source and can match
// their records.
//
// Such an intruder can limit each cell to the source categories that both releases allow. The combined category of
// a cell is therefore the pair of its categories in both releases. If a cell is missing in one release, the
// category in the other determines the pair if all source categories of that category became one category here, or
// if a recode made them missing here. Otherwise the pair is partly known.
//
//   - Two cells are compatible if a source category is possible for both: no half that both have differs, and if each
//     has only the half that the other lacks, these halves share a source category.
//   - A key pattern is complete if both halves of all its pairs are known. An unknown half is missing in the sense of
//     the rules in package keys.
//
// With these definitions the rules count as in one release, and combining a release with itself gives its own
// violators. A local recode maps a source category to several categories; which halves belong together is then
// determined from the records.
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

// Release is a release: its data without removed variables, and its scenario. Rows are records.
type Release struct {
	Data     *microdata.Dataset
	Scenario *microdata.Scenario
}

// Count has the number of records that violate k-anonymity in each release, by its own key variables, and in both
// combined. The records of Both are those in either release.
type Count struct {
	K    int `json:"k"`
	A    int `json:"a"`
	B    int `json:"b"`
	Both int `json:"together"`
}

// Result has the violators of two releases for each k.
type Result struct {
	Keys        []string // key variables of either scenario that at least one release has
	Rule        microdata.Rule
	Alpha       float64
	Records     int     // in either release
	Counts      []Count // nil: not assessed
	NotAssessed string  // reason, or "" if assessed
}

// Of counts the violators of two releases by the rule of a, for each k of either scenario. The time is
// proportional to the number of records and of key patterns with missing halves. It returns the error of ctx, if
// any.
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

// missing returns why violators are not counted, or "".
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

// count counts violators with the columns of the combined pairs.
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

// released returns the key variables of a release.
func released(of Release) (columns []*microdata.Column) {
	for _, name := range of.Scenario.Keys {
		if column, ok := of.Data.Column(name); ok {
			columns = append(columns, column)
		}
	}
	return columns
}

// Sentence explains the counts, or why there are none.
func (r *Result) Sentence() string {
	if r.NotAssessed != "" {
		return "Violators for both releases together are not assessed: " + r.NotAssessed + "."
	}
	return fmt.Sprintf("For an intruder who has A and B and can match their records: violators among %s, key variables %s, rule %s.", wording.Counted(r.Records, "record"), wording.Listed(r.Keys), r.Rule)
}

// Table returns the counts as texts with headings in the first row, or nil if there are none.
func (r *Result) Table() (rows [][]string) {
	for _, c := range r.Counts {
		if rows == nil {
			rows = [][]string{{"violators", "A", "B", "A and B together"}}
		}
		rows = append(rows, []string{fmt.Sprintf("k = %d", c.K), wording.Number(c.A), wording.Number(c.B), wording.Number(c.Both)})
	}
	return rows
}
