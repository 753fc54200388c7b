package fileio

import (
	"bytes"
	"context"
	"os"
	"testing"
)

// readDescribed reads a data file as the description beside it says.
func readDescribed(t *testing.T, path string) (*ReadReport, []byte) {
	t.Helper()
	f, err := GuessFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data, report, err := Read(context.Background(), path, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if _, err := WriteTo(context.Background(), &written, data, report.Format, WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return report, written.Bytes()
}

func TestSharedArgusFiles(t *testing.T) {
	for _, name := range []string{"Demodata.asc", "Demofree.asc", "Samhh.asc"} {
		path := shared(t, "muargus/"+name)
		report, written := readDescribed(t, path)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(name, report.Records, report.Columns, report.Format, report.Warnings)
		if !bytes.Equal(written, content) {
			t.Errorf("%s differs after reading and writing", name)
			os.WriteFile("/tmp/argus/"+name, written, 0o600)
		}
	}
}
