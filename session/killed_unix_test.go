//go:build unix

package session

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWorkUntilKilled is the program that TestKilledProgram runs: it applies steps forever and prints which are
// shown.
func TestWorkUntilKilled(t *testing.T) {
	path := os.Getenv("SDCDESK_TEST_JOURNAL")
	if path == "" {
		t.Skip("this is run by TestKilledProgram")
	}
	data, format := readText(t, smallText)
	s, err := New(Opening{Source: NewDemonstration("test", format), Data: data, Journal: path})
	must(t, err)
	must(t, s.SetScenario(smallScenario()))
	for i := 1; ; i++ {
		do(t, s, agesUpTo(i))
		fmt.Println("shown", s.Position())
	}
}

func TestKilledProgram(t *testing.T) {
	for round := range 5 {
		path := filepath.Join(t.TempDir(), "journal")
		program := exec.Command(os.Args[0], "-test.run=^TestWorkUntilKilled$")
		program.Env = append(os.Environ(), "SDCDESK_TEST_JOURNAL="+path)
		out, err := program.StdoutPipe()
		must(t, err)
		must(t, program.Start())
		shown := 0
		lines := bufio.NewScanner(out)
		for shown < 2+3*round && lines.Scan() {
			if number, ok := strings.CutPrefix(lines.Text(), "shown "); ok {
				_, err := fmt.Sscan(number, &shown)
				must(t, err)
			}
		}
		must(t, program.Process.Kill()) // signal 9
		_ = program.Wait()
		data, format := readText(t, smallText)
		s, err := Resume(context.Background(), Opening{Source: NewDemonstration("test", format), Data: data, Journal: path},
			nil)
		must(t, err)
		if s.Position() < shown || shown == 0 {
			t.Errorf("%d steps were shown, %d are left", shown, s.Position())
		}
		must(t, s.Close())
	}
}
