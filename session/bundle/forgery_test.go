package bundle

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
)

// forger changes any file of a bundle, and makes manifest, reports and hashes consistent with it, using the code
// of the program.
type forger struct {
	testing.TB
	folder   string
	original string
	m        *manifest
	c        *contents
	found    []check.Finding
	script   string
	files    map[string]string
}

const forgedScript = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age"],"weight":"weight","household":"hid"}}
{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,24,64,99]}}
{"step":"suppress-kanonymity","params":{"k":3}}
{"step":"noise","params":{"variables":["expend"]},"seed":7123456789}
`

// forgedPatterns are custom patterns of an office that find one more variable.
const forgedPatterns = `{"identifier":"named wells","content":" well$","share":10}` + "\n"

// analyst returns an analyst with the office's patterns.
func (f *forger) analyst() *session.Analyst {
	f.Helper()
	patterns, err := identify.Default().Read(strings.NewReader(forgedPatterns))
	f.must(err)
	return session.NewAnalyst().Recognising(patterns)
}

// release releases a part of the survey with its person ID, which has two findings.
func (f *forger) release() {
	f.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "survey.csv"))
	f.must(err)
	f.original = filepath.Join(f.TempDir(), "persons.csv")
	f.must(os.WriteFile(f.original, bytes.Join(bytes.SplitAfterN(text, []byte("\n"), 202)[:201], nil), 0o600))
	f.folder = filepath.Join(f.TempDir(), "release")
	f.replay(forgedScript)
	found, err := f.c.document.Check(f.Context(), session.ExportOptions{}, f.analyst(), nil)
	f.must(err)
	date := time.Date(2026, 5, 17, 0, 0, 0, 0, time.UTC)
	_, err = Write(f.Context(), f.c.document, Options{Folder: f.folder, Date: date, GuardFormulas: true,
		Accept: check.Accept(found, "agreed", "A. Baker", "")}, f.analyst(), nil)
	f.must(err)
	f.m, err = readManifest(f.folder)
	f.must(err)
	f.files = map[string]string{}
	for _, one := range append(f.m.Files, file{Path: manifestFile}) {
		text, err := os.ReadFile(within(f.folder, one.Path))
		f.must(err)
		f.files[one.Path] = string(text)
	}
	f.replay(f.files[scriptFile])
	f.c.manifest = f.m
	f.found, err = f.c.findings(f.Context(), nil)
	f.must(err)
}

// again returns a forger of the same bundle in another folder.
func (f *forger) again(t testing.TB) *forger {
	t.Helper()
	other := *f
	other.TB, other.folder, other.files, other.m = t, filepath.Join(t.TempDir(), "release"), maps.Clone(f.files), new(manifest)
	text, err := f.m.text()
	f.must(err)
	f.must(json.Unmarshal(text, other.m))
	other.c = &contents{document: f.c.document, analyst: f.c.analyst, manifest: other.m}
	return &other
}

// replay applies the steps of a script to the original.
func (f *forger) replay(script string) {
	f.Helper()
	name := filepath.Join(f.TempDir(), "script.jsonl")
	f.must(os.WriteFile(name, []byte(script), 0o600))
	d, err := session.Perform(f.Context(), session.RunOptions{Script: name, File: f.original})
	f.must(err)
	f.c, f.script = &contents{analyst: f.analyst(), document: d, manifest: f.m}, script
}

// remake writes all files as the program would for the claims of the manifest.
func (f *forger) remake() {
	f.Helper()
	var safe bytes.Buffer
	_, err := f.c.writeSafe(f.Context(), &safe, nil)
	f.must(err)
	question, figures := f.m.Question, f.m.Figures
	made, err := f.c.files(f.Context(), []byte(f.script), f.found)
	f.must(err)
	f.m.Question, f.m.Figures = question, figures
	for _, one := range append(made, content{f.m.safePath(), safe.Bytes()}) {
		f.files[one.path] = string(one.text)
	}
}

// seal writes the files, with a consistent list of hashes and manifest.
func (f *forger) seal(keep ...string) {
	f.Helper()
	f.m.Files = nil
	for path, text := range f.files {
		if path != manifestFile && path != sumsFile {
			f.m.list([]content{{path, []byte(text)}})
		}
	}
	if !slices.Contains(keep, sumsFile) {
		f.files[sumsFile] = string(f.m.sums(usersPart))
	}
	f.m.list([]content{{sumsFile, []byte(f.files[sumsFile])}})
	text, err := f.m.text()
	f.must(err)
	f.files[manifestFile] = string(text)
	f.write()
}

func (f *forger) write() {
	f.Helper()
	f.must(os.RemoveAll(f.folder))
	f.must(os.MkdirAll(within(f.folder, internalPart), 0o700))
	f.must(os.MkdirAll(within(f.folder, usersPart), 0o700))
	for path, text := range f.files {
		f.must(os.WriteFile(within(f.folder, path), []byte(text), 0o600))
	}
}

func (f *forger) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// refusal returns why the bundle is refused, or "".
func (f *forger) refusal() string { return f.refusedBy(session.NewAnalyst()) }

func (f *forger) refusedBy(analyst *session.Analyst) string {
	v, err := Verify(context.Background(), VerifyOptions{Folder: f.folder, Original: f.original}, analyst)
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, r := range v.Results {
		all = append(all, r.Problems...)
	}
	if v.Holds() != (len(all) == 0) {
		return ""
	}
	return strings.Join(all, "\n")
}

// edit changes the text of a file.
func (f *forger) edit(path string, change func(text string) string) {
	f.Helper()
	text := f.files[path]
	if f.files[path] = change(text); f.files[path] == text {
		f.Fatalf("%s is as before", path)
	}
}

// cells changes the records of the protected file; the first row has the names.
func (f *forger) cells(change func(records [][]string) [][]string) {
	f.edit(f.m.safePath(), func(text string) string {
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		f.must(err)
		var out strings.Builder
		w := csv.NewWriter(&out)
		f.must(w.WriteAll(change(records)))
		return out.String()
	})
}

func replacing(old, by string) func(string) string {
	return func(text string) string { return strings.Replace(text, old, by, 1) }
}

// accepted changes the acceptances, and makes the reports consistent.
func accepted(change func(m *manifest)) func(*forger) {
	return func(f *forger) {
		change(f.m)
		f.remake()
	}
}

func said(change func(m *manifest)) func(*forger) { return func(f *forger) { change(f.m) } }

// rescripted changes the script, and everything that depends on it.
func rescripted(old, by string) func(*forger) {
	return func(f *forger) {
		script := strings.Replace(f.script, old, by, 1)
		if script == f.script {
			f.Fatalf("%s is not in the script", old)
		}
		m := f.m
		f.replay(script)
		f.c.manifest = m
		m.Question = question(&f.c.document)
		var err error
		m.Figures, err = f.c.count(f.Context())
		f.must(err)
		f.found, err = f.c.findings(f.Context(), nil)
		f.must(err)
		f.remake()
		m.Figures, err = f.c.count(f.Context())
		f.must(err)
	}
}

// edited changes one file.
func edited(path, old, by string) func(*forger) {
	return func(f *forger) { f.edit(path, replacing(old, by)) }
}

var forgeries = []struct {
	name  string
	forge func(f *forger)
	named string // text in the refusal
}{
	{"critical findings accepted by nobody", accepted(func(m *manifest) { m.Accepted = []check.Acceptance{} }), "household-ids:hid is critical"},
	{"one acceptance removed", accepted(func(m *manifest) { m.Accepted = m.Accepted[:1] }), "is critical and was not accepted"},
	{"acceptance of another variable", accepted(func(m *manifest) { m.Accepted[0].Variable = "sex" }), "direct-identifiers:sex was accepted"},
	{"acceptance that never was", accepted(func(m *manifest) {
		m.Accepted = append(m.Accepted, check.Acceptance{Finding: "l-diversity", Variable: "health", Because: "x", By: "y", Date: "2026-05-17"})
	}), "l-diversity:health was accepted"},
	{"acceptance of a warning", accepted(func(m *manifest) {
		m.Accepted = append(m.Accepted, check.Acceptance{Finding: "record-order", Because: "x", By: "y", Date: "2026-05-17"})
	}), "record-order was accepted"},
	{"acceptance without a reason", accepted(func(m *manifest) { m.Accepted[0].Because = " " }), "add the reason"},
	{"acceptance without a name", accepted(func(m *manifest) { m.Accepted[0].By = "" }), "add the name"},
	{"reason of two lines", accepted(func(m *manifest) { m.Accepted[0].Because = "x\nok  everything" }), "one line"},
	{"acceptance listed twice", accepted(func(m *manifest) { m.Accepted = append(m.Accepted, m.Accepted[0]) }), "accepted twice"},
	{"acceptances in another order", accepted(func(m *manifest) { slices.Reverse(m.Accepted) }), "accepted is"},
	{"accepted after the release", accepted(func(m *manifest) { m.Accepted[0].Date = "2026-05-18" }), "accepted after the release"},
	{"accepted without a date", accepted(func(m *manifest) { m.Accepted[0].Date = "" }), "without a date"},
	{"date of no calendar", accepted(func(m *manifest) { m.Accepted[0].Date = "2026-02-30" }), "date must look like"},

	{"question emptied", said(func(m *manifest) { m.Question.Keys, m.Question.K = []string{}, []int{}; m.Figures.Violators = nil }), "question is"},
	{"question replaced by sex and k = 2", func(f *forger) {
		f.m.Question.Keys, f.m.Question.K = []string{"sex"}, []int{2}
		var err error
		f.m.Figures, err = f.c.count(f.Context())
		f.must(err)
	}, "question is"},
	{"only k = 2 asked", said(func(m *manifest) { m.Question.K, m.Figures.Violators = m.Question.K[:1], m.Figures.Violators[:1] }), "question is"},
	{"another alpha", said(func(m *manifest) { m.Question.Alpha = 0.5 }), "question is"},
	{"no violators", said(func(m *manifest) { m.Figures.Violators[2].OwnCategory = 0 }), "figures is"},
	{"fewer missing cells", said(func(m *manifest) { m.Figures.Missing[3].Cells++ }), "figures is"},
	{"more records", said(func(m *manifest) { m.Figures.Records++ }), "figures is"},

	{"critical finding left out of the findings", func(f *forger) {
		f.found, f.m.Accepted = f.found[1:], f.m.Accepted[1:]
		f.remake()
	}, "direct-identifiers:water is critical"},
	{"all findings left out", func(f *forger) {
		f.found, f.m.Accepted = nil, []check.Acceptance{}
		f.remake()
	}, "critical and was not accepted"},
	{"critical finding called a warning", func(f *forger) {
		f.found = slices.Clone(f.found)
		f.found[0].Critical, f.m.Accepted = false, f.m.Accepted[1:]
		f.remake()
	}, "direct-identifiers:water is critical"},
	{"count of a finding", func(f *forger) {
		f.found = slices.Clone(f.found)
		f.found[0].Count, f.found[0].Text = 0, "Nothing to speak of."
		f.remake()
	}, checkFile},
	{"sentence of the internal report", edited(internalReport, "k-anonymity", "k-Anonymity"), internalReport},
	{"sentence of the user report", edited(usersReport, "200", "2,000"), usersReport},

	{"a cell changed", func(f *forger) {
		f.cells(func(r [][]string) [][]string { r[7][4] += "1"; return r })
	}, "persons-protected.csv"},
	{"a record removed", func(f *forger) { f.cells(func(r [][]string) [][]string { return r[:len(r)-1] }) }, "persons-protected.csv"},
	{"records in another order", func(f *forger) {
		f.cells(func(r [][]string) [][]string { r[1], r[2] = r[2], r[1]; return r })
	}, "persons-protected.csv"},
	{"a suppressed cell filled in", func(f *forger) {
		f.cells(func(r [][]string) [][]string {
			at := slices.Index(r[0], "region")
			for _, record := range r[1:] {
				if record[at] == "" {
					record[at] = "North"
					break
				}
			}
			return r
		})
	}, "persons-protected.csv"},
	{"a variable added", func(f *forger) {
		f.cells(func(r [][]string) [][]string {
			for i := range r {
				r[i] = append(r[i], "name")
			}
			return r
		})
	}, "persons-protected.csv"},
	{"the original released", func(f *forger) {
		text, err := os.ReadFile(f.original)
		f.must(err)
		f.files[f.m.safePath()] = string(text)
	}, "persons-protected.csv"},

	{"a file more, with its hash, for users", func(f *forger) { f.files[usersPart+"/original.csv"] = "pid\n1\n" }, "users/original.csv is listed"},
	{"a file more, with its hash, internal", func(f *forger) { f.files[internalPart+"/approval.txt"] = "approved" }, "internal/approval.txt is listed"},
	{"internal report missing and not listed", func(f *forger) { delete(f.files, internalReport) }, internalReport},
	{"findings missing and not listed", func(f *forger) { delete(f.files, checkFile) }, checkFile},

	{"a comment in the script", edited(scriptFile, "\n", "\n# approved by the board\n"), scriptFile},
	{"a step hidden in the script", edited(scriptFile, `"k":3`, `"k":2`), "persons-protected.csv"},
	{"another seed", edited(scriptFile, "7123456789", "7123456788"), "persons-protected.csv"},
	{"a typed seed", rescripted("7123456789", "7"), "typed-seeds is critical"},
	{"a step removed, and all that follows", rescripted(`"budget":null`, `"budget":1`),
		"is critical and was not accepted"},
	{"lower k, and all that follows", rescripted(`"k":3`, `"k":2`), "is critical and was not accepted"},

	{"identifier patterns dropped", func(f *forger) { delete(f.files, patternsFile) }, patternsFile + " is missing"},
	{"identifier patterns with an exception more", func(f *forger) {
		f.files[patternsFile] += `{"except":"water hid"}` + "\n"
	}, patternsFile + " differs from the patterns that the release was checked with"},
	{"identifier patterns emptied, with their hash", func(f *forger) {
		f.files[patternsFile] = "# none\n"
		f.m.Options.Patterns = hashOf([]byte(f.files[patternsFile]))
	}, "direct-identifiers:water was accepted"},
	{"identifier patterns that are none, with their hash", func(f *forger) {
		f.files[patternsFile] = "none"
		f.m.Options.Patterns = hashOf([]byte("none"))
	}, patternsFile + ": line 1"},
	{"identifier patterns of which nothing is said", said(func(m *manifest) { m.Options.Patterns = "" }), "direct-identifiers:water was accepted"},
	{"notes kept of an original without notes", said(func(m *manifest) { m.Options.KeepNotes = true }), "options is"},

	{"another original", said(func(m *manifest) { m.Source.Hash = strings.Repeat("0", 64) }), "differs from the data that the release was made from"},
	{"another name of the original", accepted(func(m *manifest) { m.Source.Name = "approved.csv" }), "name of the original"},
	{"a contact of two lines", accepted(func(m *manifest) { m.Options.Contact = "x\nCritical   0 findings" }), "one line"},
	{"a date that is none", said(func(m *manifest) { m.Date = "May 2026" }), "date of the release"},
	{"a protected file elsewhere", func(f *forger) {
		text := f.files[f.m.safePath()]
		delete(f.files, f.m.safePath())
		f.m.Safe = "../persons.csv"
		f.files[f.m.safePath()] = text
	}, "../persons.csv"},
	{"a protected file with the name of another", said(func(m *manifest) { m.Safe = "report.html" }), "report.html"},
	{"a codebook that is not there", said(func(m *manifest) { m.Options.Codebook = "codebook.xml" }), "codebook"},
	{"a program of another version", said(func(m *manifest) { m.Program = "v9.9.9" }), "made by sdcdesk v9.9.9"},
	{"a bundle of an earlier kind", said(func(m *manifest) { m.Version = 1 }), "another version of the program"},
	{"another format", said(func(m *manifest) { m.Format = "other" }), "format is"},
}

// Forgeries are refused by name, although every hash was recomputed.
func TestForgeries(t *testing.T) {
	if len(forgeries) < 40 {
		t.Errorf("only %d forgeries", len(forgeries))
	}
	honest := &forger{TB: t}
	honest.release()
	honest.remake()
	honest.seal()
	if reason := honest.refusal(); reason != "" {
		t.Fatalf("before: %s", reason)
	}
	for _, c := range forgeries {
		t.Run(c.name, func(t *testing.T) {
			f := honest.again(t)
			c.forge(f)
			f.seal()
			if reason := f.refusal(); !strings.Contains(reason, c.named) {
				t.Errorf("refused for %q", reason)
			}
		})
	}
}

// A verifier with the patterns of the office detects that a bundle was checked without them, although everything
// in it is consistent.
func TestVerifyWithPatterns(t *testing.T) {
	honest := &forger{TB: t}
	honest.release()
	if reason := honest.refusedBy(honest.analyst()); reason != "" {
		t.Fatalf("refused for %s", reason)
	}
	for text, named := range map[string]string{"": "is missing: the release was checked without your patterns",
		forgedPatterns + `{"except":"water"}`: "differs from your patterns"} {
		f := honest.again(t)
		patterns, err := identify.Default().Read(strings.NewReader(text))
		f.must(err)
		f.c.analyst = session.NewAnalyst().Recognising(patterns)
		delete(f.files, patternsFile)
		if f.m.Options.Patterns = ""; text != "" {
			f.m.Options.Patterns = hashOf([]byte(text))
		}
		f.m.Accepted = slices.DeleteFunc(f.m.Accepted, func(a check.Acceptance) bool { return a.Variable == "water" })
		f.found, err = f.c.findings(f.Context(), nil)
		f.must(err)
		f.remake()
		f.seal()
		if reason := f.refusal(); reason != "" {
			t.Errorf("%q: refused for %s", text, reason)
		}
		if reason := f.refusedBy(honest.analyst()); !strings.Contains(reason, named) {
			t.Errorf("%q: refused for %q", text, reason)
		}
	}
}
