package spreadsheet

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"embed"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/klauspost/compress/flate"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// longestCell is the maximum number of UTF-16 characters of a cell.
const longestCell = 32767

// Days that Excel can display: from 1900-03-01, before which it counts a nonexistent day, to the end of 9999.
const (
	firstDay = 61 - days1900
	lastDay  = 2958465 - days1900
)

// Lacks implements statfile.Writer.
func (Excel) Lacks(f *statfile.File, _ statfile.Settings) []string {
	var lost statfile.Losses
	lost.ValuesOnly(f)
	for row := range f.Rows {
		if blank(f, row) {
			lost.Add("records without any value become empty rows, which programs skip", "")
			break
		}
	}
	for i := range f.Variables {
		v := &f.Variables[i]
		if v.Column.Texts != nil {
			for _, text := range v.Column.Texts.Values {
				if len(text) > longestCell && cellText(text) != text {
					lost.Add("text values are truncated to 32,767 characters", v.Name)
				}
				if text == "NA" {
					lost.Add("many programs read the text NA as missing", v.Name)
				}
			}
			continue
		}
		dated := v.Kind == statfile.Date || v.Kind == statfile.DateTime || v.Kind == statfile.Time
		if dated && writtenAs(v) == numberStyle {
			lost.Add("dates before March 1900 or with fractions, and times of more than a day, become numbers", v.Name)
		}
		for _, x := range v.Column.Numbers {
			if math.IsInf(x, 0) {
				lost.Add("infinite values become missing", v.Name)
				break
			}
		}
	}
	return lost.Sentences()
}

// blank reports whether a record has no value.
func blank(f *statfile.File, row int) bool {
	return !slices.ContainsFunc(f.Variables, func(v statfile.Variable) bool {
		if v.Column.Texts != nil {
			return v.Column.Texts.Codes.At(row) > 0
		}
		x := v.Column.Numbers[row]
		return x == x && !math.IsInf(x, 0)
	})
}

// cellText cuts a text to the length of a cell.
func cellText(text string) string {
	units := 0
	for i, char := range text {
		if units += utf16.RuneLen(max(char, 0)); units > longestCell {
			return text[:i]
		}
	}
	return text
}

// The cell styles, in the order of the workbook.
const (
	numberStyle = iota
	dateStyle
	momentStyle
	clockStyle
)

// writtenAs returns the style of a variable: dates and times are plain numbers if Excel cannot display all of
// them.
func writtenAs(v *statfile.Variable) int {
	style, fits := numberStyle, func(float64) bool { return true }
	switch v.Kind {
	case statfile.Date:
		style, fits = dateStyle, func(x float64) bool { return x >= firstDay && x <= lastDay && x == math.Trunc(x) }
	case statfile.DateTime:
		style, fits = momentStyle, func(x float64) bool { return x >= firstDay*86400 && x < (lastDay+1)*86400 }
	case statfile.Time:
		style, fits = clockStyle, func(x float64) bool { return x >= 0 && x < 86400 }
	}
	for _, x := range v.Column.Numbers {
		if x == x && !fits(x) {
			return numberStyle
		}
	}
	return style
}

// fixedParts contains the parts of a workbook that do not depend on its records.
//
//go:embed all:parts
var fixedParts embed.FS

const (
	partsFolder = "parts"

	xmlHead   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	sheetName = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
)

