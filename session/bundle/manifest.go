package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/engine/release/recount"
	"github.com/sdcdesk/sdcdesk/session"
)

// The parts of a bundle, and the files with the same name in all bundles. Paths in a bundle have slashes.
const (
	internalPart = fileio.ReleaseInternal // stays with those who protect the file
	usersPart    = fileio.ReleaseUsers    // goes to those who receive it

	manifestFile   = internalPart + "/manifest.json"
	scriptFile     = internalPart + "/script.jsonl"
	patternsFile   = internalPart + "/identifier-patterns.jsonl" // if an office has its own patterns
	checkFile      = internalPart + "/check.json"
	internalReport = internalPart + "/report.html"
	usersReport    = usersPart + "/report.html"
	sumsFile       = usersPart + "/SHA256SUMS"
)

// formatName and formatVersion are the beginning of a manifest.
const (
	formatName    = "sdcdesk-bundle"
	formatVersion = 2
)

// manifest describes a bundle. Its bytes are those that the program wrote: a manifest that differs when it is
// written again was changed.
type manifest struct {
	Format  string   `json:"format"`
	Version int      `json:"version"`
	Program string   `json:"program"` // version of the program
	Date    string   `json:"date"`    // also in the reports
	Source  source   `json:"source"`
	Safe    string   `json:"safe"` // name of the protected file
	Options settings `json:"options"`

	Accepted []check.Acceptance `json:"accepted"` // in the order of the findings

	Question recount.Question `json:"question"` // what is counted in the protected file
	Figures  recount.Counts   `json:"figures"`  // the resulting counts

	Files []file `json:"files"` // all other files, in the order of their paths
	Own   string `json:"manifest_sha256"`
}

// source identifies the data that the bundle was made from.
type source struct {
	Path string `json:"path"`
	Name string `json:"name"` // name in reports
	Hash string `json:"hash"` // of the dataset as read
}

// settings are the export options that the files depend on. Random order and new IDs are steps of the script.
type settings struct {
	Codebook      string `json:"codebook,omitempty"` // its name
	GuardFormulas bool   `json:"guard_formulas"`
	Responsible   string `json:"responsible,omitempty"`
	Contact       string `json:"contact,omitempty"`
	KeepNotes     bool   `json:"keep_notes,omitempty"`          // if the original has notes
	Patterns      string `json:"identifier_patterns,omitempty"` // SHA-256 of patternsFile; "": none
}

// file is a file of the bundle.
type file struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// within returns the path of a file in a bundle, given its folder.
func within(folder, path string) string { return filepath.Join(folder, filepath.FromSlash(path)) }

// hashOf returns the SHA-256 of a text in hexadecimal.
func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// hashOfAll returns the hash of everything read.
func hashOfAll(in io.Reader) (string, error) {
	hash := sha256.New()
	_, err := io.Copy(hash, in)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// text returns the manifest as written, with its own hash.
func (m *manifest) text() ([]byte, error) {
	m.Own = ""
	text, err := asJSON(m)
	if err != nil {
		return nil, err
	}
	m.Own = hashOf(text)
	return asJSON(m)
}

func asJSON(value any) ([]byte, error) {
	var text bytes.Buffer
	err := session.WriteJSON(&text, value)
	return text.Bytes(), err
}

// sums returns the list of the files of a part in the format of sha256sum.
func (m *manifest) sums(part string) []byte {
	var text strings.Builder
	for _, f := range m.Files {
		if name, in := strings.CutPrefix(f.Path, part+"/"); in && f.Path != sumsFile {
			text.WriteString(f.SHA256 + "  " + name + "\n")
		}
	}
	return []byte(text.String())
}

// bundleHash returns the hash of a whole bundle: that of the list of its files with their hashes, in the order of
// their paths.
func bundleHash(files []file) string {
	var text strings.Builder
	for _, f := range files {
		text.WriteString(f.SHA256 + "  " + f.Path + "\n")
	}
	return hashOf([]byte(text.String()))
}

// safePath returns the path of the protected file in the bundle.
func (m *manifest) safePath() string { return usersPart + "/" + m.Safe }

// tablePath returns where a protected table stands in the bundle.
func (m *manifest) tablePath(table string) string {
	return usersPart + "/" + session.TablePath(m.Safe, table)
}

// ErrNone is wrapped if a folder is not a release.
var ErrNone = errors.New("is not a release")

// errChanged is the error of a manifest that was changed.
var errChanged = errors.New(manifestFile + " was changed after it was written")

// errLink is the error of a manifest that is a link, or in a linked folder.
var errLink = errors.New(manifestFile + " is a link, or is in a linked folder")

// readManifest returns the manifest of a folder. Errors: ErrNone, ErrVersion, errChanged, and errLink.
func readManifest(folder string) (*manifest, error) {
	for _, path := range []string{internalPart, manifestFile} {
		if info, err := os.Lstat(within(folder, path)); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return nil, fmt.Errorf("%s: %w", folder, errLink)
		}
	}
	var text []byte
	in, err := fileio.Open(within(folder, manifestFile))
	if err == nil {
		text, err = io.ReadAll(in)
		err = errors.Join(err, in.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("%s %w: it has no readable %s; name the folder of a release", folder, ErrNone,
			manifestFile)
	}
	m := new(manifest)
	if json.Unmarshal(text, m) != nil {
		return nil, fmt.Errorf("%s: %w", folder, errChanged)
	}
	if m.Format == formatName && m.Version != formatVersion && m.Version > 0 {
		return nil, fmt.Errorf("%s was made by sdcdesk %s, %w with release format %d (this version: %d): use that version",
			folder, m.Program, ErrVersion, m.Version, formatVersion)
	}
	if again, err := m.text(); err != nil || !bytes.Equal(again, text) {
		return nil, fmt.Errorf("%s: %w", folder, errChanged)
	}
	return m, nil
}
