// Package fileio reads files into datasets and writes datasets to files.
//
// Text files with delimiters (CSV and its relatives) are read in blocks that
// are cut at the ends of records and parsed in parallel; what comes out does
// not depend on the size of the blocks or on the number of goroutines. A
// dataset that was not changed is written as it was read, byte for byte, for
// every file whose lines all end alike and whose names, the values of each variable
// and its missing codes are all in quotes or all without. Of numbers whose decimals
// differ, those that end with zeros lose these; .5 becomes 0.5 where there are very many
// different ones.
//
//	format, err := fileio.GuessFile(ctx, "survey.csv", nil)
//	data, report, err := fileio.Read(ctx, "survey.csv", format, nil)
//	_, err = fileio.Write(ctx, "safe.csv", data, report.Format, fileio.WriteOptions{Source: "survey.csv"}, nil)
//
// Files of mu-Argus, with fixed positions or a separator, are read as the
// description beside them (.rda) says; see package muargus. Each variable has
// missing codes of its own there, values are trimmed, and what is written comes
// with a description and code lists: see Companions. A file of fixed positions
// has one record a line; positions count characters. Text that no description
// covers is reported and left out.
//
//	path, err := fileio.DataFile("Demodata.rda")   // Demodata.asc
//	format, err := fileio.GuessFile(ctx, path, nil) // as described
//	data, _, err := fileio.Read(ctx, path, format, nil)
//	roles := microdata.Suggest(data)                // keys, weight, household
//
// # Kinds of files
//
// A kind of file is a reader in a file or a package of its own and a line in
// formats: it recognises its files, says what can be chosen about reading them,
// previews and reads them, and may write them. The page that shows how a file
// will be read is drawn from its options, and the journal keeps what was chosen
// in Format.Options. What a file says of its variables goes into the description
// of the columns, see microdata.Description; how it spelled its cells stands
// beside them, see microdata.Spelling.
//
// # What becomes a number
//
// A column is numeric if every cell that is not missing is spelled as a number
// whose spelling its float64 gives back: digits with at most one decimal mark,
// a minus sign, an exponent. Leading zeros ("007"), a plus sign, hexadecimal,
// NaN and Inf, more digits than survive, and whole numbers above 2^53 make the
// whole column text. The column is microdata.Whole if all its values are whole
// and none is spelled with a decimal mark, else microdata.Number. With at most
// 4,096 distinct spellings it is stored as a dictionary ordered by value, else as
// microdata.Numbers.
//
// Text is stored as a dictionary whose levels are ordered by their bytes; if all
// are dates spelled in one way, by their days, and the column is ordered. An
// empty field is missing, and so is a field that is one of the format's missing
// codes, in quotes or not.
package fileio
