// Package recordswap swaps households between areas: those with rare characteristics in their area, and a random
// selection of others.
//
//	m := recordswap.New()
//	m.Hierarchy, m.RiskKeys = []string{"region", "district"}, []string{"age", "sex"}
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
package recordswap

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// StepName is the name of the method in scripts.
const StepName = "recordswap"

// RecordSwap swaps the geographic variables of households with those of similar households in other areas. Without
// households in the scenario it swaps single records. A household swaps at most once, with all its members. A
// household with a missing geographic variable does not swap; in the variables of risk and similarity a missing
// value is a category.
type RecordSwap struct {
	Hierarchy []string   // geographic variables, from the largest areas
	RiskKeys  []string   // nil: the key variables that are neither in Hierarchy nor in Carry
	K         int        // a combination with fewer records in an area is rare
	Risk      []string   // numeric risk variables, one per level or one for all, instead of RiskKeys and K
	Threshold *float64   // for Risk: a unit with a member of at least this risk is swapped
	Similar   [][]string // similarity profiles in order of preference; nil: households of equal size
	Rate      float64    // share of the households of each smallest area to swap
	Carry     []string   // other variables that are swapped with the geographic ones
	Partner   string     // name of a new variable with the ID of the partner, or ""
}

var _ method.Applier = (*RecordSwap)(nil)

// New returns the method with its defaults, k 3 and a rate of 0.05. The hierarchy must
// be set.
func New() *RecordSwap { return &RecordSwap{K: 3, Rate: 0.05} }

// Spec describes recordswap for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  StepName,
		Title: "Targeted record swapping",
		Help: "Swaps the places of residence of households with all their members. Without carry, nothing else changes, so the " +
			"counts of households and persons by area and all tables without geography are kept. Risk measures do not " +
			"show this protection: a rare household is still rare in its new place, but an intruder who finds it there " +
			"finds the wrong household.\n" +
			"- order: levels are processed from the largest areas to the smallest.\n" +
			"- at risk: fewer than k records in the area of the household share a member's combination of risk_keys.\n" +
			"- partner: a random household in another area of the same level, within the same larger area if possible. " +
			"It has the same number of members, with the same values of the variables of a similarity profile, in any " +
			"order. Households at risk without a partner are counted by level and listed.\n" +
			"- rate: more households in each of the smallest areas are swapped until the rate is reached, including " +
			"partners. No household swaps twice.",
		Cite: "Dalenius and Reiss (1982), Journal of Statistical Planning and Inference 6, 73-85; Shlomo, Tudor and Groom (2010), Privacy in Statistical " +
			"Databases, 41-51; Hundepool et al. (2012), section 5.6",
		Sample:  `{"hierarchy":["region"],"risk_keys":["age","sex"]}`,
		New:     func() method.Method { return New() },
		Version: 1,
		Draws:   method.Always,
		Propose: method.With((*RecordSwap).Propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *RecordSwap) Params() []method.Param {
	return []method.Param{
		method.Variables(&m.Hierarchy, "hierarchy", "the geographic variables, the largest areas first").Needed(),
		method.Variables(&m.RiskKeys, "risk_keys",
			"variables in which a person can be rare; dialogs propose key variables with few categories, so that at most "+
				"half of the households swap").Empty("the key variables that are not places").CountsIf(m.counting),
		method.Number(&m.K, "k", "combinations with fewer records than this in an area are at risk").AtLeast(1).CountsIf(m.counting),
		method.Variables(&m.Risk, "risk", "numeric variables with a risk computed elsewhere, one for each level or one for all; they replace risk_keys "+
			"and k").Empty("count combinations").Among(method.NumericVariables),
		method.Number(&m.Threshold, "threshold", "households with a member of at least this risk are swapped").
			Empty("needed with a risk").CountsIf(func() bool { return !m.counting() }),
		method.Lists(&m.Similar, "similar",
			"similarity profiles of partners, the first choice first, separated by semicolons: \"age, sex; sex\"").
			Labelled("similarity").Empty("only the number of members").InScripts(`lists of variables: [["age","sex"],["sex"]]`),
		method.Number(&m.Rate, "rate", "share of households to swap in each of the smallest areas").Between(0, 1).By(0.01),
		method.Variables(&m.Carry, "carry", "other variables that move with the place").Labelled("other variables").Empty("none"),
		method.Text(&m.Partner, "partner", "name of a new variable with the ID of the partner household").
			Empty("none"),
	}
}

