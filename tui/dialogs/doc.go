// Package dialogs has what all dialogs are made of: the interface, the actions they
// ask for, questions and answers of what-ifs, the form with its fields, the dialog
// of a method's parameters, the one that writes a file; and those of the program
// itself: questions, explanations, keys and commands. A dialog knows the picture it
// draws from, views.State, and nothing of the program.
package dialogs
