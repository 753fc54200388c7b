// Package masking has the dialogs of methods that disturb values: masking of numbers,
// with their distribution and scatter as they would be, and PRAM, with the matrix that
// can be entered.
package masking
