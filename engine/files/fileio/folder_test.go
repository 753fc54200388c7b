package fileio

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folderOf writes files into a new folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		if strings.HasSuffix(name, ".gz") {
			var zipped bytes.Buffer
			w := gzip.NewWriter(&zipped)
			_, _ = w.Write([]byte(content))
			_ = w.Close()
			content = zipped.String()
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// readPath reads a file or a folder with its guessed format, and returns it as text.
func readPath(t *testing.T, path string) (string, error) {
	t.Helper()
	f, err := GuessFile(t.Context(), path, nil)
	if err != nil {
		return "", err
	}
	data, report, err := Read(t.Context(), path, f, nil)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	format := FormatFor("out.csv", report.Format)
	_, err = WriteTo(t.Context(), &text, data, format, WriteOptions{}, nil)
	return text.String(), err
}

// The files of a folder are read as one, whatever their type, with one header.
func TestReadFolder(t *testing.T) {
	const whole = "a,\"b c\"\n1,x\n2,y\n3,\n4,z\n"
	for name, files := range map[string]map[string]string{
		"lines":        {"p1.csv": "a,\"b c\"\n1,x\n2,y\n", "p2.csv": "a,\"b c\"\n3,\n4,z\n"},
		"last line":    {"p1.csv": "a,\"b c\"\n1,x\n2,y", "p2.csv": "a,\"b c\"\n3,\n4,z"},
		"other files":  {"p1.csv": "a,\"b c\"\n1,x\n2,y\n", "p2.csv": "\ufeffa,\"b c\"\n3,\n4,z\n", "_SUCCESS": "", ".p1.crc": "\x01"},
		"names alone":  {"p1.csv": "a,\"b c\"\n1,x\n2,y\n", "p2.csv": "a,\"b c\"\n", "p3.csv": "a,\"b c\"\n3,\n4,z\n"},
		"compressed":   {"p1.csv.gz": "a,\"b c\"\n1,x\n2,y\n", "p2.csv.gz": "a,\"b c\"\n3,\n4,z\n"},
		"one file":     {"p1.csv": "a,\"b c\"\n1,x\n2,y\n3,\n4,z\n"},
		"windows-1252": {"p1.csv": "a,\"b c\"\r\n1,x\r\n2,y\r\n", "p2.csv": "a,\"b c\"\r\n3,\r\n4,z\r\n"},
	} {
		got, err := readPath(t, folderOf(t, files))
		if err != nil || strings.NewReplacer("\r", "", `"`, "").Replace(strings.TrimSpace(got)+"\n") != strings.ReplaceAll(whole, `"`, "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// Statistical files in a folder are read like one file of all their records.
func TestReadFolderOfOtherKinds(t *testing.T) {
	const head, first, second = "id,size,name\n", "1,2.5,n\n2,,s\n3,4,\n", "4,2.5,n\n5,7.25,w\n"
	for _, ending := range []string{".parquet", ".sav", ".dta", ".xlsx", ".rds", ".xpt"} {
		folder, companionPaths := t.TempDir(), t.TempDir()
		whole := filepath.Join(companionPaths, "whole"+ending)
		for path, content := range map[string]string{filepath.Join(folder, "a"+ending): head + first,
			filepath.Join(folder, "b"+ending): head + second, whole: head + first + second} {
			data, _ := readString(t, content, nil)
			if _, err := Write(t.Context(), path, data, NewFormat(), WriteOptions{}, nil); err != nil {
				t.Fatal(err)
			}
		}
		want, err := readPath(t, whole)
		got, failed := readPath(t, folder)
		if err != nil || failed != nil || got != want || strings.Count(got, "\n") != 6 {
			t.Errorf("%s: %q, want %q, %v, %v", ending, got, want, failed, err)
		}
	}
}

// A folder of files that do not belong together is an error that names the file.
func TestReadFolderRefused(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  string
		is    error
	}{
		"other names": {map[string]string{"p1.csv": "a,b\n1,2\n", "p2.csv": "a,c\n1,2\n"}, "p2.csv does not have the variables of p1.csv", ErrRagged},
		"other order": {map[string]string{"p1.csv": "a,b\n1,2\n", "p2.csv": "b,a\n1,2\n"}, "p2.csv does not have the variables of p1.csv", ErrRagged},
		"other kinds": {map[string]string{"p1.csv": "a\n1\n", "p2.txt": "a\n1\n"}, "files of several types (p1.csv and p2.txt)", ErrDirectory},
		"no files":    {map[string]string{"_SUCCESS": ""}, "a folder without files", ErrDirectory},
	} {
		_, err := readPath(t, folderOf(t, test.files))
		if err == nil || !strings.Contains(err.Error(), test.want) || !errors.Is(err, test.is) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// No file of a folder that is the source can be overwritten.
func TestFolderIsNeverWritten(t *testing.T) {
	folder := folderOf(t, map[string]string{"p1.csv": "a\n1\n", "p2.csv": "a\n2\n"})
	err := Writable(filepath.Join(folder, "p2.csv"), WriteOptions{Source: folder, Force: true})
	if !errors.Is(err, ErrSource) {
		t.Error(err)
	}
}
