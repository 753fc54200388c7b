package fileio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
)

func argusTestdata(name string) string { return filepath.Join("..", "muargus", "testdata", name) }

// readDescribed reads a data file with the description next to it.
func readDescribed(t *testing.T, path string) (*microdata.Dataset, *ReadReport) {
	t.Helper()
	f, err := GuessFile(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, report, err := Read(context.Background(), path, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data, report
}

func writtenAs(t *testing.T, data *microdata.Dataset, f Format) string {
	t.Helper()
	var text bytes.Buffer
	if _, err := WriteTo(context.Background(), &text, data, f, WriteOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// fixed returns a format of adjacent fixed fields.
func fixed(widths ...int) Format {
	f := Format{Type: Fixed, Header: false}
	at := 1
	for i, width := range widths {
		f.Fields = append(f.Fields, muargus.Variable{Name: string(rune('A' + i)), Start: at, Width: width})
		at += width
	}
	return f
}

// TestSharedArgusFiles reads the sample files of mu-Argus and writes them again: the bytes must be equal, except
// at positions that no field covers.
func TestSharedArgusFiles(t *testing.T) {
	for _, test := range []struct {
		name             string
		records, columns int
		missing          map[string]int
		other            bool
	}{
		{"Demodata.asc", 4000, 33, map[string]int{"EDUC1": 5, "REGJOBC": 1, "REGION": 0}, true},
		{"Demofree.asc", 4000, 34, map[string]int{"EDUC1": 5, "REGJOBC": 1, "REGION": 0}, false},
		{"Samhh.asc", 1000, 10, map[string]int{"town": 0}, false},
	} {
		path := shared(t, filepath.Join("muargus", test.name))
		data, report := readDescribed(t, path)
		if data.Records() != test.records || len(data.Columns()) != test.columns || (len(report.Warnings) > 0) != test.other {
			t.Errorf("%s: %d records, %d columns, warnings %q", test.name, data.Records(), len(data.Columns()), report.Warnings)
		}
		for name, want := range test.missing {
			column, _ := data.Column(name)
			if got := column.MissingCount(); got != want {
				t.Errorf("%s: %d cells of %s are missing, want %d", test.name, got, name, want)
			}
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if test.other {
			for line := range bytes.SplitAfterSeq(content, []byte("\n")) {
				if len(line) > 66 {
					copy(line[57:66], "         ") // MONEY, described only in the free file
				}
			}
		}
		if writtenAs(t, data, report.Format) != string(content) {
			t.Errorf("%s differs after reading and writing", test.name)
		}
	}
}

// The description's declarations for a scenario are kept with the data: roles, costs, levels, and declarations
// that need more than one role per variable.
func TestRolesOfTowns(t *testing.T) {
	data, _ := readDescribed(t, argusTestdata("towns.asc"))
	want := microdata.NewScenario()
	want.Keys, want.Weight, want.Household = []string{"TOWN", "SEX", "OWNER"}, "WEIGHT", "HH"
	want.SameForHousehold, want.Linked = []string{"OWNER"}, map[string][]string{"TOWN": {"PROVINCE"}}
	got, alone := microdata.NewScenario(), microdata.NewScenario()
	for _, one := range microdata.Suggest(data) {
		if one.Reason == "" {
			t.Errorf("no reason for %s", one.Variable)
		}
		if one.Role != microdata.RoleSame { // only if there are households
			got.Assign(one.Variable, one.Role)
		}
		if one.Role == microdata.RoleKey {
			alone.Assign(one.Variable, one.Role)
		}
	}
	got.Complete(data)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if alone.Complete(data); alone.SameForHousehold != nil {
		t.Errorf("without households nobody shares one: %+v", alone)
	}
	for name, want := range map[string]struct{ level, cost int }{"TOWN": {3, 40}, "OWNER": {2, 0}, "SEX": {1, -1},
		"INCOME": {0, -1}} {
		column, _ := data.Column(name)
		said, cost := column.Described(), -1
		if said.Cost != nil {
			cost = *said.Cost
		}
		if said.Identifying != want.level || cost != want.cost {
			t.Errorf("%s has level %d and costs %d", name, said.Identifying, cost)
		}
	}
}

func TestTowns(t *testing.T) {
	for _, name := range []string{"towns.asc", "freetowns.asc"} {
		data, report := readDescribed(t, argusTestdata(name))
		if len(report.Warnings) != 0 {
			t.Errorf("%s: warnings %q", name, report.Warnings)
		}
		for _, want := range []struct {
			name    string
			kind    microdata.Kind
			texts   string
			missing int
		}{
			{"HH", microdata.Whole, "1 1 2 3 4 10 10 11", 0},
			{"TOWN", microdata.Category, "12 12 118  12 201  5", 2},
			{"PROVINCE", microdata.Category, "1 1 11  1 20 20 1", 1},
			{"SEX", microdata.Category, "1 2 1 2  2 1 1", 1},
			{"OWNER", microdata.Category, "Y Y N  N Y Y N", 1},
			{"WEIGHT", microdata.Number, "10.50 10.50 7.25 20.00 8.00 12.75 12.75 9.00", 0},
			{"INCOME", microdata.Number, "1200.5  80.0 0.0 310.5 15.0 2.5 ", 2},
		} {
			column, ok := data.Column(want.name)
			if !ok {
				t.Fatalf("%s has no %s", name, want.name)
			}
			texts := make([]string, column.Len())
			for record := range texts {
				texts[record] = column.Text(record)
			}
			if got := strings.Join(texts, " "); got != want.texts || column.Kind() != want.kind ||
				column.MissingCount() != want.missing {
				t.Errorf("%s, %s: %v %q, %d missing; want %v %q, %d", name, want.name, column.Kind(), got, column.MissingCount(),
					want.kind, want.texts, want.missing)
			}
		}
		town, _ := data.Column("TOWN")
		var codes []string
		for _, level := range town.Categories().Levels {
			codes = append(codes, level.Label)
		}
		if got := strings.Join(codes, " "); got != "5 12 118 201" || town.Categories().Ordered {
			t.Errorf("%s: the codes of TOWN stand as %q, ordered: %v; they are categories in the order of padded codes", name,
				got, town.Categories().Ordered)
		}
		forty := 40
		coding := &microdata.Description{Roles: []microdata.Role{microdata.RoleKey}, Identifying: 3, Cost: &forty,
			Related: []string{"PROVINCE"}, Width: 3, Level: microdata.Nominal, Missing: []string{"999", "998"},
			Labels: map[string]string{"5": "Aldorf", "12": "Beck", "118": "Cragton", "201": "Dun"}}
		if diff := cmp.Diff(coding, town.Description()); diff != "" {
			t.Errorf("%s, coding (-want +got):\n%s", name, diff)
		}
		if spelling := data.Spelling(town.Name()).OfMissing(6).Text; spelling != "998" {
			t.Errorf("%s: the second missing code is %q", name, spelling)
		}
		content, _ := os.ReadFile(argusTestdata(name))
		if got := writtenAs(t, data, report.Format); got != string(content) {
			t.Errorf("%s is written as\n%s", name, got)
		}
	}
}

// A file written with its description and code lists is read back unchanged; the description of a protected file
// contains nothing about identification.
func TestCompanions(t *testing.T) {
	for _, name := range []string{"towns.asc", "freetowns.asc"} {
		data, report := readDescribed(t, argusTestdata(name))
		folder := t.TempDir()
		path := filepath.Join(folder, "safe.asc")
		if _, err := Write(context.Background(), path, data, report.Format, WriteOptions{Source: argusTestdata(name)},
			nil); err != nil {
			t.Fatal(err)
		}
		back, again := readDescribed(t, path)
		if back.Hash() != data.Hash() {
			t.Errorf("%s is read as other data", name)
		}
		if len(again.Warnings) > 0 {
			t.Errorf("%s: warnings %q", name, again.Warnings)
		}
		town, _ := back.Column("TOWN")
		if town.Description().Labels["118"] != "Cragton" {
			t.Errorf("%s: the labels are %v", name, town.Description().Labels)
		}
		text, err := os.ReadFile(filepath.Join(folder, "safe.rda"))
		if err != nil || strings.Contains(string(text), "IDLEVEL") || strings.Contains(string(text), "SUPPRESS") ||
			!strings.Contains(string(text), `<CODELIST> "safe_TOWN.cdl"`) {
			t.Errorf("%s, error %v", text, err)
		}
		if free := name == "freetowns.asc"; free != strings.HasPrefix(string(text),
			"<SEPARATOR> \",\"\r\n<NAMESINFRONT>\r\n") {
			t.Errorf("%s is described by\n%s", name, text)
		}
		// An existing companion is replaced only with Force; otherwise nothing is written.
		other := filepath.Join(folder, "safe.dat")
		if _, err := Write(context.Background(), other, data, report.Format, WriteOptions{}, nil); !errors.Is(err,
			ErrExists) {
			t.Errorf("error %v", err)
		}
		if _, err := os.Stat(other); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the data were written without their description")
		}
		// The description is part of the source.
		if _, err := Write(context.Background(), other, data, report.Format, WriteOptions{Source: path, Force: true},
			nil); !errors.Is(err, ErrSource) {
			t.Errorf("error %v", err)
		}
	}
}

// Code lists whose names differ only in case are the same file on some systems, also if other companions are
// between them.
func TestCompanionsOfOneName(t *testing.T) {
	labelled := func(name string) *microdata.Column {
		return microdata.NewCategorical(name, microdata.Category,
			&microdata.Categories{Levels: []microdata.Level{{Label: "1"}}, Codes: microdata.NewCodes(1, 1)}).
			WithDescription(&microdata.Description{Labels: map[string]string{"1": "one"}})
	}
	data, err := microdata.NewDataset([]*microdata.Column{labelled("A."), labelled("B"), labelled("a_")})
	if err != nil {
		t.Fatal(err)
	}
	f := Format{Type: Fixed, Encoding: UTF8, Decimal: ".", Quote: NoQuote, LineEnding: LF}
	if _, err := Companions("f.asc", data, f, WriteOptions{}); !errors.Is(err, ErrFormat) ||
		!strings.Contains(err.Error(), "f_a_.cdl") {
		t.Errorf("error %v", err)
	}
	if found, err := Companions("f.asc", data, f, WriteOptions{Drop: []string{"a_"}}); err != nil || len(found) != 3 {
		t.Errorf("%d companions, error %v", len(found), err)
	}
}

func TestDataFile(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	lonely := put("lonely.rda", "A 1 1\n")
	if _, err := DataFile(lonely); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	data := put("lonely.dat", "1\n2\n")
	if got, err := DataFile(lonely); err != nil || got != data {
		t.Errorf("%q, error %v", got, err)
	}
	statistics := put("s.rda", "RDX3\nX\n")
	put("s.csv", "a\n1\n")
	if got, err := DataFile(statistics); err != nil || got != statistics {
		t.Errorf("a file of R means %q, error %v", got, err)
	}
	if f, err := GuessFile(context.Background(), filepath.Join(folder, "s.csv"), nil); err != nil || f.Type != "" {
		t.Errorf("format %v, error %v", f, err)
	}
	put("bad.rda", "A 1 1\n B 1\n")
	if _, err := GuessFile(context.Background(), put("bad.asc", "12\n"), nil); !errors.Is(err, ErrFormat) ||
		!strings.Contains(err.Error(), "bad.rda, line 2") {
		t.Errorf("error %v", err)
	}
	put("sav.rda", "<SPSS>\nA 1 1\n")
	if _, err := GuessFile(context.Background(), put("sav.asc", "12\n"), nil); !errors.Is(err, ErrNotText) {
		t.Errorf("error %v", err)
	}
	safe := put("safe.saf", "1\n")
	if got, err := DataFile(put("safe.rds", "A 1 1\n")); err != nil || got != safe {
		t.Errorf("%q, error %v", got, err)
	}
	if f, err := GuessFile(context.Background(), safe, nil); err != nil || f.Type != Fixed {
		t.Errorf("format %v, error %v", f, err)
	}
	if got, err := DataFile(data); err != nil || got != data {
		t.Errorf("%q, error %v", got, err)
	}
}

func TestFixedIrregular(t *testing.T) {
	for _, test := range []struct {
		name, content string
		format        Format
		cells         string // cells of all records, by column
		back          string // "" if equal to content
		warns         string
	}{
		{"right", " 1a\n22b\n", fixed(2, 1), "1 22|a b", "", ""},
		{"left", "1 a\n22b\n", fixed(2, 1), "1 22|a b", "", ""},
		{"both ways", "1 a\n 2b\n", fixed(2, 1), "1 2|a b", " 1a\n 2b\n", ""},
		{"blank", "   \n22b\n", fixed(2, 1), " 22| b", "", ""},
		{"short", "1\n22b\n", fixed(2, 1), "1 22| b", "1  \n22b\n", "1 line is shorter than described, the first is line 1"},
		{"empty lines", "\n 1a\n\n 2b\n", fixed(2, 1), "1 2|a b", " 1a\n 2b\n", "2 empty lines skipped"},
		{"beyond", " 1a \n 2bx\n", fixed(2, 1), "1 2|a b", " 1a\n 2b\n",
			"text at positions 4 to 4 belongs to no described variable and is neither read nor exported (1 line, the first is line 2)"},
		{"characters", "Zür1\nBer2\n", fixed(3, 1), "Ber Zür|1 2", "", ""},
		{"delimiters", "a,b\n\",;\n", fixed(2, 1), "\", a,|; b", "", ""},
		{"leading zeros", "01\n10\n", fixed(2), "01 10", "", ""},
		{"no last line end", "1\r\n2", fixed(1), "1 2", "", ""},
		{"decimals", " 1.50\n  .25\n-3.00\n", fixed(5), "-3.00 .25 1.50", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			data, report, err := ReadBytes(context.Background(), "f.asc", []byte(test.content), test.format, nil)
			if err != nil {
				t.Fatal(err)
			}
			var cells []string
			for _, column := range data.Columns() {
				var texts []string
				for record := range column.Len() {
					texts = append(texts, column.Text(record))
				}
				cells = append(cells, strings.Join(texts, " "))
			}
			for i, column := range strings.Split(test.cells, "|") {
				if sorted(cells[i]) != sorted(column) {
					t.Errorf("column %d is %q, want %q", i, cells[i], column)
				}
			}
			back := test.back
			if back == "" {
				back = test.content
			}
			if got := writtenAs(t, data, report.Format); got != back {
				t.Errorf("written as %q, want %q", got, back)
			}
			if warnings := strings.Join(report.Warnings, "; "); !strings.HasPrefix(warnings, test.warns) ||
				test.warns == "" && warnings != "" {
				t.Errorf("warnings %q, want %q", warnings, test.warns)
			}
		})
	}
}

func sorted(words string) string {
	list := strings.Split(words, " ")
	for i := range list {
		for j := range i {
			if list[j] > list[i] {
				list[i], list[j] = list[j], list[i]
			}
		}
	}
	return strings.Join(list, " ")
}

func TestFreeErrors(t *testing.T) {
	free := Format{Type: Free, Delimiter: ",", Fields: []muargus.Variable{{Name: "A", Width: 2}, {Name: "B", Width: 5}}}
	for content, want := range map[string]error{
		"1,2\n3,4,5\n":     ErrRagged,
		"1,2\n3\n":         ErrRagged,
		"1,\"x,y\"\n":      ErrRagged, // quotes do not protect
		" 1 , \" x \" \n":  nil,
		"\"1\",\"a\"b\"\n": nil,
	} {
		data, report, err := ReadBytes(context.Background(), "f.asc", []byte(content), free, nil)
		if !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%q: error %v, want %v", content, err, want)
		}
		if want == nil {
			if again, _, err := ReadBytes(context.Background(), "f.asc", []byte(writtenAs(t, data, report.Format)),
				report.Format, nil); err != nil || again.Hash() != data.Hash() {
				t.Errorf("%q is written as %q", content, writtenAs(t, data, report.Format))
			}
		}
	}
	named := free
	named.Header = true
	if _, _, err := ReadBytes(context.Background(), "f.asc", []byte("A,B,C\n1,2,3\n"), named,
		nil); !errors.Is(err, ErrRagged) || !strings.Contains(err.Error(), "describe every column") {
		t.Errorf("error %v", err)
	}
	data, report, err := ReadBytes(context.Background(), "f.asc", []byte("a,\"Other\"\n1,2\n"), named, nil)
	if err != nil || len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], `"B"`) {
		t.Fatalf("warnings %q, error %v", report.Warnings, err)
	}
	if got := writtenAs(t, data, report.Format); got != "a,Other\n1,2\n" {
		t.Errorf("written as %q", got)
	}
}

