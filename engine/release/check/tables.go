package check

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
)

const sourceTables = sourceHundep + ", chapter 4"

// tables are the checks of tables that are published with the file.
func tables() []Spec {
	return []Spec{
		{Name: "open-cells", Title: "Sensitive cells that can be recalculated", Critical: true, Whole: true, Cite: sourceTables,
			Help: "A sensitive cell of a table is published, or can be computed from the published cells of all tables, or only one " +
				"integer is possible for a suppressed or changed count. The possible integers of tables with more than 20,000 " +
				"cells (500 if values were changed) are not computed.",
			Why: "An intruder learns the value of a few contributors, or of one.",
			Fix: "secondary suppression, or a larger rounding base; clear the forced state of the cell; in sparse tables of counts, " +
				"suppress empty cells as well or merge categories",
			search: (*release).openCells},
		{Name: "cells-in-file", Title: "Sensitive cells that the file reveals", Critical: true, Whole: true, Cite: sourceTables,
			Help: "Suppressed or changed cells of a table can be computed from the released records, so that sensitive cells can be recalculated. " +
				"Tables with a removed or perturbed variable are not affected.",
			Why: "Protecting a table does not protect what the records show.",
			Fix: "remove or perturb a variable of the table; recode further", search: (*release).cellsInFile},
		{Name: "narrow-cells", Title: "Sensitive cells that can be estimated", Whole: true, Cite: sourceTables,
			Help: "The only contributor of a singleton (a cell with one contributor) can recalculate a sensitive cell, or the feasibility " +
				"interval of the cell is narrower than the rule requires. The intervals of large tables are not computed.",
			Why: "An intruder estimates the value of a contributor more closely than the rule allows.",
			Fix: "set neighbouring cells unsafe; recode further", search: (*release).narrowCells},
		{Name: "unplaced-states", Title: "States set for cells that are not in the table", Whole: true, Cite: sourceTables,
			Help: "A cell whose state was set by hand is not in its table, for example because a recode removed its code.",
			Why:  "A cell that replaced it may need the same state, such as unsafe at the request of its contributor.",
			Fix:  "set the states of the cells that replaced it", search: (*release).unplacedStates},
	}
}

// inTables makes a finding of each table in which cells are counted; what says what is wrong with them.
func (r *release) inTables(what string, count func(*publish.Table) (cells int, err error), fixes ...func(*publish.Table) Fix) ([]Finding, error) {
	var found []Finding
	for _, t := range r.Tables {
		n, err := count(t)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			continue
		}
		of := t.Safety().Sensitive
		f := Finding{Count: n, Of: of, unit: "sensitive cell", Text: fmt.Sprintf("In table %s, %s of %s %s", wording.Excerpt(t.Definition.Name), wording.Number(n),
			wording.Counted(of, "sensitive cell"), what)}
		for _, fix := range fixes {
			f.Fixes = append(f.Fixes, fix(t))
		}
		found = append(found, f)
	}
	return found, nil
}

func (r *release) openCells(ctx context.Context) ([]Finding, error) {
	return r.inTables("are published, or can be recalculated from what is published.", func(t *publish.Table) (int, error) {
		intervals, err := t.FewIntervals(ctx)
		return len(t.Safety().Open) + len(intervals.OneInteger), err
	})
}

func (r *release) cellsInFile(ctx context.Context) ([]Finding, error) {
	return r.inTables("can be recalculated from the table and the released records.", func(t *publish.Table) (int, error) {
		cells, err := t.GivenBack(ctx, r.data)
		return len(cells), err
	}, func(t *publish.Table) Fix { return leaving(cmp.Or(t.Definition.Response, t.Definition.By[0].Variable)) })
}

func (r *release) unplacedStates(context.Context) (found []Finding, err error) {
	for _, t := range r.Tables {
		if n, of := len(t.Unplaced), len(t.Definition.States); n > 0 {
			found = append(found, Finding{Count: n, Of: of, unit: "state", Text: fmt.Sprintf("In table %s, %s set by hand %s to a cell that it lacks.",
				wording.Excerpt(t.Definition.Name), wording.Number(n)+" of "+wording.Counted(of, "state"), wording.Verb(n, "belong"))})
		}
	}
	return found, nil
}

func (r *release) narrowCells(ctx context.Context) ([]Finding, error) {
	return r.inTables("can be estimated too closely, or recalculated by a single contributor.", func(t *publish.Table) (int, error) {
		intervals, err := t.FewIntervals(ctx)
		return len(t.Safety().Insiders) + len(intervals.TooNarrow), err
	})
}