// Write writes a workbook of one sheet.
func (Excel) Write(ctx context.Context, w io.Writer, f *statfile.File, settings statfile.Settings,
	meter *progress.Meter) error {
	meter.Start(int64(f.Rows))
	if f.Rows >= mostRows || len(f.Variables) > mostColumns {
		return statfile.Failuref(statfile.ErrUnwritable,
			"an Excel sheet has at most %s rows and %s columns, but the data have %s and %s: choose another format",
			wording.Number(mostRows), wording.Number(mostColumns), wording.Number(f.Rows+1), wording.Number(len(f.Variables)))
	}
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate,
		func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	err := fs.WalkDir(fixedParts, partsFolder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fixedParts.ReadFile(path)
		if err != nil {
			return err
		}
		return putPart(z, strings.TrimPrefix(path, partsFolder+"/"), content)
	})
	if err != nil {
		return err
	}
	book := fmt.Appendf(nil, `%s<workbook xmlns="%s" xmlns:r="%s"><sheets><sheet name="%s" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		xmlHead, sheetName, relations, escaped(sheetCalled(settings[sheetSetting])))
	if err := putPart(z, "xl/workbook.xml", book); err != nil {
		return err
	}
	sheet, err := z.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	if err := writeSheet(ctx, sheet, f, meter); err != nil {
		return err
	}
	return z.Close()
}

func putPart(z *zip.Writer, name string, content []byte) error {
	part, err := z.Create(name)
	if err == nil {
		_, err = part.Write(content)
	}
	return err
}

// sheetCalled returns a valid sheet name.
func sheetCalled(name string) string {
	if name == "" || len([]rune(name)) > 31 || strings.ContainsAny(name, `[]:*?/\`) {
		return "data"
	}
	return name
}

// escaped escapes a text for XML, with control characters as in Excel.
func escaped(text string) string {
	var plain strings.Builder
	text = strings.ToValidUTF8(text, "\ufffd")
	for i, char := range text {
		escape := char < ' ' && char != '\t' && char != '\n' || char == 0xfffe || char == 0xffff
		if char == '_' && escapes.MatchString(text[i:min(len(text), i+7)]) {
			escape = true // the text looks like such an escape
		}
		if escape {
			fmt.Fprintf(&plain, "_x%04X_", char)
		} else {
			plain.WriteRune(char)
		}
	}
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(plain.String())) // writing to a buffer does not fail
	return out.String()
}

// textCellOf returns the part of a text cell after its reference.
func textCellOf(text string) string {
	return `" t="inlineStr"><is><t xml:space="preserve">` + escaped(cellText(text)) + `</t></is></c>`
}

// sheetColumn formats the cells of a column.
type sheetColumn struct {
	*statfile.Variable
	open  string   // beginning of a cell up to its row: <c r="B
	texts []string // by code, part of a cell after its row; "" if not needed yet
	style string
	of    func(float64) float64
}

func sheetColumnOf(v *statfile.Variable, place int) sheetColumn {
	c := sheetColumn{Variable: v, open: `<c r="` + columnName(place), of: func(x float64) float64 { return x }}
	if v.Column.Texts != nil {
		c.texts = make([]string, len(v.Column.Texts.Values)+1)
		return c
	}
	switch writtenAs(v) {
	case dateStyle:
		c.style, c.of = `" s="1`, func(x float64) float64 { return x + days1900 }
	case momentStyle:
		c.style, c.of = `" s="2`, func(x float64) float64 { return x/86400 + days1900 }
	case clockStyle:
		c.style, c.of = `" s="3`, func(x float64) float64 { return x / 86400 }
	}
	return c
}

func writeSheet(ctx context.Context, w io.Writer, f *statfile.File, meter *progress.Meter) error {
	out := bufio.NewWriterSize(w, 1<<16)
	columns := make([]sheetColumn, len(f.Variables))
	out.WriteString(xmlHead + `<worksheet xmlns="` + sheetName + `"><sheetData><row r="1">`)
	for i := range columns {
		columns[i] = sheetColumnOf(&f.Variables[i], i)
		out.WriteString(columns[i].open + "1" + textCellOf(f.Variables[i].Name))
	}
	out.WriteString("</row>")
	var line []byte
	for row := range f.Rows {
		if parallel.Stopped(ctx, row) {
			return ctx.Err()
		}
		number := strconv.Itoa(row + 2)
		line = append(append(append(line[:0], `<row r="`...), number...), `">`...)
		for i := range columns {
			line = columns[i].append(line, row, number)
		}
		if _, err := out.Write(append(line, "</row>"...)); err != nil {
			return err
		}
		meter.Add(1)
	}
	out.WriteString("</sheetData></worksheet>")
	if err := ctx.Err(); err != nil {
		return err
	}
	return out.Flush()
}

// append appends a cell, unless it is missing.
func (c *sheetColumn) append(line []byte, row int, number string) []byte {
	if t := c.Column.Texts; t != nil {
		code := t.Codes.At(row)
		if code == 0 {
			return line
		}
		if c.texts[code] == "" {
			c.texts[code] = textCellOf(t.Values[code-1])
		}
		return append(append(append(line, c.open...), number...), c.texts[code]...)
	}
	x := c.Column.Numbers[row]
	if x != x || math.IsInf(x, 0) {
		return line
	}
	line = append(append(append(line, c.open...), number...), c.style...)
	if c.Kind == statfile.Boolean && (x == 0 || x == 1) {
		line = append(line, `" t="b`...)
	}
	line = append(line, `"><v>`...)
	return append(strconv.AppendFloat(line, c.of(x), 'g', -1, 64), "</v></c>"...)
}

// columnName returns the letters of a column.
func columnName(i int) string {
	name := ""
	for i++; i > 0; i = (i - 1) / 26 {
		name = string(rune('A'+(i-1)%26)) + name
	}
	return name
}
