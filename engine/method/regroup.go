package method

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Regrouper is a method that only maps the levels of one variable, the value of its parameter "variable". Its
// what-if takes time in the number of key patterns, not of records.
type Regrouper interface {
	Method
	// Regroup returns the mapping of the levels of target. The parameters have been validated.
	Regroup(in Input, target *microdata.Column) (Regrouping, error)
}

// Regrouping is a mapping of levels: code l of From becomes Mapping[l] of Levels in the column Target. Mapping has
// an entry for missing, code 0.
type Regrouping struct {
	Target  *microdata.Column // the current column
	From    *microdata.Column // the column that is mapped: Target or Target.Unrecoded()
	Levels  []microdata.Level
	Mapping []uint32
	Ordered bool

	Description *microdata.Description // description of the new codes; nil for the one that Said derives

	Title    string   // title of the report
	Done     string   // participle for the changed cells, such as "replaced"; "" to use Effect
	Effect   string   // effect in words; "" for the numbers of levels before and after
	Lost     string   // reason why cells become missing, such as "lie outside the intervals"; "" if none do
	Moves    bool     // has an effect even if no cell changes
	Warnings []string // appended to those of the mapping
}

// TargetOf returns the variable whose levels a Regrouper maps, or "" for another method.
func TargetOf(m Method) string {
	if _, ok := m.(Regrouper); !ok {
		return ""
	}
	for _, p := range m.Params() {
		if p.Name == "variable" {
			return p.Value.String()
		}
	}
	return ""
}

// Regroup returns the mapping of a Regrouper for the data; for another method, the error wraps ErrInput.
func Regroup(m Method, in Input) (Regrouping, error) {
	regrouper, ok := m.(Regrouper)
	if !ok {
		return Regrouping{}, fmt.Errorf("the step %w: it does more than map categories", ErrInput)
	}
	if err := Validate(m); err != nil {
		return Regrouping{}, err
	}
	target, err := in.Column("variable", TargetOf(m))
	if err != nil {
		return Regrouping{}, err
	}
	r, err := regrouper.Regroup(in, target)
	if err != nil && target.Valueless() { // without values there is nothing to recode
		r, err = unchanged(target), nil
	}
	return r, err
}

// unchanged returns the identity mapping of a column without values.
func unchanged(column *microdata.Column) Regrouping {
	nothing, now := WithoutValues(column.Name()), column.Categories()
	mapping := make([]uint32, len(now.Levels)+1)
	for code := range mapping {
		mapping[code] = uint32(code)
	}
	return Regrouping{Title: "recode " + column.Name(), Target: column, From: column, Levels: now.Levels, Mapping: mapping,
		Ordered: now.Ordered, Effect: nothing, Warnings: []string{nothing}}
}

// regrouped applies the mapping of m.
func regrouped(ctx context.Context, m Regrouper, in Input) (Output, error) {
	r, err := Regroup(m, in)
	if err != nil {
		return Output{}, err
	}
	report := r.Report()
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	return Output{Data: in.Data.With(r.Column()), Report: report}, ctx.Err()
}

// Column returns the regrouped column of the data.
func (r *Regrouping) Column() *microdata.Column {
	column := r.Target.Regroup(r.From, r.Levels, r.Mapping, r.Ordered)
	if r.Description != nil {
		column = column.WithDescription(r.Description)
	}
	return column
}

// Said returns the description of the new codes.
func (r *Regrouping) Said() *microdata.Description {
	if r.Description != nil {
		return r.Description
	}
	return r.From.Description().Regrouped(r.From.Categories().Levels, r.Levels, r.Mapping, r.Ordered)
}

