// Package numeric has the panes of the tab Numeric.
package numeric
