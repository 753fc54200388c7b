// Package data has the panes of the tab Data: the grid of records and the list of key patterns.
package data
