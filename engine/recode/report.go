package recode

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// shownLabels is the number of labels that a title names before it breaks off.
const shownLabels = 3

// describe reports a mapping of levels: what becomes of the levels, how many
// cells change and how many it makes missing; lost says in a warning why cells
// become missing, nil where none can. It costs O(n) where the mapping starts
// from the source of a variable that was recoded before, else O(levels).
func describe(title string, r *method.Regrouping, lost func(n int) string) method.Report {
	report := method.Report{Title: title, Changed: changed(r), Outside: outside(r), Table: table(r)}
	before := r.Target.Categories().Occurring()
	report.Effect = fmt.Sprintf("%s %s %s", levels(before), verb(before, "become"), counted(report.Table))
	if n := report.Outside; n > 0 && lost != nil {
		report.Effect += fmt.Sprintf(", %s %s missing", cells(n), verb(n, "become"))
		report.Warnings = append(report.Warnings, fmt.Sprintf("%s and %s missing", lost(n), verb(n, "become")))
	}
	if report.Changed == 0 {
		report.Warnings = append(report.Warnings, method.WarnNothing)
	}
	return report
}

// outsideIntervals says why n cells become missing.
func outsideIntervals(n int) string {
	return fmt.Sprintf("%s %s outside the intervals", cells(n), verb(n, "lie"))
}

// counted says how many levels of the table occur.
func counted(table method.Table) string {
	occurring := 0
	for i := range table {
		if table[i].Count > 0 {
			occurring++
		}
	}
	return wording.Number(occurring)
}

// table returns the levels after the mapping with their numbers of records.
func table(r *method.Regrouping) method.Table {
	after := make([]int, len(r.Levels)+1)
	for code, count := range r.From.Categories().Counts() {
		after[r.Mapping[code]] += count
	}
	if r.Mapping[0] != 0 { // suppressed cells stay missing
		after[r.Mapping[0]] -= r.Target.SuppressedCount()
	}
	table := make(method.Table, len(r.Levels))
	for i, level := range r.Levels {
		table[i] = method.LevelCount{Label: level.Label, Count: after[i+1]}
	}
	return table
}

// outside returns the number of cells that have a value and lose it.
func outside(r *method.Regrouping) int {
	lost := 0
	for code, count := range r.From.Categories().Counts() {
		if code > 0 && r.Mapping[code] == 0 {
			lost += count
		}
	}
	return lost
}

// changed returns the number of cells that read differently after the mapping
// than in the column as it is now.
func changed(r *method.Regrouping) int {
	now := r.Target.Categories()
	if r.From != r.Target || r.Mapping[0] != 0 {
		return changedRecords(r, now.Codes, sameLabels(now.Levels, r.Levels))
	}
	count := 0
	for code, records := range now.Counts()[1:] {
		after := r.Mapping[code+1]
		if after == 0 || r.Levels[after-1].Label != now.Levels[code].Label {
			count += records
		}
	}
	return count
}

// changedRecords counts the changed cells record by record.
func changedRecords(r *method.Regrouping, now microdata.Codes, same []uint32) int {
	from, suppressed := r.From.Categories().Codes, r.Target.Suppressed()
	count := 0
	for record := range from.Len() {
		after := r.Mapping[from.At(record)]
		if after != 0 && suppressed.Has(record) {
			after = 0
		}
		if after != same[now.At(record)] {
			count += r.Target.RecordsAt(record)
		}
	}
	return count
}

// absent is a code that no level has.
const absent = ^uint32(0)

// sameLabels returns, for each code of the levels now, the code of the level
// with the same label after, absent where there is none; missing is missing.
func sameLabels(now, after []microdata.Level) []uint32 {
	codes := make(map[string]uint32, len(after))
	for i, level := range after {
		codes[level.Label] = uint32(i + 1)
	}
	same := make([]uint32, len(now)+1)
	for i, level := range now {
		code, ok := codes[level.Label]
		if !ok {
			code = absent
		}
		same[i+1] = code
	}
	return same
}

// list names the first few labels.
func list(labels []string) string {
	if len(labels) <= shownLabels {
		return strings.Join(labels, ", ")
	}
	return strings.Join(labels[:shownLabels], ", ") + ", …"
}

func levels(n int) string { return wording.Counted(n, "level") }
func cells(n int) string  { return wording.Counted(n, "cell") }

// verb returns a verb as its number of subjects needs it: "lies", "lie".
func verb(n int, word string) string {
	if n == 1 {
		return word + "s"
	}
	return word
}
