package fileio

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

// breaking is a context that breaks a part of the reader.
type breaking struct {
	context.Context
	part string
}

func (b breaking) Err() error {
	if strings.Contains(string(debug.Stack()), b.part) {
		panic("broken")
	}
	return nil
}

// A panic on a goroutine of the reader is one of the caller's, so that a screen
// can be put in order before the program ends.
func TestPanicOfReadingIsTheReaders(t *testing.T) {
	content := "a,b\n" + strings.Repeat("1,x\n", 50)
	for _, part := range []string{".(*parser).block(", ".(*textMaker).column("} {
		for _, workers := range []int{1, 3} {
			func() {
				defer func() {
					reason := fmt.Sprint(recover()) // of another goroutine it is told without its text
					if reason != "broken" && !strings.Contains(reason, "fileio.breaking.Err") {
						t.Errorf("%s by %d: recovered %q", part, workers, reason)
					}
				}()
				_, _, err := readText(breaking{context.Background(), part}, inMemory("test.csv", []byte(content)), NewFormat(),
					tuning{8, workers}, nil)
				t.Errorf("%s by %d: no panic, error %v", part, workers, err)
			}()
		}
	}
}
