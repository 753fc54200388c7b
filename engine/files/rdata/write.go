package rdata

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Lacks implements statfile.Writer.
func (Format) Lacks(f *statfile.File, _ statfile.Settings) []string {
	var lost statfile.Losses
	lost.NoWeight(f)
	for i := range f.Variables {
		v := &f.Variables[i]
		if v.Level == microdata.Scale || v.Level != "" && !asFactor(v) {
			lost.Add("measurement levels are omitted", v.Name)
		}
		if asFactor(v) && len(v.Labels)+len(v.Missing) > 0 {
			lost.Add("labels and missing-value codes of factors are omitted", v.Name)
		}
	}
	return lost.Sentences()
}

// Write writes a data frame like saveRDS with version 2, which all current versions of R read, compressed by gzip.
func (Format) Write(ctx context.Context, w io.Writer, f *statfile.File, settings statfile.Settings,
	meter *progress.Meter) error {
	const longest = math.MaxInt32
	if f.Rows > longest {
		return statfile.Failuref(statfile.ErrUnwritable, "an R data frame has at most %d records", longest)
	}
	packed := gzip.NewWriter(w)
	out := &writer{Writer: bufio.NewWriterSize(packed, 1<<17), ctx: ctx, symbols: map[string]int32{}}
	out.WriteString("X\n")
	const version, writtenBy, readBy = 2, 0x30600, 0x20300
	for _, number := range []int32{version, writtenBy, readBy} {
		out.integer(number)
	}
	meter.Start(int64(f.Rows))
	out.flags(list, flagObject|flagAttributes)
	out.integer(int32(len(f.Variables)))
	for i := range f.Variables {
		if err := out.variable(&f.Variables[i]); err != nil {
			return err
		}
		meter.Set(int64(f.Rows)*int64(i+1)/int64(len(f.Variables)), int64(f.Rows))
	}
	out.frame(f, settings)
	if err := out.Flush(); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return ctx.Err()
}

// writer writes serialised objects. Flush returns its errors.
type writer struct {
	*bufio.Writer
	ctx     context.Context
	symbols map[string]int32 // index by name of symbols already written
}

func (w *writer) integer(x int32) {
	w.Write(binary.BigEndian.AppendUint32(w.AvailableBuffer(), uint32(x)))
}

func (w *writer) bits(x uint64) { w.Write(binary.BigEndian.AppendUint64(w.AvailableBuffer(), x)) }

func (w *writer) flags(of kind, flags int32) { w.integer(int32(of) | flags) }

// char writes a text of a vector.
func (w *writer) char(text string) {
	mark := int32(markASCII)
	for i := range len(text) {
		if text[i] >= 0x80 {
			mark = markUTF8
			break
		}
	}
	w.flags(char, mark<<levelShift)
	w.integer(int32(len(text)))
	w.WriteString(text)
}

func (w *writer) noChar() {
	w.flags(char, 0)
	w.integer(-1)
}

// texts writes a vector of texts without attributes.
func (w *writer) texts(all ...string) {
	w.flags(text, 0)
	w.integer(int32(len(all)))
	for _, one := range all {
		w.char(one)
	}
}

// tag begins an attribute.
func (w *writer) tag(name string) {
	w.flags(pairs, flagTag)
	if at, known := w.symbols[name]; known {
		const shift = 8
		w.flags(reference, at<<shift)
		return
	}
	w.symbols[name] = int32(len(w.symbols) + 1)
	w.flags(symbol, 0)
	w.char(name)
}

// saying writes an attribute of texts, unless there are none.
func (w *writer) saying(name string, texts ...string) {
	if len(texts) > 0 && (len(texts) > 1 || texts[0] != "") {
		w.tag(name)
		w.texts(texts...)
	}
}

func (w *writer) end() { w.flags(nothing, 0) }

// frame writes the attributes of the data frame.
func (w *writer) frame(f *statfile.File, settings statfile.Settings) {
	w.tag("names")
	w.texts(f.Names()...)
	class := settings[classSetting]
	if !slices.Contains([]string{"tbl_df\ntbl\ndata.frame", "data.table\ndata.frame"}, class) {
		class = "data.frame"
	}
	w.saying("class", strings.Split(class, "\n")...)
	w.tag("row.names")
	w.flags(integer, 0)
	w.integer(2)
	w.integer(missingInt)
	w.integer(-int32(f.Rows))
	w.saying("label", f.Label)
	w.saying("notes", f.Notes...)
	w.end()
}

