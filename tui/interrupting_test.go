package tui

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/klauspost/compress/gzip"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// bombFile returns the path of a small text file that decompresses to very much.
func bombFile(t *testing.T) string {
	t.Helper()
	const each, times = 4 << 20, 128
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	_, err := z.Write([]byte(strings.Repeat("a,1\n", each/4)))
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.csv.gz")
	if err := os.WriteFile(path, bytes.Repeat(member.Bytes(), times), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// aside runs the kept commands concurrently with the program. The function that it returns waits for their end and
// takes their results.
func (d *driver) aside() (ended func()) {
	var all sync.WaitGroup
	brought := make(chan tea.Msg, 100)
	var carryOut func(cmds []tea.Cmd)
	carryOut = func(cmds []tea.Cmd) {
		for _, cmd := range cmds {
			all.Go(func() {
				msg := cmd()
				if batch, several := msg.(tea.BatchMsg); several {
					carryOut(batch)
				} else {
					brought <- msg
				}
			})
		}
	}
	carryOut(d.held)
	d.held = nil
	return func() {
		all.Wait()
		close(brought)
		for msg := range brought {
			d.follow(msg)
		}
	}
}

// Esc cancels the reading of a file, and the screen says so.
func TestEscEndsReadingInItsMiddle(t *testing.T) {
	d := start(t, Options{Path: bombFile(t)}, 120, 40).Hold().Press("enter")
	d.Screen().Contains("reading bomb.csv.gz", "esc cancels")
	meter := d.m.work.Meter
	ended := d.aside()
	for meter.Fraction() == 0 {
		time.Sleep(time.Millisecond)
	}
	d.Press("esc")
	ended()
	if done := meter.Fraction(); done >= 1 {
		t.Errorf("%v of the file was read after esc", done)
	}
	d.Release().Screen().Contains("delimiter", "cancelled, nothing was changed")
}

// If esc is pressed while a file is examined, its page does not open.
func TestEscEndsLookingAtAFile(t *testing.T) {
	guessed, pressed := make(chan bool), make(chan bool)
	d := start(t, Options{Override: func(*fileio.Format) error {
		guessed <- true
		<-pressed
		return nil
	}}, 120, 40).Hold()
	d.act(func() { d.m.importing(bombFile(t)) })
	d.Screen().Contains("looking at bomb.csv.gz", "esc cancels")
	ended := d.aside()
	<-guessed
	d.Press("esc")
	pressed <- true
	ended()
	d.Release().Screen().Contains("cancelled, nothing was changed")
	if d.m.bench != nil || strings.Contains(d.Text(), "delimiter") {
		t.Errorf("the file is shown:\n%s", d.Text())
	}
}