// counting reports whether risk is determined by counting combinations.
func (m *RecordSwap) counting() bool { return len(m.Risk) == 0 }

// keys returns the variables of risk.
func (m *RecordSwap) keys(scenario *microdata.Scenario) []string {
	if m.RiskKeys != nil {
		return m.RiskKeys
	}
	return slices.DeleteFunc(slices.Clone(scenario.Keys), func(name string) bool {
		return slices.Contains(m.Hierarchy, name) || slices.Contains(m.Carry, name)
	})
}

func (m *RecordSwap) title() string {
	at := fmt.Sprintf("k %d", m.K)
	if !m.counting() {
		at = fmt.Sprintf("%s at least %v", strings.Join(m.Risk, ", "), *m.Threshold)
	}
	return fmt.Sprintf("swap households between %s: %s, rate %v", strings.Join(m.Hierarchy, ", "), at, m.Rate)
}

// Narrate states what the step did.
func (m *RecordSwap) Narrate(*method.Report) string {
	return fmt.Sprintf("The place (%s) of some households was swapped with that of similar ones.",
		strings.Join(append(slices.Clone(m.Hierarchy), m.Carry...), ", "))
}

// Apply swaps the units. An error that wraps method.ErrInput reports that members of a household are in different
// areas. The time is O(n) for n records, plus O(areas) for each household that swaps.
func (m *RecordSwap) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, _ error) {
	if err := m.checkPartner(in); err != nil {
		return out, err
	}
	f, err := m.file(ctx, in)
	if err != nil {
		return out, err
	}
	meter.Start(int64(f.Len()) + 1)
	s, err := m.newSwapping(ctx, in, f)
	if err != nil {
		return out, err
	}
	for level := range m.Hierarchy {
		if err := s.swapAtRisk(ctx, level); err != nil {
			return out, err
		}
	}
	if err := s.swapAtRandom(ctx, meter); err != nil {
		return out, err
	}
	meter.Add(1)
	data, changed, err := s.moved(ctx, in)
	if err != nil {
		return out, err
	}
	log := s.account(in.Data)
	report := method.Report{Title: m.title(), Changed: changed, Swaps: log,
		Effect: fmt.Sprintf("%s of %s swapped, %s at random",
			wording.Number(log.Swapped), wording.Counted(log.Units, f.noun), wording.Number(log.Random))}
	report.Warnings = m.warnings(in, s, log, changed)
	if m.Partner != "" {
		report.Made = m.Partner
		if data, err = s.withPartners(in, data); err != nil {
			return out, err
		}
	}
	return method.Output{Data: data, Report: report}, ctx.Err()
}

// shownRecords is the maximum number of records in a warning.
const shownRecords = 8

func (m *RecordSwap) warnings(in method.Input, f *application, log *method.Swaps, changed int) []string {
	var warnings []string
	if 2*log.Swapped > log.Units {
		less := "fewer risk keys or a smaller k"
		if !m.counting() {
			less = "a higher threshold"
		}
		warnings = append(warnings, fmt.Sprintf("more than half of the %ss are swapped: %s would swap fewer", f.noun, less))
	}
	if n := f.unknown(); n > 0 {
		warnings = append(warnings, wording.Does(n, f.noun, "have")+" no value of a variable of risk, and "+
			wording.Verb(n, "count")+" as not at risk there")
	}
	for _, level := range log.Levels {
		if level.Unmatched > 0 {
			warnings = append(warnings, fmt.Sprintf("%s: %d of %s at risk have no similar partner elsewhere", level.Level,
				level.Unmatched, wording.Counted(level.AtRisk, f.noun)))
		}
	}
	if n := len(log.Records); n > 0 {
		text := wording.Joined(log.Records[:min(n, shownRecords)], ", ", wording.Number)
		if n > shownRecords {
			text += ", …"
		}
		warnings = append(warnings, "at risk but not swapped: record "+text)
	}
	if log.Short > 0 {
		warnings = append(warnings, wording.Counted(log.Short, f.noun)+" below the rate: no similar partners elsewhere")
	}
	if f.placeless > 0 {
		warnings = append(warnings,
			wording.Does(f.placeless, f.noun, "have")+" no place, and "+wording.Verb(f.placeless, "stay")+" as before")
	}
	if m.Partner != "" {
		warnings = append(warnings, m.partnerWarning())
	}
	if changed == 0 {
		return append(warnings, method.WarnNothing)
	}
	return append(warnings, method.WarnKeys(in.Scenario, slices.Concat(m.Hierarchy, m.Carry))...)
}
