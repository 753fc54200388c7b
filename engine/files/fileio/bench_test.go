package fileio

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/survey"
)

func surveyFile(b *testing.B, rows int) (path string, size int64) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "survey.csv")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	buffered := bufio.NewWriter(file)
	if err := survey.WriteCSV(buffered, rows, 7); err != nil {
		b.Fatal(err)
	}
	if err := buffered.Flush(); err != nil {
		b.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return path, info.Size()
}

// resetPeak resets the kernel's record of the peak memory; peak returns it in bytes, or 0 on systems other than
// Linux.
func resetPeak() {
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

func peak() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, _ := strconv.ParseFloat(string(fields[0]), 64)
	return 1024 * kilobytes
}

func BenchmarkReadCSV(b *testing.B) {
	for _, rows := range []int{5000, 100000, 1000000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			path, size := surveyFile(b, rows)
			resetPeak()
			b.SetBytes(size)
			b.ResetTimer()
			for range b.N {
				f, err := GuessFile(context.Background(), path, nil)
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := Read(context.Background(), path, f, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(peak()/1e6, "peak-MB")
			b.ReportMetric(peak()/float64(size), "peak/size")
		})
	}
}

func BenchmarkWriteCSV(b *testing.B) {
	for _, rows := range []int{5000, 100000, 1000000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			path, size := surveyFile(b, rows)
			data, report, err := Read(context.Background(), path, NewFormat(), nil)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(size)
			b.ResetTimer()
			for range b.N {
				if _, err := WriteTo(context.Background(), io.Discard, data, report.Format, WriteOptions{GuardFormulas: true},
					nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPreview(b *testing.B) {
	path, _ := surveyFile(b, 100000)
	for range b.N {
		if _, err := Preview(b.Context(), path, NewFormat(), 50); err != nil {
			b.Fatal(err)
		}
	}
}
