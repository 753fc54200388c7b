// Package spreadsheet reads workbooks of Excel (.xlsx, and .xls of Excel 5 to 2003) and
// OpenDocument (.ods), and writes those of Excel (.xlsx). One sheet is a file: its first
// row has the names, rows with nothing in them are left out.
//
// What a column holds is told by its cells: dates and times are numbers with such a
// format; a column of cells of several kinds is one of texts. An empty cell, an error
// such as #N/A and, unless it is chosen otherwise, the text NA are missing; an empty
// text is a value.
//
// Sheets are read from front to back as they are decompressed, so that what a file
// claims takes no memory; excelize has all of a workbook in memory or in temporary
// files, and does not tell numbers, dates, truth values and errors from texts when it
// reads rows. Source: ECMA-376, OASIS OpenDocument 1.3
// and, for .xls, Microsoft's [MS-XLS].
package spreadsheet
