package views

// All returns every pane of the workbench, new. A pane is one file and one
// line here; the tabs say where it stands.
func All() []Pane {
	return []Pane{
		NewKeyVariables(),
		NewFrequencies(),
		NewKAnonymity(),
		NewAtRisk(),
		NewRisk(),
		NewSteps(),
		NewSuppressions(),
		NewDistinctKeys(),
		NewCrossTable(),
		NewHistory(),
		NewPRAMVariables(),
		NewPRAMMatrix(),
		NewPRAMFrequencies(),
		NewPRAMTransitions(),
		NewNumericVariables(),
		NewNumericDistribution(),
		NewNumericScatter(),
		NewNumericCorrelations(),
		NewNumericGroups(),
		NewNumericRisk(),
		NewRiskDistribution(),
		NewSuda(),
		NewDiversity(),
		NewOpenMeasures(),
		NewUtility(),
		NewRUMap(),
		NewTrials(),
		NewRecords("", 0),
	}
}
