package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/recount"
	"github.com/sdcdesk/sdcdesk/session"
)

// VerifyOptions says which bundle is verified, and against which data.
type VerifyOptions struct {
	Folder       string
	Original     string // path of the data that were protected
	OtherVersion bool   // try it though another version of the program made the bundle

	// Reading changes how the original is read, as the script says it; nil: it stays.
	Reading func(*fileio.Format) error
}

// Verdict is what came out: what was looked at, in that order.
type Verdict struct {
	Folder  string         `json:"folder"`
	Program string         `json:"program"` // the version that made the bundle
	Hash    string         `json:"sha256"`  // of the bundle as it is
	Results []Result       `json:"results"`
	Stopped bool           `json:"stopped"` // more was to be looked at, but for what does not hold
	Figures recount.Counts `json:"figures"` // as the bundle says them
}

// Result is one thing that was looked at.
type Result struct {
	What     string   `json:"what"`
	Problems []string `json:"problems"` // why it does not hold, with names of files; none: it holds
}

// Holds reports whether all was looked at and holds.
func (v *Verdict) Holds() bool { return !v.Stopped && v.soFar() }

// soFar reports whether what was looked at holds.
func (v *Verdict) soFar() bool {
	return !slices.ContainsFunc(v.Results, func(r Result) bool { return len(r.Problems) > 0 })
}

// ErrVersion is wrapped where another version of the program made a bundle.
var ErrVersion = errors.New("another version of the program")

// verification is a bundle that is being verified.
type verification struct {
	*Verdict
	options  VerifyOptions
	manifest *manifest
	analyst  *session.Analyst
}

// Verify does the steps of a bundle again on the original, makes its files anew and
// compares them byte for byte, and has the safe file counted by recount. Where files were changed, or
// the original is another, nothing is done again. Errors: ErrNone, ErrVersion, those of reading the
// original, and that of ctx.
func Verify(ctx context.Context, o VerifyOptions, analyst *session.Analyst) (*Verdict, error) {
	v := &verification{options: o, Verdict: &Verdict{Folder: o.Folder, Stopped: true}, analyst: analyst}
	var changed error
	if v.manifest, changed = readManifest(o.Folder); changed != nil && !errors.Is(changed, errChanged) {
		return nil, changed
	}
	files, err := v.hashes(ctx)
	if err != nil {
		return nil, err
	}
	if v.Hash = bundleHash(files); changed != nil {
		v.add("the bundle says what is in it", errChanged.Error())
		return v.Verdict, nil
	}
	if err := sameProgram(o.Folder, v.manifest, o.OtherVersion); err != nil {
		return nil, err
	}
	v.Program, v.Figures = v.manifest.Program, v.manifest.Figures
	v.add("the bundle says what is in it")
	v.add("every file of it is there, none was changed, and there are no others", v.manifest.unlike(files)...)
	if v.soFar() {
		err = v.replay(ctx)
	}
	return v.Verdict, err
}

func (v *Verdict) add(what string, problems ...string) {
	v.Results = append(v.Results, Result{what, problems})
}

// sameProgram refuses a bundle of another version, unless it is to be tried.
func sameProgram(folder string, m *manifest, try bool) error {
	if now := session.ProgramVersion(); m.Program != now && !try {
		return fmt.Errorf("%s was made by sdcdesk %s, this is %s: %w may give other files from the same steps", folder,
			m.Program, now, ErrVersion)
	}
	return nil
}

// hashes returns all files that are in the folder.
func (v *verification) hashes(ctx context.Context) ([]file, error) {
	paths, err := filesOf(v.Folder)
	if err != nil {
		return nil, err
	}
	files := make([]file, len(paths))
	for i, path := range paths {
		files[i] = file{Path: path}
		if files[i].SHA256, err = v.hash(path); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return files, nil
}

// hash returns the hash of a file in the folder; of what is no ordinary file a word that is
// none.
func (v *verification) hash(path string) (string, error) {
	path = within(v.Folder, path)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return "no ordinary file", err
	}
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, in)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// unlike says which of the files that are there are not those of the manifest.
func (m *manifest) unlike(files []file) (problems []string) {
	there, known := map[string]string{}, map[string]bool{manifestFile: true}
	for _, f := range files {
		there[f.Path] = f.SHA256
	}
	for _, f := range m.Files {
		known[f.Path] = true
		if hash, found := there[f.Path]; !found {
			problems = append(problems, f.Path+" is missing")
		} else if hash != f.SHA256 {
			problems = append(problems, f.Path+" was changed")
		}
	}
	for _, f := range files {
		if !known[f.Path] {
			problems = append(problems, f.Path+" does not belong to the bundle")
		}
	}
	return problems
}

