// Package fileio reads files into datasets and writes datasets to files.
//
// Delimited text files (CSV and similar) are read in blocks of whole records, parsed in parallel; the result does
// not depend on the size of the blocks or the number of goroutines. A dataset that was not changed is written byte
// for byte as it was read, if all lines end in the same way and if names, the values of each variable and its
// missing codes are consistently quoted or unquoted. Numbers with different numbers of decimals lose trailing
// zeros; .5 becomes 0.5 if there are very many distinct values.
//
//	format, err := fileio.GuessFile(ctx, "survey.csv", nil)
//	data, report, err := fileio.Read(ctx, "survey.csv", format, nil)
//	_, err = fileio.Write(ctx, "safe.csv", data, report.Format, fileio.WriteOptions{Source: "survey.csv"}, nil)
//
// Files of mu-Argus, with fixed positions or a separator, are read as the description next to them (.rda)
// specifies; see package muargus. Their variables have their own missing codes, values are trimmed, and output
// comes with a description and code lists; see Companions. A file with fixed positions has one record per line;
// positions count characters. Text that no field covers is reported and ignored.
//
//	path, err := fileio.DataFile("Demodata.rda")   // Demodata.asc
//	format, err := fileio.GuessFile(ctx, path, nil) // as described
//	data, _, err := fileio.Read(ctx, path, format, nil)
//	roles := microdata.Suggest(data)                // keys, weight, household
//
// # File types
//
// A file type is a reader in its own file or package and a line in formats: it recognises its files, defines the
// options of reading, previews and reads files, and may write them. The page that shows how a file will be read is
// drawn from the options, and the journal stores the chosen ones in Format.Options. Metadata of variables becomes
// the description of the columns, see microdata.Description; the spelling of cells is stored separately, see
// microdata.Spelling.
//
// # What becomes a number
//
// A column is numeric if every nonmissing cell is a number that float64 represents well enough to reproduce it:
// digits with at most one decimal mark, a minus sign, an exponent. Leading zeros ("007"), a plus sign,
// hexadecimal, NaN and Inf, too many digits, and integers above 2^53 make the whole column text. The column is
// microdata.Whole if all values are integers without a decimal mark, else microdata.Number. With at most 4,096
// distinct spellings it is stored as a dictionary ordered by value, else as microdata.Numbers.
//
// Text is stored as a dictionary with levels in byte order; if all are dates in one format, they are in order of
// days and the column is ordered. An empty field is missing, and so is a missing code of the format, quoted or
// not.
package fileio
