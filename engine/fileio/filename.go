package fileio

import (
	"path/filepath"
	"slices"
	"strings"
)

// CheckName reports the name of a file that belongs to another kind than that of
// the format: a workbook of that name that is text would be taken for a damaged
// one. The error wraps ErrName.
func CheckName(path string, f Format) error { return formats().checkName(path, f) }

func (r registry) checkName(path string, f Format) error {
	writer, err := r.writer(f)
	if err != nil {
		return err
	}
	ending := strings.ToLower(filepath.Ext(path))
	program := otherEnding(ending)
	if program == "" || slices.Contains(writer.endings(), ending) {
		return nil
	}
	return failure(ErrName, "%s would be taken for %s, and this version writes text files: name it .csv, .tsv or .txt", path, program)
}

// otherEnding returns in words whose files have the ending; "" where they may
// be text.
func otherEnding(ending string) string {
	switch ending {
	case ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers":
		return "a spreadsheet"
	case ".sav", ".zsav", ".por":
		return "an SPSS file"
	case ".dta":
		return "a Stata file"
	case ".sas7bdat", ".xpt":
		return "a SAS file"
	case ".parquet", ".feather", ".arrow":
		return "a Parquet or Arrow file"
	case ".rds", ".rda", ".rdata":
		return "an R file"
	case ".dbf", ".mdb", ".accdb", ".sqlite", ".sqlite3", ".db", ".duckdb":
		return "a database"
	case ".zip", ".gz", ".bz2", ".xz", ".zst", ".7z":
		return "a compressed file"
	case ".pdf", ".doc", ".docx", ".odt", ".html", ".htm":
		return "a document"
	default:
		return ""
	}
}