// asFactor reports whether texts are written as a factor.
func asFactor(v *statfile.Variable) bool { return v.Kind == statfile.Text && v.Listed != nil }

// variable writes a column with its attributes.
func (w *writer) variable(v *statfile.Variable) error {
	c := writtenAs(v)
	flags := int32(0)
	if c.said() {
		flags = flagAttributes
	}
	if len(c.class) > 0 {
		flags |= flagObject
	}
	w.flags(c.kind, flags)
	w.integer(int32(v.Column.Len()))
	if err := w.elements(&c); err != nil {
		return err
	}
	if flags != 0 {
		w.describe(&c)
	}
	return nil
}

// columnPlan describes how a variable is written.
type columnPlan struct {
	*statfile.Variable
	kind  kind
	class []string
	zone  *time.Location // time zone of displayed times
	tzone string
	units string
	codes map[string]int32 // codes of the levels of a factor
}

// said reports whether the column has attributes.
func (c *columnPlan) said() bool {
	return len(c.class) > 0 || c.Label != "" || len(c.Labels) > 0 || c.formatName() != ""
}

// writtenAs decides how a variable is written.
func writtenAs(v *statfile.Variable) columnPlan {
	c := columnPlan{Variable: v, kind: real}
	switch {
	case asFactor(v):
		c.factor()
		return c
	case v.Kind == statfile.Text:
		c.kind = text
	case v.Kind == statfile.Boolean:
		c.kind = logical
	case c.wholes():
		c.kind = integer
	}
	switch v.Kind {
	case statfile.Date:
		c.class = []string{"Date"}
	case statfile.Time:
		c.class, c.units = []string{"hms", "difftime"}, "secs"
	case statfile.DateTime:
		c.class, c.tzone = []string{"POSIXct", "POSIXt"}, "UTC"
		if zone, ok := strings.CutPrefix(v.Format, "POSIXct"); ok {
			zone, utc := strings.CutSuffix(zone, inUTC)
			c.tzone = strings.TrimSpace(zone)
			if at, err := time.LoadLocation(c.tzone); err == nil && !utc && c.tzone != "" {
				c.zone = at
			}
		}
	case statfile.Number:
		if units, ok := strings.CutPrefix(v.Format, "difftime "); ok {
			c.class, c.units = []string{"difftime"}, units
		} else if v.Storage == storedLong && c.fitsLong() {
			c.class = []string{storedLong}
		}
	}
	if len(c.class) == 0 {
		c.labelled()
	}
	return c
}

// labelled gives numbers and texts with labels or missing codes the classes of haven.
func (c *columnPlan) labelled() {
	missing := c.declared()
	if len(missing) == 0 && c.MissingRange == nil && len(c.Labels) == 0 || c.kind == logical {
		return
	}
	c.class = []string{"haven_labelled", "vctrs_vctr",
		map[kind]string{integer: storedInteger, real: storedReal, text: storedText}[c.kind]}
	if len(missing) > 0 || c.MissingRange != nil {
		c.class = append([]string{"haven_labelled_spss"}, c.class...)
	}
}

// declared returns the declared missing values, without system and extended ones.
func (c *columnPlan) declared() (values []statfile.Value) {
	for _, value := range c.Missing {
		if _, missing := statfile.Tag(value.Number); value.IsText || !missing {
			values = append(values, value)
		}
	}
	return values
}

// wholes reports whether a variable is written as integers: it was stored so, or its storage is unknown, and all
// values and codes fit.
func (c *columnPlan) wholes() bool {
	fits := func(x float64) bool {
		letter, missing := statfile.Tag(x)
		return missing && letter == 0 || x == math.Trunc(x) && math.Abs(x) <= math.MaxInt32
	}
	value := func(v statfile.Value) bool { return !fits(v.Number) || v.Number != v.Number }
	return (c.Storage == storedInteger || c.Storage == "" && c.Kind == statfile.Number) &&
		!slices.ContainsFunc(c.Labels, func(l statfile.ValueLabel) bool { return value(l.Value) }) &&
		!slices.ContainsFunc(c.declared(), value) &&
		!slices.ContainsFunc(c.Column.Numbers, func(x float64) bool { return !fits(x) })
}

