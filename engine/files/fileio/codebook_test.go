package fileio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const codebookData = "sex,age,income\n1,30,-9\n2,40,1500\n1,-8,-8\n"

func withCodebook(t *testing.T, book string) (string, Format) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book")
	if err := os.WriteFile(path, []byte(book), 0o600); err != nil {
		t.Fatal(err)
	}
	f := NewFormat()
	f.Codebook = path
	return path, f
}

// A codebook in CSV or DDI gives a text file labels, and its variables missing codes; the file survives the round
// trip.
func TestCodebookOfText(t *testing.T) {
	for kind, book := range map[string]string{
		"CSV": "variable,label,value,value_label,missing\nsex,Sex of the person,,,\nsex,,1,male,\nsex,,2,female,\nincome,Income,,,\nincome,,-9,refused,yes\nincome,,-8,not asked,yes\nother,Not there,,,\n",
		"DDI": `<?xml version="1.0"?><codeBook xmlns="ddi:codebook:2_5"><dataDscr><var ID="V1" name="sex"><labl>Sex of
			the person</labl><catgry><catValu>1</catValu><labl>male</labl></catgry><catgry><catValu>2</catValu><labl>female</labl></catgry></var>
			<var name="income"><labl>Income</labl><invalrng><item VALUE="-8"/></invalrng><catgry missing="Y"><catValu>-9</catValu><labl>refused</labl></catgry><catgry><catValu>-8</catValu><labl>not asked</labl></catgry></var></dataDscr></codeBook>`,
	} {
		_, f := withCodebook(t, book)
		data, report, err := ReadBytes(context.Background(), "a.csv", []byte(codebookData), f, nil)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		sex, age, income := data.Columns()[0], data.Columns()[1], data.Columns()[2]
		if said := sex.Described(); said.Label != "Sex of the person" || said.Labels["2"] != "female" {
			t.Errorf("%s: %+v", kind, said)
		}
		if said := income.Described(); said.Labels["-9"] != "refused" || income.MissingCount() != 2 ||
			income.Text(1) != "1500" {
			t.Errorf("%s: %+v, %d missing", kind, said, income.MissingCount())
		}
		if age.MissingCount() != 0 || age.Text(2) != "-8" {
			t.Errorf("%s: a code of another variable is missing", kind)
		}
		var out bytes.Buffer
		if _, err := WriteTo(context.Background(), &out, data, report.Format, WriteOptions{}, nil); err != nil ||
			out.String() != codebookData {
			t.Errorf("%s: written as %q, %v", kind, out.String(), err)
		}
	}
}

// A range of missing values in DDI is expanded into codes; if that is impossible it is an error, because missing
// codes would be read as data.
func TestRangeOfMissingValues(t *testing.T) {
	for attributes, want := range map[string]int{
		`UNITS="INT" min="-9" max="-8"`:               2,
		`minExclusive="-9" max=" -8 "`:                1,
		`min="-10" maxExclusive="-8"`:                 1,
		`min="-8" max="-8"`:                           1,
		`min="-8" max="-9"`:                           -1,
		`max="-8"`:                                    -1,
		`min="-9"`:                                    -1,
		`min="-8.5" max="-8"`:                         -1,
		`min="-57" max="-8"`:                          2,
		`min="-108" max="-8"`:                         -1,
		`min="-9223372036854775808" max="-8"`:         -1,
		`min="-8" max="99999999999999999999"`:         -1,
		`minExclusive="9223372036854775807" max="-8"`: -1,
	} {
		_, f := withCodebook(t, `<codeBook><var name="income"><invalrng><range `+attributes+`/></invalrng></var></codeBook>`)
		data, _, err := ReadBytes(context.Background(), "a.csv", []byte(codebookData), f, nil)
		switch {
		case want < 0:
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), `the range of missing values of variable "income"`) {
				t.Errorf("%s: %v", attributes, err)
			}
		case err != nil:
			t.Errorf("%s: %v", attributes, err)
		case data.Columns()[2].MissingCount() != want:
			t.Errorf("%s: %d missing, want %d", attributes, data.Columns()[2].MissingCount(), want)
		}
	}
}

func TestWhatIsNoCodebook(t *testing.T) {
	for book, want := range map[string]string{
		"":                              "reading book as a codebook: the first line is not valid CSV",
		"name;text\na;b\n":              "reading book as a codebook: the first line must name the columns variable and label",
		"variable;label\n":              "book describes no variable",
		"variable,label\nother,Other\n": "book describes none of the variables of a.csv; check that the names are the same",
		"<codeBook><var name=\"a\">":    "reading book as a codebook: the XML is not valid",
		"variable,label\n\"sex,Sex\n":   "reading book as a codebook: line 2 is not valid CSV",
	} {
		_, f := withCodebook(t, book)
		if _, _, err := ReadBytes(context.Background(), "a.csv", []byte(codebookData), f, nil); !errors.Is(err, ErrFormat) ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", book, err)
		}
	}
	f := NewFormat()
	f.Codebook = filepath.Join(t.TempDir(), "none.csv")
	if _, _, err := ReadBytes(context.Background(), "a.csv", []byte(codebookData), f, nil); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("a codebook that is not there: %v", err)
	}
}

// The attribute for missing categories has several spellings.
func TestMissingCategoriesOfDDI(t *testing.T) {
	for spelled, want := range map[string]int{"Y": 1, "y": 1, "yes": 1, "N": 0, "": 0} {
		book, err := parseCodebook(t.Context(), "a.xml",
			[]byte(`<codeBook><var name="a"><labl>A</labl><catgry missing="`+spelled+`"><catValu> 9 </catValu></catgry></var></codeBook>`))
		if err != nil || len(book["a"].Missing) != want {
			t.Errorf("%q: %v, %v", spelled, book["a"], err)
		}
	}
}
