// Package session is the document of the program: a base dataset, the steps applied to it, and the current
// position among them.
//
// Datasets are immutable and share the columns that a step does not change, so that undo only moves the position.
// Every change is a line in a journal, written and synced before it is shown. The journal serves as saved file,
// audit trail and script. It contains parameters, labels and counts, never records. A session is resumed by
// replaying its journal on the source file, checked by hashes.
//
//	opening, err := session.OpenFile(ctx, "survey.csv", format, nil)
//	s, err := session.New(opening)
//	err = s.SetScenario(scenario)
//	result, err := s.Prepare(spec).Run(ctx, analyst, nil) // in the background
//	err = s.Commit(result)                                // journal line, then the move
//	undo, err := s.PrepareUndo()
//
// # Scripts and journals
//
// The same lines form a script, which Run executes without a terminal. Each line is a JSON object; blank lines and
// lines that begin with # are skipped.
//
//	{"format":"sdcdesk-script","version":1}
//	{"scenario":{"keys":["region","age"],"weight":"weight"},"file":{"delimiter":","}}
//	{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,17,64,99]}}
//	{"step":"suppress-kanonymity","params":{"k":3}}
//
// Omitted fields have their defaults; the format of a file is guessed if it is not described. Further scenario
// lines change the scenario from there on. A journal contains more: in the first line the source with its hash;
// with each step its seed, the hashes of the data before and after it, its counts, time and duration; and lines
// that are not steps:
//
//	{"move":"undo","position":1}
//	{"change":"edit","from":0,"steps":[{"step":"recode-intervals","params":{...}}]}
//	{"move":"branch","position":2,"node":2}
//	{"branch":"wide bands","node":3}
//	{"change":"delete","node":2}
//
// Steps may remove or move records, and add or convert variables. Figures of the original always refer to the
// current records with their original values. The scenario refers to the current variables, so a line that gives a
// role to a new variable follows the step that adds it, and that step cannot be undone while the variable has a
// role.
//
// A move (undo, redo, jump) has the number of steps of the current branch that are applied after it. Steps are
// never lost: a step applied after going back starts a branch, and so does a change (edit, remove), after the
// first "from" steps; the old branch remains. Steps are numbered in the order of the lines that create them,
// including each step of a change. By these numbers a move goes to any step, and branches are named and deleted.
package session
