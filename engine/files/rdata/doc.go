// Package rdata reads and writes files of R: .rds, which hold one object, and .RData and
// .rda, which hold several with their names. It is written after the description of
// serialisation in "R Internals", section 1.8, and the file formats that R's help names
// under serialize, saveRDS and save.
//
// A file is read twice: first for its outline, which holds what says of what kind the
// vectors are and leaves their elements out, since what a vector is stands behind it;
// then for the elements of the columns that are wanted. Whatever else there is, such as
// functions and environments, is passed over. Lengths that the file claims cost nothing
// before the elements are there.
package rdata
