// Package pram has the panes of the tab PRAM: variables, transition matrix, actual transitions, and frequencies
// with unbiased estimates. PRAMPreview is a preview for the dialog.
package pram
