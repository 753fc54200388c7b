// Package sas reads and writes the transport files of SAS, versions 5 and 8
// (.xpt), and reads its data files (.sas7bdat): the former after the technical
// notes TS-140 of SAS and its supplement for version 8, the latter after M. S.
// Shotwell, "SAS7BDAT Database Binary Format". What values mean stands in catalogues
// (.sas7bcat), of which nobody says how they are written: they are read as those of SAS 9 were
// found to be, on Windows and Linux, with numbers of four and of eight bytes.
package sas