// labelled returns a dataset with one column and one record per label.
func labelled(t *testing.T, name string, labels ...string) *microdata.Dataset {
	t.Helper()
	categories := &microdata.Categories{Codes: microdata.NewCodes(len(labels), len(labels))}
	for i, label := range labels {
		categories.Levels = append(categories.Levels, microdata.Level{Label: label})
		categories.Codes.Set(i, uint32(i+1))
	}
	data, err := microdata.NewDataset([]*microdata.Column{microdata.NewCategorical(name, microdata.Category, categories)})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A label that would be read differently is rejected.
func TestDescribedLabelErrors(t *testing.T) {
	plain := []muargus.Variable{{Name: "A", Start: 1, Width: 1, Missing: []string{"9"}}}
	for _, test := range []struct {
		label string
		free  bool
		fails bool
	}{
		{" a", false, true}, {"a ", true, true}, {"a\nb", false, true}, {"a,b", true, true}, {"a,b", false, false},
		{"9", false, true}, {"9", true, true},
		{"a b", true, false}, {`"a"`, true, false}, {`"a"`, false, false}, {"long label", false, false},
		{"Zürich", false, false},
	} {
		f := Format{Type: Fixed, Fields: plain}
		if test.free {
			f = Format{Type: Free, Delimiter: ",", Fields: plain}
		}
		var text bytes.Buffer
		data := labelled(t, "A", test.label, "b")
		_, err := WriteTo(context.Background(), &text, data, f, WriteOptions{}, nil)
		if test.fails != errors.Is(err, ErrFormat) || !test.fails && err != nil {
			t.Errorf("%q, free %v: error %v", test.label, test.free, err)
		}
	}
}

// Fields grow with their labels, and later fields are shifted.
func TestFixedFieldsGrow(t *testing.T) {
	f := fixed(2, 1, 2)
	f.Fields[1].Missing, f.Fields[2].Start = []string{"9"}, 6
	data, report, err := ReadBytes(context.Background(), "f.asc", []byte(" 1a   7\n12b  33\n 39  10\n"), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	column, _ := data.Column("B")
	levels := []microdata.Level{{Label: "first"}, {Label: "x"}}
	data = data.With(column.Regroup(column, levels, []uint32{0, 1, 2}, false))
	if got := writtenAs(t, data, report.Format); got != " 1first   7\n12    x  33\n 3    9  10\n" {
		t.Errorf("written as\n%s", got)
	}
	companions, err := Companions("f.asc", data, report.Format, WriteOptions{Drop: []string{"A"}})
	if err != nil || len(companions) != 1 || companions[0].Text != "B 1 5 \"9\"\r\nC 8 2\r\n" {
		t.Errorf("%+v, error %v", companions, err)
	}
}

// Data from a file without a description is written with one.
func TestDescribeOtherData(t *testing.T) {
	data, _, err := ReadBytes(context.Background(), "f.csv", []byte("name,age,income\nAnn,34,12.5\nBob,99,NA\n,7,3\n"),
		Format{Missing: []string{"", "NA"}, Header: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := writtenAs(t, data, Format{Type: Fixed}); got != "Ann 3412.5\r\nBob 999999\r\n999  7   3\r\n" {
		t.Errorf("written as\n%s", got)
	}
	path := filepath.Join(t.TempDir(), "out.asc")
	for _, f := range []Format{{Type: Fixed}, {Type: Free, Delimiter: ";", Header: true}} {
		if _, err := Write(context.Background(), path, data, f, WriteOptions{Force: true}, nil); err != nil {
			t.Fatal(err)
		}
		back, _ := readDescribed(t, path)
		if back.Hash() != data.Hash() {
			t.Errorf("%s: other data are read", f.Type)
		}
	}
}

func TestDescribedPreview(t *testing.T) {
	f, err := GuessFile(context.Background(), argusTestdata("towns.asc"), nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Preview(t.Context(), argusTestdata("towns.asc"), f, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"1", "12", "1", "1", "Y", "10.50", "1200.5"}, {"1", "12", "1", "2", "Y", "10.50", "999999"}}
	if diff := cmp.Diff(want, table.Rows); diff != "" || table.Names[4] != "OWNER" || table.Kinds[6] != microdata.Number ||
		table.Kinds[4] != microdata.Category {
		t.Errorf("%+v\n%s", table, diff)
	}
	free, err := GuessFile(context.Background(), argusTestdata("freetowns.asc"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if table, err = Preview(t.Context(), argusTestdata("freetowns.asc"), free,
		2); err != nil || len(table.Rows) != 2 || table.Rows[0][4] != "Y" || table.Names[0] != "HH" {
		t.Errorf("%+v, error %v", table, err)
	}
}

// The description of a file is stored in scripts.
func TestDescribedFormatJSON(t *testing.T) {
	f, err := GuessFile(context.Background(), argusTestdata("towns.asc"), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var again Format
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, again); diff != "" {
		t.Errorf("%s (-want +got):\n%s", text, diff)
	}
	if err := json.Unmarshal([]byte(`{"type":"fixed","fields":[{"name":"A","begin":1,"width":2}]}`), &again); err == nil {
		t.Error("an unknown field was accepted")
	}
	for _, bad := range []Format{{Type: Fixed}, {Fields: f.Fields}, {Type: Free, Delimiter: " ", Fields: f.Fields},
		{Type: Free, Delimiter: "\t", Fields: f.Fields}, {Type: Free, Delimiter: ".", Decimal: ".", Fields: f.Fields},
		{Type: Fixed, Fields: append(f.Fields[:1:1], f.Fields[0])}} {
		if err := bad.Validate(); !errors.Is(err, ErrFormat) {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
}

// The result of reading does not depend on blocks, and a file survives the round trip.
func TestFixedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		widths := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 4).Draw(t, "widths")
		f := fixed(widths...)
		total := f.layout().length
		var content strings.Builder
		for range rapid.IntRange(1, 12).Draw(t, "records") {
			line := rapid.StringOfN(rapid.SampledFrom([]rune("  019.aé,\"")), 0, total+2, -1).Draw(t, "line")
			content.WriteString(line + "\n")
		}
		ctx := context.Background()
		data, report, err := ReadBytes(ctx, "f.asc", []byte(content.String()), f, nil)
		if errors.Is(err, ErrEmpty) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		block := rapid.IntRange(1, 40).Draw(t, "block")
		again, report2, err := readText(ctx, inMemory("f.asc", []byte(content.String())), f, readTuning{block, 2}, nil)
		if err != nil || again.Hash() != data.Hash() || fmt.Sprint(report.Warnings) != fmt.Sprint(report2.Warnings) {
			t.Fatalf("in blocks of %d bytes other data are read: %v, %q, %q", block, err, report.Warnings, report2.Warnings)
		}
		var text bytes.Buffer
		if _, err := WriteTo(ctx, &text, data, report.Format, WriteOptions{}, nil); err != nil {
			t.Fatal(err)
		}
		back, _, err := ReadBytes(ctx, "f.asc", text.Bytes(), report.Format, nil)
		if err != nil || back.Hash() != data.Hash() {
			t.Fatalf("%q is written as %q and read as other data: %v", content.String(), text.String(), err)
		}
	})
}

// Missing codes of the format apply in addition to those of each variable.
func TestDescribedMissingCodes(t *testing.T) {
	f := fixed(2, 1)
	f.Fields[0].Missing, f.Missing = []string{"99", "98"}, []string{"", "X"}
	const content = "99a\n98X\n Xb\n 1c\n"
	data, report, err := ReadBytes(context.Background(), "f.asc", []byte(content), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := data.Column("A")
	b, _ := data.Column("B")
	if a.MissingCount() != 3 || b.MissingCount() != 1 || writtenAs(t, data, report.Format) != content {
		t.Errorf("%d and %d missing, written as %q", a.MissingCount(), b.MissingCount(), writtenAs(t, data, report.Format))
	}
	cells := microdata.NewBits(4)
	cells.Set(3)
	if got := writtenAs(t, data.With(a.Suppress(cells), b.Suppress(cells)), report.Format); got != "99a\n98X\n Xb\n99 \n" {
		t.Errorf("suppressed cells are written as %q", got)
	}
}

// FuzzReadDescribed: reading a described file never panics, and what is written is read back unchanged.
func FuzzReadDescribed(f *testing.F) {
	for _, seed := range []string{" 1a\r\n22b\r\n", "1,\"x\", 3\n", "\xff\xfea\x00\n\x00", "Z\xfcr\n", "\xef\xbb\xbf1\n",
		"1\r2\r", "\x00\n\t\n", "\"\"\n\"a\"b\"\n"} {
		f.Add([]byte(seed), uint8(2), uint8(1), false, false)
		f.Add([]byte(seed), uint8(2), uint8(1), true, true)
	}
	f.Fuzz(func(t *testing.T, content []byte, first, second uint8, free, header bool) {
		format := fixed(int(first)+1, int(second)+1)
		if free {
			format.Type, format.Delimiter, format.Header = Free, ",", header
		}
		format.Fields[0].Missing = []string{"9"}
		ctx := context.Background()
		_, _ = previewBytes(content, format, 3)
		data, report, err := ReadBytes(ctx, "f.asc", content, format, nil)
		if err != nil {
			return
		}
		var text bytes.Buffer
		if _, err := WriteTo(ctx, &text, data, report.Format, WriteOptions{}, nil); err != nil {
			t.Fatalf("read under %+v and not written: %v", report.Format, err)
		}
		if data.Len() == 0 {
			return
		}
		back, _, err := ReadBytes(ctx, "f.asc", text.Bytes(), report.Format, nil)
		if err != nil || back.Hash() != data.Hash() {
			t.Fatalf("%q is written as %q and read as other data: %v", content, text.Bytes(), err)
		}
	})
}
