package spreadsheet

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

func source(t *testing.T, parts map[string]string) *statfile.Source {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range []string{"mimetype", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels",
		"xl/looks.xml", "xl/texts.xml", "xl/worksheets/a.xml", "xl/worksheets/b.xml", "META-INF/manifest.xml", "content.xml"} {
		if content, ok := parts[name]; ok {
			w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(content)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return statfile.NewSource("a", bytes.NewReader(out.Bytes()), int64(out.Len()))
}

// excelFile returns a workbook of two sheets with the given rows.
func excelFile(t *testing.T, properties, rows string) *statfile.Source {
	t.Helper()
	return source(t, map[string]string{
		"_rels/.rels": `<Relationships><Relationship Id="r" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<x:workbook xmlns:x="s"><x:workbookPr ` + properties +
			`/><x:sheets><x:sheet name="first" r:id="r1"/><x:sheet name="second &amp; last" r:id="r2"/></x:sheets></x:workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="t/worksheet" Target="worksheets/a.xml"/><Relationship Id="r2" Type="t/worksheet" Target="/xl/worksheets/b.xml"/><Relationship Id="r3" Type="t/styles" Target="looks.xml"/><Relationship Id="r4" Type="t/sharedStrings" Target="/xl/texts.xml"/></Relationships>`,
		"xl/looks.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]d. mmmm yyyy;@"/><numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/><numFmt numFmtId="166" formatCode="[h]:mm:ss"/><numFmt numFmtId="167" formatCode="[HH]:MM"/></numFmts>
			<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="22"/><xf numFmtId="167"/></cellXfs></styleSheet>`,
		"xl/texts.xml":        `<sst><si><t>name</t></si><si><r><t>two</t></r><r><t xml:space="preserve"> runs</t></r><rPh><t>not this</t></rPh></si><si><t>line_x000A_two</t></si></sst>`,
		"xl/worksheets/a.xml": `<worksheet><sheetData>` + rows + `</sheetData></worksheet>`,
		"xl/worksheets/b.xml": `<worksheet><sheetData><row><c t="inlineStr"><is><t>other</t></is></c></row><row><c><v>7</v></c></row></sheetData></worksheet>`,
	})
}

func readExcel(t *testing.T, in *statfile.Source, settings statfile.Settings) *statfile.File {
	t.Helper()
	f, err := Excel{}.Read(context.Background(), in, statfile.ReadOptions{Settings: settings}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shown returns the kind and values of a variable as text.
func shown(v *statfile.Variable) string {
	var out []string
	for row := range v.Column.Len() {
		switch {
		case v.Column.Texts == nil:
			out = append(out, fmt.Sprint(v.Column.Numbers[row]))
		case v.Column.Texts.Codes.At(row) == 0:
			out = append(out, "-")
		default:
			out = append(out, fmt.Sprintf("%q", v.Column.Texts.Values[v.Column.Texts.Codes.At(row)-1]))
		}
	}
	return fmt.Sprintf("%s %d: %s", v.Name, v.Kind, strings.Join(out, " "))
}

func TestCellsOfAWorkbook(t *testing.T) {
	rows := `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="str"><v>day</v></c><c r="C1" t="str"><v>at</v></c><c r="D1" t="str"><v>took</v></c><c r="E1" t="str"><v>n</v></c><c r="F1" t="str"><v>mixed</v></c><c r="G1" t="str"><v>yes</v></c></row>
		<row r="2"/>
		<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" s="1"><v>44986</v></c><c r="C3" s="4"><v>44986.5</v></c><c r="D3" s="3"><v>0.25</v></c><c r="E3" s="2"><v>1e3</v></c><c r="F3"><v>1.5</v></c><c r="G3" t="b"><v>1</v></c></row>
		<row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4" s="1"><v>1</v></c><c r="E4" t="e"><v>#N/A</v></c><c r="F4" t="str"><v></v></c><c r="G4" t="b"><v>0</v></c></row>
		<row r="5"><c t="str"><v>NA</v></c><c r="D5" s="5"><v>1.5</v></c><c r="F5" s="1"><v>44986</v></c></row>`
	f := readExcel(t, excelFile(t, "", rows), nil)
	want := []string{
		`name 1: "two runs" "line\ntwo" -`,
		`day 2: 19417 -25567 NaN`, // 1900-01-01
		`at 3: 1.6776720e+09 NaN NaN`,
		`took 4: 21600 NaN 129600`,
		`n 0: 1000 NaN NaN`,
		`mixed 1: "1.5" "" "2023-03-01"`,
		`yes 5: 1 0 NaN`,
	}
	want[2] = fmt.Sprintf("at 3: %v NaN NaN", 19417.5*86400)
	for i := range want {
		if got := shown(&f.Variables[i]); got != want[i] {
			t.Errorf("%s, expected %s", got, want[i])
		}
	}
	if said := strings.Join(f.Warnings,
		"; "); said != "1 empty row is skipped; 1 cell with an error, such as #N/A, is read as missing; 1 cell with the text NA is read as missing; the option \"text NA\" changes this" {
		t.Error(said)
	}
	f = readExcel(t, excelFile(t, `date1904="1"`, rows), statfile.Settings{headerSetting: "no", naSetting: "text"})
	if got := shown(&f.Variables[0]); got != ` 1: "name" "two runs" "line\ntwo" "NA"` {
		t.Error(got)
	}
	if got := shown(&f.Variables[1]); got != ` 1: "day" "2027-03-02" "1904-01-02" -` {
		t.Error(got)
	}
}

// Phonetic texts and notes are not part of cells; of two type attributes, that of office counts.
func TestWhatIsNoPartOfCells(t *testing.T) {
	f := readExcel(t,
		excelFile(t, "",
			`<row><c t="inlineStr"><is><t>x</t><rPh><t>y</t></rPh><r><t>z</t></r></is></c></row><row><c t="inlineStr"><is><rPh><t>y</t></rPh><t>1</t></is></c></row>`), nil)
	if got := shown(&f.Variables[0]); got != `xz 1: "1"` {
		t.Error(got)
	}
	in := source(t,
		map[string]string{"content.xml": `<d><table name="a"><table-row><table-cell office:value-type="string"><annotation><p>note</p></annotation><p>a</p></table-cell></table-row>
		<table-row><table-cell calcext:value-type="string" office:value-type="float" office:value="2"/></table-row><table-row><table-cell office:value-type="float" calcext:value-type="string" office:value="3"/></table-row>
		<table-row><table-cell office:value-type="string" calcext:value-type="error"><p>#N/A</p></table-cell></table-row></table></d>`})
	f, err := OpenDocument{}.Read(context.Background(), in, statfile.ReadOptions{}, nil)
	if err != nil || shown(&f.Variables[0]) != "a 0: 2 3 NaN" {
		t.Errorf("%+v, %v", f, err)
	}
}

// The loss of records without values, whose rows are skipped on reading, is reported.
func TestRecordsWithoutAnyValue(t *testing.T) {
	for _, x := range []float64{0, math.NaN(), math.Inf(1)} {
		f := &statfile.File{Rows: 2,
			Variables: []statfile.Variable{{Name: "x", Column: statfile.Column{Numbers: []float64{1, x}}},
				{Name: "t", Kind: statfile.Text,
					Column: statfile.Column{Texts: &statfile.Texts{Values: []string{""}, Codes: microdata.CodesOf([]uint8{1, 0})}}}}}
		var out bytes.Buffer
		if err := (Excel{}).Write(context.Background(), &out, f, nil, nil); err != nil {
			t.Fatal(err)
		}
		back := readExcel(t, statfile.NewSource("a", bytes.NewReader(out.Bytes()), int64(out.Len())), nil)
		reported := slices.ContainsFunc((Excel{}).Lacks(f, nil),
			func(s string) bool { return strings.HasPrefix(s, "records without any value") })
		if lost := back.Rows < f.Rows; lost != reported || lost != (x != 0) {
			t.Errorf("%v: %d rows, told %v", x, back.Rows, reported)
		}
	}
}

// Excel displays days from March 1900; a variable with earlier days is written as numbers.
func TestDaysThatExcelShows(t *testing.T) {
	for days, style := range map[float64]int{-25508: dateStyle, -25509: numberStyle, 2932896: dateStyle,
		2932897: numberStyle, 0.5: numberStyle} {
		v := &statfile.Variable{Kind: statfile.Date, Column: statfile.Column{Numbers: []float64{0, days}}}
		if got := writtenAs(v); got != style {
			t.Errorf("%v is written as %d, expected %d", days, got, style)
		}
	}
	for text, want := range map[string]int{strings.Repeat("x", 32767): 32767, strings.Repeat("x", 32768): 32767,
		strings.Repeat("😀", 16384): 4 * 16383} {
		if got := len(cellText(text)); got != want {
			t.Errorf("of %d bytes %d are in a cell, expected %d", len(text), got, want)
		}
	}
}

// Excel counts a nonexistent day, whose number is read as the day before.
func TestFirstDaysOfExcel(t *testing.T) {
	r := excelRow{workbook: &workbook{base: days1900, formats: []cellKind{momentCell}}}
	for number, want := range map[float64]string{1: "1900-01-01", 59: "1900-02-28", 60: "1900-02-28", 61: "1900-03-01",
		25569: "1970-01-01"} {
		if c := r.dated(number, r.style); c.spelled() != want {
			t.Errorf("%v is %s, expected %s", number, c.spelled(), want)
		}
	}
}

// Built-in number formats have numbers only.
func TestNumberFormatsOfEveryWorkbook(t *testing.T) {
	want := map[cellKind]string{momentCell: "14 15 16 17 22 27 28 29 30 31 36 50 51 52 53 54 55 56 57 58 ",
		clockCell: "18 19 20 21 32 33 34 35 45 46 47 "}
	got := map[cellKind]string{}
	for id := range 70 {
		got[builtIn(strconv.Itoa(id))] += fmt.Sprint(id, " ")
	}
	for kind, ids := range want {
		if got[kind] != ids {
			t.Errorf("%d: %s, expected %s", kind, got[kind], ids)
		}
	}
	for code, want := range map[string]cellKind{"yyyy\\-mm\\-dd": momentCell, "mmm": momentCell, "h:mm": clockCell,
		"[h]:mm": clockCell, "[HH]:MM:SS": clockCell, "mm:ss.0": clockCell, "0.00": numberCell, "General": numberCell,
		`0" days"`: numberCell, "[Red]0": numberCell, "0.00E+00": numberCell, "#,##0\\ \\d": numberCell, "@": numberCell,
		"[$-F800]dddd, mmmm dd, yyyy": momentCell, "0;[Red]-0 \"y\"": numberCell} {
		if got := shownAs(code); got != want {
			t.Errorf("%s shows %d, expected %d", code, got, want)
		}
	}
}

func TestSheetsAreChosen(t *testing.T) {
	in := excelFile(t, "", `<row><c><v>1</v></c></row>`)
	settings, known, err := Excel{}.Recognise(context.Background(), in)
	if !known || err != nil || settings[sheetSetting] != "first" {
		t.Fatalf("%v, %v, %v", settings, known, err)
	}
	if values := options(settings)[0].Choices; len(values) != 2 || values[1].Value != "second & last" {
		t.Errorf("%v", values)
	}
	settings[sheetSetting] = "second & last"
	if f := readExcel(t, in, settings); shown(&f.Variables[0]) != "other 0: 7" {
		t.Error(shown(&f.Variables[0]))
	}
	settings[sheetSetting] = "third"
	if _, err := (Excel{}).Read(context.Background(), in, statfile.ReadOptions{Settings: settings}, nil); !errors.Is(err,
		statfile.ErrUnsupported) {
		t.Errorf("a sheet that is not there: %v", err)
	}
}

// Claims of cells take no memory.
func TestClaimsOfCells(t *testing.T) {
	for _, row := range []string{`<row><c r="ZZZZ1"><v>1</v></c></row>`, `<row><c t="s"><v>99</v></c></row>`,
		`<row><c t="s"><v>-1</v></c></row>`, `<row`} {
		if _, err := (Excel{}).Read(context.Background(), excelFile(t, "", row), statfile.ReadOptions{}, nil); !errors.Is(err,
			statfile.ErrDamaged) {
			t.Errorf("%s: %v", row, err)
		}
	}
	open := func(rows string) (*statfile.File, error) {
		in := source(t, map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
			"content.xml": `<d><table:table table:name="a">` + rows + `</table:table><table:table table:name="b"/></d>`})
		if settings, known, err := (OpenDocument{}).Recognise(context.Background(), in); !known || err != nil ||
			settings[sheetsSetting] != "a\nb" {
			t.Errorf("%v, %v, %v", settings, known, err)
		}
		return OpenDocument{}.Read(context.Background(), in, statfile.ReadOptions{}, nil)
	}
	row := func(rows, cells int) string {
		return fmt.Sprintf(`<table-row number-rows-repeated="%d"><table-cell number-columns-repeated="%d" office:value-type="float" office:value="1"/></table-row>`,
			rows, cells)
	}
	for rows, want := range map[string]error{
		row(mostRows, 1000): statfile.ErrMemory, strings.Repeat(row(1, mostColumns), 3000): statfile.ErrMemory,
		row(1, 100_000): statfile.ErrDamaged, row(mostRows+2, 1): statfile.ErrDamaged,
		row(mostRows, 1) + row(2, 1): statfile.ErrDamaged, row(mostRows, 6): nil,
	} {
		if _, err := open(rows); !errors.Is(err, want) {
			t.Errorf("%.200s: %v", rows, err)
		}
	}
	f, err := open(`<table-row><table-cell office:value-type="string"><text:p>a<text:s text:c="2"/>b</text:p><text:p>c</text:p></table-cell><table-cell number-columns-repeated="16383"/></table-row>
		<table-row number-rows-repeated="2"><table-cell office:value-type="time" office:time-value="PT01H30M15S"/></table-row><table-row number-rows-repeated="1048573"><table-cell number-columns-repeated="16384"/></table-row>`)
	if err != nil || len(f.Variables) != 1 || shown(&f.Variables[0]) != "a  b\nc 4: 5415 5415" {
		t.Errorf("%+v, %v", f, err)
	}
}

// An unclosed quote is an error where it is detected: searching for its end repeatedly would take too long.
func TestQuoteThatIsNotClosed(t *testing.T) {
	rows := `<row><c r="A1 t="str"><v>0</v></c></row>` + strings.Repeat(`<row><c><v>1</v></c></row>`, 100_000)
	if _, err := (Excel{}).Read(context.Background(), excelFile(t, "", rows), statfile.ReadOptions{}, nil); !errors.Is(err,
		statfile.ErrDamaged) {
		t.Error(err)
	}
	f := readExcel(t,
		excelFile(t, "", `<row><c t="str" note="a>b" other='"'><v>x</v></c></row><row><c><v>1</v></c></row>`), nil)
	if got := shown(&f.Variables[0]); got != "x 0: 1" {
		t.Error(got)
	}
}

// Texts that XML cannot represent, and texts that look like their escapes, survive the round trip.
func TestTextsAreEscaped(t *testing.T) {
	texts := []string{"", " a ", "<&>\"'", "line\nbreak\r", "\x00\x1f", "_x000A_", "ü中😀", "tab\t"}
	d := statfile.NewDictionary(0)
	for _, text := range texts {
		d.Add([]byte(text))
	}
	f := &statfile.File{Rows: len(texts),
		Variables: []statfile.Variable{{Name: "t<", Kind: statfile.Text, Column: statfile.Column{Texts: d.Texts()}},
			{Name: "old", Kind: statfile.Date, Column: statfile.Column{Numbers: make([]float64, len(texts))}}}}
	f.Variables[1].Column.Numbers[0] = -30000
	f.Variables[1].Column.Numbers[1] = math.Inf(1)
	if said := (Excel{}).Lacks(f, nil); len(said) != 2 {
		t.Errorf("%q", said)
	}
	var out bytes.Buffer
	if err := (Excel{}).Write(context.Background(), &out, f, statfile.Settings{sheetSetting: "a & b"}, nil); err != nil {
		t.Fatal(err)
	}
	back := readExcel(t, statfile.NewSource("a", bytes.NewReader(out.Bytes()), int64(out.Len())), nil)
	for i, text := range texts {
		if got := back.Variables[0].Column.Texts.Values[back.Variables[0].Column.Texts.Codes.At(i)-1]; got != text {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	if got := shown(&back.Variables[1]); !strings.HasPrefix(got, "old 0: -30000 NaN 0") ||
		back.Settings[sheetSetting] != "a & b" {
		t.Error(got)
	}
}

// Durations are formatted uniformly, whatever their sign and size, also among texts: 1.25 days are 30 hours, -0.5
// days -12, and 50,000 days 1,200,000.
func TestDurationsAmongTexts(t *testing.T) {
	clock := func(days string) string { return `<row><c s="3"><v>` + days + `</v></c></row>` }
	f := readExcel(t, excelFile(t, "", `<row><c t="str"><v>x</v></c></row>`+clock("1.25")+clock("-0.5")+clock("-0.0208333333333333")+
		clock("50000")+`<row><c t="str"><v>none</v></c></row>`), nil)
	if got := shown(&f.Variables[0]); got != `x 1: "30:00:00" "-12:00:00" "-00:30:00" "1200000:00:00" "none"` {
		t.Error(got)
	}
	for text, want := range map[string]float64{"PT12H": 0.5, "-PT12H": -0.5, "-PT30M": -0.5 / 24} {
		if got, ok := isoDuration(text); !ok || got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// A formula without a stored result is missing, with a warning; an empty text is a result.
func TestFormulasWithoutAResult(t *testing.T) {
	f := readExcel(t, excelFile(t, "", `<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>`+
		`<row><c><f>A1+1</f><v/></c><c><v>1</v></c></row><row><c><f>A1+2</f></c><c t="str"><f>""</f><v></v></c></row>`+
		`<row><c><f>A1+3</f><v>4</v></c><c><v></v></c></row>`), nil)
	if got := shown(&f.Variables[0]); got != "a 0: NaN NaN 4" {
		t.Error(got)
	}
	if len(f.Warnings) != 1 || !strings.HasPrefix(f.Warnings[0], "2 cells with formulas have no stored result and are read as missing") {
		t.Errorf("%q", f.Warnings)
	}
	if c := cellOf([]xml.Attr{{Name: xml.Name{Space: "table", Local: "formula"}, Value: "of:=1"}}); c.kind != unsolvedCell {
		t.Errorf("of OpenDocument: %+v", c)
	}
}

// A written workbook has no folder entries, which not every program accepts.
func TestWrittenPartsAreFiles(t *testing.T) {
	var out bytes.Buffer
	f := &statfile.File{Rows: 1, Variables: []statfile.Variable{{Name: "x", Column: statfile.Column{Numbers: []float64{1}}}}}
	if err := (Excel{}).Write(context.Background(), &out, f, nil, nil); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(z.File) == 0 || z.File[0].Name != "[Content_Types].xml" {
		t.Fatalf("%v, %v", z, err)
	}
	for _, file := range z.File {
		if file.FileInfo().IsDir() {
			t.Errorf("%s is a folder", file.Name)
		}
	}
}
