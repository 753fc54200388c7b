// Package statfile is the format-independent form of the files of statistical packages, databases and
// spreadsheets: variables with labels, value labels, declared missing values, and their data in columns. A format
// is a package that implements Format and, if it also writes, Writer.
//
// Readers never trust a count in a file: allocation is limited by the bytes that exist, see Source. Rows that
// several goroutines decode in blocks, in any order, are collected by Blocks.
package statfile
