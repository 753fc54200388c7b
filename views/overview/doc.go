// Package overview has the panes of the tab Overview.
package overview
