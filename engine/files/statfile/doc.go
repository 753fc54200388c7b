// Package statfile is the neutral form of a file of a statistics program, a
// database or a spreadsheet: variables with labels, value labels, declared
// missing values, and their data in columns. It belongs to no format; a format
// is a package that offers a Format and, where it also writes, a Writer.
//
// Readers never trust a count that a file claims: what is allocated is bounded
// by the bytes that are there, see Source. Rows that are decoded in blocks, by
// several goroutines and in any order, are gathered by Blocks.
package statfile
