// Package spss reads and writes the system files of SPSS (.sav, .zsav) and reads
// its portable files (.por), after the description of the formats in the PSPP
// developers' guide.
package spss
