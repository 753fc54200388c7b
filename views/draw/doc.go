// Package draw is what panes, pages and dialogs draw with: text of an exact width, lines,
// tables with a cursor, bars, plots, heat maps, and the theme that gives colours their
// meaning.
package draw
