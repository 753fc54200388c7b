// Package masking has the dialogs of perturbative methods: masking of numeric variables, with plots of the values
// after the step, and PRAM, with a matrix that can be edited. NewForm returns the dialog of a method.
package masking
