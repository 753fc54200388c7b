// Package paged is for pages of single records of data whose records are not held in memory: which records a page has,
// as every kind of source understands it, and what is read of a file for it.
//
// Records are found and sorted by their cells in the source. What the steps made of them is told by package streamed.
package paged
