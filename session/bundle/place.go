package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// unreleased is the suffix of a folder that is not released yet. Earlier versions also used it for the protected
// file.
const unreleased = fileio.UnreleasedEnd

// place is where a bundle is written: a hidden folder next to its final name.
type place struct {
	folder, hidden string
	marker         *os.File
}

// moved is called after each move that replaces a bundle, so that a test can stop the program there.
var moved = func() {}

// release writes all files and releases them.
func (c *contents) release(ctx context.Context, o Options, script []byte, found []check.Finding,
	meter *progress.Meter) (*ReleaseResult, error) {
	m := c.manifest
	p, err := claim(o.Folder)
	if err != nil {
		return nil, err
	}
	defer p.discard()
	done := &ReleaseResult{Folder: o.Folder, Safe: filepath.Join(o.Folder, usersPart, m.Safe), Findings: found}
	err = p.save(m.safePath(), func(w io.Writer) (err error) {
		done.Report, err = c.writeSafe(ctx, w, meter)
		return err
	})
	if err != nil {
		return nil, err
	}
	files, err := c.files(ctx, script, found)
	if err != nil {
		return nil, err
	}
	if done.Warnings, err = c.document.Lacks(ctx, c.export()); err != nil {
		return nil, err
	}
	if c.warning != "" {
		done.Warnings = append(done.Warnings, c.warning)
	}
	own, err := m.text()
	if err != nil {
		return nil, err
	}
	manifest := content{manifestFile, own}
	for _, file := range append(files, manifest) {
		if err := p.save(file.path, file.write); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.list([]content{manifest})
	done.Hash = bundleHash(m.Files)
	kept, err := p.publish(o.Force, c.document.Source.File())
	if kept != nil {
		done.Warnings = append(done.Warnings, "the release is complete, but the previous one could not be removed: "+kept.Error())
	}
	return done, err
}

// list adds files with their hashes.
func (m *manifest) list(files []content) {
	for _, one := range files {
		m.Files = append(m.Files, file{one.path, hashOf(one.text)})
	}
	slices.SortFunc(m.Files, func(a, b file) int { return strings.Compare(a.Path, b.Path) })
}

func (c content) write(w io.Writer) error {
	_, err := w.Write(c.text)
	return err
}

// claim creates the hidden folder, after removing what a killed release left there.
func claim(folder string) (*place, error) {
	folder = filepath.Clean(folder)
	fileio.RemoveUnplaced(filepath.Dir(folder))
	p := &place{folder: folder,
		hidden: filepath.Join(filepath.Dir(folder), "."+filepath.Base(folder)+unreleased)}
	if err := os.Mkdir(p.hidden, 0o700); errors.Is(err, fs.ErrExist) {
		if !p.leftover() {
			return nil, fmt.Errorf("%s exists and was not left by one of your releases: remove it, or choose another name for the release",
				p.hidden)
		}
	} else if err != nil {
		return nil, unwritable(folder, err)
	}
	var err error
	if p.marker, err = os.OpenFile(filepath.Join(p.hidden, fileio.ReleaseMarker), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return nil, unwritable(folder, err)
	}
	if err := fileio.Lock(p.marker); err != nil {
		p.marker.Close()
		return nil, fmt.Errorf("another program is releasing %s: wait until it has finished", folder)
	}
	_, err = p.marker.WriteString("a release is being written here\n") // see fileio.FindUnplaced
	for _, part := range []string{internalPart, usersPart} {
		path := filepath.Join(p.hidden, part)
		err = errors.Join(err, os.RemoveAll(path), os.Mkdir(path, 0o700))
	}
	if err != nil {
		p.discard()
		return nil, unwritable(folder, err)
	}
	return p, nil
}

// leftover reports whether the hidden folder was left by a killed release of this user: it is not a link, nobody
// else can access it, and it has only what a release puts there. In a folder prepared by somebody else, that
// person could read what is written.
func (p *place) leftover() bool {
	if info, err := os.Lstat(p.hidden); err != nil || !info.IsDir() || !ours(info) {
		return false
	}
	entries, err := os.ReadDir(p.hidden)
	ours := err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() != fileio.ReleaseMarker && e.Name() != internalPart && e.Name() != usersPart
	})
	return ours
}

