package views

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The actions.
type (
	// SelectVariable makes a variable the selected one.
	SelectVariable struct{ Name string }
	// SelectLevel makes a level of the selected variable the selected one.
	SelectLevel struct{ Level uint32 }
	// SelectRecord makes a record the selected one.
	SelectRecord struct{ Record int }
	// ShowRecords opens the records of a category, or all where Variable is "".
	ShowRecords struct {
		Variable string
		Level    uint32
	}
	// ShowMatching opens the records that meet a condition.
	ShowMatching struct{ Condition string }
	// ShowRecord opens the page of one record: its key, who shares it, why its
	// risk is what it is, and what would protect it.
	ShowRecord struct{ Record int }
	// ShowVariable opens the page of one variable.
	ShowVariable struct{ Name string }
	// ShowValues opens the page of a variable at its values, the most frequent first.
	ShowValues struct{ Name string }
	// ChooseRole opens the list of roles for a variable.
	ChooseRole struct{ Name string }
	// Copy puts a text into the clipboard of the terminal. What says what it is.
	Copy struct{ Text, What string }
	// OpenRecode opens the recode dialog of a variable.
	OpenRecode struct{ Variable string }
	// OpenPlans opens the search for recodes of one key variable.
	OpenPlans struct{ Variable string }
	// OpenMethod opens the dialog of a method of the catalog, for a variable; "": the
	// selected one.
	OpenMethod struct{ Name, Variable string }
	// OpenStep opens the dialog of a method of the catalog with its parameters as they
	// are.
	OpenStep struct {
		Name   string
		Method method.Method
	}
	// Jump moves the session to a step of the tree, by its number; 0 is the original.
	Jump struct{ Node int }
	// EditStep opens the dialog of a step that stands, counted from 0, to change it
	// on a branch of its own.
	EditStep struct{ Step int }
	// RemoveStep takes out a step that stands, counted from 0, on a branch of its own.
	RemoveStep struct{ Step int }
	// NameBranch asks for a name of the branch of a step, by the step's number.
	NameBranch struct{ Node int }
	// DeleteBranch deletes a step that does not stand with all that was made after it.
	DeleteBranch struct{ Node int }
	// CompareNodes sets the data after two steps of the tree side by side.
	CompareNodes struct{ A, B int }
	// ExportBranch opens the dialog that writes the steps to one as a script.
	ExportBranch struct{ Node int }
	// SetK sets the k whose violators are listed.
	SetK struct{ K int }
	// SelectStratum makes a stratum of PRAM the selected one.
	SelectStratum struct{ Stratum int }
	// ExportMatrix opens the dialog that writes the matrices of a variable to a
	// file. Problem says why there is none from the source to the data as they are;
	// nil where there is.
	ExportMatrix struct {
		Variable method.PRAMVariable
		Problem  error
	}
	// OpenMeasure opens the dialog of a measure of the catalog: its parameters.
	OpenMeasure struct{ Name string }
	// ComputeMeasure opens a measure of the catalog with its defaults, or its dialog where
	// they do not fit the data.
	ComputeMeasure struct{ Name string }
	// ShowMeasure opens what an open measure tells.
	ShowMeasure struct{ Name string }
	// CloseMeasure closes an open measure.
	CloseMeasure struct{ Name string }
	// StopMeasure ends the computing of an open measure, or has one computed that was
	// ended.
	StopMeasure struct{ Name string }
	// SetAxis shows a figure on an axis of the map: 0 the risk, 1 the loss.
	SetAxis struct {
		Axis   int
		Figure FigureID
	}
	// MeasureAll computes the figures of all steps of the tree that are not known.
	MeasureAll struct{}
	// TryUsual adds usual methods to the candidates, and tries them.
	TryUsual struct{}
	// ApplyTrial makes the step of a candidate.
	ApplyTrial struct{ At int }
	// OpenTable opens the dialog of a table by its place; -1: a new one.
	OpenTable struct{ At int }
	// OpenProtection opens the comparison of protections for a table by its place.
	OpenProtection struct{ At int }
	// SetTables changes the tables of the session. Notice says what was done; "": nothing is said.
	SetTables struct {
		Tables []microdata.TableDefinition
		Notice string
	}
	// DropTrial takes a candidate off the list.
	DropTrial struct{ At int }
)
