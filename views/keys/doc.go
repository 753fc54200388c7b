// Package keys has the panes of the tab Keys: the cross table, suppressed cells, and the history. Others on that
// tab are in packages overview and data.
package keys
