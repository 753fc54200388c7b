package bundle_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
)

// A bundle is valid, also with the original under another name, and its hash is that of the list of its files.
func TestBundleHolds(t *testing.T) {
	path, o := original(t, 400), options(t)
	done := released(t, path, o)
	moved := filepath.Join(t.TempDir(), "elsewhere.csv")
	text, err := os.ReadFile(path)
	must(t, err)
	write(t, moved, string(text))
	for _, path := range []string{path, moved} {
		v := verified(t, o.Folder, path)
		if !v.Holds() || v.Hash != done.Hash || len(v.Hash) != 64 || len(v.Results) != 13 {
			t.Errorf("%s: %q, %+v", path, problems(v), v)
		}
		page := strings.Join(v.Page(), "\n")
		if strings.Count(page, "\nok  ") != 13 || !strings.Contains(page, done.Hash) || !strings.Contains(page, "Records          400\n") {
			t.Error(page)
		}
	}
}

// The page to sign compares the global risk with its target only if the records have weights, as the checks do.
// The protected file is counted with the scratch space of the original, whatever its format.
func TestVerifyInScratchSpace(t *testing.T) {
	path := original(t, 400)
	const script = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex"],"remove":["pid"]}}
`
	d := document(t, path, script)
	for _, name := range []string{"safe.csv", "safe.dta"} {
		o := options(t)
		o.Name, o.RandomOrder, o.NewIdentifiers, o.Accept = name, false, nil, everything(t, d)
		done, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
		must(t, err)
		taken := func(work func(reading func(*fileio.Format) error)) int64 {
			scratch, err := store.NewFor(t.TempDir(), 0)
			must(t, err)
			defer scratch.Close()
			work(func(format *fileio.Format) error {
				format.Scratch = scratch
				return nil
			})
			return scratch.Bytes()
		}
		read := func(path string) int64 {
			return taken(func(reading func(*fileio.Format) error) {
				source, err := session.SourceOf(t.Context(), path, nil, reading)
				must(t, err)
				_, err = source.Open(t.Context(), nil)
				must(t, err)
			})
		}
		all := taken(func(reading func(*fileio.Format) error) {
			verdict, err := bundle.Verify(t.Context(), bundle.VerifyOptions{Folder: done.Folder, Original: path, Reading: reading},
				session.NewAnalyst())
			must(t, err)
			if !verdict.Holds() {
				t.Errorf("%s: %q", name, problems(verdict))
			}
		})
		if both := read(path) + read(done.Safe); all != both {
			t.Errorf("%s: %d bytes of scratch space, want %d for both files", name, all, both)
		}
	}
}

func TestTargetNeedsWeights(t *testing.T) {
	for weight, want := range map[string]string{`,"weight":"weight"`: "%, target 1 %\n", "": "%; no target without a weight variable\n"} {
		path, o := original(t, 400), options(t)
		d := document(t, path, strings.Replace(steps, `,"weight":"weight"`, weight, 1))
		o.Accept = everything(t, d)
		_, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
		must(t, err)
		v := verified(t, o.Folder, path)
		if page := strings.Join(v.Page(), "\n"); !v.Holds() || !strings.Contains(page, want) {
			t.Errorf("%q is not on the page: %q\n%s", want, problems(v), page)
		}
	}
}

// One changed byte is found in every file, at every tried position, and the file is named.
func TestOneChangedByte(t *testing.T) {
	path, o := original(t, 100), options(t)
	released(t, path, o)
	for name, text := range filesIn(t, o.Folder) {
		full := filepath.Join(o.Folder, filepath.FromSlash(name))
		for try := range 20 {
			at := try * (len(text) - 1) / 19
			changed := []byte(text)
			changed[at] ^= 1 << (try % 8)
			must(t, os.WriteFile(full, changed, 0o600))
			v := verified(t, o.Folder, path)
			if found := problems(v); v.Holds() || len(found) != 1 || !strings.Contains(found[0], name) {
				t.Errorf("byte %d of %s: %q", at, name, found)
			}
		}
		write(t, full, text)
	}
	if v := verified(t, o.Folder, path); !v.Holds() {
		t.Error(problems(v))
	}
}

// Missing files, added files, special files, and edited lists are named.
func TestOtherFiles(t *testing.T) {
	path, o := original(t, 100), options(t)
	released(t, path, o)
	for name, text := range filesIn(t, o.Folder) {
		full := filepath.Join(o.Folder, filepath.FromSlash(name))
		must(t, os.Remove(full))
		if name == "internal/manifest.json" {
			_, err := bundle.Verify(t.Context(), bundle.VerifyOptions{Folder: o.Folder, Original: path}, session.NewAnalyst())
			if !errors.Is(err, bundle.ErrNone) {
				t.Error(err)
			}
		} else if found := problems(verified(t, o.Folder, path)); len(found) != 1 || found[0] != name+" is missing" {
			t.Errorf("%s: %q", name, found)
		}
		write(t, full, text)
	}
	for _, name := range []string{"notes.txt", "users/.DS_Store", "internal/more/a"} {
		full := filepath.Join(o.Folder, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(full), 0o700))
		write(t, full, "")
		found := problems(verified(t, o.Folder, path))
		if len(found) == 0 || !strings.HasPrefix(found[0], name) {
			t.Errorf("%s: %q", name, found)
		}
		if must(t, os.Remove(full)); name == "internal/more/a" {
			must(t, os.Remove(filepath.Dir(full)))
		}
	}
	sums := filepath.Join(o.Folder, "users", "SHA256SUMS")
	text, err := os.ReadFile(sums)
	must(t, err)
	must(t, os.WriteFile(sums, bytes.ToUpper(text), 0o600))
	if found := problems(verified(t, o.Folder, path)); len(found) != 1 || found[0] != "users/SHA256SUMS was changed" {
		t.Errorf("%q", found)
	}
}

// Another original is reported as such.
func TestAnotherOriginal(t *testing.T) {
	path, o := original(t, 100), options(t)
	released(t, path, o)
	v := verified(t, o.Folder, original(t, 101))
	if found := problems(v); v.Holds() || len(found) != 1 || !strings.Contains(found[0], "differs from the data that the release was made from") {
		t.Errorf("%q", found)
	}
	if page := strings.Join(v.Page(), "\n"); !strings.Contains(page, "\nNO  ") || !strings.Contains(page, "not valid") {
		t.Error(page)
	}
}

// Bundles are valid for every readable file format, written in the same format and in others, with key variables
// of all kinds.
func TestEveryKindOfFile(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "formats", "*"))
	must(t, err)
	held := 0
	for i, path := range paths {
		format, err := fileio.GuessFile(t.Context(), path, nil)
		if err != nil || !longtests.Some(i+5, 8) {
			continue
		}
		data, _, err := fileio.Read(t.Context(), path, format, nil)
		if err != nil {
			continue // no reader supports it
		}
		var keys []string
		for _, column := range data.Columns()[:min(6, len(data.Columns()))] {
			keys = append(keys, strconv.Quote(column.Name()))
		}
		script := strings.Split(steps, "\n")[0] + `
{"scenario":{"keys":[` + strings.Join(keys, ",") + `]}}
{"step":"suppress-kanonymity","params":{"k":2}}
`
		for j, name := range []string{"", "safe.csv", "safe.sav"} {
			if !longtests.Some((i+5)/8+j, 3) {
				continue // one format of each kind
			}
			d, o := document(t, path, script), options(t)
			o.Name, o.NewIdentifiers, o.Accept = name, nil, everything(t, d)
			if _, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil); err != nil {
				t.Errorf("%s as %q: %v", filepath.Base(path), name, err)
				continue
			}
			if v := verified(t, o.Folder, path); !v.Holds() {
				t.Errorf("%s as %q: %q", filepath.Base(path), name, problems(v))
			}
			held++
		}
	}
	if held < 6 {
		t.Error("only", held, "bundles")
	}
}
