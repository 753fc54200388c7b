package spreadsheet

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// longestCell is the number of characters (of UTF-16) that a cell holds.
const longestCell = 32767

// Days that Excel can show: from 1900-03-01, before which it counts a day that
// there was not, to the end of 9999.
const (
	firstDay = 61 - days1900
	lastDay  = 2958465 - days1900
)

// Lacks says what a workbook cannot hold.
func (Excel) Lacks(f *statfile.File, _ statfile.Settings) []string {
	var lost statfile.Losses
	lost.ValuesOnly(f)
	for row := range f.Rows {
		if blank(f, row) {
			lost.Add("records without any value become rows with nothing in them, which programs leave out", "")
			break
		}
	}
	for i := range f.Variables {
		v := &f.Variables[i]
		if v.Column.Texts != nil {
			for _, text := range v.Column.Texts.Values {
				if len(text) > longestCell && cellText(text) != text {
					lost.Add("texts are cut to 32,767 characters", v.Name)
				}
				if text == "NA" {
					lost.Add("the text NA is read as missing by many programs", v.Name)
				}
			}
			continue
		}
		dated := v.Kind == statfile.Date || v.Kind == statfile.DateTime || v.Kind == statfile.Time
		if dated && writtenAs(v) == numberStyle {
			lost.Add("dates before March 1900 or with fractions, and times beyond a day, become numbers", v.Name)
		}
		for _, x := range v.Column.Numbers {
			if math.IsInf(x, 0) {
				lost.Add("infinite numbers become missing", v.Name)
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

// cellText returns as much of a text as a cell holds.
func cellText(text string) string {
	units := 0
	for i, char := range text {
		if units += utf16.RuneLen(max(char, 0)); units > longestCell {
			return text[:i]
		}
	}
	return text
}

// The styles of cells, in the order in which the workbook has them.
const (
	numberStyle = iota
	dateStyle
	momentStyle
	clockStyle
)

// writtenAs returns the style of a variable: dates and times are numbers where
// Excel cannot show them all.
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

// Write writes a workbook of one sheet.
func (Excel) Write(ctx context.Context, w io.Writer, f *statfile.File, settings statfile.Settings,
	meter *progress.Meter) error {
	meter.Start(int64(f.Rows))
	if f.Rows >= mostRows || len(f.Variables) > mostColumns {
		return statfile.Failuref(statfile.ErrUnwritable,
			"a sheet of Excel has at most %s rows and %s columns, and these are %s and %s: write another format",
			wording.Number(mostRows), wording.Number(mostColumns), wording.Number(f.Rows+1), wording.Number(len(f.Variables)))
	}
	sheet := settings[sheetSetting]
	if sheet == "" || len([]rune(sheet)) > 31 || strings.ContainsAny(sheet, `[]:*?/\`) {
		sheet = "data"
	}
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate,
		func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	for _, part := range fixedParts(sheet) {
		if err := putPart(z, part.name,
			func(out *bufio.Writer) error { _, err := out.WriteString(part.content); return err }); err != nil {
			return err
		}
	}
	texts := &sharedTexts{}
	if err := putPart(z, "xl/worksheets/sheet1.xml",
		func(out *bufio.Writer) error { return writeSheet(ctx, out, f, texts, meter) }); err != nil {
		return err
	}
	if err := putPart(z, "xl/sharedStrings.xml", texts.write); err != nil {
		return err
	}
	return z.Close()
}

func putPart(z *zip.Writer, name string, write func(out *bufio.Writer) error) error {
	part, err := z.Create(name)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(part, 1<<16)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

const (
	xmlHead   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	sheetName = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packaged  = "http://schemas.openxmlformats.org/package/2006/"
	mainType  = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

type fixedPart struct{ name, content string }

// fixedParts returns the parts that are the same in every workbook but for the name
// of the sheet.
func fixedParts(sheet string) []fixedPart {
	relation := func(id int, kind, target string) string {
		return fmt.Sprintf(`<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>`, id, relations, kind, target)
	}
	part := func(name, kind string) string {
		return fmt.Sprintf(`<Override PartName="/xl/%s" ContentType="%s%s+xml"/>`, name, mainType, kind)
	}
	style := func(format int) string {
		return fmt.Sprintf(`<xf numFmtId="%d" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`, format)
	}
	return []fixedPart{
		{"[Content_Types].xml",
			xmlHead + `<Types xmlns="` + packaged +
				`content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
				part("workbook.xml", "sheet.main") + part("worksheets/sheet1.xml", "worksheet") + part("styles.xml", "styles") +
				part("sharedStrings.xml", "sharedStrings") + `</Types>`},
		{"_rels/.rels",
			xmlHead + `<Relationships xmlns="` + packaged + `relationships">` +
				relation(1, "officeDocument", "xl/workbook.xml") + `</Relationships>`},
		{"xl/workbook.xml",
			xmlHead + `<workbook xmlns="` + sheetName + `" xmlns:r="` + relations + `"><sheets><sheet name="` + escaped(sheet) +
				`" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels",
			xmlHead + `<Relationships xmlns="` + packaged + `relationships">` +
				relation(1, "worksheet", "worksheets/sheet1.xml") +
				relation(2, "styles", "styles.xml") + relation(3, "sharedStrings", "sharedStrings.xml") + `</Relationships>`},
		{"xl/styles.xml",
			xmlHead + `<styleSheet xmlns="` + sheetName +
				`"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/><numFmt numFmtId="166" formatCode="hh:mm:ss"/></numFmts>` +
				`<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
				`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4">` +
				style(0) + style(164) + style(165) + style(166) + `</cellXfs></styleSheet>`},
	}
}

// escaped returns a text as XML holds it; control characters as Excel writes them.
func escaped(text string) string {
	var plain strings.Builder
	for i, char := range text {
		escape := char < ' ' && char != '\t' && char != '\n' || char == 0xfffe || char == 0xffff
		if char == '_' && escapes.MatchString(text[i:min(len(text), i+7)]) {
			escape = true // it would be taken for such a character
		}
		if escape {
			fmt.Fprintf(&plain, "_x%04X_", char)
		} else {
			plain.WriteRune(char)
		}
	}
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(plain.String())) // a buffer takes all
	return out.String()
}

// sharedTexts numbers the texts of all cells.
type sharedTexts struct {
	index map[string]int
	texts []string
	uses  int
}

func (s *sharedTexts) number(text string) int {
	text = cellText(text)
	n, known := s.index[text]
	if !known {
		if s.index == nil {
			s.index = map[string]int{}
		}
		n = len(s.texts)
		s.index[text] = n
		s.texts = append(s.texts, text)
	}
	return n
}

func (s *sharedTexts) write(out *bufio.Writer) error {
	fmt.Fprintf(out, `%s<sst xmlns="%s" count="%d" uniqueCount="%d">`, xmlHead, sheetName, s.uses, len(s.texts))
	for _, text := range s.texts {
		if !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\ufffd")
		}
		fmt.Fprintf(out, `<si><t xml:space="preserve">%s</t></si>`, escaped(text))
	}
	_, err := out.WriteString("</sst>")
	return err
}

// sheetColumn is how a column is written.
type sheetColumn struct {
	*statfile.Variable
	open    string // a cell up to its row: <c r="B
	style   string
	numbers []int // by code of its texts, -1: not met yet
	of      func(float64) float64
}

func writeSheet(ctx context.Context, out *bufio.Writer, f *statfile.File, texts *sharedTexts,
	meter *progress.Meter) error {
	columns := make([]sheetColumn, len(f.Variables))
	for i := range columns {
		c := &columns[i]
		c.Variable, c.open, c.of = &f.Variables[i], `<c r="`+columnName(i), func(x float64) float64 { return x }
		if c.Column.Texts != nil {
			c.numbers = make([]int, len(c.Column.Texts.Values)+1)
			for code := range c.numbers {
				c.numbers[code] = -1
			}
			continue
		}
		switch style := writtenAs(c.Variable); style {
		case dateStyle:
			c.style, c.of = `" s="1`, func(x float64) float64 { return x + days1900 }
		case momentStyle:
			c.style, c.of = `" s="2`, func(x float64) float64 { return x/86400 + days1900 }
		case clockStyle:
			c.style, c.of = `" s="3`, func(x float64) float64 { return x / 86400 }
		}
	}
	out.WriteString(xmlHead + `<worksheet xmlns="` + sheetName + `"><sheetData><row r="1">`)
	for i := range columns {
		fmt.Fprintf(out, `%s1" t="s"><v>%d</v></c>`, columns[i].open, texts.number(columns[i].Name))
		texts.uses++
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
			line = columns[i].append(line, row, number, texts)
		}
		if _, err := out.Write(append(line, "</row>"...)); err != nil {
			return err
		}
		meter.Add(1)
	}
	_, err := out.WriteString("</sheetData></worksheet>")
	return cmp.Or(ctx.Err(), err)
}

// append appends a cell; one that is missing is none.
func (c *sheetColumn) append(line []byte, row int, number string, texts *sharedTexts) []byte {
	if t := c.Column.Texts; t != nil {
		code := t.Codes.At(row)
		if code == 0 {
			return line
		}
		if c.numbers[code] < 0 {
			c.numbers[code] = texts.number(t.Values[code-1])
		}
		texts.uses++
		line = append(append(append(line, c.open...), number...), `" t="s"><v>`...)
		return append(strconv.AppendInt(line, int64(c.numbers[code]), 10), "</v></c>"...)
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
