// Package planning has the dialog of plans: combinations of recodes and the
// suppression that is left after them, for a wanted k.
package planning
