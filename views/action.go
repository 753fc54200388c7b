package views

import (
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// The actions.
type (
	// SelectVariable selects a variable.
	SelectVariable struct{ Name string }
	// SelectLevel selects a level of the selected variable.
	SelectLevel struct{ Level uint32 }
	// SelectRecord selects a record.
	SelectRecord struct{ Record int }
	// ShowRecords opens the records of a category, or all records if Variable is "".
	ShowRecords struct {
		Variable string
		Level    uint32
	}
	// ShowMatching opens the records that meet a condition.
	ShowMatching struct{ Condition string }
	// ShowRecord opens the page of one record: its key pattern, the records that share it, the reasons for its
	// risk, and what would protect it.
	ShowRecord struct{ Record int }
	// ShowVariable opens the page of one variable.
	ShowVariable struct{ Name string }
	// ShowValues opens the page of a variable at its values, most frequent first.
	ShowValues struct{ Name string }
	// ChooseRole opens the list of roles for a variable.
	ChooseRole struct{ Name string }
	// Copy copies a text to the clipboard of the terminal. What names the text in the message.
	Copy struct{ Text, What string }
	// OpenRecode opens the recode dialog of a variable.
	OpenRecode struct{ Variable string }
	// OpenPlans opens the search for recodes of one key variable.
	OpenPlans struct{ Variable string }
	// OpenMethod opens the dialog of a method of the catalog for a variable; "" is the selected one.
	OpenMethod struct{ Name, Variable string }
	// OpenStep opens the dialog of a method of the catalog with given parameters.
	OpenStep struct {
		Name   string
		Method method.Method
	}
	// Jump moves the session to the step of the tree with ID Node; 0 is the original.
	Jump struct{ Node int }
	// EditStep opens the dialog of an applied step, counted from 0. The changed step starts a new branch.
	EditStep struct{ Step int }
	// RemoveStep removes an applied step, counted from 0, on a new branch.
	RemoveStep struct{ Step int }
	// NameBranch asks for a name for the branch of the step with ID Node.
	NameBranch struct{ Node int }
	// DeleteBranch deletes an undone step and all steps that follow it.
	DeleteBranch struct{ Node int }
	// CompareNodes shows the data after two steps of the tree side by side.
	CompareNodes struct{ A, B int }
	// ExportBranch opens the dialog that writes the steps up to Node as a script.
	ExportBranch struct{ Node int }
	// SetK sets the k whose violators are listed.
	SetK struct{ K int }
	// SelectStratum selects a stratum of PRAM.
	SelectStratum struct{ Stratum int }
	// ExportMatrix opens the dialog that writes the matrices of a variable to a file. Problem is the reason why no
	// matrix leads from the original to the current data, or nil.
	ExportMatrix struct {
		Variable method.PRAMVariable
		Problem  error
	}
	// OpenMeasure opens the dialog of a measure of the catalog: its parameters.
	OpenMeasure struct{ Name string }
	// ComputeMeasure opens a measure of the catalog with its defaults, or its dialog if the defaults do not fit
	// the data.
	ComputeMeasure struct{ Name string }
	// ShowMeasure opens the pane of an active measure.
	ShowMeasure struct{ Name string }
	// CloseMeasure closes an active measure.
	CloseMeasure struct{ Name string }
	// StopMeasure stops the computation of an active measure, or starts one that was stopped.
	StopMeasure struct{ Name string }
	// SetAxis shows a figure on an axis of the map: 0 is risk, 1 is information loss.
	SetAxis struct {
		Axis   int
		Figure FigureID
	}
	// MeasureAll computes the missing figures of all steps of the tree.
	MeasureAll struct{}
	// TryUsual adds common methods to the candidates and tries them.
	TryUsual struct{}
	// ApplyTrial applies a candidate as a step.
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
	// DropTrial removes a candidate from the list.
	DropTrial struct{ At int }
)
