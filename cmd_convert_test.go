package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a file cannot hold is said; what it can comes through.
func TestConvertCarriesLabelsOver(t *testing.T) {
	folder, in := t.TempDir(), filepath.Join("testdata", "formats", "sav_pspp_byte.sav")
	out := filepath.Join(folder, "a.sav")
	text, messages, err := execute(t, "convert", in, out)
	if err != nil || !strings.Contains(text, "400 records, 25 variables") || strings.Contains(messages, "labels") {
		t.Fatalf("%v\n%s%s", err, text, messages)
	}
	if _, _, err := execute(t, "convert", in, out); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("a file that exists: %v", err)
	}
	csv := filepath.Join(folder, "a.csv")
	if _, messages, err = execute(t, "convert", in, csv, "--strict"); err == nil || !strings.Contains(messages, "labels of variables and values are not in a text file") ||
		!strings.Contains(messages, "--write-codebook FILE keeps labels") {
		t.Errorf("%v\n%s", err, messages)
	}
	if _, err := os.Stat(csv); err == nil {
		t.Error("a file was written that cannot hold everything")
	}
	if _, messages, err = execute(t, "convert", out, csv); err != nil || !strings.Contains(messages, "declared missing values") {
		t.Errorf("%v\n%s", err, messages)
	}
	first, _, err := execute(t, "convert", in, filepath.Join(folder, "b.csv"))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(csv)
	b, _ := os.ReadFile(filepath.Join(folder, "b.csv"))
	if string(a) != string(b) || len(a) < 50000 {
		t.Errorf("%s: the copy gives other text than the file itself", first)
	}
	for _, arguments := range [][]string{{in}, {in, filepath.Join(folder, "a.rds")}, {"no such file.sav", out}, {out, out, "--force"}} {
		if _, _, err := execute(t, "convert", arguments...); err == nil {
			t.Errorf("convert %v: no error", arguments)
		}
	}
}

// A codebook is written beside the text, and read with it.
func TestConvertWritesACodebook(t *testing.T) {
	folder, in := t.TempDir(), filepath.Join("testdata", "formats", "sav_pspp_byte.sav")
	csv, book, back := filepath.Join(folder, "a.csv"), filepath.Join(folder, "a.xml"), filepath.Join(folder, "b.csv")
	if _, messages, err := execute(t, "convert", in, csv, "--write-codebook", book, "--strict"); err != nil || strings.Contains(messages, "text file") || strings.Contains(messages, "--write-codebook") {
		t.Fatalf("%v\n%s", err, messages)
	}
	for i, name := range []string{"1.csv", "2.csv"} {
		from := [][]string{{in}, {csv, "--codebook", book}}[i]
		if _, messages, err := execute(t, "convert", append(from, back, "--force", "--write-codebook", filepath.Join(folder, name))...); err != nil {
			t.Fatalf("%v\n%s", err, messages)
		}
	}
	first, _ := os.ReadFile(filepath.Join(folder, "1.csv"))
	second, _ := os.ReadFile(filepath.Join(folder, "2.csv"))
	if len(first) < 1000 || string(first) != string(second) {
		t.Errorf("what was read with its codebook has another:\n%s\n%s", first, second)
	}
	if _, _, err := execute(t, "convert", in, filepath.Join(folder, "c.csv"), "--write-codebook", csv); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("a codebook that exists: %v", err)
	}
}
