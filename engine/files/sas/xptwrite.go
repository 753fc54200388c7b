package sas

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// limits are the maximum lengths of a version.
type limits struct {
	eight                   bool
	name, label, text, file int
}

func five() limits  { return limits{name: 8, label: 40, text: 200, file: 40} }
func eight() limits { return limits{eight: true, name: 32, label: 256, text: 32767, file: 40} }

func (l limits) names(f *statfile.File) []string {
	rule := statfile.NameRule{Most: l.name, First: "_", Others: "_", ASCII: true, AnyCase: true}
	return rule.NamesOf(f)
}

// limitsOf returns the limits of the requested version, or of version 5, which all programs read, if it can hold
// everything.
func limitsOf(f *statfile.File, longest []int, settings statfile.Settings) limits {
	const mostOld = 9999 // limit of the digits for the number of variables in version 5
	switch {
	case settings[version] == "8" || len(f.Variables) > mostOld:
		return eight()
	case settings[version] == "5":
		return five()
	}
	old := five()
	for i, name := range old.names(f) {
		v := &f.Variables[i]
		if name != v.Name || len(v.Label) > old.label || longest[i] > old.text {
			return eight()
		}
	}
	return old
}

// longestOf returns the bytes of the longest text of each variable; 0 for numbers.
func longestOf(f *statfile.File) []int {
	longest := make([]int, len(f.Variables))
	for i := range f.Variables {
		if texts := f.Variables[i].Column.Texts; texts != nil {
			longest[i] = 1
			for _, text := range texts.Values {
				longest[i] = max(longest[i], len(text))
			}
		}
	}
	return longest
}

// column is a variable as written.
type column struct {
	*statfile.Variable
	name, format          string
	formatName            string
	formatWidth, decimals int
	offset, width         int
}

// columnsOf returns the variables as written and the number of bytes of a row.
func columnsOf(f *statfile.File, longest []int, l limits) (columns []column, stride int) {
	columns = make([]column, len(f.Variables))
	for i, name := range l.names(f) {
		c := &columns[i]
		c.Variable, c.name, c.offset, c.width = &f.Variables[i], name, stride, 8
		if c.Kind == statfile.Text {
			c.width = min(max(1, longest[i], min(c.Width, l.text)), l.text)
		}
		c.format = formatOf(c.Variable)
		c.formatName, c.formatWidth, c.decimals = parseFormat(c.format)
		stride += c.width
	}
	return columns, stride
}

// formatOf returns the format of a variable if SAS has it, otherwise a default.
func formatOf(v *statfile.Variable) string {
	if fits(v) {
		return v.Format
	}
	if d, ok := statfile.DigitsOf(v.Format); ok && v.Kind == statfile.Number {
		return formatText(map[bool]string{false: "F", true: "COMMA"}[d.Thousands], d.Width, d.Decimals)
	}
	return map[statfile.Kind]string{statfile.Date: "DATE9", statfile.DateTime: "DATETIME20",
		statfile.Time: "TIME8"}[v.Kind]
}

// fits reports whether the format of a variable is a SAS format for its kind.
func fits(v *statfile.Variable) bool {
	name, width, decimals := parseFormat(v.Format)
	if v.Kind == statfile.Text {
		return strings.HasPrefix(name, "$") && len(name) <= 8
	}
	known := strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" && len(name) <= 8
	ofSPSS := slices.Contains([]string{"A", "AHEX", "CCA", "CCB", "CCC", "CCD", "CCE", "DOT", "N", "P", "PCT", "PIBHEX",
		"PK", "RBHEX", "WKDAY"}, name)
	const most = 32 // for numbers
	return known && kindOf(v.Format) == v.Kind && !ofSPSS && width <= most && decimals <= width
}

