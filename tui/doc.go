// Package tui is the interactive program. Model is a tea.Model that holds the session, routes keys, arranges panes
// on tabs and opens dialogs; Run starts it. Long work runs in jobs that capture values, never the model. A result
// that the model no longer waits for is dropped.
package tui
