// Package views draws the panes of the workbench: plain structs that turn a
// State into text of an exact size and key presses into Actions. It does no
// input or output and changes nothing.
package views
