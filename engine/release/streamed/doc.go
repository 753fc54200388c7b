// Package streamed protects files that are read in passes and never held in memory. A
// session works on the groups of their records; this package says what becomes of each record
// where that depends on the order of the file, counts it, and writes the protected file.
//
// A suppression takes cells from so many records of a key. Which ones, the order of the file
// tells, as it does where the file is in memory: the first of the key lose the first cells.
// What methods draw for single records goes by their numbers in the file, as it does there, too.
// A Deal is what one step makes of records in their order; a Trail follows
// records through the deals of all steps; Recount counts what a deal gives each group.
package streamed
