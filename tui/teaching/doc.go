// Package teaching is the dialogs of lessons: what they tell and ask, and the list of
// them.
package teaching
