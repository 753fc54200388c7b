// Package sas reads and writes SAS transport files, versions 5 and 8 (.xpt), and reads SAS data files (.sas7bdat).
// It follows the technical note TS-140 of SAS and its supplement for version 8, and M. S. Shotwell, "SAS7BDAT
// Database Binary Format". Value labels are in catalogues (.sas7bcat), whose format is not documented: they are
// read as found in catalogues of SAS 9 on Windows and Linux, 32-bit and 64-bit.
package sas
