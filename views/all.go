package views

// All returns every pane of the workbench, new. A pane is one file and one
// line here; the tabs say where it stands.
func All() []Pane {
	return []Pane{
		&KeyVariables{},
		&Frequencies{},
		&KAnonymity{},
		&AtRisk{},
		&Risk{},
		&Steps{},
		&Suppressions{},
		&PRAMVariables{},
		&PRAMMatrix{},
		&PRAMFrequencies{},
		&PRAMTransitions{},
		NewRecords("", 0),
	}
}
