// Package keys has the panes of the tab Keys beside those of Overview and the distinct keys: the
// cross table, suppressions, the history.
package keys
