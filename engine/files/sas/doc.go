// Package sas reads and writes the transport files of SAS, versions 5 and 8
// (.xpt), and reads its data files (.sas7bdat): the former after the technical
// notes TS-140 of SAS and its supplement for version 8, the latter after M. S.
// Shotwell, "SAS7BDAT Database Binary Format".
package sas