// Write writes a transport file in UTF-8. The setting version is "5" or "8"; the default is 5 if it can hold
// everything. The file contains no time stamp.
func (Transport) Write(ctx context.Context, w io.Writer, f *statfile.File, settings statfile.Settings,
	meter *progress.Meter) error {
	longest := longestOf(f)
	l := limitsOf(f, longest, settings)
	columns, stride := columnsOf(f, longest, l)
	meter.Start(int64(f.Rows))
	if _, err := w.Write(headers(f, l, columns)); err != nil {
		return err
	}
	err := statfile.WriteFixedRows(ctx, w, f.Rows, stride, meter, func(block []byte, from, _ int) {
		for i := range columns {
			columns[i].put(block, stride, from)
		}
	})
	if err != nil {
		return err
	}
	rest := (recordSize - f.Rows*stride%recordSize) % recordSize // padding of the last record
	_, err = io.WriteString(w, strings.Repeat(" ", rest))
	return err
}

// out builds header records.
type out struct{ bytes []byte }

func (o *out) text(text string, size int) {
	o.bytes = statfile.AppendField(o.bytes, text, size)
}

func (o *out) two(n int) { o.bytes = binary.BigEndian.AppendUint16(o.bytes, uint16(n)) }

func (o *out) header(kind, rest string) {
	o.text(headerStart+kind+"HEADER RECORD!!!!!!!"+rest, recordSize)
}

func (o *out) toRecord() {
	for len(o.bytes)%recordSize != 0 {
		o.bytes = append(o.bytes, ' ')
	}
}

func headers(f *statfile.File, l limits, columns []column) []byte {
	const zeros, stamp = "000000000000000000000000000000", "01JAN70:00:00:00"
	kinds := []string{"LIBRARY ", "MEMBER  ", "DSCRPTR ", "NAMESTR ", "OBS     "}
	release := "5.4"
	if l.eight {
		kinds = []string{"LIBV8   ", "MEMBV8  ", "DSCPTV8 ", "NAMSTV8 ", "OBSV8   "}
		release = "8"
	}
	var o out
	o.header(kinds[0], zeros)
	for _, part := range []string{"SAS", "SAS", "SASLIB", release, "sdcdesk"} {
		o.text(part, 8)
	}
	o.text("", 24)
	o.text(stamp, 16)
	o.text(stamp, recordSize)
	o.header(kinds[1], "000000000000000001600000000140")
	o.header(kinds[2], zeros)
	o.text("SAS", 8)
	o.text("DATA", l.name)
	for _, part := range []string{"SASDATA", release, "sdcdesk"} {
		o.text(part, 8)
	}
	if !l.eight {
		o.text("", 24)
	}
	o.text(stamp, 16)
	o.text(stamp, 16)
	o.text("", 16)
	o.text(f.Label, 40)
	o.text("", 8)
	o.header(kinds[3], fmt.Sprintf("0000%06d00000000000000000000", len(columns)))
	for i := range columns {
		o.variable(&columns[i], i+1, l)
	}
	o.toRecord()
	if l.eight {
		o.longLabels(columns)
	}
	o.header(kinds[4], zeros)
	return o.bytes
}

// variable writes the description of a variable.
func (o *out) variable(c *column, number int, l limits) {
	start := len(o.bytes)
	o.two(map[bool]int{false: 1, true: 2}[c.Kind == statfile.Text])
	o.two(0)
	o.two(c.width)
	o.two(number)
	o.text(c.name, 8)
	o.text(c.LabelAs(c.name), 40)
	o.text(c.formatName, 8)
	o.two(c.formatWidth)
	o.two(c.decimals)
	o.two(0)
	o.two(0)
	o.text("", 8)
	o.two(0)
	o.two(0)
	o.bytes = binary.BigEndian.AppendUint32(o.bytes, uint32(c.offset))
	if l.eight {
		o.text(c.name, 32)
		o.two(len(statfile.Cut(c.LabelAs(c.name), l.label)))
	}
	o.bytes = append(o.bytes, make([]byte, start+140-len(o.bytes))...)
}