// fitsLong reports whether all values are integers without extended missing values.
func (c *columnPlan) fitsLong() bool {
	return len(c.Labels) == 0 && len(c.Missing) == 0 && c.MissingRange == nil &&
		!slices.ContainsFunc(c.Column.Numbers, func(x float64) bool {
			letter, missing := statfile.Tag(x)
			return letter != 0 || !missing && (x != math.Trunc(x) || math.Abs(x) >= 1<<63)
		})
}

func (c *columnPlan) factor() {
	c.kind, c.class, c.codes = integer, []string{"factor"}, map[string]int32{}
	if c.Level == microdata.Ordinal {
		c.class = []string{"ordered", "factor"}
	}
	for i, level := range c.Listed {
		c.codes[level] = int32(i + 1)
	}
}

// formatName returns the attribute name for the format's program, or "" if unknown.
func (c *columnPlan) formatName() string {
	switch format := c.Format; {
	case format == "", strings.HasPrefix(format, "POSIXct"), strings.HasPrefix(format, "difftime "):
		return ""
	case format[0] == '%':
		return "format.stata"
	case format[0] == '$', format[len(format)-1] == '.':
		return "format.sas"
	}
	return "format.spss"
}

// elements writes the values.
func (w *writer) elements(c *columnPlan) error {
	rows := c.Column.Len()
	for from := 0; from < rows; from += parallel.Block {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		to := min(rows, from+parallel.Block)
		if c.Column.Texts == nil {
			for _, x := range c.Column.Numbers[from:to] {
				w.number(c, x)
			}
			continue
		}
		for _, code := range c.Column.Texts.Codes.Between(from, to) {
			switch {
			case c.kind == integer && code == 0:
				w.integer(missingInt)
			case c.kind == integer:
				w.integer(c.codes[c.Column.Texts.Values[code-1]])
			case code == 0:
				w.noChar()
			default:
				w.char(c.Column.Texts.Values[code-1])
			}
		}
	}
	return nil
}

// number writes an element of a numeric vector.
func (w *writer) number(c *columnPlan, x float64) {
	letter, missing := statfile.Tag(x)
	switch {
	case c.kind != real && missing:
		w.integer(missingInt)
	case c.kind != real:
		w.integer(int32(x))
	case c.Kind == statfile.Number && len(c.class) == 1 && c.class[0] == storedLong:
		if missing {
			x = math.MinInt64
		}
		w.bits(uint64(int64(x)))
	case missing:
		w.bits(missingReal | uint64(letter)<<tagShift)
	case c.zone != nil:
		w.bits(math.Float64bits(moment(x, c.zone)))
	default:
		w.bits(math.Float64bits(x))
	}
}

// describe writes the attributes of a column.
func (w *writer) describe(c *columnPlan) {
	w.saying("label", c.Label)
	if asFactor(c.Variable) {
		w.tag("levels")
		w.texts(c.Listed...)
	} else {
		w.labels(c)
		if values := c.declared(); len(values) > 0 {
			w.tag("na_values")
			w.values(c, values, 0)
		}
		if r := c.MissingRange; r != nil {
			w.tag("na_range")
			w.flags(real, 0)
			w.integer(2)
			w.bits(math.Float64bits(r.From))
			w.bits(math.Float64bits(r.To))
		}
	}
	if c.units != "" {
		w.saying("units", c.units)
	}
	w.saying("tzone", c.tzone)
	if name := c.formatName(); name != "" {
		w.saying(name, c.Format)
	}
	w.saying("class", c.class...)
	w.end()
}

// labels writes the value labels.
func (w *writer) labels(c *columnPlan) {
	if len(c.Labels) == 0 {
		return
	}
	values, names := make([]statfile.Value, len(c.Labels)), make([]string, len(c.Labels))
	for i, l := range c.Labels {
		values[i], names[i] = l.Value, l.Label
	}
	w.tag("labels")
	w.values(c, values, flagAttributes)
	w.tag("names")
	w.texts(names...)
	w.end()
}

// values writes a vector with the type of a column.
func (w *writer) values(c *columnPlan, values []statfile.Value, flags int32) {
	w.flags(c.kind, flags)
	w.integer(int32(len(values)))
	for _, value := range values {
		if c.kind == text {
			w.char(value.Text)
		} else {
			w.number(c, value.Number)
		}
	}
}