// Report returns the report of the mapping: levels, changed cells and cells that become missing. It takes O(rows)
// time if the mapping starts from the source of a recoded variable, else O(levels).
func (r *Regrouping) Report() Report {
	report := Report{Title: r.Title, Changed: r.changed(), Outside: r.outside(), Table: r.Table(), Effect: r.Effect}
	switch {
	case r.Done != "":
		report.Effect = wording.Counted(report.Changed, "cell") + " " + r.Done
	case r.Effect == "":
		before, after := r.Target.Categories().Occurring(), 0
		for _, level := range report.Table {
			if level.Count > 0 {
				after++
			}
		}
		report.Effect = wording.CountedAs(before, "category", "categories") + " " + wording.Verb(before, "become") + " " + wording.Number(after)
	}
	if n := report.Outside; n > 0 && r.Lost != "" {
		report.Effect += ", " + wording.Does(n, "cell", "become missing")
		report.Warnings = append(report.Warnings, fmt.Sprintf("%s and %s", wording.Does(n, "cell", r.Lost),
			wording.Verb(n, "become missing")))
	}
	if report.Changed == 0 && !r.Moves {
		report.Warnings = append(report.Warnings, WarnNothing)
	}
	report.Warnings = append(append(report.Warnings, r.declaredMissing()...), r.Warnings...)
	return report
}

// declaredMissing warns of values that join a level that the file declares missing, so that readers of the file
// would treat them as missing, and of missing values that join another level.
func (r *Regrouping) declaredMissing() (warnings []string) {
	before, after := r.From.Description().DeclaredMissing(), r.Said().DeclaredMissing()
	joined, left := make([]int, len(r.Levels)+1), 0
	for i, level := range r.From.Categories().Levels {
		to, count := r.Mapping[i+1], r.From.Categories().Counts()[i+1]
		if !before(level.Label) {
			joined[to] += count
		} else if to > 0 && !after(r.Levels[to-1].Label) {
			left += count
		}
	}
	for i, level := range r.Levels {
		if n := joined[i+1]; n > 0 && after(level.Label) {
			warnings = append(warnings, fmt.Sprintf("%s %s, which the file declares missing, and will be read as missing",
				wording.Does(n, "value", "become"), level.Label))
		}
	}
	if left > 0 {
		warnings = append(warnings, fmt.Sprintf("%s that the file declares missing %s another category, and will not be read as missing",
			wording.Counted(left, "value"), wording.Verb(left, "become")))
	}
	return warnings
}

// Table returns the levels after the mapping with their numbers of records.
func (r *Regrouping) Table() Counts {
	after := make([]int, len(r.Levels)+1)
	for code, count := range r.From.Categories().Counts() {
		after[r.Mapping[code]] += count
	}
	if r.Mapping[0] != 0 { // suppressed cells stay missing
		after[r.Mapping[0]] -= r.Target.SuppressedCount()
	}
	return CountsOf(r.Levels, after)
}

// outside returns the number of nonmissing cells that become missing.
func (r *Regrouping) outside() int {
	lost := 0
	for code, count := range r.From.Categories().Counts() {
		if code > 0 && r.Mapping[code] == 0 {
			lost += count
		}
	}
	return lost
}

// changed returns the number of cells that differ from those of the current column.
func (r *Regrouping) changed() int {
	now := r.Target.Categories()
	same := microdata.SameLabels(now.Levels, r.Levels)
	if r.From != r.Target || r.Mapping[0] != 0 {
		return r.changedRecords(now.Codes, same)
	}
	count := 0
	for code, records := range now.Counts() {
		if after := r.Mapping[code]; code > 0 && (after == 0 || after != same[code]) {
			count += records
		}
	}
	return count
}

// changedRecords counts the changed cells record by record.
func (r *Regrouping) changedRecords(now microdata.Codes, same []uint32) int {
	suppressed := r.Target.Suppressed()
	count := 0
	for first, pairs := range microdata.Pairs(r.From.Categories().Codes, now) {
		for i, pair := range pairs {
			after := r.Mapping[pair[0]]
			if after != 0 && suppressed.Has(first+i) {
				after = 0
			}
			if after != same[pair[1]] || after == 0 && pair[1] != 0 {
				count += r.Target.RecordsAt(first + i)
			}
		}
	}
	return count
}
