// Package spss reads and writes SPSS system files (.sav, .zsav) and reads SPSS portable files (.por). It follows
// the description of the formats in the PSPP developers' guide.
package spss
