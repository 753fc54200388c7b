package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/session"
)

// summaryK is the k whose suppressions the summary counts.
const summaryK = 3

// print writes the figures of the survey: who stands out, the risk, and what
// k-anonymity would need.
func (d demonstration) print(ctx context.Context, w io.Writer) error {
	opening, scenario, err := d.open(ctx, nil)
	if err != nil {
		return err
	}
	analyst := session.NewAnalyst()
	now, err := analyst.Now(ctx, opening.Data, &scenario)
	if err != nil {
		return err
	}
	need, err := analyst.Need(ctx, now, summaryK, "")
	if err != nil && !errors.Is(err, method.ErrUnreachable) {
		return err
	}
	v := measure.NewVersion(opening.Data, &scenario, nil)
	measured, err := d.measures.Firsts("kanonymity", "risk").Compute(ctx,
		measure.Input{Original: v, Current: v}, measure.Everywhere, nil)
	if err != nil {
		return err
	}
	var page strings.Builder
	fmt.Fprintf(&page, "%s: %s, key variables %s\n\n", opening.Name,
		wording.Counted(opening.Data.Records(), "record"), strings.Join(scenario.Keys, ", "))
	printViolators(&page, now.Assessment)
	printRisk(&page, now.Assessment)
	measured.Firsts(func(e *measure.Entry, n *measure.Summarised) {
		fmt.Fprintf(&page, "%s  %s\n", n.Title, e.Spoken(n, (*measure.Value).Text))
	})
	printNeed(&page, need)
	page.WriteString("\nIn a terminal this command opens the survey in the workbench.\n")
	_, err = io.WriteString(w, page.String())
	return err
}

func printViolators(page *strings.Builder, a *risk.Assessment) {
	fmt.Fprintf(page, "%-24s%20s%14s%14s\n", "violators", "default", "conservative", "own category")
	for _, v := range a.Violators {
		fmt.Fprintf(page, "%-24s%20s%14s%14s\n", fmt.Sprintf("  k = %d", v.K),
			wording.Number(v.Count)+"  "+wording.Percent(v.Count, a.Records),
			wording.Number(v.Conservative), wording.Number(v.OwnCategory))
	}
}

func printRisk(page *strings.Builder, a *risk.Assessment) {
	fmt.Fprintf(page, "\nexpected re-identifications  %.2f (global risk %.3f %%)\n", a.Expected, 100*a.Global)
	if h := a.Households; h != nil {
		fmt.Fprintf(page, "  through households         %.2f (%.3f %%)\n", h.Expected, 100*h.Global)
	}
}

// printNeed writes what k-anonymity would take; need is nil where it cannot be
// reached.
func printNeed(page *strings.Builder, need *method.Suppression) {
	if need == nil {
		fmt.Fprintf(page, "\n%d-anonymity cannot be reached: there are fewer than %d records\n", summaryK, summaryK)
		return
	}
	fmt.Fprintf(page, "\n%d-anonymity would need %s in %s", summaryK,
		wording.Counted(need.Total, "suppressed cell"), wording.Counted(need.Touched, "record"))
	if need.Bound != nil {
		fmt.Fprintf(page, "; no method can do with fewer than %s", wording.Number(*need.Bound))
	}
	page.WriteString("\n ")
	for _, c := range need.Cells {
		if c.Count > 0 {
			fmt.Fprintf(page, " %s %s", c.Name, wording.Number(c.Count))
		}
	}
	page.WriteString("\n")
}
