// Package catalog lists all methods and all measures. Scripts find them by name; screens and documentation show
// them all.
//
//	spec, ok := catalog.Methods().Find("recode-intervals")
//	m := spec.New()
//	err := method.Decode(m, params)
package catalog

import (
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/dateshift"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/noise"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/rankswap"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/recordswap"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/shuffle"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/synthesis"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/recoding/mondrian"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/risk/diversity"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
	"github.com/sdcdesk/sdcdesk/engine/risk/linkage"
	"github.com/sdcdesk/sdcdesk/engine/risk/loglinear"
	"github.com/sdcdesk/sdcdesk/engine/risk/numericrisk"
	"github.com/sdcdesk/sdcdesk/engine/risk/suda"
	"github.com/sdcdesk/sdcdesk/engine/suppression/combinations"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/engine/tables/crosstable"
	"github.com/sdcdesk/sdcdesk/engine/utility/loss"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/engine/utility/propensity"
)

// Methods returns the methods in display order.
func Methods() method.Catalog {
	return append(method.Catalog(recode.Specs()),
		recode.SeveralSpec(),
		suppress.KAnonymitySpec(),
		suppress.WithinSpec(),
		suppress.AboveRiskSpec(),
		suppress.CellsSpec(),
		combinations.Spec(),
		mondrian.Spec(),
		mondrian.LocalSpec(),
		pram.Spec(),
		microaggregation.Spec(),
		noise.Spec(),
		noise.WeightsSpec(),
		rankswap.Spec(),
		recordswap.Spec(),
		shuffle.Spec(),
		dateshift.Spec(),
		synthesis.Spec(),
		recode.MultivariateSpec(),
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

// Measures returns the measures in display order.
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
		inference.Spec(),
		combinations.RiskyCellsSpec(),
		loglinear.Spec(),
		risk.WorstCaseSpec(),
		suppress.MissingCellsSpec(),
		recode.CategoriesSpec(),
		numericrisk.Spec(),
		linkage.Spec(),
		linkage.OneToOneSpec(),
		loss.Spec(),
		loss.RobustSpec(),
		loss.ScoreSpec(),
		propensity.Spec(),
		loss.CategoricalSpec(),
		loss.CellsSpec(),
	}
}
