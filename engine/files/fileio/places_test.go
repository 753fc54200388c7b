package fileio

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// While a file is read, cells are stored after the maximum number of records before them. Lines that are not
// records, and short records, reduce that number, and cells move; the round trip shows whether each ends up in its
// place.
func TestCellsMoveUpWhereRecordsAreFewer(t *testing.T) {
	var content, want strings.Builder
	content.WriteString(strings.Repeat("\n", 5000)) // more than one block with some sizes
	for row := range 3 * mostLevels {
		record := fmt.Sprintf("%d.%d,%d,%d,", row, row%10, row%256, row%300)
		if row%7 == 0 {
			record = fmt.Sprintf(",%d,,", row%256) // missing
		}
		if row%11 == 0 {
			record += "\"two\nlines\""
		}
		if row%13 == 0 {
			content.WriteString("\n\n")
		}
		content.WriteString(record + "\n")
		want.WriteString(record + "\n")
	}
	for _, how := range []readTuning{{}, {1000, 1}, {30000, 3}, {1 << 17, 2}} {
		f := NewFormat()
		f.Header, f.Scratch = false, scratch(t)
		data, report, err := readText(context.Background(), inMemory("test.csv", []byte(content.String())), f, how, nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := WriteTo(context.Background(), &out, data, report.Format, WriteOptions{}, nil); err != nil ||
			out.String() != want.String() {
			t.Fatalf("%+v: another file comes back, %v", how, err)
		}
		if column, _ := data.Column("V2"); len(column.Categories().Levels) != 256 {
			t.Errorf("%+v: V2 has %d levels", how, len(column.Categories().Levels))
		}
	}
}

// The shortest possible records do not overlap.
func TestRecordsOfEmptyFields(t *testing.T) {
	content := strings.Repeat("1,2,3\n"+strings.Repeat(",,\n", 19), 500)
	f := NewFormat()
	f.Header = false
	for _, size := range []int{100, 1000, 1 << 14} {
		data, report, err := readText(context.Background(), inMemory("test.csv", []byte(content)), f, readTuning{size, 2}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := WriteTo(context.Background(), &out, data, report.Format, WriteOptions{}, nil); err != nil ||
			out.String() != content {
			t.Errorf("blocks of %d bytes: another file comes back, %v", size, err)
		}
	}
}

// Lines that are not records, empty or within quotes, take no memory of the columns.
func TestLinesThatAreNoRecordsTakeNoMemory(t *testing.T) {
	record := strings.Repeat("1,", 299) + "2\n"
	var commented strings.Builder
	for i := range 5000 {
		commented.WriteString(strings.Repeat(strconv.Itoa(10_000+i)+",", 20) + `"` + strings.Repeat("\n", 2000) + "\"\n")
	}
	for content, records := range map[string]int{record + strings.Repeat("\n", 2_000_000) + record: 2,
		commented.String(): 5000} {
		f := NewFormat()
		f.Header = false
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		data, _, err := readText(context.Background(), inMemory("test.csv", []byte(content)), f, readTuning{}, nil)
		if err != nil || data.Len() != records {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 60<<20 {
			t.Errorf("%d records in %d bytes take %d bytes of memory", records, len(content), taken)
		}
	}
}
