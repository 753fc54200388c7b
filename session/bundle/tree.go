package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// The modes of files and folders in a bundle: only the owner has access.
const (
	fileMode   fs.FileMode = 0o600
	folderMode fs.FileMode = 0o700
)

// notRegular replaces the hash of an entry that is not a regular file.
const notRegular = "not a regular file"

// tree is the content of a bundle's folder.
type tree struct {
	files    []file   // everything except folders, in the order of paths
	problems []string // links, unexpected folders, and modes that a release does not set
}

// treeOf reads the folder of a bundle.
func treeOf(ctx context.Context, folder string) (t tree, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		name = filepath.ToSlash(name)
		info, err := entry.Info()
		if err != nil {
			return err
		}
		t.inspect(name, info.Mode())
		if entry.IsDir() {
			return ctx.Err()
		}
		hash := notRegular
		if info.Mode().IsRegular() {
			hash, err = hashOfFile(path)
		}
		t.files = append(t.files, file{name, hash})
		return errors.Join(err, ctx.Err())
	})
	slices.SortFunc(t.files, func(a, b file) int { return strings.Compare(a.Path, b.Path) })
	return t, err
}

// inspect records the problems of an entry, whatever the manifest lists.
func (t *tree) inspect(name string, mode fs.FileMode) {
	want, shown := fileMode, name
	if name == "." {
		shown = "the folder of the release"
	}
	switch kind := mode.Type(); {
	case kind == 0:
	case kind&fs.ModeSymlink != 0:
		t.problems = append(t.problems, shown+" is a link")
		return
	case kind != fs.ModeDir:
		t.problems = append(t.problems, shown+" is not a regular file")
		return
	case name != "." && name != internalPart && name != usersPart:
		t.problems = append(t.problems, shown+" is a folder that does not belong to the release")
		return
	default:
		want = folderMode
	}
	special := mode & (fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	if want == folderMode {
		special &^= fs.ModeSetgid // inherited by folders
	}
	if got := mode.Perm() | special; got != want && runtime.GOOS != "windows" {
		t.problems = append(t.problems, fmt.Sprintf("%s has permissions %v instead of %v", shown, got, want))
	}
}

// hashOfFile returns the SHA-256 of a file, or "not readable" without permission to read it.
func hashOfFile(path string) (string, error) {
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return "not readable", nil
	} else if err != nil {
		return "", err
	}
	defer in.Close()
	return hashOfAll(in)
}

// unlike lists the files that differ from the manifest.
func (t *tree) unlike(m *manifest) (problems []string) {
	there, known := map[string]string{}, map[string]bool{manifestFile: true}
	for _, f := range t.files {
		there[f.Path] = f.SHA256
	}
	for _, f := range m.Files {
		known[f.Path] = true
		if hash, found := there[f.Path]; !found {
			problems = append(problems, f.Path+" is missing")
		} else if hash != f.SHA256 && hash != notRegular {
			problems = append(problems, f.Path+" was changed")
		}
	}
	for _, f := range t.files {
		if !known[f.Path] {
			problems = append(problems, f.Path+" does not belong to the release")
		}
	}
	return problems
}

// hash returns the hash of a file in the folder, or "".
func (t *tree) hash(path string) string {
	for _, f := range t.files {
		if f.Path == path {
			return f.SHA256
		}
	}
	return ""
}
