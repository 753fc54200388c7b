// Package session is the document of the program: a base dataset, the steps
// made on it, and a position among them.
//
// Datasets are immutable and share the columns that a step leaves alone, so
// that undo is a move of the position. Every change is a line in a journal,
// written and synced before it is shown: the journal is save file, audit history
// and script at once. It holds parameters, labels and counts, never records;
// a session is taken up again by replaying it on the source file, checked by
// hashes.
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
// The same lines make a script, which Run carries out without a terminal. Each
// line is a JSON object; blank lines and lines that begin with # are skipped.
//
//	{"format":"sdcdesk-script","version":1}
//	{"scenario":{"keys":["region","age"],"weight":"weight"},"file":{"delimiter":","}}
//	{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,17,64,99]}}
//	{"step":"suppress-kanonymity","params":{"k":3}}
//
// What is left out takes its default; a file that is not described is guessed.
// A scenario line further down changes the scenario from there on. A journal
// has more: the source with its hash in the first line; with each step its
// seed, the hashes of the data before and after it, its counts, time and
// duration; and lines for what is no step:
//
//	{"move":"undo","position":1}
//	{"change":"edit","from":0,"steps":[{"step":"recode-intervals","params":{...}}]}
//	{"move":"branch","position":2,"node":2}
//	{"branch":"wide bands","node":3}
//	{"change":"delete","node":2}
//
// Steps may take records out, move them, and make or convert variables. Figures
// of the original are always those of the records that are there, with the values
// they were read with; the scenario is that of the variables that are there, so a
// line that gives a role to a variable stands after the step that makes it, and
// that step cannot be undone while the variable has a role.
//
// A move (undo, redo, jump) says how many steps of the current branch stand after
// it. Steps are never lost: one made after going back begins a branch, and so does
// a change (edit, remove), after the first "from" steps; the branch that was left
// stays as it is. Steps are numbered in the order in which lines make them, those
// of a change each; by that number a move goes to any of them, a branch gets a name,
// and is deleted.
package session
