package rscript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// encodings maps encodings of text files to their R names.
var encodings = strings.NewReplacer(fileio.UTF8BOM, "UTF-8-BOM", fileio.UTF8, "UTF-8-BOM", fileio.Latin1, "latin1",
	fileio.UTF16LEBOM, "UTF-16", fileio.UTF16BEBOM, "UTF-16")

// read writes the lines that read the source into the data frame dat. Categories are read as text, so that 01
// stays 01.
func (o *object) read() {
	f := &o.Format
	var all []string
	for _, column := range o.Base.Columns() {
		all = append(all, column.Name())
	}
	o.printf("categories <- as.character(%s)\n", vector(distinct(all, func(v string) bool {
		column, _ := o.Base.Column(v)
		return !column.Numeric()
	})))
	switch {
	case o.File == "" || !strings.Contains(" rds sav por dta sas7bdat xpt", f.Type):
		o.note("read the source into the data frame dat here; this script cannot read its format.")
	case f.Type == "":
		names := ""
		if !f.Header || len(f.Renamed) > 0 {
			names = "\n  col.names = " + vector(all) + ","
		}
		o.printf("dat <- read.table(%s, header = %s, sep = %s, dec = %s, quote = %s,\n  na.strings = %s, fileEncoding = %s,%s\n"+
			"  colClasses = setNames(rep(\"character\", length(categories)), categories), comment.char = \"\", check.names = FALSE)\n",
			quote(o.File), value(f.Header), quote(f.Delimiter), quote(f.Decimal),
			quote(strings.TrimPrefix(cmp.Or(f.Quote, `"`), fileio.NoQuote)), vector(slices.Compact(append([]string{""}, f.Missing...))),
			quote(encodings.Replace(f.Encoding)), names)
	case f.Type == "rds":
		o.printf("dat <- readRDS(%s)\ndat <- as.data.frame(if (isS4(dat)) extractManipData(dat) else dat)\n", quote(o.File))
	default:
		o.printf("dat <- as.data.frame(haven::zap_labels(haven::read_%s(%s)))\n"+
			"times <- sapply(dat, inherits, \"POSIXct\")\ndat[times] <- lapply(dat[times], format, \"%%Y-%%m-%%dT%%H:%%M:%%S\", tz = \"UTC\")\n",
			strings.TrimSuffix(f.Type, "7bdat"), quote(o.File))
	}
	if f.Count != "" {
		o.printf("dat <- dat[rep(seq_len(nrow(dat)), dat[[%s]]), ]\n", quote(f.Count))
	}
	o.printf("dat <- dat[%s]\ndat[categories] <- lapply(dat[categories], factor)\n\n# Scenario\n", vector(all))
}
