package stata

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Read reads a file.
func (Format) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	meter.Start(in.Size())
	h, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	wanted, long := []int(nil), false
	for i := range h.variables {
		if v := &h.variables[i]; o.MayWant(v.name) {
			wanted = append(wanted, i)
			long = long || v.kind == longTextStorage
		}
	}
	rows := int(o.AtMost(h.rows))
	c := in.Cursor(h.data, h.order)
	c.Skip(h.rows * int64(h.width))
	h.tag(c, "</data>")
	texts := h.readLongTexts(c, long && rows > 0)
	labels, err := h.readLabels(c)
	if err != nil {
		return nil, err
	}
	r := &records{header: h, in: in, wanted: wanted, long: texts, odd: make([]atomic.Bool, len(wanted))}
	said := ""
	if h.version >= unicodeFrom {
		said = "utf-8"
	}
	charset, err := in.Charset(o.Encoding, said)
	if err != nil {
		return nil, err
	}
	f := &statfile.File{Label: charset.Decode(h.label), Rows: rows, Total: int(h.rows),
		Settings: statfile.Settings{versionSetting: strconv.Itoa(h.version)}}
	for _, note := range h.notes {
		f.Notes = append(f.Notes, charset.Decode(note))
	}
	if err := in.Aside(h.memoryOfLabels(wanted, labels)); err != nil {
		return nil, err
	}
	for _, v := range wanted {
		f.Variables = append(f.Variables, h.variables[v].described(charset, labels))
	}
	err = f.Gather(ctx, in, &o, charset, rows, func(b *statfile.Blocks) error { return r.decode(ctx, b, rows, meter) })
	if err != nil {
		return nil, err
	}
	f.Warnings = append(f.Warnings, r.unusual(f)...)
	f.Warnings = append(f.Warnings, h.unlabelled(wanted, labels, charset)...)
	f.Only(&o)
	meter.Set(in.Size(), in.Size())
	return f, nil
}

// memoryOfLabels returns the memory of the value labels of variables in bytes.
func (h *header) memoryOfLabels(wanted []int, labels map[string][]statfile.ValueLabel) (bytes int64) {
	for _, v := range wanted {
		for _, l := range labels[h.variables[v].labels] {
			bytes += statfile.LabelBytes + int64(len(l.Label))
		}
	}
	return bytes
}

// unusual returns warnings about values outside Stata's range that became missing.
func (r *records) unusual(f *statfile.File) []string {
	var lost statfile.Losses
	for i := range r.odd {
		if r.odd[i].Load() {
			lost.Add("values that are -infinity or not numbers (NaN) become missing", f.Variables[i].Name)
		}
	}
	return lost.Sentences()
}

// unlabelled returns warnings about value label tables that do not exist. From format 117 on, the end of a file
// shows that it is complete.
func (h *header) unlabelled(wanted []int, labels map[string][]statfile.ValueLabel, charset *statfile.Charset) []string {
	said := "the file lacks value labels that its variables use"
	if len(labels) == 0 {
		said += ", so it may be truncated"
	}
	var absent statfile.Losses
	for _, v := range wanted {
		if name := h.variables[v].labels; !h.tagged() && name != "" && labels[name] == nil {
			absent.Add(said, charset.Decode(h.variables[v].name))
		}
	}
	return absent.Sentences()
}

// described converts the variable to package statfile.
func (v *variable) described(charset *statfile.Charset, labels map[string][]statfile.ValueLabel) statfile.Variable {
	out := statfile.Variable{Name: charset.Decode(v.name), Label: charset.Decode(v.label),
		Format: charset.Decode(v.format), Storage: v.storage.String()}
	if v.text() {
		out.Kind = statfile.Text
		if v.kind == textStorage {
			out.Width = v.width
		}
	} else {
		out.Width = shownWidth(out.Format)
	}
	for _, label := range labels[v.labels] {
		out.Labels = append(out.Labels, statfile.ValueLabel{Value: label.Value, Label: charset.Decode(label.Label)})
	}
	if kind := dateFormat(v.format); !v.text() {
		out.Kind = kind
	}
	if by := shiftOf(out.Kind); by != nil {
		for i := range out.Labels {
			shift(&out.Labels[i].Value.Number, by)
		}
	}
	return out
}

// epochDays is the number of days from 1960-01-01 to 1970-01-01.
const epochDays = 3653

// shiftOf returns the conversion of a kind from days and milliseconds since 1960, or nil.
func shiftOf(kind statfile.Kind) func(float64) float64 {
	switch kind {
	case statfile.Date:
		return func(x float64) float64 { return x - epochDays }
	case statfile.DateTime:
		return func(x float64) float64 { return (x - epochDays*86400*1000) / 1000 }
	}
	return nil
}

// shift converts a number unless it is missing.
func shift(x *float64, by func(float64) float64) {
	if *x == *x {
		*x = by(*x)
	}
}

// dateFormat returns the kind of numbers with a display format: dates (%td, %d), timestamps (%tc), or numbers.
func dateFormat(format string) statfile.Kind {
	plain := strings.TrimPrefix(strings.TrimPrefix(format, "%"), "-")
	switch {
	case !strings.HasPrefix(format, "%"):
		return statfile.Number
	case strings.HasPrefix(plain, "td"), strings.HasPrefix(plain, "d"):
		return statfile.Date
	case strings.HasPrefix(plain, "tc"):
		return statfile.DateTime
	default:
		return statfile.Number
	}
}

// shownWidth returns the width of a display format: 9 for %9.0g.
func shownWidth(format string) int {
	digits := strings.TrimLeft(format, "%-~0")
	width := 0
	for i := 0; i < len(digits) && digits[i] >= '0' && digits[i] <= '9' && width < 1000; i++ {
		width = 10*width + int(digits[i]-'0')
	}
	return width
}
