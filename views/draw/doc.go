// Package draw has the drawing primitives of panes, pages and dialogs: text of an exact width, lines, tables with
// a cursor, bars, plots, heat maps, and the theme that gives colours their meaning. Safe is the sanitiser for
// everything that comes from a file.
package draw
