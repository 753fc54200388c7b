// Package data has the pane of the tab Data: the records.
package data
