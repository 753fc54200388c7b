// Package spreadsheet reads workbooks of Excel (.xlsx) and OpenDocument (.ods) and
// writes those of Excel. One sheet is a file: its first row has the names, rows
// with nothing in them are left out.
//
// What a column holds is told by its cells: dates and times are numbers with such a
// format; a column of cells of several kinds is one of texts. An empty cell, an error
// such as #N/A and, unless it is chosen otherwise, the text NA are missing; an empty
// text is a value.
//
// Sheets are read from front to back as they are decompressed, so that what a file
// claims takes no memory. Source: ECMA-376 and OASIS OpenDocument 1.3.
package spreadsheet
