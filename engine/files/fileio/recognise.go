package fileio

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// signature is the beginning of files of another program.
type signature struct {
	start, program string
}

// markup describes a text that is a page, a document or JSON instead of a table; "" if it may be a table.
func markup(head []byte) string {
	const enough = 1 << 12
	text := bytes.ToLower(decodeHead(head[:min(len(head), enough)], guessEncoding(head)))
	dense := bytes.Join(bytes.Fields(text), nil)
	starts := func(starts ...string) bool {
		return slices.ContainsFunc(starts, func(start string) bool { return bytes.HasPrefix(dense, []byte(start)) })
	}
	has := func(word string) bool { return bytes.Contains(dense, []byte(word)) }
	switch {
	case starts("{\\rtf"):
		return "a document (RTF)"
	case starts(`{"`, `[{"`, `[[`):
		return "a JSON file"
	case starts("<!doctypehtml", "<html", "<head", "<meta", "<table", "<style", "<!--") || starts("<?xml") && has("<html"):
		return "a web page (HTML)"
	case !starts("<?xml"):
		return ""
	case has("microsoft-com:office:spreadsheet") || has("excel.sheet"):
		return "an Excel 2003 spreadsheet (XML)"
	case has("opendocument:xmlns:office"):
		return "a flat OpenDocument file (fods)"
	default:
		return "an XML file"
	}
}

// signatures lists signatures of files that users confuse with text files, beyond the formats of statfiles.
func signatures() []signature {
	return []signature{
		{"PK\x03\x04", "a spreadsheet (xlsx, ods) or another ZIP file"},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document or another compound file"},
		{"\x1c\x00\x00\x00\x00\x00\x00\x00ENCRYPTED", "an SPSS file that is encrypted with a password"},
		{"\x1f\x8b", "a compressed file (gzip)"},
		{"BZh", "a compressed file (bzip2)"},
		{"\xfd7zXZ\x00", "a compressed file (xz)"},
		{"\x28\xb5\x2f\xfd", "a compressed file (zstd)"},
		{"SQLite format 3\x00", "an SQLite database"},
		{"%PDF-", "a PDF document"},
		{"ARROW1\x00\x00", "an Arrow file"},
	}
}

// otherProgram describes the file type that a head suggests if it is not text; "" if it may be text.
func otherProgram(head []byte) string {
	for _, s := range signatures() {
		if bytes.HasPrefix(head, []byte(s.start)) {
			return s.program
		}
	}
	in := statfile.NewSource("", bytes.NewReader(head), int64(len(head)))
	for _, format := range statfiles() {
		if _, known, _ := format.Recognise(context.Background(), in); known {
			return format.Info().Program
		}
	}
	if encoding := guessEncoding(head); withoutMark(encoding) != UTF16LE && withoutMark(encoding) != UTF16BE &&
		mostlyControl(head) {
		return "a binary file"
	}
	return markup(head)
}

// mostlyControl reports whether there are too many control characters for a text that merely contains some.
func mostlyControl(head []byte) bool {
	head = head[:min(len(head), 1<<13)]
	control := 0
	for _, b := range head {
		if b < ' ' && b != '\n' && b != '\r' && b != '\t' {
			control++
		}
	}
	return 5*control > len(head) && control > 8
}

// CheckName returns an error that wraps ErrName if the extension of a file name belongs to another type than the
// format: a workbook name on a text file would look like a damaged workbook. Text may have any unknown extension.
func CheckName(path string, f Format) error { return formats().checkName(path, f) }

func (r registry) checkName(path string, f Format) error {
	f = r.formatFor(path, f)
	k, err := r.writer(f)
	var endings []string
	if err == nil {
		endings = k.info().Endings
	}
	isText := f.Text()
	if inner, zip := zipEnding(path); zip != "" && isText {
		path = inner
	}
	ending := strings.ToLower(filepath.Ext(path))
	program := otherEnding(ending)
	switch {
	case slices.Contains(endings, ending), program == "" && (isText || err == nil && ending == ""):
		return nil
	case program == "":
		return failure(ErrName, "%s has no extension of a file type that can be written: use %s", path, r.writtenEndings())
	}
	return failure(ErrName, "%s has the extension of %s, which sdcdesk cannot write: use %s", path, program,
		r.writtenEndings())
}

// UnusualEnding returns the extension of a text file to write if it is not one of text files, or "".
func UnusualEnding(path string, f Format) string {
	f = formats().formatFor(path, f)
	path, _ = zipEnding(path)
	switch ending := strings.ToLower(filepath.Ext(path)); {
	case !f.Text(), slices.Contains([]string{"", ".csv", ".tsv", ".tab", ".txt", ".dat", ".data", ".asc", ".prn"}, ending):
		return ""
	default:
		return ending
	}
}

// WrittenEndings lists the usual extensions of files that can be written, for a sentence.
func WrittenEndings() string { return formats().writtenEndings() }

func (r registry) writtenEndings() string {
	usual := []string{".csv"}
	for _, k := range r {
		if endings := k.info().Endings; len(endings) > 0 && !slices.Contains(usual, endings[0]) {
			usual = append(usual, endings[0])
		}
	}
	return strings.Join(usual, ", ") + " or .asc for mu-Argus"
}

// otherEnding describes the type of files with an extension, or returns "" if they may be text.
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
