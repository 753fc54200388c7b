// Package utility has the panes of the tab Utility.
package utility
