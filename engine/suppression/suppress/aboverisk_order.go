package suppress

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// inOrder blanks the key variables in the order of importance, each as a step of its own would.
func (m *AboveRisk) inOrder(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	names := in.Scenario.Keys
	before, above, err := m.above(ctx, in)
	if err != nil {
		return none, err
	}
	ranks, err := rankVariables(names, categories(before, len(names)), m.Importance)
	if err != nil {
		return none, err
	}
	account, step, now := emptyAccount(names), *m, in
	account.Above = above
	var last method.Report
	for _, v := range ranks.order {
		step.Variable = names[v]
		out, err := step.ofOne(ctx, now, meter)
		if err != nil {
			return none, err
		}
		now.Data, last = out.Data, out.Report
		of := last.Suppression
		account.Cells[v].Count += of.Cells[v].Count
		account.Total += of.Total
		account.Price += of.Total * ranks.price[v]
		account.Linked = slices.DeleteFunc(append(account.Linked, of.Linked...), func(c method.Count) bool { return c.Count == 0 })
	}
	after, left, err := m.above(ctx, now)
	if err != nil {
		return none, err
	}
	account.Touched = touched(before, after)
	account.Left, account.K, account.Rule = last.Left, last.K, last.Rule
	warnings, err := HouseholdWarnings(in)
	if err != nil {
		return none, err
	}
	if account.Total == 0 {
		warnings = append(warnings, method.WarnNothing)
	}
	return method.Output{Data: now.Data, Report: method.Report{
		Title: fmt.Sprintf("suppress where the risk is above %s, importance %s", strconv.FormatFloat(m.Threshold, 'g', -1, 64),
			wording.Beginning(byImportance(names, m.Importance), 2)),
		Effect: fmt.Sprintf("%s; %s above the threshold, %s still", effect(account), wording.Counted(above, "record"),
			wording.Number(left)),
		Changed: account.Total + account.Linked.Sum(), Suppression: account, Warnings: warnings}}, nil
}

// above returns the weighted key table of the input, and how many of its records have a risk above the threshold.
func (m *AboveRisk) above(ctx context.Context, in method.Input) (t *keys.Table, records int, err error) {
	columns, err := keyColumns(in)
	if err != nil {
		return nil, 0, err
	}
	weights, err := in.Scenario.Weights(in.Data)
	if err != nil {
		return nil, 0, err
	}
	if t, err = keys.New(ctx, columns, weights); err != nil {
		return nil, 0, err
	}
	assessment, err := risk.Assess(ctx, t, nil, risk.OptionsOf(in.Scenario))
	if err != nil {
		return nil, 0, err
	}
	for key, r := range assessment.KeyRisks() {
		if above(r, m.Threshold) {
			records += t.Counts()[key]
		}
	}
	return t, records, nil
}

// touched counts the records that miss a value in the second table that they have in the first.
func touched(before, after *keys.Table) (records int) {
	was := before.RowKeys()
	for row, key := range after.RowKeys() {
		if after.MissingIn(key) != before.MissingIn(was[row]) {
			records++
		}
	}
	return records
}

// byImportance returns the variables that have an importance, the most important first.
func byImportance(names []string, given map[string]int) []string {
	named := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return given[name] == 0 })
	slices.SortStableFunc(named, func(a, b string) int { return given[a] - given[b] })
	return named
}
