// Package views says what a pane of the workbench is: a plain struct that turns a
// State into text of an exact size and key presses into Actions. It does no input or
// output and changes nothing. The panes stand in the folders below, by the tabs that
// show them; panes lists them all, and draw is what they draw with.
package views
