// Package tui is the running program: one tea.Model that holds the session,
// routes keys, lays out panes and opens dialogs. Long work runs in commands
// that capture values, never the model; answers carry the epoch of their
// question, and stale ones are dropped.
package tui
