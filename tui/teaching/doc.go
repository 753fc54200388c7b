// Package teaching has the dialogs of lessons: List lists them, Part shows the text of one part and checks
// answers.
package teaching
