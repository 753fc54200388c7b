// Package overview has the panes of the tab Overview: key variables, frequencies, k-anonymity, records at risk,
// risk, and steps.
package overview
