package fileio

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// programsVariable is the environment variable that enables tests with other programs.
const programsVariable = "SDCDESK_OTHER_PROGRAMS"

func program(t *testing.T, name string) string {
	t.Helper()
	if os.Getenv(programsVariable) == "" {
		t.Skipf("%s is not set: other programs are not run", programsVariable)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// havenScript prints what R's haven reads: for each variable its name, label and value labels, then a value per
// line; doubles as bits.
const havenScript = `
suppressMessages(library(haven))
file <- commandArgs(TRUE)[1]
read <- list(dta = read_dta, sav = function(f) read_sav(f, user_na = TRUE), zsav = function(f) read_sav(f, user_na = TRUE), xpt = read_xpt)[[tools::file_ext(file)]]
d <- read(file)
bits <- function(x) vapply(x, function(v) paste(rev(as.character(writeBin(v, raw(), endian = "little"))), collapse = ""), "")
show <- function(x) {
  if (is.character(x)) return(enc2utf8(x))
  tag <- if (is.double(unclass(x))) na_tag(unclass(x)) else rep(NA_character_, length(x))
  out <- bits(as.double(unclass(x)))
  ifelse(is.na(as.double(unclass(x))), ifelse(is.na(tag), "NA", paste0(".", tag)), out)
}
for (n in names(d)) {
  v <- d[[n]]
  label <- attr(v, "label"); if (is.null(label)) label <- ""
  cat("variable", enc2utf8(n), enc2utf8(label), sep = "\t"); cat("\n")
  labels <- attr(v, "labels")
  for (i in seq_along(labels)) { cat("label", show(labels[i]), enc2utf8(names(labels)[i]), sep = "\t"); cat("\n") }
  attributes(v) <- NULL
  writeLines(show(v), useBytes = TRUE)
}
`

// havenLines returns the output of the script for a file.
func havenLines(f *statfile.File) []string {
	number := func(kind statfile.Kind, x float64) string {
		if letter, missing := statfile.Tag(x); missing {
			if letter != 0 {
				return "." + string(rune(letter))
			}
			return "NA"
		}
		return fmt.Sprintf("%016x", math.Float64bits(x))
	}
	var out []string
	for i := range f.Variables {
		v := &f.Variables[i]
		out = append(out, "variable\t"+v.Name+"\t"+v.Label)
		for _, l := range v.Labels {
			value := l.Value.Text
			if !l.Value.IsText {
				value = number(v.Kind, l.Value.Number)
			}
			out = append(out, "label\t"+value+"\t"+l.Label)
		}
		for row := range f.Rows {
			if v.Column.Texts == nil {
				out = append(out, number(v.Kind, v.Column.Numbers[row]))
			} else if code := v.Column.Texts.Codes.At(row); code != 0 {
				out = append(out, v.Column.Texts.Values[code-1])
			} else {
				out = append(out, "")
			}
		}
	}
	return out
}

// R's haven reads written files exactly, bit by bit.
func TestHavenReadsWhatIsWritten(t *testing.T) {
	rscript := program(t, "Rscript")
	if exec.Command(rscript, "-e", "library(haven)").Run() != nil {
		t.Skip("R has no package haven")
	}
	script := filepath.Join(t.TempDir(), "read.R")
	if err := os.WriteFile(script, []byte(havenScript), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, ending string
		settings     statfile.Settings
	}{
		{"dta118_haven.dta", ".dta", nil}, {"dta118_haven.dta", ".dta", statfile.Settings{"version": "114"}},
		{"dta118_haven_strl.dta", ".dta", nil},
		{"sav_haven_byte.sav", ".sav", nil}, {"sav_haven_byte.sav", ".zsav", nil}, {"xpt8_haven.xpt", ".xpt", nil},
	} {
		t.Run(fmt.Sprint(c.from, " as ", c.ending, c.settings), func(t *testing.T) {
			e := expectation{File: c.from}
			f, _, err := e.read(t, statfile.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			settings := statfile.Settings{statfile.Ending: c.ending}
			for name, value := range f.Settings {
				settings[name] = value
			}
			for name, value := range c.settings {
				settings[name] = value
			}
			writer := e.format().(statfile.Writer)
			var content bytes.Buffer
			if err := writer.Write(context.Background(), &content, f, settings, nil); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "written"+c.ending)
			if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			in := statfile.NewSource("written", bytes.NewReader(content.Bytes()), int64(content.Len()))
			back, err := writer.Read(context.Background(), in, statfile.ReadOptions{Settings: settings}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var said, complaint bytes.Buffer
			command := exec.Command(rscript, "--vanilla", "--encoding=UTF-8", script, path)
			command.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
			command.Stdout, command.Stderr = &said, &complaint
			if err := command.Run(); err != nil {
				t.Fatalf("%v\n%s", err, complaint.String())
			}
			got := strings.Split(strings.TrimSuffix(said.String(), "\n"), "\n")
			compareLines(t, got, havenLines(back))
		})
	}
}

// compareLines compares the output of a program; trailing spaces of texts are ignored.
func compareLines(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d lines, expected %d", len(got), len(want))
	}
	variable := ""
	for i := range min(len(got), len(want)) {
		if strings.HasPrefix(want[i], "variable\t") {
			variable = want[i]
		}
		if strings.TrimRight(got[i], " ") != strings.TrimRight(want[i], " ") && !sameBits(got[i], want[i]) {
			t.Fatalf("%s, line %d: %.80q, expected %.80q", variable, i+1, got[i], want[i])
		}
	}
}

// sameBits reports whether numbers are equal, up to haven's inexact division of milliseconds.
func sameBits(got, want string) bool {
	a, err1 := strconv.ParseUint(got, 16, 64)
	b, err2 := strconv.ParseUint(want, 16, 64)
	return err1 == nil && err2 == nil && len(got) == 16 && len(want) == 16 &&
		near(math.Float64frombits(a), math.Float64frombits(b), 1e-15)
}

// PSPP reads written SPSS files with the same number of records, and the same values if both print them in full.
func TestPSPPReadsWhatIsWritten(t *testing.T) {
	pspp := program(t, "pspp")
	for _, ending := range []string{".sav", ".zsav"} {
		e := expectation{File: "sav_haven_byte.sav"}
		f, _, err := e.read(t, statfile.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		path, out := filepath.Join(folder, "written"+ending), filepath.Join(folder, "out.csv")
		var content bytes.Buffer
		if err := e.format().(statfile.Writer).Write(context.Background(), &content, f,
			statfile.Settings{statfile.Ending: ending}, nil); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		syntax := fmt.Sprintf("GET FILE=%q.\nSAVE TRANSLATE /OUTFILE=%q /TYPE=CSV /FIELDNAMES /KEEP=hid region age weight roof /REPLACE.\n", path, out)
		command := exec.Command(pspp, "-b", "-O", "format=txt", "-o", filepath.Join(folder, "log.txt"), "-")
		command.Stdin = strings.NewReader(syntax)
		if said, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		data, _, err := Read(context.Background(), out, NewFormat(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if data.Len() != f.Rows || len(data.Columns()) != 5 {
			t.Fatalf("PSPP reads %d records of %d variables", data.Len(), len(data.Columns()))
		}
		for _, column := range data.Columns() {
			for i := range f.Variables {
				v := &f.Variables[i]
				if v.Name != column.Name() {
					continue
				}
				for row := range f.Rows {
					got, want := column.Text(row), fmt.Sprint(cellOf(v, row))
					if v.Kind == statfile.Number {
						if !near(column.Float(row), v.Column.Numbers[row], 1e-12) {
							t.Fatalf("%s, record %d: %s, expected %s", v.Name, row+1, got, want)
						}
					} else if got != want {
						t.Fatalf("%s, record %d: %q, expected %q", v.Name, row+1, got, want)
					}
				}
			}
		}
	}
}
