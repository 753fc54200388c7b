// Package catalog is the two lists of all methods and all measures: scripts find
// them by name, screens and documentation show them all.
//
//	spec, ok := catalog.Methods().Find("recode-intervals")
//	m := spec.New()
//	err := method.Decode(m, params)
package catalog

import (
	"github.com/sdcdesk/sdcdesk/engine/combinations"
	"github.com/sdcdesk/sdcdesk/engine/crosstable"
	"github.com/sdcdesk/sdcdesk/engine/diversity"
	"github.com/sdcdesk/sdcdesk/engine/linkage"
	"github.com/sdcdesk/sdcdesk/engine/loglinear"
	"github.com/sdcdesk/sdcdesk/engine/loss"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/mondrian"
	"github.com/sdcdesk/sdcdesk/engine/noise"
	"github.com/sdcdesk/sdcdesk/engine/numericrisk"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/engine/prepare"
	"github.com/sdcdesk/sdcdesk/engine/profile"
	"github.com/sdcdesk/sdcdesk/engine/propensity"
	"github.com/sdcdesk/sdcdesk/engine/rankswap"
	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/engine/recordswap"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/score"
	"github.com/sdcdesk/sdcdesk/engine/shuffle"
	"github.com/sdcdesk/sdcdesk/engine/suda"
	"github.com/sdcdesk/sdcdesk/engine/suppress"
	"github.com/sdcdesk/sdcdesk/engine/synthesis"
	"github.com/sdcdesk/sdcdesk/engine/topcode"
)

// Methods returns the methods in the order in which they are shown.
func Methods() method.Catalog {
	return append(method.Catalog(recode.Specs()),
		recode.SeveralSpec(),
		suppress.KAnonymitySpec(),
		suppress.WithinSpec(),
		suppress.AboveRiskSpec(),
		suppress.CellsSpec(),
		combinations.Spec(),
		mondrian.Spec(),
		pram.Spec(),
		microaggregation.Spec(),
		noise.Spec(),
		rankswap.Spec(),
		recordswap.Spec(),
		shuffle.Spec(),
		synthesis.Spec(),
		topcode.Spec(),
		prepare.SampleSpec(),
		prepare.ConvertSpec(),
		prepare.SetMissingSpec(),
		prepare.MakeStratumSpec(),
		prepare.ResetSpec(),
		prepare.NewIdentifiersSpec(),
		prepare.ShuffleRecordsSpec(),
		prepare.SubsetSpec(),
	)
}

// Measures returns the measures in the order in which they are shown.
func Measures() measure.Catalog {
	return measure.Catalog{
		risk.KAnonymitySpec(),
		risk.IndividualSpec(),
		risk.HouseholdSpec(),
		risk.OutstandingSpec(),
		risk.KeySizesSpec(),
		crosstable.RiskiestSpec(),
		profile.FrequenciesSpec(),
		suda.Spec(),
		diversity.LDiversitySpec(),
		diversity.TClosenessSpec(),
		combinations.RiskyCellsSpec(),
		loglinear.Spec(),
		risk.WorstCaseSpec(),
		suppress.MissingCellsSpec(),
		recode.CategoriesSpec(),
		numericrisk.Spec(),
		linkage.Spec(),
		loss.Spec(),
		score.Spec(),
		propensity.Spec(),
		loss.CategoricalSpec(),
	}
}
