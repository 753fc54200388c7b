// Package catalog is the two lists of all methods and all measures: scripts find
// them by name, screens and documentation show them all.
//
//	spec, ok := catalog.Methods().Find("recode-intervals")
//	m := spec.New()
//	err := method.Decode(m, params)
package catalog

import (
	"github.com/sdcdesk/sdcdesk/engine/combinations"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/mondrian"
	"github.com/sdcdesk/sdcdesk/engine/noise"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/engine/prepare"
	"github.com/sdcdesk/sdcdesk/engine/rankswap"
	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/shuffle"
	"github.com/sdcdesk/sdcdesk/engine/suppress"
)

// Methods returns the methods in the order in which they are shown.
func Methods() method.Catalog {
	return append(method.Catalog(recode.Specs()),
		recode.SeveralSpec(),
		suppress.KAnonymitySpec(),
		suppress.WithinSpec(),
		suppress.AboveRiskSpec(),
		combinations.Spec(),
		mondrian.Spec(),
		pram.Spec(),
		microaggregation.Spec(),
		noise.Spec(),
		rankswap.Spec(),
		shuffle.Spec(),
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
		suppress.MissingCellsSpec(),
		recode.CategoriesSpec(),
	}
}
