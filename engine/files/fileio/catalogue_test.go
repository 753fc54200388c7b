package fileio

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/sas"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// catalogueOf is a layout of a SAS catalogue.
type catalogueOf struct {
	long, aligned bool
	order         binary.ByteOrder
}

// definition is a format in a catalogue: labels of values, in order of the values.
type definition struct {
	name   string
	values []any // a text, a number, a byte for the missing value with that letter, or two numbers for a range
	labels []string
	places []int // indices of labels in order of definition
}

func (l catalogueOf) wide(narrow, wide int) int {
	if l.long {
		return wide
	}
	return narrow
}

func (l catalogueOf) gap() int {
	if l.aligned {
		return 4
	}
	return 0
}

// file returns a catalogue with each format on its own page, in two parts.
func (l catalogueOf) file(formats ...definition) []byte {
	const pageLength = 4096
	length := l.wide(1024, 8192)
	out := make([]byte, length+(3+len(formats))*pageLength)
	copy(out, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x63\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11")
	if l.long {
		out[32] = '3'
	}
	if l.aligned {
		out[35] = '3'
	}
	if l.order == binary.LittleEndian {
		out[37] = 1
	}
	sizes := out[196+l.gap():]
	l.order.PutUint32(sizes, uint32(length))
	l.order.PutUint32(sizes[4:], pageLength)
	if l.long {
		l.order.PutUint64(sizes[8:], uint64(3+len(formats)))
	} else {
		l.order.PutUint32(sizes[8:], uint32(3+len(formats)))
	}
	list := out[length+pageLength+l.wide(856, 1000)+2*l.gap():]
	for i, format := range formats {
		page, place, second := 4+i, 20, 300
		copy(list, "XLSR")
		if l.long {
			l.order.PutUint64(list[8:], uint64(page))
			l.order.PutUint16(list[16:], uint16(place))
		} else {
			l.order.PutUint32(list[4:], uint32(page))
			l.order.PutUint16(list[8:], uint16(place))
		}
		list[l.wide(50, 74)+l.gap()] = 'O'
		if list = list[l.wide(212, 284)+l.gap():]; i == 0 {
			list = list[8:] // optional eight bytes between entries
		}
		content, at := l.format(format), out[length+(page-1)*pageLength:]
		l.part(at[place:], page, second, content[:200])
		l.part(at[second:], 0, 0, content[200:])
	}
	return out
}

func (l catalogueOf) part(at []byte, page, place int, content []byte) {
	l.order.PutUint32(at, uint32(page))
	rest := at[l.wide(4, 8):]
	l.order.PutUint16(rest, uint16(place))
	l.order.PutUint16(rest[2:], uint16(len(content)))
	copy(at[l.wide(16, 32):], content)
}

func (l catalogueOf) format(d definition) []byte {
	head := make([]byte, l.wide(106, 138)+5*l.gap())
	flags := 0
	if l.aligned {
		flags |= 0x08
	}
	name := []byte(d.name)
	copy(head[8:16], "        ")
	if copy(head[8:16], name) < len(name) {
		flags |= l.wide(0x80, 0x20)
	}
	l.order.PutUint16(head[2:], uint16(flags))
	room := len(d.values) + 1
	if counts := head[38+l.gap():]; l.long {
		l.order.PutUint64(counts[4:], uint64(room))
		l.order.PutUint64(counts[12:], uint64(len(d.values)))
	} else {
		l.order.PutUint32(counts, uint32(room))
		l.order.PutUint32(counts[4:], uint32(len(d.values)))
	}
	if len(name) > 8 {
		head = append(head, make([]byte, 32)...)
		copy(head[len(head)-32:], name)
	}
	for i, value := range d.values {
		entry := make([]byte, 54)
		switch value := value.(type) {
		case string:
			entry = entry[:34+l.gap()]
			copy(entry[len(entry)-16:], value+"                ")
		case float64:
			binary.BigEndian.PutUint64(entry[22:], inOrder(value))
			binary.BigEndian.PutUint64(entry[30:], inOrder(value))
		case byte:
			binary.BigEndian.PutUint64(entry[22:], uint64(value)<<40|0xffffffffff)
			binary.BigEndian.PutUint64(entry[30:], uint64(value)<<40|0xffffffffff)
		case [2]float64:
			binary.BigEndian.PutUint64(entry[22:], inOrder(value[0]))
			binary.BigEndian.PutUint64(entry[30:], inOrder(value[1]))
		}
		l.order.PutUint16(entry[2:], uint16(len(entry)-6))
		l.order.PutUint32(entry[10+l.gap():], uint32(d.places[i]))
		head = append(head, entry...)
	}
	head = append(head, make([]byte, 6)...) // unused space
	for _, label := range d.labels {
		entry := make([]byte, 10)
		l.order.PutUint16(entry[8:], uint16(len(label)))
		head = append(append(append(head, entry...), label...), 0)
	}
	return head
}

// inOrder returns the bits of a number that sort in numeric order.
func inOrder(x float64) uint64 {
	if x < 0 {
		return ^math.Float64bits(x)
	}
	return math.Float64bits(x) | 1<<63
}

func sampleFormats() []definition {
	return []definition{
		{"AGES", []any{byte(2), -7.0, 1.0, 2.5, [2]float64{3, 9}},
			[]string{"one", "some", "refused", "two and a half", "not asked"}, []int{2, 4, 0, 3, 1}},
		{"$PLACE", []any{"Sm\xf8rum", "a", "**OTHER**"}, []string{"Stadt", "others", "h\xf6her"}, []int{0, 2, 1}},
		{"LONGER_THAN_EIGHT", []any{0.0, 1e300}, []string{"zero", "much"}, []int{0, 1}},
	}
}

// labelledBy returns the variables of a file with such formats, labelled from a catalogue.
func labelledBy(content []byte) (*statfile.File, error) {
	f := &statfile.File{Variables: []statfile.Variable{{Name: "age", Format: "ages3.1"}, {Name: "id"},
		{Name: "place", Kind: statfile.Text, Format: "$PLACE"}, {Name: "much", Format: "LONGER_THAN_EIGHT"},
		{Name: "other", Format: "$PLACE"}}}
	in := statfile.NewSource("formats", bytes.NewReader(content), int64(len(content)))
	return f, sas.DataFile{}.Label(context.Background(), in, f, statfile.ReadOptions{})
}

func TestCatalogueOfSAS(t *testing.T) {
	number := func(x float64, label string) statfile.ValueLabel {
		return statfile.ValueLabel{Value: statfile.Value{Number: x}, Label: label}
	}
	text := func(x, label string) statfile.ValueLabel {
		return statfile.ValueLabel{Value: statfile.Value{Text: x, IsText: true}, Label: label}
	}
	for _, l := range []catalogueOf{{true, true, binary.LittleEndian}, {false, true, binary.LittleEndian},
		{false, false, binary.BigEndian}, {true, false, binary.BigEndian}} {
		f, err := labelledBy(l.file(sampleFormats()...))
		if err != nil {
			t.Fatalf("%+v: %v", l, err)
		}
		for i, want := range [][]statfile.ValueLabel{
			{number(1, "one"), number(statfile.Extended('a'), "refused"), number(2.5, "two and a half"), number(-7, "not asked")},
			nil, {text("Smørum", "Stadt"), text("a", "höher")}, {number(0, "zero"), number(1e300, "much")}, nil} {
			same := func(a, b statfile.ValueLabel) bool {
				return a.Label == b.Label && a.Value.Text == b.Value.Text && a.Value.IsText == b.Value.IsText &&
					math.Float64bits(a.Value.Number) == math.Float64bits(b.Value.Number)
			}
			if got := f.Variables[i].Labels; !slices.EqualFunc(got, want, same) {
				t.Errorf("%+v: %s has labels %v, expected %v", l, f.Variables[i].Name, got, want)
			}
		}
		if want := []string{"labels of ranges and of \"other\" values are omitted: age and place"}; !slices.Equal(
			f.Warnings, want) {
			t.Errorf("told is %q, expected %q", f.Warnings, want)
		}
	}
	if _, err := labelledBy(catalogueOf{order: binary.BigEndian}.file()); err == nil ||
		!strings.Contains(err.Error(), "contains none of the formats") {
		t.Errorf("one without formats: %v", err)
	}
}

// Reading any catalogue neither panics nor hangs, nor takes memory out of proportion to its size.
func FuzzCatalogue(f *testing.F) {
	for _, l := range []catalogueOf{{true, true, binary.LittleEndian}, {false, true, binary.LittleEndian},
		{false, false, binary.BigEndian}} {
		whole := l.file(sampleFormats()...)
		f.Add(whole)
		f.Add(whole[:len(whole)-5000])
		part := whole[l.wide(1024, 8192)+3*4096+300:]
		l.part(part, 4, 20, part[l.wide(16, 32):][:200]) // it continues where it began
		f.Add(slices.Clone(whole))
		l.part(part, 1<<30, 20, nil)
		f.Add(whole)
		many := l.file(sampleFormats()...)
		first := many[l.wide(1024, 8192)+3*4096+20+l.wide(16, 32):]
		copy(first[38:62], bytes.Repeat([]byte{0xff}, 24)) // an impossible number of values
		f.Add(many)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) > 1<<20 {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = labelledBy(content) // errors are expected
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 16<<20+100*uint64(len(content)) {
			t.Fatalf("%d MB were allocated for %d bytes", taken>>20, len(content))
		}
	})
}

