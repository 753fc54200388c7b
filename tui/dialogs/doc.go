// Package dialogs has the building blocks of all dialogs: the interface Dialog, the actions dialogs return,
// questions and answers of what-ifs, Form with its fields, StepDialog for the parameters of a method, and Saving
// to write a file. It also has general dialogs: confirmations, explanations, the palette, lists of keys. Dialogs
// draw from a views.State and know nothing else of the program.
package dialogs
