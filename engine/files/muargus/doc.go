// Package muargus parses and formats the text files of mu-Argus: descriptions of variables (.rda), code lists
// (.cdl) and recode files (.grc). It does no I/O and knows no datasets: its functions work on texts.
//
//	recode, err := muargus.ParseRecode("1: -20\n2: 21-\n<MISSING> 9\n")
//	result, err := recode.Apply(muargus.Coded{Codes: []string{"17", "35"}, Width: 2, Missing: []string{"99"}})
//	fmt.Println(result.Codes, result.Of) // [1 2] [0 1]
//
// The grammar is that of mu-Argus 5.1 (Hundepool et al., mu-ARGUS version 5.1 manual, section 4), in both readings
// if the program and its manual differ. Two defects of the program are not copied: codes are padded with spaces on
// both sides of a comparison, whatever the data format, and a description of free data is written with its
// separator.
package muargus
