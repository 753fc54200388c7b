package cli

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// After a moment a command shows its elapsed time and, if known, its progress; messages are above that line, which
// is removed at the end.
func TestProgressOfACommand(t *testing.T) {
	var out strings.Builder
	line, ticks, began := &progressLine{out: &out}, make(chan time.Time), time.Unix(1e9, 0)
	failed := errors.New("failed")
	err := line.during("counting", began, ticks, func(meter *progress.Meter) error {
		ticks <- began.Add(time.Second / 2)
		ticks <- began.Add(2 * time.Second)
		ticks <- began // the line before was drawn
		meter.Set(1, 4)
		ticks <- began.Add(90 * time.Second)
		ticks <- began
		say(line, warning, "a message")
		return failed
	})
	const clear = "\r\x1b[K"
	want := "counting: 2.0 s (ctrl+c ends it) " + clear + "counting: 1:30, 25 % of this part (ctrl+c ends it) " + clear +
		"warning: a message\n"
	if text := out.String(); text != want || err != failed {
		t.Errorf("%q, %v", text, err)
	}
}
