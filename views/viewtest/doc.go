// Package viewtest gives tests states of the workbench to draw, and presses keys. Nothing
// but tests imports it.
package viewtest