// replay looks at all that needs the original.
func (v *verification) replay(ctx context.Context) error {
	c, problem, err := v.document(ctx)
	if err != nil {
		return err
	}
	v.add("the original is the data that were protected", problem...)
	if !v.soFar() {
		return nil
	}
	_, hash, err := c.writeSafe(ctx, io.Discard, nil)
	if err != nil {
		return err
	}
	v.add("the steps of the script, done again, give the safe file",
		v.manifest.differs(v.manifest.safePath(), hash)...)
	for _, part := range []struct {
		what  string
		files func() ([]content, error)
	}{
		{"the codebook and the report for users, made anew, are those of the bundle",
			func() ([]content, error) { return c.outside(ctx) }},
		{"the list of hashes is that of the files", func() ([]content, error) {
			return []content{{sumsFile, v.manifest.sums(outsidePart)}}, nil
		}},
		{"the report for inside and what the check found, made anew, are those of the bundle",
			func() ([]content, error) {
				found, err := c.findings(ctx, nil)
				if err != nil {
					return nil, err
				}
				return c.inside(ctx, found)
			}},
	} {
		files, err := part.files()
		if err != nil {
			return err
		}
		var problems []string
		for _, made := range files {
			problems = append(problems, v.manifest.differs(made.path, hashOf(made.text))...)
		}
		v.add(part.what, problems...)
	}
	return v.recount(ctx, c)
}

// differs says that a file that was made anew is not that of the bundle.
func (m *manifest) differs(path, hash string) []string {
	if slices.Contains(m.Files, file{path, hash}) {
		return nil
	}
	return []string{path + " comes out otherwise"}
}

// document does the steps of the script again on the original; problem says that the
// original is not the one.
func (v *verification) document(ctx context.Context) (c *contents, problem []string, err error) {
	text, err := os.ReadFile(within(v.Folder, scriptFile))
	if err != nil {
		return nil, nil, err
	}
	script, err := session.ReadScript(bytes.NewReader(text), nil)
	if err != nil {
		return nil, nil, fmt.Errorf("%s, %w", scriptFile, err)
	}
	var format fileio.Format
	if script.Format != nil {
		format = *script.Format
	}
	written := format
	if v.options.Reading != nil {
		if err := v.options.Reading(&format); err != nil {
			return nil, nil, err
		}
	}
	path, err := fileio.DataFile(v.options.Original)
	if err != nil {
		return nil, nil, err
	}
	opening, err := session.OpenFile(ctx, path, format, nil)
	if err != nil {
		return nil, nil, err
	}
	hash := opening.Data.Hash()
	if hex.EncodeToString(hash[:]) != v.manifest.Source.Hash {
		return nil, []string{fmt.Sprintf("%s holds other data than the bundle was made of, or is read in another way",
			filepath.Base(path))}, nil
	}
	opening.Source, opening.Name = elsewhere{opening.Source, v.manifest.Source.Path, written}, v.manifest.Source.Name
	document, err := session.Replay(ctx, opening, script, func(string) {})
	if err != nil {
		return nil, nil, fmt.Errorf("%s, %w", scriptFile, err)
	}
	return &contents{document: document, manifest: v.manifest, analyst: v.analyst}, nil, nil
}

// elsewhere is a source that reports call by the place where it was when the bundle was
// made.
type elsewhere struct {
	session.Source
	path   string
	format fileio.Format
}

// Identity returns that of the source, with the place where it was.
func (e elsewhere) Identity() session.Identity {
	identity := e.Source.Identity()
	identity.Path = e.path
	return identity
}

// Format returns how the source was read then.
func (e elsewhere) Format() fileio.Format { return e.format }

// recount has the safe file counted, and compares that with what the bundle and what the
// replay says.
func (v *verification) recount(ctx context.Context, c *contents) error {
	counted, err := c.count(ctx)
	if err != nil {
		return err
	}
	safe := within(v.Folder, v.manifest.safePath())
	format := fileio.FormatFor(safe, c.document.Source.Format())
	if format.Codebook = ""; v.manifest.Options.Codebook != "" {
		format.Codebook = filepath.Join(filepath.Dir(safe), v.manifest.Options.Codebook)
	}
	names := make([]string, len(counted.Missing))
	for i := range names {
		names[i] = counted.Missing[i].Variable
	}
	again, err := recount.File(ctx, safe, format, names, v.manifest.Question)
	if err != nil {
		return err
	}
	v.add("violators and cells without a value, counted by a plain counter in the safe file alone, are as the bundle says",
		unlikeCounts(v.manifest.Figures, *again, "counted in the file: ")...)
	v.add("and as they come out of the steps", unlikeCounts(v.manifest.Figures, counted, "from the steps: ")...)
	v.Stopped = false
	return nil
}

// unlikeCounts says where two counts differ.
func unlikeCounts(said, counted recount.Counts, whence string) (problems []string) {
	differ := func(what string, one, other any) {
		if !reflect.DeepEqual(one, other) {
			problems = append(problems, whence+fmt.Sprintf("%s %v, the bundle says %v", what, other, one))
		}
	}
	differ("records", said.Records, counted.Records)
	differ("cells without a value", said.Missing, counted.Missing)
	differ("violators (k, by default, conservative, own category)", said.Violators, counted.Violators)
	return problems
}
