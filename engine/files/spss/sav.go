package spss

import (
	"bytes"
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// System is the format of system files, .sav and .zsav.
type System struct{}

var _ statfile.Format = System{}

// Info describes the file type: older files do not declare their encoding.
func (System) Info() statfile.Info {
	return statfile.Info{Name: "sav", Program: "an SPSS file (sav)", Endings: []string{".sav", ".zsav"}, Encoded: true,
		Declares: true, Labelled: true, FileLabel: true, Notes: true}
}

// compression is the name of a setting; its value is one of compressions.
const compression = "compression"

// compressions returns the names of the compression methods by number.
func compressions() []string { return []string{"none", "byte", "zlib"} }

// Recognise checks the first four bytes.
func (System) Recognise(_ context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	head := in.Head()
	return nil, len(head) > 4 && (bytes.HasPrefix(head, []byte("$FL2")) || bytes.HasPrefix(head, []byte("$FL3"))), nil
}

// Read reads a system file. Dates and times are converted to those of package statfile; a text is never missing,
// and has no trailing spaces.
func (System) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	d, err := readDictionary(in)
	if err != nil {
		return nil, err
	}
	charset, err := d.charset(in, o.Encoding)
	if err != nil {
		return nil, err
	}
	places := d.places()
	if err := in.Aside(d.labelBytes()); err != nil {
		return nil, err
	}
	f := &statfile.File{Label: charset.Decode(d.label), Variables: d.neutralVariables(places, charset),
		Warnings: d.warnings(), Settings: statfile.Settings{compression: compressions()[d.compression]}}
	f.Weight = d.weightName(f.Variables, places)
	for _, line := range d.documents {
		f.Notes = append(f.Notes, charset.Decode(line))
	}
	rows := d.header.rows
	if rows < 0 {
		rows = d.manyRows
	}
	f.Total = int(rows)
	reading, err := d.dataOf(in, f, places, o, meter)
	if err != nil {
		return nil, err
	}
	reading.claimed, reading.limit = rows, rows
	if wanted := int64(o.Rows); wanted > 0 && (rows < 0 || wanted < rows) {
		reading.limit = wanted
	}
	err = f.Gather(ctx, in, &o, charset, int(reading.limit), func(b *statfile.Blocks) (err error) {
		f.Truncated, err = reading.read(ctx, b)
		return err
	})
	if err != nil {
		return nil, err
	}
	f.Rows = int(reading.rows)
	if reading.limit < 0 || int64(f.Rows) < reading.limit { // all rows that exist
		f.Total = f.Rows
	}
	return f, nil
}

// dataOf returns the decoder of the selected variables, which are those in f.
func (d *dictionary) dataOf(in *statfile.Source, f *statfile.File, places []place, o statfile.ReadOptions,
	meter *progress.Meter) (*data, error) {
	out := &data{dictionary: d, meter: meter}
	meter.Start(in.Size())
	var variables []statfile.Variable
	for i, v := range f.Variables {
		if o.Wants(v.Name) {
			variables = append(variables, v)
			out.places, out.kinds = append(out.places, places[i]), append(out.kinds, v.Kind)
		}
	}
	f.Variables = variables
	out.codec, out.stream = plainEncoder{}, &plainData{in: in, at: d.dataStart}
	if d.compression != uncompressed {
		out.codec = newCoded(d.order, d.bias, d.extension.missing)
	}
	if d.compression == zlibBlocks {
		blocks, err := readTrailer(in, d.dataStart, d.order)
		if err != nil {
			return nil, err
		}
		out.stream = blocks
	}
	return out, nil
}
