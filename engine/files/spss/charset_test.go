package spss

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Old files do not declare their encoding; values and their labels can have another one than variable labels
// suggest.
func TestFileThatDoesNotSayItsCharset(t *testing.T) {
	texts := func() statfile.Column {
		return statfile.Column{Texts: &statfile.Texts{Values: []string{"Z\xfcrich", "Bern"},
			Codes: microdata.CodesOf([]uint8{1, 2})}}
	}
	f := &statfile.File{Rows: 2,
		Variables: []statfile.Variable{{Name: "place", Label: "Place", Kind: statfile.Text, Column: texts()},
			{Name: "sex", Labels: []statfile.ValueLabel{{Label: "m\xe4nnlich"}},
				Column: statfile.Column{Numbers: []float64{0, 0}}}}}
	var out bytes.Buffer
	if err := (System{}).Write(context.Background(), &out, f, nil, nil); err != nil {
		t.Fatal(err)
	}
	words := func(numbers ...int32) []byte {
		var b bytes.Buffer
		_ = binary.Write(&b, binary.LittleEndian, numbers)
		return b.Bytes()
	}
	old := bytes.Replace(out.Bytes(), words(recordExtension, extEncoding), words(recordExtension, 99), 1)
	old = bytes.Replace(old, words(65001), words(2), 1)
	back, err := System{}.Read(context.Background(), statfile.NewSource("old.sav", bytes.NewReader(old), int64(len(old))),
		statfile.ReadOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := back.Variables[0].Column.Texts.Values[0]; got != "Zürich" ||
		back.Variables[1].Labels[0].Label != "männlich" || back.Encoding != "windows-1252" || back.Warnings != nil {
		t.Errorf("%q, %+v, %s, %q", got, back.Variables[1].Labels, back.Encoding, back.Warnings)
	}
}
