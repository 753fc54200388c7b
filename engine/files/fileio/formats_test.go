package fileio

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// All programs display numbers with the same digits; other formats are kept only by the program that has them, and
// reported as lost in others.
func TestFormatsOfOtherPrograms(t *testing.T) {
	const reported = "told"
	for _, c := range []struct {
		format string
		kind   statfile.Kind
		want   map[string]string // by file type; its own format if not listed
	}{
		{"F10.3", statfile.Number, map[string]string{"sav": "F10.3", "dta": "%10.3f", "xpt": "F10.3"}},
		{"%10.3f", statfile.Number, map[string]string{"sav": "F10.3", "dta": "%10.3f", "xpt": "F10.3"}},
		{"%-10.3f", statfile.Number, map[string]string{"sav": reported, "dta": "%-10.3f", "xpt": reported, "parquet": reported,
			"xlsx": reported}},
		{"%05.0f", statfile.Number, map[string]string{"sav": reported, "dta": "%05.0f", "xpt": reported, "parquet": reported,
			"xlsx": reported}},
		{"%12.0gc", statfile.Number, map[string]string{"sav": reported, "dta": "%12.0gc", "xpt": reported, "parquet": reported,
			"xlsx": reported}},
		{"%8.5f", statfile.Number, map[string]string{"sav": "F11.5", "dta": "%8.5f", "xpt": "F8.5"}},
		{"%8.2fc", statfile.Number, map[string]string{"sav": "COMMA9.2", "dta": "%8.2fc", "xpt": "COMMA8.2"}},
		{"F40.2", statfile.Number, map[string]string{"sav": "F40.2", "dta": reported, "xpt": reported, "parquet": reported,
			"xlsx": reported}},
		{"E40.10", statfile.Number, map[string]string{"sav": "E40.10", "dta": reported, "xpt": reported, "parquet": reported,
			"xlsx": reported}},
		{"F", statfile.Number, map[string]string{"sav": "F8.0", "dta": "", "xpt": "F"}},
		{"10.3", statfile.Number, map[string]string{"sav": "F10.3", "dta": "%10.3f", "xpt": "10.3"}},
		{"F5.0", statfile.Number, map[string]string{"sav": "F5.0", "dta": "%5.0f", "xpt": "F5"}},
		{"%12.2fc", statfile.Number, map[string]string{"sav": "COMMA12.2", "dta": "%12.2fc", "xpt": "COMMA12.2"}},
		{"COMMA12.2", statfile.Number, map[string]string{"sav": "COMMA12.2", "dta": "%12.2fc", "xpt": "COMMA12.2"}},
		// the width in SPSS is sufficient for the values
		{"%2.0f", statfile.Number, map[string]string{"sav": "F5.0", "dta": "%2.0f", "xpt": "F2"}},
		{"%50.2f", statfile.Number, map[string]string{"sav": reported, "dta": "%50.2f", "xpt": reported, "parquet": reported,
			"xlsx": reported}},
		{"%9.0g", statfile.Number, map[string]string{"dta": "%9.0g"}},
		{"BEST12", statfile.Number, map[string]string{"sav": "", "dta": "", "xpt": "BEST12"}},
		{"%tm", statfile.Number, map[string]string{"sav": reported, "dta": "%tm", "xpt": reported, "parquet": reported, "xlsx": reported}},
		{"DOLLAR12.2", statfile.Number, map[string]string{"sav": "DOLLAR12.2", "dta": reported, "xpt": "DOLLAR12.2",
			"parquet": reported, "xlsx": reported}},
		{"DOT12.2", statfile.Number, map[string]string{"sav": "DOT12.2", "dta": reported, "xpt": reported, "parquet": reported,
			"xlsx": reported}},
		{"RACE", statfile.Number, map[string]string{"sav": reported, "dta": reported, "xpt": "RACE", "parquet": reported, "xlsx": reported}},
		{"DATE7", statfile.Date, map[string]string{"sav": "DATE9", "dta": "%td", "xpt": "DATE7"}},
		{"DATETIME22.3", statfile.DateTime, map[string]string{"sav": "DATETIME24.3", "dta": "%tc", "xpt": "DATETIME22.3"}},
		{"TIME12.3", statfile.Time, map[string]string{"sav": "TIME12.3", "xpt": "TIME12.3"}},
		{"TIME2", statfile.Time, map[string]string{"sav": "TIME5", "xpt": "TIME2"}},
		{"E5", statfile.Number, map[string]string{"sav": "E6", "dta": reported, "xpt": "E5", "parquet": reported, "xlsx": reported}},
		{"DOLLAR3.2", statfile.Number, map[string]string{"sav": "DOLLAR4.2", "dta": reported, "xpt": "DOLLAR3.2", "parquet": reported,
			"xlsx": reported}},
		{"DATE11", statfile.Date, map[string]string{"sav": "DATE11", "dta": "%td", "xpt": "DATE11"}},
		{"%td", statfile.Date, map[string]string{"sav": "DATE11", "dta": "%td", "xpt": "DATE9"}},
		{"MMDDYY10", statfile.Date, map[string]string{"sav": reported, "dta": reported, "xpt": "MMDDYY10", "parquet": reported,
			"xlsx": reported}},
	} {
		for _, format := range statfiles() {
			writer, ok := format.(statfile.Writer)
			if !ok {
				continue
			}
			f := &statfile.File{Rows: 2, Variables: []statfile.Variable{
				{Name: "a", Kind: c.kind, Format: c.format, Column: statfile.Column{Numbers: []float64{700, 12345}}}}}
			back, _ := writtenBack(t, writer, f, nil)
			want := c.want[format.Info().Name]
			says := slices.Contains(writer.Lacks(f, nil), "display formats are omitted: a ("+c.format+")")
			if says != (want == reported) {
				t.Errorf("%s in .%s: told %v", c.format, format.Info().Name, says)
			}
			if got := back.Variables[0].Format; want != reported && want != "" && got != want {
				t.Errorf("%s in .%s became %s", c.format, format.Info().Name, got)
			}
		}
	}
}

// Writing a text file reports lost formats such as months or money, but not digits.
func TestFormatsThatATextFileLacks(t *testing.T) {
	data, report := readStatfile(t, "sav_pspp_byte.sav")
	said, err := Lacks(t.Context(), "a.csv", data, report.Format, WriteOptions{})
	if err != nil || !slices.ContainsFunc(said, func(s string) bool {
		return strings.HasSuffix(s, "display formats are omitted: pid (N3), savings (DOLLAR12.2) and tiny (E12.4)")
	}) {
		t.Errorf("%q, %v", said, err)
	}
}
