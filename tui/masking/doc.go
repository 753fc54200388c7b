// Package masking has the dialogs of methods that disturb values: masking of numbers,
// with their distribution and scatter as they would be, PRAM, with the matrix that can
// be entered, and the one that writes transition matrices to a file.
package masking
