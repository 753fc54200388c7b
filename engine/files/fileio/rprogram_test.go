package fileio

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// rScript creates the same data frame in each way that R writes files, and reads back what was written from them.
const rScript = `
args <- commandArgs(TRUE)
folder <- args[1]
suppressMessages(library(haven))
x <- data.frame(id = 1:500)
x$weight <- seq(0.5, 250, by = 0.5)
x$weight[c(3, 9)] <- NA
x$sex <- factor(rep(c("male", "female", NA, "female"), 125), levels = c("male", "female", "other"))
x$school <- factor(rep(c("low", "high", "middle", "low"), 125), levels = c("low", "middle", "high"), ordered = TRUE)
x$name <- rep(c("Zürich", "a", "", NA), 125)
x$code <- as.character(1:500)
x$sorted <- sort(500:1 * 2L)
x$born <- as.Date("1970-01-01") + 1:500 - 300
x$begun <- as.POSIXct("2020-06-01 08:00:00", tz = "UTC") + (1:500) * 61.5
x$took <- as.difftime(1:500 / 4, units = "mins")
x$true <- rep(c(TRUE, FALSE, NA, TRUE), 125)
x$job <- labelled_spss(rep(c(1, 2, 8, 99), 125), c(yes = 1, no = 2, refused = 8), na_values = 8, na_range = c(90, Inf), label = "In a job")
x$income <- labelled(rep(c(10, tagged_na("a"), NA, 20.5), 125), c(low = 10, "not asked" = tagged_na("a")), label = "Income")
x$region <- labelled(rep(c("n", "s"), 250), c(North = "n", South = "s"))
attr(x$weight, "label") <- "Sampling weight"
if (requireNamespace("bit64", quietly = TRUE)) x$long <- bit64::as.integer64(rep(c("12345678901", "5", NA, "7"), 125))
if (length(args) == 1) {
  f <- function(name) file.path(folder, name)
  saveRDS(x, f("plain.rds"))
  saveRDS(x, f("old.rds"), version = 2, compress = "bzip2")
  saveRDS(x, f("xz.rds"), compress = "xz")
  saveRDS(x, f("text.rds"), ascii = TRUE, compress = FALSE)
  saveRDS(tibble::as_tibble(x), f("tibble.rds"), compress = FALSE)
  saveRDS(list(of = "survey", data = x, fit = lm(id ~ weight, x, model = FALSE)), f("list.rds"))
  y <- x[1:5, ]; z <- matrix(1:4, 2); g <- function(a) a + 1; e <- new.env()
  save(y, x, z, g, e, file = f("several.RData"))
  save(x, file = f("text.rda"), ascii = TRUE)
} else {
  y <- readRDS(args[2])
  if (startsWith(args[3], "text")) { # R writes NA without its letter there
    x$income <- labelled(rep(c(10, NA, NA, 20.5), 125), c(low = 10), label = "Income")
  }
  attr(y, "label") <- NULL
  for (n in names(x)) {
    a <- x[[n]]; b <- y[[n]]
    same <- function(what, p, q) if (!isTRUE(all.equal(p, q))) cat(n, what, deparse(p)[1], "became", deparse(q)[1], "\n")
    for (at in setdiff(union(names(attributes(a)), names(attributes(b))), "levels")) same(at, attr(a, at), attr(b, at))
    same("levels", levels(a), levels(b))
    if (is.double(unclass(a))) same("tags", na_tag(unclass(a)), na_tag(unclass(b)))
    if (!identical(unclass(as.vector(a)), unclass(as.vector(b)))) cat(n, "other values\n")
    if (typeof(a) != typeof(b)) cat(n, typeof(a), "became", typeof(b), "\n")
  }
  if (!identical(names(x), names(y)) || nrow(x) != nrow(y)) cat("names or rows\n")
}
`

// Files written by R in any way are read identically, and what is written from them is identical for R: values and
// types, levels, labels, missing codes.
func TestHavenReadsDataFramesAsTheyWere(t *testing.T) {
	rscript := program(t, "Rscript")
	folder := t.TempDir()
	script := filepath.Join(folder, "frames.R")
	if err := os.WriteFile(script, []byte(rScript), 0o600); err != nil {
		t.Fatal(err)
	}
	r := func(args ...string) string {
		var said, complaint bytes.Buffer
		command := exec.Command(rscript, append([]string{"--vanilla", "--encoding=UTF-8", script}, args...)...)
		command.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TZ=UTC")
		command.Stdout, command.Stderr = &said, &complaint
		if err := command.Run(); err != nil {
			t.Fatalf("%v\n%s", err, complaint.String())
		}
		return said.String()
	}
	r(folder)
	for _, name := range []string{"plain.rds", "old.rds", "xz.rds", "text.rds", "tibble.rds", "list.rds", "several.RData",
		"text.rda"} {
		t.Run(name, func(t *testing.T) {
			ctx, path := context.Background(), filepath.Join(folder, name)
			f, err := GuessFile(ctx, path, nil)
			if err != nil {
				t.Fatal(err)
			}
			data, report, err := Read(ctx, path, f, nil)
			if err != nil || len(report.Warnings) > 0 {
				t.Fatalf("%v, %q", err, report.Warnings)
			}
			var out bytes.Buffer
			if _, err := WriteTo(ctx, &out, data, report.Format, WriteOptions{}, nil); err != nil {
				t.Fatal(err)
			}
			written := filepath.Join(t.TempDir(), "written.rds")
			if err := os.WriteFile(written, out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if lacks, err := Lacks(ctx, written, data, report.Format, WriteOptions{}); err != nil || len(lacks) > 0 {
				t.Errorf("%q, %v", lacks, err)
			}
			if said := r(folder, written, name); strings.TrimSpace(said) != "" {
				t.Error(said)
			}
		})
	}
}
