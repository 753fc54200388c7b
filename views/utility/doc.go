// Package utility has the panes of the tab Utility: the figures of all measures, the active measures, the
// risk-utility map, and the candidates.
package utility
