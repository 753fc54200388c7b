package fileio

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"testing"
)

// breaking is a context that panics in a part of the reader.
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

// A panic in a goroutine of the reader is repeated in the caller, so that the screen can be restored before the
// program ends.
func TestPanicOfReadingIsTheReaders(t *testing.T) {
	content := "a,b\n" + strings.Repeat("1,x\n", 50)
	for _, part := range []string{".(*parser).block(", ".(*textMaker).column("} {
		for _, workers := range []int{1, 3} {
			func() {
				defer func() {
					reason := fmt.Sprint(recover()) // the panic of another goroutine has no text
					if reason != "broken" && !strings.Contains(reason, "fileio.breaking.Err") {
						t.Errorf("%s by %d: recovered %q", part, workers, reason)
					}
				}()
				_, _, err := readText(breaking{context.Background(), part}, inMemory("test.csv", []byte(content)), NewFormat(),
					readTuning{8, workers}, nil)
				t.Errorf("%s by %d: no panic, error %v", part, workers, err)
			}()
		}
	}
}
