// Package views defines the panes of the workbench. A Pane is a plain struct that turns a State into text of an
// exact size, and key presses into actions; it does no I/O and changes nothing else. The panes are in the folders
// below, one per tab; package panes lists them, and package draw has the drawing primitives.
package views
