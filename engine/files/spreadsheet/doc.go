// Package spreadsheet reads workbooks of Excel (.xlsx, and .xls of Excel 5 to 2003) and OpenDocument (.ods), and
// writes those of Excel (.xlsx). A sheet is read as a file: its first row contains the names, and empty rows are
// left out.
//
// The type of a column follows from its cells: dates and times are numbers with a date format; a column with cells
// of several types is text. An empty cell, an error such as #N/A and, by default, the text NA are missing; an
// empty text is a value.
//
// Sheets are read sequentially as they are decompressed, so that the claims of a file take no memory. excelize
// would keep a workbook in memory or temporary files, and does not distinguish numbers, dates, truth values and
// errors from texts when it reads rows. Sources: ECMA-376, OASIS OpenDocument 1.3 and, for .xls, Microsoft's
// [MS-XLS].
package spreadsheet
