//go:build linux || darwin

package bundle_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
)

// inChild returns a command that runs only one test, with additional environment variables. What it leaves when it
// is killed is removed with the folders of the test.
func inChild(t *testing.T, test string, environment ...string) *exec.Cmd {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v")
	child.Env = append(append(os.Environ(), "TMPDIR="+t.TempDir()), environment...)
	return child
}

// TestReleaseUntilKilled is the program that TestKilledRelease runs: it releases forever, each time replacing the
// earlier release.
func TestReleaseUntilKilled(t *testing.T) {
	path := os.Getenv("SDCDESK_TEST_ORIGINAL")
	if path == "" || os.Getenv("SDCDESK_TEST_FOLDER") == "" {
		t.Skip("this is run by TestKilledRelease")
	}
	d, o := document(t, path, steps), options(t)
	o.Folder, o.Accept, o.Force = os.Getenv("SDCDESK_TEST_FOLDER"), everything(t, d), true
	analyst := session.NewAnalyst()
	for {
		fmt.Println("releasing")
		if _, err := bundle.Write(t.Context(), d, o, analyst, nil); err != nil {
			fmt.Println("failed:", err)
			return
		}
	}
}

// A release killed at any moment leaves a valid bundle, or nothing with the name of the protected file; the next
// one cleans up.
func TestKilledRelease(t *testing.T) {
	rounds := 5
	if longtests.Wanted() {
		rounds = 200
	}
	path, o := original(t, 300), options(t)
	safe := filepath.Join(o.Folder, "users", "persons-protected.csv")
	whole, nothing, unfinished := 0, 0, 0
	for round := range rounds {
		child := inChild(t, "TestReleaseUntilKilled", "SDCDESK_TEST_ORIGINAL="+path, "SDCDESK_TEST_FOLDER="+o.Folder)
		out, err := child.StdoutPipe()
		must(t, err)
		must(t, child.Start())
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != "releasing" {
		}
		time.Sleep(time.Duration(rand.IntN(60_000)) * time.Microsecond)
		must(t, child.Process.Kill()) // signal 9
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "failed:") {
				t.Fatalf("round %d: %s", round, lines.Text())
			}
		}
		_ = child.Wait()
		if _, err := os.Stat(filepath.Join(filepath.Dir(o.Folder), ".release.unreleased")); err == nil {
			unfinished++
		}
		if _, err := os.Stat(safe); err != nil {
			nothing++
			continue
		}
		whole++
		if v := verified(t, o.Folder, path); !v.Holds() {
			t.Fatalf("round %d: %q", round, problems(v))
		}
	}
	t.Logf("%d whole, %d nothing, %d with something to clear up", whole, nothing, unfinished)
	o.Force = true
	released(t, path, o)
	if entries, err := os.ReadDir(filepath.Dir(o.Folder)); err != nil || len(entries) != 1 {
		t.Errorf("beside the bundle: %v, %v", entries, err)
	}
	if v := verified(t, o.Folder, path); !v.Holds() {
		t.Error(problems(v))
	}
}

// TestFullDiskInChild is the program that TestFullDisk runs.
func TestFullDiskInChild(t *testing.T) {
	path := os.Getenv("SDCDESK_TEST_ORIGINAL")
	if path == "" || os.Getenv("SDCDESK_TEST_FOLDER") != "" {
		t.Skip("this is run by TestFullDisk")
	}
	d, o := document(t, path, steps), options(t)
	o.Accept = everything(t, d)
	signal.Ignore(syscall.SIGXFSZ)
	var before syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	full := func(limit uint64) error {
		small := before
		small.Cur = limit
		must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
		defer func() { must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)) }()
		_, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil)
		return err
	}
	for _, o.Force = range []bool{false, true} {
		for _, limit := range []uint64{0, 1, 100, 500, 1500, 3000, 6000, 20000} {
			if full(limit) == nil {
				t.Errorf("a file of %d bytes was enough", limit)
			}
		}
		if left, err := os.ReadDir(filepath.Dir(o.Folder)); err != nil || len(left) > 1 || len(left) == 1 != o.Force {
			t.Fatalf("left: %v, %v", left, err)
		}
		if !o.Force {
			must(t, full(before.Cur))
		}
	}
	if v := verified(t, o.Folder, path); !v.Holds() {
		t.Error(problems(v))
	}
	fmt.Println("all was tried")
}

// If the disk is full while any of the files is written, nothing is left, and the bundle to replace is unchanged.
// The limit applies to a whole process, so a child has it.
func TestFullDisk(t *testing.T) {
	out, err := inChild(t, "TestFullDiskInChild", "SDCDESK_TEST_ORIGINAL="+original(t, 300)).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "all was tried") {
		t.Errorf("%v\n%s", err, out)
	}
}

// A folder without write permission is reported.
func TestUnwritablePlace(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is forbidden here")
	}
	path, o := original(t, 100), options(t)
	must(t, os.Chmod(filepath.Dir(o.Folder), 0o500))
	d := document(t, path, steps)
	o.Accept = everything(t, d)
	if _, err := bundle.Write(t.Context(), d, o, session.NewAnalyst(), nil); err == nil ||
		!strings.Contains(err.Error(), "no permission") {
		t.Error(err)
	}
}

// TestVerifyInChild is the program that TestElsewhere runs.
func TestVerifyInChild(t *testing.T) {
	folder := os.Getenv("SDCDESK_TEST_FOLDER")
	if folder == "" {
		t.Skip("this is run by TestElsewhere")
	}
	fmt.Println(strings.Join(verified(t, folder, os.Getenv("SDCDESK_TEST_ORIGINAL")).Page(), "\n") + "\n.")
}

// A bundle is valid with another language, time zone and number of processors, and the page about it is the same.
func TestElsewhere(t *testing.T) {
	path, o := original(t, 5000), options(t)
	released(t, path, o)
	want := strings.Join(verified(t, o.Folder, path).Page(), "\n") + "\n."
	if !strings.Contains(want, "ok  ") || strings.Contains(want, "NO  ") {
		t.Fatal(want)
	}
	for _, environment := range [][]string{{"LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8", "TZ=Pacific/Kiritimati", "GOMAXPROCS=1"},
		{"LC_ALL=C", "TZ=America/Adak", "GOMAXPROCS=7"}} {
		page, err := inChild(t, "TestVerifyInChild", append(environment, "SDCDESK_TEST_ORIGINAL="+path,
			"SDCDESK_TEST_FOLDER="+o.Folder)...).Output()
		if err != nil || !strings.Contains(string(page), want) {
			t.Errorf("%v: %v\n%s", environment, err, page)
		}
	}
}
