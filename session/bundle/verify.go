package bundle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
)

// VerifyOptions select the bundle to verify, and the original data.
type VerifyOptions struct {
	Folder       string
	Original     string // path of the original data
	OtherVersion bool   // try it although another version of the program made the bundle

	// Reading changes the format of the original that the script describes; nil: no change.
	Reading func(*fileio.Format) error
}

// Verdict is the result of a verification: what was examined, in order.
type Verdict struct {
	Folder    string     `json:"folder"`
	Program   string     `json:"program"` // version that made the bundle
	Hash      string     `json:"sha256"`  // of the bundle as it is
	Results   []Result   `json:"results"`
	Stopped   bool       `json:"stopped"`             // the rest was not examined because of a failure
	Statement *Statement `json:"statement,omitempty"` // what is to be signed; nil: the bundle failed before it was known
}

// Result is one thing that was examined.
type Result struct {
	What     string   `json:"what"`
	Problems []string `json:"problems"` // why it fails, with names of files; none: it is valid
}

// Holds reports whether everything was examined and is valid.
func (v *Verdict) Holds() bool { return !v.Stopped && v.soFar() }

// soFar reports whether everything examined so far is valid.
func (v *Verdict) soFar() bool {
	return !slices.ContainsFunc(v.Results, func(r Result) bool { return len(r.Problems) > 0 })
}

// ErrVersion is wrapped by the error of a bundle that another version of the program made.
var ErrVersion = errors.New("another version of the program")

// verification is a bundle being verified.
type verification struct {
	*Verdict
	options  VerifyOptions
	manifest *manifest // as read; trusted only for what cannot be derived
	tree     tree
	analyst  *session.Analyst
}

// Verify derives a release from the script of a bundle and the original: the data, the question, the figures, the
// findings and the need to accept them, every file. It compares all that with the files byte by byte and with the
// manifest field by field, and recount counts the protected file. What cannot be derived (date, names of the
// files, acceptances) is in the Statement, so that whoever signs it reads it. If files were changed, or the
// original has other data, the steps are not repeated. Errors: ErrNone, ErrVersion, those of reading the original,
// and that of ctx.
func Verify(ctx context.Context, o VerifyOptions, analyst *session.Analyst) (*Verdict, error) {
	if real, err := filepath.EvalSymlinks(o.Folder); err == nil { // resolves a link to the folder
		o.Folder = real
	}
	v := &verification{options: o, Verdict: &Verdict{Folder: o.Folder, Stopped: true}, analyst: analyst}
	var err error
	if v.tree, err = treeOf(ctx, o.Folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var invalid error
	if v.manifest, invalid = readManifest(o.Folder); errors.Is(invalid, ErrVersion) || errors.Is(invalid, ErrNone) {
		return nil, invalid
	}
	v.Hash = bundleHash(v.tree.files)
	if invalid != nil {
		v.add("the manifest is valid", invalid.Error())
		return v.Verdict, nil
	}
	if err := sameProgram(o.Folder, v.manifest, o.OtherVersion); err != nil {
		return nil, err
	}
	v.Program = v.manifest.Program
	v.add("the manifest is valid")
	v.add("the files are complete and unchanged", v.tree.unlike(v.manifest)...)
	v.add("no links, no other folders, permissions only for the owner", v.tree.problems...)
	if v.soFar() {
		err = v.repeat(ctx)
	}
	return v.Verdict, err
}

func (v *Verdict) add(what string, problems ...string) {
	v.Results = append(v.Results, Result{what, problems})
}

// sameProgram refuses a bundle of another version, unless try is set.
func sameProgram(folder string, m *manifest, try bool) error {
	if now := session.ProgramVersion(); m.Program != now && !try {
		return fmt.Errorf("%s was made by sdcdesk %s, this is sdcdesk %s: %w may write different files from the same steps", folder,
			m.Program, now, ErrVersion)
	}
	return nil
}
