// Package dbase reads the tables of dBase and its followers (.dbf): dBase II to 5 and 7,
// FoxPro and Visual FoxPro.
//
// Missing values: a field of blanks, a number that did not fit its field (***), and
// what the flags of a record of Visual FoxPro say has no value.
// Trailing blanks of texts are no part of them. Records that are marked as deleted
// are left out, unless they are wanted. Memo fields stand in another file and are left out, as are
// moments of dBase 7.
//
// The character set is that of the language in the header; where that says none,
// each text is UTF-8 where it can be, else Windows-1252.
package dbase
