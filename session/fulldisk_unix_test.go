//go:build unix

package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// fullAt calls a function while no file can grow beyond a limit, as on a full disk.
func fullAt(t *testing.T, limit uint64, do func() error) error {
	t.Helper()
	var before syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	small := before
	small.Cur = limit
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
	defer func() { must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)) }()
	return do()
}

// contents returns the contents of the files in a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	files := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		must(t, err)
		files[entry.Name()] = string(text)
	}
	return files
}

// fullWriter is one way in which the program writes files into a folder.
type fullWriter struct {
	name  string
	write func(folder string, force bool) error
}

// fullWriters are those of a session, and of a script on its source.
func fullWriters(t *testing.T, s *Session) (writers []fullWriter) {
	t.Helper()
	for _, extension := range []string{".csv", ".csv.gz", ".tsv.zst", ".sav", ".zsav", ".dta", ".xpt", ".rds", ".parquet", ".xlsx"} {
		writers = append(writers, fullWriter{"export " + extension, func(folder string, force bool) error {
			_, err := s.Document().Export(t.Context(), ExportOptions{Path: filepath.Join(folder, "out"+extension), Force: force}, nil)
			return err
		}})
	}
	script := filepath.Join(t.TempDir(), "script.jsonl")
	must(t, writeScript(s.Document(), script, false, true))
	return append(writers,
		fullWriter{"script", func(folder string, force bool) error {
			return s.Document().WriteFile(filepath.Join(folder, "script.jsonl"), force,
				func(w io.Writer) error { return s.Document().WriteScript(w, true) })
		}},
		fullWriter{"codebook", func(folder string, force bool) error {
			_, err := s.Document().Export(t.Context(), ExportOptions{Path: filepath.Join(folder, "out.csv"), Force: force,
				Codebook: filepath.Join(folder, "codes.xml")}, nil)
			return err
		}},
		fullWriter{"run", func(folder string, force bool) error {
			in := func(name string) string { return filepath.Join(folder, name) }
			return Run(t.Context(), RunOptions{Script: script, File: s.identity.Path, Force: force, Out: in("out.csv"),
				Summary: in("summary.json"), Records: in("records.csv"), Report: in("report.html"), ReportUsers: in("users.html"),
				Codebook: in("codes.csv")})
		}})
}

// TestFullDiskInChild is the program that TestFullDisk runs.
func TestFullDiskInChild(t *testing.T) {
	if os.Getenv("SDCDESK_TEST_FULL") == "" {
		t.Skip("this is run by TestFullDisk")
	}
	signal.Ignore(syscall.SIGXFSZ)
	stateHere(t)
	s := openSmall(t)
	do(t, s, ages)
	do(t, s, two)
	for _, w := range fullWriters(t, s) {
		folder, elsewhere, largest := t.TempDir(), t.TempDir(), 0
		must(t, w.write(elsewhere, false))
		for _, text := range contents(t, elsewhere) {
			largest = max(largest, len(text))
		}
		for _, force := range []bool{false, true} {
			before := contents(t, folder)
			for _, limit := range []int{0, 1, largest / 3, 3 * largest / 4} {
				err := fullAt(t, uint64(limit), func() error { return w.write(folder, force) })
				if err == nil || !strings.Contains(err.Error(), "nothing was changed") || !errors.Is(err, syscall.EFBIG) {
					t.Errorf("%s, %d of %d bytes, force %v: %v", w.name, limit, largest, force, err)
				}
				if after := contents(t, folder); fmt.Sprint(after) != fmt.Sprint(before) {
					t.Errorf("%s, %d of %d bytes, force %v: of %d files there are %d, or others", w.name, limit, largest, force,
						len(before), len(after))
				}
			}
			must(t, w.write(folder, force))
		}
	}
	fullJournal(t, s)
	fmt.Println("all was tried")
}

// fullJournal tries steps for which the journal has no room: they are refused, and the session continues.
func fullJournal(t *testing.T, s *Session) {
	t.Helper()
	info, err := os.Stat(s.JournalPath())
	must(t, err)
	want := drawn(s)
	for _, more := range []int64{0, 1, 40} {
		err := fullAt(t, uint64(info.Size()+more), func() error { return stepMade(s, regions) })
		if !errors.Is(err, ErrNotStored) || drawn(s) != want {
			t.Errorf("with room for %d bytes: %v\n%s", more, err, drawn(s))
		}
		if now, err := os.Stat(s.JournalPath()); err != nil || now.Size() != info.Size() {
			t.Errorf("with room for %d bytes the journal has %d, not %d", more, now.Size(), info.Size())
		}
	}
	must(t, stepMade(s, regions))
	want = drawn(s)
	must(t, s.Close())
	continued, err := continueAt(t, s.JournalPath())
	must(t, err)
	defer continued.Close()
	if drawn(continued) != want {
		t.Errorf("continued:\n%s", drawn(continued))
	}
}

// stepMade applies a step.
func stepMade(s *Session, step StepSpec) error { return runJob(s, s.Prepare(step), nil) }

// On a full disk existing files are unchanged, nothing is left behind, and the error says so; the journal keeps
// its lines. The limit applies to a whole process, so a child has it.
func TestFullDisk(t *testing.T) {
	child := exec.Command(os.Args[0], "-test.run=^TestFullDiskInChild$", "-test.v")
	child.Env = append(slices.Clone(os.Environ()), "SDCDESK_TEST_FULL=1", "TMPDIR="+t.TempDir())
	if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), "all was tried") {
		t.Errorf("%v\n%s", err, out)
	}
}
