package session

import (
	"context"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
)

// DefaultLeast is the lowest count in a report for users.
const DefaultLeast = 10

// limit is the lowest count in a report, because lower ones would describe few records. 0: all counts are shown.
type limit int

// tells reports whether a count can be shown to readers who know some other counts, such as the number of records:
// neither the count nor its difference from one of these is below the limit. A difference of 0 reveals no record.
func (l limit) tells(count int, known ...int) bool {
	return count >= int(l) && !slices.ContainsFunc(known, func(other int) bool {
		return other != count && other-count < int(l) && count-other < int(l)
	})
}

// least returns the limit of the report.
func (o *ReportOptions) least() limit {
	switch {
	case o.Audience == Internal:
		return 0
	case o.Least > 0:
		return limit(o.Least)
	}
	return DefaultLeast
}

// file adds which file the notes are about, and the contact for users.
func (r *reportBuilder) file(context.Context) error {
	s := newFacts()
	if r.options.Protected != "" {
		s.say("File", r.options.protectedName())
	}
	s.say("Date", r.options.date())
	s.say("Contact", r.options.Contact)
	records, source := r.Data.Records(), r.Base.Records()
	s.say("Records", wording.Number(records))
	switch {
	case source == records:
	case r.least.tells(source, records):
		s.say("Records of the original", wording.Number(source))
	default:
		s.say("Records of the original", "some are not in the file")
	}
	s.say("Variables", wording.Number(len(r.released().Columns())))
	if removed := r.dropped(); len(removed) > 0 {
		s.say("Removed variables", listed(removed))
	}
	s.say("Program", r.options.program())
	r.add(s.Section)
	return nil
}

// use adds what the protection means for an analysis of the file.
func (r *reportBuilder) use(ctx context.Context) error {
	s := report.Section{}
	data, origins := r.released(), r.Data.Origins()
	having := func(origin microdata.Origin) string {
		return strings.Join(r.variablesThat(func(name string) bool { return origins[name]&origin != 0 }), ", ")
	}
	if weight := r.Scenario.Weight; weight != "" && !slices.Contains(r.dropped(), weight) {
		s.Add("Weights: use %s for estimates about the population.", weight)
		if origins[weight] != 0 {
			s.Add("The weights were masked: estimated totals can differ from those of the original.")
		}
	}
	s.Add("Variances: the file does not describe the sample design. A variance estimated without the strata and clusters of the " +
		"design, or without the effects below, is usually too small.")
	if household := r.Scenario.Household; household != "" && !slices.Contains(r.dropped(), household) {
		s.Add("Households: records with the same value of %s are members of one household and not independent.", household)
	}
	if slices.ContainsFunc(data.Columns(), func(c *microdata.Column) bool { return c.SuppressedCount() >= int(r.least) }) {
		s.Add("Suppressed cells are not missing at random: most of them belong to rare combinations of values. An " +
			"analysis of complete records underrepresents these combinations.")
	}
	if names := having(microdata.Perturbed); names != "" {
		s.Add("Masked variables (%s): single values differ from the original. Variances include the effect of the masking, "+
			"and coefficients of a regression on these variables can be biased.", names)
	}
	if names := having(microdata.Synthetic); names != "" {
		s.Add("Synthetic variables (%s): the values were drawn from a model. Relationships that are not in the model are "+
			"lost.", names)
	}
	if names := having(microdata.Drawn); names != "" {
		s.Add("Randomised variables (%s): tables of them are biased%s. Where a matrix of probabilities is shown, its inverse "+
			"corrects the counts; the variances of corrected counts are larger.", names, r.unbiased())
	}
	negative, err := r.negative(ctx)
	if len(negative) > 0 {
		s.Add("Negative amounts: masked values of %s can be below 0. Keep them: means and totals would be biased without them.",
			strings.Join(negative, ", "))
	}
	r.add(s)
	return err
}

// negative returns the masked variables with values below 0, whether or not the original has such values.
func (r *reportBuilder) negative(ctx context.Context) ([]string, error) {
	var names []string
	for _, name := range r.masked() {
		column, _ := r.Data.Column(name)
		p, err := profile.New(ctx, r.Data, column, nil)
		if err != nil {
			return nil, err
		}
		if p.Numbers != nil && p.Numbers.Negative > 0 {
			names = append(names, name)
		}
	}
	return names, ctx.Err()
}

// masked returns the released variables, numeric before and after, whose values are masked or synthetic.
func (r *reportBuilder) masked() []string {
	return r.variablesThat(func(name string) bool {
		return r.Data.Origins()[name]&(microdata.Perturbed|microdata.Synthetic) != 0 &&
			numeric.Unpaired(r.original(), r.Data, []string{name}) == ""
	})
}