// save writes a file of the bundle; it is on disk when save returns.
func (p *place) save(path string, write func(io.Writer) error) error {
	return fileio.Save(within(p.hidden, path), fileio.WriteOptions{}, write)
}

// discard removes what is not released.
func (p *place) discard() {
	if p.marker == nil {
		return
	}
	for _, part := range []string{internalPart, usersPart} {
		_ = os.RemoveAll(filepath.Join(p.hidden, part))
	}
	p.unmark()
	_ = os.Remove(p.hidden)
}

// unmark closes and removes the marker.
func (p *place) unmark() {
	p.marker.Close()
	_ = os.Remove(p.marker.Name())
	p.marker = nil
}

// publish gives the folder its name and exchanges it with a bundle that may be replaced: that is the release. The
// earlier bundle is removed afterwards; kept is the error if it could not be removed.
func (p *place) publish(force bool, source string) (kept, err error) {
	old, err := replaceable(p.folder, force, source)
	if err != nil {
		return nil, err
	}
	p.unmark()
	fileio.SyncFolder(p.hidden)
	moved()
	if old == nil {
		err = os.Rename(p.hidden, p.folder)
	} else {
		err = fileio.Exchange(p.hidden, p.folder, moved)
	}
	if err != nil {
		return nil, unwritable(p.folder, errors.Join(err, os.RemoveAll(p.hidden)))
	}
	fileio.SyncFolder(filepath.Dir(p.folder))
	moved()
	for _, path := range old {
		if err := os.Remove(within(p.hidden, path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err, nil
		}
		moved()
	}
	return nil, nil
}

// replaceable returns the paths in an existing folder that a bundle replaces, the manifest last, or nil if there
// is no folder. Only a folder without files, a killed release, and, with force, a bundle are replaced; a bundle
// that contains other files or the source of the data never is.
func replaceable(folder string, force bool, source string) (paths []string, err error) {
	if info, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil || !info.IsDir() {
		return nil, statfile.Failuref(fileio.ErrName, "%s is not a folder: choose another name for the release", folder)
	}
	found, err := filesOf(folder)
	if err != nil {
		return nil, unwritable(folder, err)
	}
	folders := []string{internalPart, usersPart, "."}
	if len(found) == 0 {
		return folders, nil
	}
	m, err := readManifest(folder)
	if errors.Is(err, ErrVersion) {
		return nil, statfile.Failuref(fileio.ErrName,
			"%s is a release of another version of the program and is not replaced: choose another name, or remove it", folder)
	}
	if err != nil {
		return nil, statfile.Failuref(fileio.ErrName,
			"%s contains files and is not a release, so it is never replaced: choose another name for the release", folder)
	}
	if slices.Contains(found, m.safePath()) && !force {
		return nil, statfile.Failuref(fileio.ErrExists,
			"%s is a release; choose another name, or allow replacing it", folder)
	}
	for _, path := range found {
		if !m.owns(path) || sameFile(within(folder, path), source) {
			return nil, statfile.Failuref(fileio.ErrName,
				"%s is not replaced: its file %s does not belong to the release; choose another name", folder, path)
		}
	}
	place := map[string]int{m.safePath(): -1, manifestFile: 1}
	slices.SortStableFunc(found, func(a, b string) int { return place[a] - place[b] })
	return append(found, folders...), nil
}

// owns reports whether a file in the folder belongs to the bundle, or is its protected file before the release.
func (m *manifest) owns(path string) bool {
	return path == manifestFile || path == m.safePath()+unreleased ||
		slices.ContainsFunc(m.Files, func(f file) bool { return f.Path == path })
}

func sameFile(path, other string) bool {
	one, err := os.Stat(path)
	if err != nil || other == "" {
		return false
	}
	two, err := os.Stat(other)
	return err == nil && os.SameFile(one, two)
}

// filesOf returns the sorted paths of everything in a bundle except folders.
func filesOf(folder string) (paths []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(folder, path)
			paths = append(paths, filepath.ToSlash(name))
		}
		return err
	})
	slices.SortFunc(paths, strings.Compare)
	return paths, err
}

func unwritable(folder string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be created: its parent folder does not exist; check the path", folder)
	}
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s cannot be created: no permission to write there; choose another folder", folder)
	}
	return fmt.Errorf("%s cannot be written: %w; choose another folder", folder, err)
}
