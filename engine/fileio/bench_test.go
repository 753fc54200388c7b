package fileio

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"
)

// writeSurvey writes a file of the shape of a household survey: 22 variables,
// most with few levels, five with many numbers.
func writeSurvey(w io.Writer, rows int) error {
	levels := []string{"Arden", "Hollow Isles", "rural", "none", "lower secondary", "head", "", "protected well", "not working", "yes", "Meri"}
	if _, err := io.WriteString(w, "hid,pid,region,urbrur,hsize,roof,walls,water,electcon,relat,sex,age,marital,educ,occup,ethnic,relig,health,income,expend,savings,weight\n"); err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(7, 7))
	level := func(n uint32) string { return levels[random.Uint32N(n)] }
	for i := range rows {
		_, err := fmt.Fprintf(w, "%d,%d,%s,%s,%d,%s,%s,%s,%s,%s,%s,%d,%s,%s,%s,%s,%s,%s,%.2f,%.2f,%.1f,%.1f\n", i/3+1, i%3+1, level(2), level(3), 1+i%7,
			level(4), level(4), level(9), level(10), level(11), level(5), random.Uint32N(100), level(8), level(8), level(9), level(11), level(4), level(4),
			random.ExpFloat64()*5000, random.ExpFloat64()*3000, random.ExpFloat64()*2000, 200+300*random.Float64())
		if err != nil {
			return err
		}
	}
	return nil
}

func surveyFile(b *testing.B, rows int) (path string, size int64) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "survey.csv")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	buffered := bufio.NewWriter(file)
	if err := writeSurvey(buffered, rows); err != nil {
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

// resetPeak takes the kernel's record of the peak memory back to the memory in
// use now; peak returns it in bytes. Elsewhere than on Linux peak returns 0.
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
				f, err := GuessFile(path)
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
				if _, err := WriteTo(context.Background(), io.Discard, data, report.Format, WriteOptions{GuardFormulas: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPreview(b *testing.B) {
	path, _ := surveyFile(b, 100000)
	for range b.N {
		if _, err := Preview(path, NewFormat(), 50); err != nil {
			b.Fatal(err)
		}
	}
}
