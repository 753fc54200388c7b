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

// largestDescription is the maximum size in bytes of a description or code list.
const largestDescription = 16 << 20

// DataFile returns the data file for a path: for a mu-Argus description (.rda, .rds), the file with the same name
// next to it, otherwise the path itself. The error wraps fs.ErrNotExist if a description has no data file.
func DataFile(path string) (string, error) {
	ending := strings.ToLower(filepath.Ext(path))
	if ending != ".rda" && ending != ".rds" {
		return path, nil
	}
	if _, ok := descriptionText(path); !ok {
		return path, nil // an R file; reading it reports so
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

// baseName returns a file name without its extension.
func baseName(path string) string {
	name := filepath.Base(path)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// sibling returns the regular file with the same name and another extension, ignoring the case of the extension.
func sibling(path, ending string) (string, bool) {
	trunk := filepath.Join(filepath.Dir(path), baseName(path))
	for _, spelled := range []string{ending, strings.ToUpper(ending)} {
		if info, err := os.Stat(trunk + spelled); err == nil && info.Mode().IsRegular() {
			return trunk + spelled, true
		}
	}
	return "", false
}

// descriptionsOf returns the mu-Argus descriptions next to a data file.
func descriptionsOf(path string) []string {
	endings := []string{".rda", ".rds"}
	if strings.EqualFold(filepath.Ext(path), ".saf") {
		slices.Reverse(endings)
	}
	var found []string
	for _, ending := range endings {
		if companionPaths, ok := sibling(path, ending); ok {
			if _, ok := descriptionText(companionPaths); ok {
				found = append(found, companionPaths)
			}
		}
	}
	return found
}

// descriptionText returns the text of a description; ok is false for a file that cannot be read, or that belongs
// to R, compressed or not, and may be large.
func descriptionText(path string) (string, bool) {
	text, err := smallText(path)
	ofR := slices.ContainsFunc([]string{"RDA", "RDX", "RDB", "X\n", "A\n", "B\n"},
		func(start string) bool { return bytes.HasPrefix(text, []byte(start)) })
	if err != nil || ofR || otherProgram(text[:min(headSize, len(text))]) != "" {
		return "", false
	}
	return decodeText(text), true
}

// ReadText returns the text of a small file, such as a recode file or a code list, in any encoding. Errors are
// complete sentences; they wrap ErrDirectory or errors of package io/fs.
func ReadText(path string) (string, error) {
	text, err := smallText(path)
	return decodeText(text), err
}

// ReadInFolder returns the text of a file that another one names, in the same folder or below it, ignoring case.
// Errors are those of ReadText.
func ReadInFolder(path, name string) (string, error) {
	return ReadText(codeListPath(filepath.Dir(path), name))
}

// smallText reads a whole file of limited size.
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

// decodeText converts a text in any encoding to UTF-8.
func decodeText(text []byte) string {
	return strings.ToValidUTF8(string(decodeHead(text, guessEncoding(text))), "\uFFFD")
}

// descriptionFormat returns the format of a data file with a description next to it; found is false if there is
// none.
func (in *input) descriptionFormat() (f Format, found bool, err error) {
	companionPaths := descriptionsOf(in.path)
	if in.path == "" || len(companionPaths) == 0 {
		return f, false, nil
	}
	text, _ := descriptionText(companionPaths[0])
	d, err := muargus.ParseDescription(text)
	if err != nil {
		return f, true, failure(ErrFormat, "%s, %v", filepath.Base(companionPaths[0]), err)
	}
	if d.SPSS {
		return f, true, failure(ErrNotText, "%s describes an SPSS file; open that file, or export it as text",
			filepath.Base(companionPaths[0]))
	}
	return formatOf(d, in.head), true, nil
}

// readCodeLists reads the code lists named by the format. One that cannot be read is recorded; its labels are then
// missing.
func (in *input) readCodeLists(ctx context.Context, f Format) {
	if in.path == "" || !f.described() {
		return
	}
	in.labels = map[string]map[string]string{}
	lists := map[string]map[string]string{} // variables may share a list
	for _, field := range f.Fields {
		if field.CodeList == "" || ctx.Err() != nil {
			continue
		}
		if labels, known := lists[field.CodeList]; known {
			in.labels[field.Name] = labels
			continue
		}
		text, err := ReadInFolder(in.path, field.CodeList)
		if err != nil && !slices.Contains(in.lacking, field.CodeList) {
			in.lacking = append(in.lacking, field.CodeList)
		}
		lists[field.CodeList] = muargus.ParseCodeList(text)
		in.labels[field.Name] = lists[field.CodeList]
	}
}

// codeListPath returns the path of a code list named in a description: in the folder of the description or below
// it, ignoring case as Windows does.
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