// longLabels writes the labels that do not fit into the descriptions.
func (o *out) longLabels(columns []column) {
	var long []int
	for i := range columns {
		if len(columns[i].Label) > 40 {
			long = append(long, i)
		}
	}
	if len(long) == 0 {
		return
	}
	o.header("LABELV8 ", fmt.Sprint(len(long)))
	for _, i := range long {
		label := statfile.Cut(columns[i].Label, eight().label)
		o.two(i + 1)
		o.two(len(columns[i].name))
		o.two(len(label))
		o.bytes = append(append(o.bytes, columns[i].name...), label...)
	}
	o.toRecord()
}

// bits returns the encoded number of a row.
func (c *column) bits(row int) uint64 {
	value := c.Column.Numbers[row]
	if c.Kind != statfile.Number && value == value {
		value = own(c.Kind, value)
	}
	bits, _ := toIBM(value)
	return bits
}

// put writes the cells of a column into rows.
func (c *column) put(rows []byte, stride, row int) {
	for at := c.offset; at+c.width <= len(rows); at, row = at+stride, row+1 {
		cell := rows[at : at+c.width]
		if c.Kind != statfile.Text {
			binary.BigEndian.PutUint64(cell, c.bits(row))
			continue
		}
		n := 0
		if code := c.Column.Texts.Codes.At(row); code != 0 {
			n = copy(cell, statfile.Cut(c.Column.Texts.Values[code-1], c.width))
		}
		for ; n < len(cell); n++ {
			cell[n] = ' '
		}
	}
}

// Lacks implements statfile.Writer.
func (Transport) Lacks(f *statfile.File, settings statfile.Settings) []string {
	longest := longestOf(f)
	l := limitsOf(f, longest, settings)
	columns, stride := columnsOf(f, longest, l)
	var lost statfile.Losses
	lost.NoNotes(f)
	lost.NoWeight(f)
	if len(f.Label) > l.file {
		lost.Add(fmt.Sprintf("the dataset label is truncated to %d bytes", l.file), "")
	}
	if blankAtEnd(columns, f.Rows) && (recordSize-f.Rows*stride%recordSize)%recordSize+stride < recordSize {
		lost.Add("records at the end that contain only spaces are lost, because the file does not store the number of records", "")
	}
	for i := range columns {
		c := &columns[i]
		lost.Renamed("SAS", c.Name, c.name)
		if longest[i] > l.text {
			lost.Add(fmt.Sprintf("text values are truncated to %d bytes", l.text), c.Name)
		}
		if len(c.LabelAs(c.name)) > l.label {
			lost.Add(fmt.Sprintf("variable labels are truncated to %d bytes", l.label), c.Name)
		}
		if len(c.Labels) > 0 {
			lost.Add("value labels are omitted, because SAS stores them in a catalogue", c.Name)
		}
		if c.format != c.Format {
			lost.NoFormat(c.Name, c.Format)
		}
		lost.NoDeclarations(c.Variable)
		lost.NoTruths(c.Variable)
		lost.PadsWithSpaces(c.Variable)
		if slices.ContainsFunc(c.Column.Numbers, func(x float64) bool {
			_, exact := toIBM(x)
			return !exact
		}) {
			lost.Add("numbers below 1e-78 become zero, and numbers above 7e75 become the largest possible one", c.Name)
		}
	}
	return lost.Sentences()
}

// blankAtEnd reports whether the last row consists of space bytes, which is possible even for a number.
func blankAtEnd(columns []column, rows int) bool {
	return rows > 0 && !slices.ContainsFunc(columns, func(c column) bool {
		if c.Kind != statfile.Text {
			const blanks = 0x2020202020202020
			return c.bits(rows-1) != blanks
		}
		code := c.Column.Texts.Codes.At(rows - 1)
		return code > 0 && strings.Trim(c.Column.Texts.Values[code-1], " ") != ""
	})
}
