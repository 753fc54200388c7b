package fileio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// strokes is a file type for a test: a signature, then a stroke per record. Its option is the meaning of a stroke.
type strokes struct{}

var _ kind = strokes{}

const strokesMark = "STROKES:"

func (strokes) info() statfile.Info {
	return statfile.Info{Name: "strokes", Endings: []string{".dbf"}}
}

func (strokes) recognise(_ context.Context, in *input, _ *progress.Meter) (Format, bool, error) {
	return Format{Type: "strokes", Options: map[string]string{"value": "1"}}, bytes.HasPrefix(in.head,
		[]byte(strokesMark)), nil
}

func (strokes) options(f *Format) []Option {
	return []Option{{Name: "value", Help: "What a stroke stands for.", Choices: statfile.Choices("1", "one", "5", "five"),
		Get: func() string { return f.Options["value"] },
		Set: func(value string) error {
			f.Options = map[string]string{"value": value}
			return nil
		}}}
}

func (strokes) size(context.Context, *input, Format) (int64, string) { return 0, "" }

func (strokes) lacks(context.Context, *microdata.Dataset, Format, WriteOptions) ([]string, error) {
	return nil, nil
}

func (s strokes) preview(ctx context.Context, in *input, f Format, records int) (*Table, error) {
	data, _, err := s.read(ctx, in, f, nil)
	if err != nil {
		return nil, err
	}
	table := &Table{Names: []string{"strokes"}, Kinds: []microdata.Kind{microdata.Whole}}
	for record := range min(records, data.Len()) {
		table.Rows = append(table.Rows, []string{data.Columns()[0].Text(record)})
	}
	return table, nil
}

func (strokes) read(_ context.Context, in *input, f Format,
	_ *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	content, err := io.ReadAll(in.content)
	if err != nil {
		return nil, nil, err
	}
	numbers := &microdata.Numbers{Values: make([]float64, strings.Count(string(content), "|"))}
	for i := range numbers.Values {
		_, _ = fmt.Sscan(f.Options["value"], &numbers.Values[i])
	}
	column := microdata.NewNumeric("strokes", microdata.Whole, numbers)
	data, err := microdata.NewDataset([]*microdata.Column{column.WithDescription(&microdata.Description{Label: "what was counted", Level: microdata.Scale})})
	return data, &ReadReport{Format: f}, err
}

func (strokes) write(_ context.Context, w io.Writer, d *microdata.Dataset, _ Format, _ WriteOptions,
	_ *progress.Meter) (*WriteReport, error) {
	_, err := io.WriteString(w, strokesMark+strings.Repeat("|", d.Len()))
	return &WriteReport{Records: d.Records()}, err
}

// A new file type needs only its implementation and a line in the registry to be recognised, previewed, read and
// written, with its options.
func TestNewKindOfFile(t *testing.T) {
	ctx, kinds := context.Background(), append(registry{strokes{}}, formats()...)
	open := func() *input {
		in := inMemory("count.txt", []byte(strokesMark+"||||"))
		return &in
	}
	f, err := kinds.recognise(ctx, open(), nil)
	if err != nil || f.Type != "strokes" {
		t.Fatalf("recognised as %+v, %v", f, err)
	}
	kind, err := kinds.of(f)
	if err != nil {
		t.Fatal(err)
	}
	options := kind.options(&f)
	if err := options[0].Set("5"); err != nil || options[0].Get() != "5" {
		t.Errorf("the option is %q, %v", options[0].Get(), err)
	}
	table, err := kinds.preview(ctx, open(), f, 2)
	if err != nil || len(table.Rows) != 2 || table.Rows[1][0] != "5" {
		t.Errorf("preview %+v, %v", table, err)
	}
	data, report, err := kinds.read(ctx, open(), f, nil)
	if err != nil || math.Abs(data.Columns()[0].Float(3)-5) > 0 || report.Format.Options["value"] != "5" {
		t.Fatalf("read %+v, %v", report, err)
	}
	writing, err := kinds.writer(report.Format)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := writing.write(ctx, &out, data, report.Format, WriteOptions{}, nil); err != nil ||
		out.String() != strokesMark+"||||" {
		t.Errorf("written %q, %v", out.String(), err)
	}
	if kinds.checkName("count.dbf", report.Format) != nil || kinds.checkName("count.rda", report.Format) == nil {
		t.Error("the names of its files are not those that it says")
	}
	if _, err := kinds.of(Format{Type: "strange"}); !errors.Is(err, ErrFormat) {
		t.Errorf("an unknown kind: %v", err)
	}
	if f, err = kinds.recognise(ctx, &input{name: "a.csv", size: 4, head: []byte("a\n1\n"),
		content: bytes.NewReader([]byte("a\n1\n"))}, nil); err != nil || f.Type != "" {
		t.Errorf("text is recognised as %+v, %v", f, err)
	}
}
