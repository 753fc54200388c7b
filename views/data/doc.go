// Package data has the panes of single records and of distinct keys.
package data
