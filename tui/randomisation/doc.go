// Package randomisation has the dialog of PRAM, with the matrix that can be entered,
// and the one that writes transition matrices to a file.
package randomisation
