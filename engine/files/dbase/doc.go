// Package dbase reads dBase tables (.dbf): dBase II to 5 and 7, FoxPro and Visual FoxPro.
//
// A field is missing if it is blank, did not fit its width (***), or is flagged as null by Visual FoxPro. Trailing
// spaces of texts are removed. Records marked as deleted are left out unless requested. Memo fields, which are in
// another file, and dBase 7 timestamps are left out.
//
// The encoding is that of the language driver in the header; if there is none, each text is decoded as UTF-8 if
// valid, else as Windows-1252.
package dbase
