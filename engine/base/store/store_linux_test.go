package store_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// mappings returns the number of files in a folder that the process has mapped.
func mappings(t *testing.T, folder string) int {
	t.Helper()
	all, err := os.ReadFile("/proc/self/maps")
	must(t, err)
	return strings.Count(string(all), folder)
}

// Mapped files have no name and mode 0600, and are gone after Close.
func TestFilesHaveNoName(t *testing.T) {
	folder := t.TempDir()
	s, err := store.New(folder)
	must(t, err)
	store.Make[uint8](s, 1<<20)
	store.Make[uint8](s, 1<<20)
	if len(entries(t, folder)) > 0 || mappings(t, folder) != 2 {
		t.Errorf("%d files can be seen, %d are mapped", len(entries(t, folder)), mappings(t, folder))
	}
	must(t, s.Close())
	if mappings(t, folder) != 0 {
		t.Error("a closed store has mappings")
	}
}

// inChild runs a test of this binary in a child process.
func inChild(test, folder string) *exec.Cmd {
	program := exec.Command(os.Args[0], "-test.run=^"+test+"$")
	program.Env = append(os.Environ(), "SDCDESK_TEST_SCRATCH="+folder)
	return program
}

// TestFullDiskInChild is run by TestFullDisk in a process with a limit on file sizes.
func TestFullDiskInChild(t *testing.T) {
	folder := os.Getenv("SDCDESK_TEST_SCRATCH")
	if folder == "" {
		t.Skip("this is run by TestFullDisk")
	}
	s, err := store.New(folder)
	must(t, err)
	signal.Ignore(syscall.SIGXFSZ)
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}))
	fits, large := store.Make[uint8](s, 1<<20), store.Make[uint8](s, 1<<21)
	for i := range large {
		large[i] = 1
	}
	err = s.Err()
	if !errors.Is(err, store.ErrScratch) || !strings.Contains(err.Error(), "no space for another 3 MB") {
		t.Error(err)
	}
	if !store.Holds(s, fits) || store.Holds(s, large) {
		t.Error("other arrays are in files")
	}
	must(t, s.Close())
	fmt.Println("all was tried")
}

// A full disk is an error, and the array is on the heap. The limit is set in a child process, because it applies
// to the whole process.
func TestFullDisk(t *testing.T) {
	folder := t.TempDir()
	out, err := inChild("TestFullDiskInChild", folder).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "all was tried") || len(entries(t, folder)) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestArraysUntilKilled is run by TestKilledProgram in a process.
func TestArraysUntilKilled(t *testing.T) {
	folder := os.Getenv("SDCDESK_TEST_SCRATCH")
	if folder == "" {
		t.Skip("this is run by TestKilledProgram")
	}
	s, err := store.New(folder)
	must(t, err)
	for i := 0; ; i++ {
		array := store.Make[uint8](s, 1<<17)
		if i == 100 {
			fmt.Println("hundred arrays")
		}
		store.Free(s, array)
	}
}

func TestKilledProgram(t *testing.T) {
	folder := t.TempDir()
	program := inChild("TestArraysUntilKilled", folder)
	out, err := program.StdoutPipe()
	must(t, err)
	must(t, program.Start())
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "hundred arrays"; {
	}
	must(t, program.Process.Kill()) // SIGKILL
	_ = program.Wait()
	if left := entries(t, folder); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