// The catalogue with the name of a file provides its value labels unless disabled; an unreadable one is a warning.
// Another catalogue can be named.
func TestCatalogueInFolder(t *testing.T) {
	sample, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "formats", "sas7bdat_haven.sas7bdat"))
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Replace(sample, []byte("DATEDate of"), []byte("AGESDate of"), 1) // the format of intdate
	l := catalogueOf{true, true, binary.LittleEndian}
	whole := l.file(definition{"AGES", []any{22341.0}, []string{"at first"}, []int{0}})
	folder := t.TempDir()
	path, companionPaths, other := filepath.Join(folder, "survey.sas7bdat"), filepath.Join(folder, "survey.SAS7BCAT"), filepath.Join(folder, "f.sas7bcat")
	for name, content := range map[string][]byte{path: data, other: whole} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	guessed := func() Format {
		t.Helper()
		f, err := GuessFile(context.Background(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	read := func(f Format, labels int, reported string) {
		t.Helper()
		d, report, err := Read(context.Background(), path, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, column := range d.Columns() {
			if column.Name() == "intdate" {
				got = len(column.Described().Labels)
			}
		}
		if got != labels || !strings.Contains(strings.Join(report.Warnings, "\n"), reported) {
			t.Errorf("%d labels, told is %q; expected %d and %q", got, report.Warnings, labels, reported)
		}
	}
	alone := guessed()
	read(alone, 0, "")
	if err := os.WriteFile(companionPaths, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	read(alone, 0, "") // the option as set when there was no catalogue
	with := guessed()
	read(with, 1, "")
	without := with
	if err := Choose(&without, "value labels=none"); err != nil {
		t.Fatal(err)
	}
	read(without, 0, "")
	if err := os.WriteFile(companionPaths, whole[:9000], 0o600); err != nil {
		t.Fatal(err)
	}
	read(with, 0, "values have no labels: survey.SAS7BCAT: the catalogue has fewer pages than its header declares")
	if err := os.Remove(companionPaths); err != nil {
		t.Fatal(err)
	}
	read(with, 0, "the catalogue survey.sas7bcat no longer exists")
	if err := Choose(&with, "codebook="+other); err != nil {
		t.Fatal(err)
	}
	read(with, 1, "")
	with.Codebook = path
	if _, _, err := Read(context.Background(), path, with, nil); err == nil ||
		!strings.Contains(err.Error(), "it is not a SAS catalogue") {
		t.Errorf("a codebook that is none: %v", err)
	}
}

// The catalogues in ../shared/data/found, of Windows and Linux, have the labels that haven finds in them.
func TestFoundCatalogues(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "shared", "data", "found")
	files, err := filepath.Glob(filepath.Join(folder, "*.sas7bdat.labels.json"))
	if err != nil || len(files) == 0 {
		t.Skip("the shared test data are absent: no data/found")
	}
	compared := 0
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var all map[string]json.RawMessage
		var catalogue string
		if err := json.Unmarshal(content, &all); err != nil || all[".catalog"] == nil {
			continue
		}
		if err := json.Unmarshal(all[".catalog"], &catalogue); err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(strings.TrimSuffix(path, ".labels.json"))
		d, _, err := Read(context.Background(), filepath.Join(folder, name),
			Format{Type: "sas7bdat", Codebook: filepath.Join(folder, catalogue)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range d.Columns() {
			var want struct{ Labels map[string]any }
			if err := json.Unmarshal(all[column.Name()], &want); err != nil {
				t.Fatal(err)
			}
			got := column.Described().Labels
			if len(got) != len(want.Labels) {
				t.Errorf("%s, %s: labels %v, expected %v", name, column.Name(), got, want.Labels)
			}
			for label, value := range want.Labels {
				if got[fmt.Sprint(value)] != label {
					t.Errorf("%s, %s: %v is called %q, expected %q", name, column.Name(), value, got[fmt.Sprint(value)], label)
				}
				compared++
			}
		}
	}
	if compared != 12 {
		t.Errorf("%d labels were compared, expected 12", compared)
	}
}
