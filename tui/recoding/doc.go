// Package recoding has the dialogs of recodes: intervals of numbers, groups of
// categories, hierarchies, recode files, and suggested recodes.
package recoding
