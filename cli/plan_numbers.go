package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// addNumbers adds the flags of masking plans.
func (f *planFlags) addNumbers(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.numbers, "numeric", nil, "numeric variables to mask, instead of --keys")
	flags.StringSliceVar(&f.numbers, "numbers", nil, "numeric variables to mask")
	_ = flags.MarkHidden("numbers") // its former name
	flags.StringVar(&f.risk, "risk", tradeoff.ByLinkage, "risk of --numeric: linkage or interval")
	flags.Float64Var(&f.atMost, "at-most", 5, "target risk in percent: global risk with --keys, computed only if you give the flag; linkage or interval risk with --numeric")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of --numeric, for random methods (default: random)")
	completes(cmd, "risk", tradeoff.ByLinkage, tradeoff.ByInterval)
	completes(cmd, "numeric")
}

// numberPoint is a masking plan in JSON.
type numberPoint struct {
	Plan   string `json:"plan"`
	Within bool   `json:"within"` // within the target risk
	tradeoff.RiskLoss
	Steps []session.StepSpec `json:"steps"` // lines of a script; none: the data stay as they are
}

// planNumbers tries the masking plans and prints those that are not dominated.
func (f *planFlags) planNumbers(ctx context.Context, cmd *cobra.Command, file string) error {
	for _, name := range []string{"keys", "k", "strata", "keep", "hierarchy", "method", "points", "stop-after", "inference", "told", "household"} {
		if cmd.Flags().Changed(name) {
			return badUsage("--%s and --numeric cannot be combined: --%s is an option "+
				"of plans for key variables", name, name)
		}
	}
	if f.risk != tradeoff.ByLinkage && f.risk != tradeoff.ByInterval {
		return badUsage("--risk %s: it must be linkage or interval", f.risk)
	}
	if err := f.checkAtMost(); err != nil {
		return err
	}
	data, err := f.format.read(ctx, cmd, file)
	if err != nil {
		return err
	}
	for _, name := range f.numbers {
		if column, ok := data.Column(name); !ok {
			return badUsage("--numeric: there is no variable %q", wording.Excerpt(name))
		} else if !column.Numeric() {
			return badUsage("--numeric: %q is not numeric", wording.Excerpt(name))
		}
	}
	if f.seed == 0 {
		f.seed = session.NewSeed()
	}
	plans, err := session.NumberPlans(catalog.Methods(), method.Input{Data: data, Scenario: &f.scenario}, f.numbers, f.seed)
	if err != nil {
		return err
	}
	worths, refusals, err := f.worths(ctx, data, plans)
	if err != nil {
		return err
	}
	var points []numberPoint
	for _, i := range tradeoff.Frontier(worths, f.risk) {
		point := numberPoint{Plan: plans[i].Title, RiskLoss: worths[i], Steps: []session.StepSpec{},
			Within: 100*worths[i].Risk(f.risk) <= f.atMost}
		if plans[i].Step.Step != "" {
			point.Steps = append(point.Steps, plans[i].Step)
		}
		points = append(points, point)
	}
	return printNumberPlans(cmd, points, len(plans), refusals, f.json)
}

// checkAtMost returns an error for a target risk that is not a percentage.
func (f *planFlags) checkAtMost() error {
	if f.atMost >= 0 && f.atMost <= 100 {
		return nil
	}
	return badUsage("--at-most %v: it must be a percentage from 0 to 100", f.atMost)
}

// worths tries plans one after the other; those that are not possible have no figures, and their errors are in
// refusals.
func (f *planFlags) worths(ctx context.Context, data *microdata.Dataset,
	plans []session.NumberPlan) (worths []tradeoff.RiskLoss, refusals []error, err error) {
	analyst, all := session.NewAnalyst(), make([]tradeoff.RiskLoss, 0, len(plans))
	for _, plan := range plans {
		worth, err := analyst.Worth(ctx, data, &f.scenario, f.numbers, plan.Step, nil)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case errors.Is(err, method.ErrInput):
			refusals = append(refusals, err)
			worth = tradeoff.Unknown()
		case err != nil:
			return nil, nil, err
		}
		all = append(all, worth)
	}
	return all, refusals, nil
}

// printNumberPlans prints the plans in order of loss.
func printNumberPlans(cmd *cobra.Command, points []numberPoint, tried int, refusals []error, asJSON bool) error {
	if asJSON {
		return printPoints(cmd.OutOrStdout(), points)
	}
	var page strings.Builder
	fmt.Fprintf(&page, "%12s%12s%12s    %s\n", "IL1s", "linkage", "interval", "plan")
	var risks []float64
	for _, p := range points {
		risks = append(risks, p.Linkage, p.Interval)
	}
	texts := wording.Percents(risks...)
	for i, p := range points {
		mark := " "
		if p.Within {
			mark = "*"
		}
		fmt.Fprintf(&page, "%12s%12s%12s  %s %s\n", wording.CellLoss(p.Loss), texts[2*i], texts[2*i+1], mark,
			draw.Safe(p.Plan))
	}
	fmt.Fprintf(&page, "\n%s tried. No listed plan is worse than another in both risk and information loss. * risk within the target\n",
		wording.Counted(tried, "candidate"))
	switch {
	case len(points) == 0:
		page.WriteString("No plan has figures: the variables are constant, or there are too few records.\n")
	case points[0].Incomplete > 0:
		fmt.Fprintf(&page, "The figures are based on the %s without missing values; %s have a missing value.\n",
			wording.Counted(points[0].Records, "record"), wording.Number(points[0].Incomplete))
	default:
		fmt.Fprintf(&page, "The figures are based on %s.\n", wording.Counted(points[0].Records, "record"))
	}
	if n := len(refusals); n > 0 {
		fmt.Fprintf(&page, "%s failed: %s\n", wording.Counted(n, "candidate"),
			draw.Safe(strings.TrimPrefix(refusals[n-1].Error(), method.ErrInput.Error()+": ")))
	}
	return show(cmd, false, nil, page.String())
}
