package fileio

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Only selected variables are read, from text and other files; an unknown one is an error with its name.
func TestOnlyWantedColumnsAreRead(t *testing.T) {
	ctx := context.Background()
	f := NewFormat()
	f.Columns = []string{"c", "a"}
	data, report, err := ReadBytes(ctx, "a.csv", []byte("a,b,c\n1,x,2\n3,y,4\n"), f, nil)
	if err != nil || data.Len() != 2 || len(data.Columns()) != 2 || data.Columns()[0].Name() != "a" ||
		data.Columns()[1].Text(1) != "4" {
		t.Fatalf("%v, %v", data, err)
	}
	if !slices.Equal(report.Format.Columns, f.Columns) {
		t.Error("the format that is kept does not say so")
	}
	table, err := previewBytes([]byte("a,b,c\n1,x,2\n3,y,4\n"), f, 5)
	if err != nil {
		t.Fatal(err)
	}
	if table = table.kept(&f); !slices.Equal(table.Names, []string{"a", "c"}) || len(table.Rows[0]) != 2 ||
		table.Rows[1][1] != "4" {
		t.Errorf("%+v", table)
	}
	f.Columns = []string{"d", "a", "e"}
	if _, _, err := ReadBytes(ctx, "a.csv", []byte("a,b\n1,2\n"), f, nil); !errors.Is(err, ErrFormat) ||
		err.Error() != `a.csv: 2 variables to read are not in the file: "d", "e"; check the names` {
		t.Error(err)
	}
	g, err := GuessFile(ctx, formatFile("dta118_haven.dta"), nil)
	if err != nil {
		t.Fatal(err)
	}
	g.Columns = []string{"age", "sex"}
	if data, _, err = Read(ctx, formatFile("dta118_haven.dta"), g, nil); err != nil || len(data.Columns()) != 2 ||
		data.Columns()[0].Name() != "sex" {
		t.Errorf("%v", err)
	}
	g.Columns = []string{"ages"}
	if _, _, err = Read(ctx, formatFile("dta118_haven.dta"), g, nil); !errors.Is(err, ErrFormat) ||
		!strings.Contains(err.Error(), `"ages"`) {
		t.Error(err)
	}
}

// A file that does not fit into memory is rejected before it is read; a selection of its columns may fit.
func TestFilesWithoutRoomAreRefused(t *testing.T) {
	ctx := context.Background()
	free := freeMemory
	defer func() { freeMemory = free }()
	if free() < 0 {
		t.Error("less than nothing is free")
	}
	for _, name := range []string{"dta118_haven.dta", "parquet_duckdb_zstd.parquet", "sav_haven_zlib.zsav",
		"csv_datatable_tab.tsv"} {
		f, err := GuessFile(ctx, formatFile(name), nil)
		if err != nil {
			t.Fatal(err)
		}
		freeMemory = func() int64 { return 12000 }
		if _, _, err = Read(ctx, formatFile(name), f, nil); !errors.Is(err, ErrMemory) || !strings.HasPrefix(err.Error(),
			name+" has ") || !strings.Contains(err.Error(), "--columns") {
			t.Errorf("%s: %v", name, err)
		}
		table, err := Preview(t.Context(), formatFile(name), f, 2)
		if err != nil {
			t.Fatal(err)
		}
		f.Columns = table.Names[:1]
		if _, _, err = Read(ctx, formatFile(name), f, nil); err != nil {
			t.Errorf("%s, one column: %v", name, err)
		}
		freeMemory = func() int64 { return 0 }
		f.Columns = nil
		if _, _, err = Read(ctx, formatFile(name), f, nil); err != nil {
			t.Errorf("%s, where nothing is known of the memory: %v", name, err)
		}
	}
}
