// Package rdata reads and writes R files: .rds, which contains one object, and .RData and .rda, which contain
// several named objects. It follows the description of serialisation in "R Internals", section 1.8, and the file
// formats documented under serialize, saveRDS and save in R's help.
//
// A file is read twice: first for its outline, which has the attributes of vectors without their elements, because
// attributes follow the vector; then for the elements of selected columns. Other objects, such as functions and
// environments, are skipped. Memory is allocated only as elements are read, whatever lengths the file claims.
package rdata
