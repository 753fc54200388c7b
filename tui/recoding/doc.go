// Package recoding has the dialogs of recodes: intervals of numeric variables, groups of categories, hierarchies,
// and recode files. NewDialog opens the one that fits a variable, NewForm that of a method, NewEditing that of a
// step.
package recoding
