// Package panes lists the panes of the workbench.
package panes
