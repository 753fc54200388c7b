// Package pram has the panes of the tab PRAM.
package pram
