package panes

import (
	"github.com/sdcdesk/sdcdesk/views"
	dataview "github.com/sdcdesk/sdcdesk/views/data"
	keysview "github.com/sdcdesk/sdcdesk/views/keys"
	numericview "github.com/sdcdesk/sdcdesk/views/numeric"
	"github.com/sdcdesk/sdcdesk/views/overview"
	pramview "github.com/sdcdesk/sdcdesk/views/pram"
	riskview "github.com/sdcdesk/sdcdesk/views/risk"
	tablesview "github.com/sdcdesk/sdcdesk/views/tables"
	utilityview "github.com/sdcdesk/sdcdesk/views/utility"
)

// All returns new panes of all kinds. A pane is one file and one line here; layout.go of package tui puts them on
// tabs.
func All() []views.Pane {
	return append([]views.Pane{
		overview.NewKeyVariables(),
		overview.NewFrequencies(),
		overview.NewKAnonymity(),
		overview.NewAtRisk(),
		overview.NewRisk(),
		overview.NewSteps(),
		keysview.NewSuppressions(),
		dataview.NewDistinctKeys(),
		keysview.NewCrossTable(),
		keysview.NewHistory(),
		pramview.NewPRAMVariables(),
		pramview.NewPRAMMatrix(),
		pramview.NewPRAMFrequencies(),
		pramview.NewPRAMTransitions(),
		numericview.NewNumericVariables(),
		numericview.NewNumericDistribution(),
		numericview.NewNumericScatter(),
		numericview.NewNumericCorrelations(),
		numericview.NewNumericGroups(),
		numericview.NewNumericRisk(),
		riskview.NewRiskDistribution(),
		riskview.NewSuda(),
		riskview.NewDiversity(),
		riskview.NewInference(),
		utilityview.NewOpenMeasures(),
		utilityview.NewUtility(),
		utilityview.NewRUMap(),
		utilityview.NewTrials(),
		dataview.NewRecords("", 0),
	}, tablesview.New()...)
}
