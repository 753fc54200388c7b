// Package session is the document of the program: a base dataset, the steps
// made on it, and a position among them.
//
// Datasets are immutable and share the columns that a step leaves alone, so
// that undo is a move of the position. Every change is a line in a journal,
// written and synced before it is shown: the journal is save file, audit trail
// and script at once. It holds parameters, labels and counts, never records;
// a session is taken up again by replaying it on the source file, checked by
// hashes.
//
//	s, err := session.New(session.Opening{Path: "survey.csv", Data: data, Format: format})
//	err = s.SetScenario(scenario)
//	result, err := s.Prepare().Run(ctx, spec, analyst, nil) // in the background
//	err = s.Commit(result)                                  // journal line, then the move
//	err = s.Undo()
//
// The same lines make a script, which Run carries out without a terminal.
package session
