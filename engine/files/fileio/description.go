package fileio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
)

// largestDescription is the size of the largest description or code list that
// is read, in bytes.
const largestDescription = 16 << 20

// DataFile returns the data file that a path means: for a description of
// mu-Argus (.rda, .rds) the file of the same name beside it, for any other path
// the path itself. The error wraps fs.ErrNotExist where a description has no
// data beside it.
func DataFile(path string) (string, error) {
	ending := strings.ToLower(filepath.Ext(path))
	if ending != ".rda" && ending != ".rds" {
		return path, nil
	}
	if _, ok := descriptionText(path); !ok {
		return path, nil // a file of R, of which reading says so
	}
	endings := []string{".asc", ".dat", ".txt", ".csv", ".saf", ".fix", ".prn"}
	if ending == ".rds" {
		endings = []string{".saf", ".asc", ".dat", ".txt", ".csv"}
	}
	for _, ending := range endings {
		if found, ok := sibling(path, ending); ok {
			return found, nil
		}
	}
	return "", failure(fs.ErrNotExist, "%s describes a data file, but there is none next to it: put %s into the same folder",
		filepath.Base(path), baseName(path)+".asc")
}

// baseName returns the name of a file without its ending.
func baseName(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// sibling returns the ordinary file of the same name with another ending, upper
// and lower case of the ending counting as equal.
func sibling(path, ending string) (string, bool) {
	trunk := filepath.Join(filepath.Dir(path), baseName(path))
	for _, spelled := range []string{ending, strings.ToUpper(ending)} {
		if info, err := os.Stat(trunk + spelled); err == nil && info.Mode().IsRegular() {
			return trunk + spelled, true
		}
	}
	return "", false
}

// descriptionsBeside returns the descriptions of mu-Argus that stand beside a
// data file.
func descriptionsBeside(path string) []string {
	endings := []string{".rda", ".rds"}
	if strings.EqualFold(filepath.Ext(path), ".saf") {
		slices.Reverse(endings)
	}
	var found []string
	for _, ending := range endings {
		if beside, ok := sibling(path, ending); ok {
			if _, ok := descriptionText(beside); ok {
				found = append(found, beside)
			}
		}
	}
	return found
}

// descriptionText returns the text of a description; ok is false for a file
// that cannot be read or is one of R, compressed or not, which can be large.
func descriptionText(path string) (string, bool) {
	text, err := smallText(path)
	ofR := slices.ContainsFunc([]string{"RDA", "RDX", "RDB", "X\n", "A\n", "B\n"},
		func(start string) bool { return bytes.HasPrefix(text, []byte(start)) })
	if err != nil || ofR || otherProgram(text[:min(headSize, len(text))]) != "" {
		return "", false
	}
	return decodeText(text), true
}

// ReadText returns the text of a file of moderate size, such as a recode file or
// a code list, whatever its encoding. Errors are sentences; they wrap
// ErrDirectory or those of package io/fs.
func ReadText(path string) (string, error) {
	text, err := smallText(path)
	return decodeText(text), err
}

// ReadBeside returns the text of a file that another one names: in the folder of
// that file or below it, upper and lower case counting as equal. Errors are
// those of ReadText.
func ReadBeside(path, name string) (string, error) {
	return ReadText(codeListPath(filepath.Dir(path), name))
}

// smallText reads a whole file of moderate size.
func smallText(path string) ([]byte, error) {
	file, size, err := openOrdinary(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > largestDescription {
		return nil, unreadable(path, errors.New("the file is too large"))
	}
	text, err := io.ReadAll(io.LimitReader(file, largestDescription))
	if err != nil {
		return nil, unreadable(path, err)
	}
	return text, nil
}

// decodeText returns a text in UTF-8, whatever its encoding.
func decodeText(text []byte) string {
	return strings.ToValidUTF8(string(decodeHead(text, guessEncoding(text))), "\uFFFD")
}

// describedBeside returns the format of a data file that a description stands
// beside; found is false where there is none.
func (in *input) describedBeside() (f Format, found bool, err error) {
	beside := descriptionsBeside(in.path)
	if in.path == "" || len(beside) == 0 {
		return f, false, nil
	}
	text, _ := descriptionText(beside[0])
	d, err := muargus.ParseDescription(text)
	if err != nil {
		return f, true, failure(ErrFormat, "%s, %v", filepath.Base(beside[0]), err)
	}
	if d.SPSS {
		return f, true, failure(ErrNotText, "%s describes an SPSS file; open that file, or export it as text",
			filepath.Base(beside[0]))
	}
	return formatOf(d, in.head), true, nil
}

// readCodeLists reads the code lists that the format of a data file names. One
// that cannot be read is noted; only labels lack then.
func (in *input) readCodeLists(ctx context.Context, f Format) {
	if in.path == "" || !f.described() {
		return
	}
	in.labels = map[string]map[string]string{}
	lists := map[string]map[string]string{} // many variables may have the same
	for _, field := range f.Fields {
		if field.CodeList == "" || ctx.Err() != nil {
			continue
		}
		if labels, known := lists[field.CodeList]; known {
			in.labels[field.Name] = labels
			continue
		}
		text, err := ReadBeside(in.path, field.CodeList)
		if err != nil && !slices.Contains(in.lacking, field.CodeList) {
			in.lacking = append(in.lacking, field.CodeList)
		}
		lists[field.CodeList] = muargus.ParseCodeList(text)
		in.labels[field.Name] = lists[field.CodeList]
	}
}

// codeListPath returns where a code list is, given by its name in a description:
// in the folder of the description or below it. Programs of Windows do not tell
// upper from lower case.
func codeListPath(folder, name string) string {
	local := filepath.FromSlash(strings.ReplaceAll(name, `\`, "/"))
	if !filepath.IsLocal(local) {
		local = filepath.Base(local)
	}
	path := filepath.Join(folder, local)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return path
	}
	for _, entry := range entries {
		if strings.EqualFold(entry.Name(), filepath.Base(path)) {
			return filepath.Join(filepath.Dir(path), entry.Name())
		}
	}
	return path
}
